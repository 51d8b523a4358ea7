"""Find, measure, explain and close the gaps in what language models know about APIs.

The names in `__all__` are the public interface, described in docs/python-api.md; everything else may change from one
version to the next. Each is imported when it is first asked for, so that `import apigap` costs next to nothing.
"""

from importlib import import_module

from apigap.version import __version__ as __version__

TYPE_CHECKING = False  # as type checkers know it; importing `typing` would take longer than all the rest
if TYPE_CHECKING:
    from apigap.analysis.compare import compare
    from apigap.api.audit import audit
    from apigap.api.benchmarks import calibrate, load_benchmark, predict, score
    from apigap.api.discover import discover
    from apigap.api.stages import generate
    from apigap.evaluation.benchmark import Benchmark
    from apigap.records.configuration import Settings, load_settings
    from apigap.records.errors import ApigapError
    from apigap.records.result import Prediction, Result
    from apigap.records.task import Task

__all__ = [
    "ApigapError",
    "Benchmark",
    "Prediction",
    "Result",
    "Settings",
    "Task",
    "audit",
    "calibrate",
    "compare",
    "discover",
    "generate",
    "load_benchmark",
    "load_settings",
    "predict",
    "score",
]
_HOMES = {
    "ApigapError": "apigap.records.errors",
    "Benchmark": "apigap.evaluation.benchmark",
    "Prediction": "apigap.records.result",
    "Result": "apigap.records.result",
    "Settings": "apigap.records.configuration",
    "Task": "apigap.records.task",
    "audit": "apigap.api.audit",
    "calibrate": "apigap.api.benchmarks",
    "compare": "apigap.analysis.compare",
    "discover": "apigap.api.discover",
    "generate": "apigap.api.stages",
    "load_benchmark": "apigap.api.benchmarks",
    "load_settings": "apigap.records.configuration",
    "predict": "apigap.api.benchmarks",
    "score": "apigap.api.benchmarks",
}
"""The module of each public name."""


if not TYPE_CHECKING:  # a type checker would take every name for a public one

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

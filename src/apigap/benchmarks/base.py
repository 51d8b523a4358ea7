"""The registry of benchmarks: those that installed packages name in the entry point group `apigap.benchmarks`."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from apigap.evaluation.benchmark import Benchmark
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.names import did_you_mean

GROUP = "apigap.benchmarks"

__all__ = ["Benchmark", "benchmark_names", "find_benchmark", "registered"]


def benchmark_names() -> list[str]:
    """The names of all benchmarks that are installed, sorted; none of them is imported."""
    return sorted(registered())


def find_benchmark(name: str) -> type[Benchmark[Any, Any]]:
    """The benchmark of that name; only now its module is imported.

    Raises:
        UsageError: when there is none; the message has the nearest names.
        InfrastructureError: when its package cannot be imported.
    """
    known = registered()
    if name not in known:
        hint = did_you_mean(name, known, f"the benchmarks are {', '.join(sorted(known))}")
        raise UsageError(f"no benchmark is named {name!r}; {hint}")
    entry = known[name]
    try:
        return entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist else "an unknown package"
        raise InfrastructureError(
            f"the benchmark {name} of {package} ({entry.value}) cannot be loaded: {error!r}; repair or uninstall it"
        ) from error


@cache
def registered() -> dict[str, EntryPoint]:
    """The entry point of each benchmark, by its name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}

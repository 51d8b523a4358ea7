"""Values of options that a shell completes: each function takes the beginning of a word, and imports what it needs."""

from collections.abc import Callable, Iterable

Completer = Callable[[str], list[str]]


def one_of(names: Iterable[str]) -> Completer:
    """Completes one of `names`."""
    known = list(names)

    def complete(incomplete: str) -> list[str]:
        del incomplete
        return known

    return complete


def several(complete: Completer) -> Completer:
    """Completes the last of several values with commas between them, each by `complete`."""

    def complete_last(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in complete(last)]

    return complete_last


def models(incomplete: str) -> list[str]:
    """The local models; those of providers are known to the providers alone."""
    del incomplete
    from apigap.models.registry import model_names

    return [f"gguf/{name}" for name in model_names()]


def libraries(incomplete: str) -> list[str]:
    """The libraries of `apigap library list`."""
    del incomplete
    from apigap.discovery.library import known_libraries

    return [library.name for library in known_libraries()]


def groups(incomplete: str) -> list[str]:
    """The groups of `apigap group list`."""
    del incomplete
    from apigap.experiments.group_config import group_names

    return group_names()


def editions(incomplete: str) -> list[str]:
    """The editions of the starter benchmark."""
    del incomplete
    from apigap.tasks.starter_files import editions

    return editions()


def tasks(incomplete: str) -> list[str]:
    """The names of the starter benchmark once its own is written out; before that a word may be that of any file."""
    if not incomplete.startswith("starter"):
        return []
    from apigap.tasks.starter_files import editions, starter_files

    names = [*editions(), *(path.stem for path in starter_files())]
    return ["starter", *(f"starter/{name}" for name in dict.fromkeys(names))]


def conditions(incomplete: str) -> list[str]:
    """The kinds of knowledge that a prompt may show."""
    del incomplete
    from apigap.knowledge.conditions import CONDITIONS

    return list(CONDITIONS)


def cells(incomplete: str) -> list[str]:
    """The cells of an experiment; only their short names as long as nothing is written."""
    from apigap.experiments.grid import cell_names

    return [name for name in cell_names() if incomplete or "." not in name]


def gates(incomplete: str) -> list[str]:
    """The gates of stage 4."""
    del incomplete
    from apigap.gates.record import GATES

    return list(GATES)


def searchers(incomplete: str) -> list[str]:
    """The ways to search an index."""
    del incomplete
    from apigap.retrieval.index import SEARCHERS

    return list(SEARCHERS)


def layouts(incomplete: str) -> list[str]:
    """The layouts of a prompt that have a name."""
    del incomplete
    from apigap.records.configuration import LAYOUTS

    return list(LAYOUTS)


def engines(incomplete: str) -> list[str]:
    """The places where programs run."""
    del incomplete
    return ["local", "ray"]


def benchmarks(incomplete: str) -> list[str]:
    """The benchmarks that are installed."""
    del incomplete
    from apigap.benchmarks.base import benchmark_names

    return benchmark_names()

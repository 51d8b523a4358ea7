"""The list of names by which twins are chosen: of each library the first release, names of callables, their words."""

from tools.ladder.frequencies import lines_of

from apigap.discovery.surface import Entry, Surface
from apigap.ladder.twins.plausible import frequencies
from apigap.records.candidate import Parameter


def surface(library: str, version: str, *names: str) -> Surface:
    parameters = tuple(Parameter(name=name, kind="keyword_only", required=True) for name in names)
    entry = Entry(name=f"{library}.f", kind="function", paths=(f"{library}.f",), parameters=parameters)
    return Surface(library=library, version=version, entries=(entry,))


def test_each_library_counts_once_and_with_its_first_release() -> None:
    found = lines_of([
        surface("a", "2.0", "fresh_name"), surface("a", "1.10", "max_size", "rows", "_own"),
        surface("b", "1.0", "max_rows", "rows", "fresh_name"),
    ])  # fmt: skip
    assert found == ["# 2 libraries: a 1.10, b 1.0", "2 rows", "*2 max_ rows"]


def test_the_list_in_the_package_is_read() -> None:
    names, words = frequencies()
    assert names["timeout"] > 10 and words["max_"] > 10 and "_own" not in names

"""The documentation of a release as an agent reads it, on a real one."""

import pytest

from apigap.agent.documentation import Documentation, NotThere
from apigap.agent.workplace import Workplace
from apigap.records.task import Task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def pages(workplace: Workplace, tasks: list[Task]) -> Documentation:
    return workplace.documentation(tasks[0])


READS = [
    ("search_docs", "number of permutations with no fixed points", "- more_itertools.subfactorial(n) -> int"),
    ("search_docs", "random_ordered_range", "more_itertools.random_ordered_range"),
    ("read_page", "more_itertools.subfactorial", "Number of permutations of *n* elements with no fixed points."),
    ("read_page", "more_itertools", "In more_itertools:"),
    ("read_page", "more_itertools.peekable", "- more_itertools.peekable.peek("),
    ("read_source", "more_itertools.random_ordered_range", "range_object = range(*args)"),
    ("read_source", "more_itertools.more.random_ordered_range", "range_object = range(*args)"),
    ("read_source", "more_itertools.serialize.send", "return self._iterator.send(value)"),
    ("read_source", "more_itertools", "module more_itertools\n- more_itertools."),
    ("list_changes", "", "added more_itertools.random_ordered_range(*args)"),
    ("list_changes", "serialize", "added more_itertools.serialize.send"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "argument", "words"), READS)
def test_what_is_there_is_found(pages: Documentation, tool: str, argument: str, words: str) -> None:
    assert words in getattr(pages, tool)(argument)


MISSING = [
    ("search_docs", "zzzz", "nothing has a word"),
    ("read_page", "more_itertools.old.subfactorial", "old.subfactorial'; there is more_itertools.subfactorial"),
    ("read_page", "numpy.sum", "there is no 'numpy.sum'"),
    ("read_page", "more_itertools.subfactorial#9", "no part 9; it has 1"),
    ("read_source", "../../etc/passwd", "there is no"),
    ("read_source", ".", "there is no"),
    ("list_changes", "zzzz", "none of the"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "argument", "words"), MISSING)
def test_what_is_not_there_is_told(pages: Documentation, tool: str, argument: str, words: str) -> None:
    with pytest.raises(NotThere) as told:
        getattr(pages, tool)(argument)
    assert words in str(told.value)


@pytest.mark.parametrize("tool", ["read_page", "read_source"])
def test_a_long_text_is_read_in_parts_that_are_the_whole(pages: Documentation, tool: str) -> None:
    read, part, parts = getattr(pages, tool), 1, list[str]()
    while True:
        text = read(f"more_itertools#{part}")
        body, _, note = text.partition("\n(part ")
        parts.append(body)
        assert len(body) <= 4000
        if not note:
            break
        part += 1
        assert f"the next is more_itertools#{part})" in note
    assert len(parts) > 1
    names = [line for text in parts for line in text.splitlines() if line.startswith("- ")]
    assert len(names) == len(set(names)) > 100

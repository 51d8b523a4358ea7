"""Which notes of a library are asked, and when an answer agrees with one."""

import pytest
from tools.discovery.since_notes import Asked, Note, draw, says_since

from apigap.records.candidate import Candidate, Mention, Parameter, Since


def note(library: str, name: str, version: str = "1.2", parameter: str | None = None) -> Note:
    return Note(
        library=library, api_name=name, parameter=parameter, kind="versionadded", version=version, where="docstring"
    )


@pytest.mark.parametrize(
    ("written", "found", "exact", "verdict"),
    [
        ("1.2", "1.2.0", True, "agrees"),
        ("1.2.3", "1.2.0", True, "agrees"),
        ("2", "2.0.1", True, "agrees"),
        ("1.2", "1.3.0", True, "disagrees"),
        ("1.2", "2.2.0", True, "disagrees"),
        ("1.2", "1.2.0", False, "not told"),
        ("1.2", "1.1.0", False, "not told"),
    ],
)
def test_agreement_is_to_the_minor_release(written: str, found: str, exact: bool, verdict: str) -> None:
    assert Asked(note=note("lib", "lib.f", written), since=Since(version=found, exact=exact)).verdict == verdict


@pytest.mark.parametrize(
    ("kind", "parameter", "text", "says"),
    [
        ("versionadded", None, "", True),
        ("versionadded", None, "Calls another function.", False),
        ("versionadded", "a", "", True),
        ("versionadded", "a", "The 'x' and 'y' values were added.", False),
        ("versionadded", "gone", "", False),
        ("versionchanged", None, "", False),
        ("versionchanged", "a", "Added the `a` parameter.", True),
        ("versionchanged", "a", "The `a` parameter was added.", True),
        ("versionchanged", "a", "The `a` parameter no longer accepts None.", False),
        ("deprecated", "a", "", False),
    ],
)
def test_notes_that_say_since_when(kind: str, parameter: str | None, text: str, says: bool) -> None:
    candidate = Candidate(
        api_name="lib.f", kind="function", library="lib", old_version=None, new_version="2.0", change="added",
        signature="(a)", parameters=(Parameter(name="a"),), import_module="lib",
    )  # fmt: skip
    mention = Mention.model_validate({
        "kind": kind, "version": "1.2", "where": "docstring", "in_series": True, "parameter": parameter, "text": text
    })  # fmt: skip
    assert says_since(candidate, mention) == says


def test_a_draw_is_even_repeatable_and_has_no_api_twice() -> None:
    pools = {
        "one": [note("one", f"one.f{number}") for number in range(3)],
        "two": [note("two", f"two.f{number // 2}", parameter=f"p{number}") for number in range(40)],
        "six": [note("six", f"six.f{number}") for number in range(40)],
    }
    drawn = draw(pools, 21, 0)
    assert drawn == draw(dict(reversed(pools.items())), 21, 0) != draw(pools, 21, 1)
    assert {name: sum(one.library == name for one in drawn) for name in pools} == {"one": 3, "two": 9, "six": 9}
    assert len({(one.library, one.api_name) for one in drawn}) == len(drawn)

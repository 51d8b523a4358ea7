"""Answers that are nearly right, and none of which may count for more than they say."""

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from apigap.benchmarks.toolllm.answers import STRUCTURED
from apigap.benchmarks.toolllm.baselines import everything
from apigap.benchmarks.toolllm.queries import OWN, Query, load_queries
from apigap.benchmarks.toolllm.selection import score, select
from apigap.benchmarks.toolllm.verdict import verdict
from tests.benchmarks.toolllm.test_answers import converted, openai, tree
from tests.benchmarks.toolllm.test_laws import pieces

QUERIES = load_queries([OWN])
queries = st.sampled_from(QUERIES)
FORMS: dict[str, Callable[[list[str]], str]] = {
    "names": lambda names: json.dumps({"api_calls": names}),
    "a message": lambda names: json.dumps(openai(*names)),
    "objects": lambda names: json.dumps({"calls": [{"api_name": name} for name in names]}),
    "a run": lambda names: tree(*names),
    "a converted run": lambda names: converted(*names),
    "tags": lambda names: "".join(f'<tool_call>{json.dumps({"name": n, "arguments": {}})}</tool_call>' for n in names),
}  # fmt: skip
forms = st.sampled_from(sorted(FORMS))
TEN_MEGABYTES = 10_000_000


def holds_json(text: str, opening: str, closing: str) -> bool:
    """True where all from one `opening` to the last `closing` is JSON, control characters allowed."""
    for start in (place for place, sign in enumerate(text) if sign == opening):
        with suppress(ValueError):
            json.loads(text[start : text.rfind(closing) + 1], strict=False)
            return True
    return False


@given(queries, st.sampled_from(["names", "a message", "objects", "a run", "a converted run"]), st.data())
def test_no_part_of_an_object_that_was_cut_off_is_structured(query: Query, form: str, data: st.DataObject) -> None:
    whole = FORMS[form](sorted(query.expected))
    kept = data.draw(st.integers(0, len(whole) - 1))
    found = select(whole[:kept], query)
    assert found.mode not in STRUCTURED
    assert not score(found, query).resolved


@given(queries, forms, st.data())
def test_one_sign_that_is_wrong_never_gives_more_than_was_named(query: Query, form: str, data: st.DataObject) -> None:
    whole = FORMS[form](sorted(query.expected))
    place = data.draw(st.integers(0, len(whole) - 1))
    sign = data.draw(st.sampled_from(["", "\\", '"', "'", "{", "}", "[", "]", ",", ":", "\ud800", "\u0000", "x"]))
    broken = whole[:place] + sign + whole[place + data.draw(st.integers(0, 1)) :]
    found = score(select(broken, query), query)
    assert found.hits <= len(query.expected)
    if form == "names" and found.resolved:
        assert holds_json(broken, "{", "}") or holds_json(broken, "[", "]")


ALIKE = {"a": "аａá", "c": "сｃç", "e": "еｅé", "i": "іｉı", "k": "\u212aｋк", "o": "οоｏø", "t": "ｔт", "x": "хｘ"}
"""Letters, and others that look like them: of other alphabets, of full width, with a mark."""


@given(queries, forms, st.data())
def test_a_letter_that_only_looks_alike_names_another_api(query: Query, form: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(query.expected)))
    places = [place for place, letter in enumerate(name) if letter in ALIKE]
    assume(places)
    place = data.draw(st.sampled_from(places))
    looks = name[:place] + data.draw(st.sampled_from(ALIKE[name[place]])) + name[place + 1 :]
    found = select(FORMS[form]([looks]), query)
    assert name not in found.chosen
    assert len(found.invented) == 1


@given(queries, forms, st.integers(1, 5), st.randoms())
def test_naming_everything_scores_as_the_baseline(query: Query, form: str, times: int, random: object) -> None:
    names = sorted(query.offered) * times
    random.shuffle(names)  # type: ignore[attr-defined]
    found, chance = score(select(FORMS[form](names), query), query), everything(query)
    assert (found.recall, found.precision, float(found.exact)) == (chance.recall, chance.precision, chance.exact)
    assert found.resolved == query.is_trivial


@given(queries, st.lists(st.sampled_from(["ap", "api_", "for", "a", "e", " ", "_"]), max_size=5))
def test_pieces_of_names_choose_nothing_that_is_not_offered_once(query: Query, parts: list[str]) -> None:
    found = select(FORMS["names"](parts), query)
    assert len(set(found.chosen)) == len(found.chosen)
    assert set(found.chosen) <= query.offered | set(found.invented) | set(found.ambiguous)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))  # pyright: ignore[reportArgumentType]
@given(queries, st.lists(pieces, min_size=1, max_size=8).map("".join))
def test_ten_megabytes_of_the_same_are_read(query: Query, piece: str) -> None:
    assume(piece)
    text = (piece * (TEN_MEGABYTES // len(piece) + 1))[:TEN_MEGABYTES]
    result = verdict(query, select(text, query))
    assert 0 <= result.score <= 1
    assert len(result.to_line()) < 4 * TEN_MEGABYTES


@pytest.mark.parametrize("form", sorted(FORMS))
def test_many_invented_names_are_one_wrong_choice_each(form: str) -> None:
    query = QUERIES[0]
    names = [f"invented_{number:080}" for number in range(60)]
    found = score(select(FORMS[form]([*names, *names, *sorted(query.expected)]), query), query)
    assert (found.recall, found.predicted, found.resolved) == (1.0, 60 + len(query.expected), False)

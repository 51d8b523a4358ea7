"""The queries that come with apigap: how many and of what kind, and what their right and wrong answers get."""

from collections import Counter
from collections.abc import Collection

import pytest
from tools.calls.written import all_queries

from apigap.benchmarks.calls import verdict as verdict_module
from apigap.benchmarks.calls.check import OWN as OWN_RULES
from apigap.benchmarks.calls.mutants import mutants, right_answers
from apigap.benchmarks.calls.queries import OWN, Query, load_queries
from apigap.benchmarks.calls.reading import Reading, read_answer
from apigap.evaluation.predict import prove
from apigap.records.errors import CheckFailed
from tests.benchmarks.runs import calibrated, calls
from tests.silent import Silent

QUERIES = load_queries(OWN)


def test_they_are_those_that_are_written_down() -> None:
    assert "".join(query.to_line() + "\n" for query in all_queries()) == OWN.read_text(encoding="utf-8")


def test_there_are_enough_of_each_kind_in_each_domain() -> None:
    kinds = Counter((query.category, query.domain) for query in QUERIES)
    assert set(kinds) == {
        (kind, domain) for kind in ("nothing", "several", "sets") for domain in ("banking", "travel", "home")
    }
    assert min(kinds.values()) >= 14
    assert min(Counter(query.category for query in QUERIES).values()) >= 40


def _has_set(query: Query) -> bool:
    """True where more than one answer is right."""
    return any(True for _ in right_answers(query))


def test_each_has_what_its_kind_asks_for() -> None:
    assert len({query.messages[-1].content for query in QUERIES}) == len(QUERIES)
    for query in QUERIES:
        assert (len(query.expected) > 1) is (query.category == "several"), query.task_id
        assert (not query.expected) is (query.category == "nothing"), query.task_id
        assert len(query.functions) >= 3, query.task_id
        assert query.why or query.category == "several", query.task_id
        assert query.order == "free" or len(query.expected) > 1, query.task_id
        assert {call.name for call in query.expected} < set(query.schemas), query.task_id
    assert sum(_has_set(query) for query in QUERIES if query.category == "sets") >= 40
    assert sum(query.order == "fixed" for query in QUERIES) >= 5


def test_the_place_of_a_function_does_not_tell_that_it_is_right() -> None:
    single = [query for query in QUERIES if query.category == "sets"]
    places = Counter([one.name for one in query.functions].index(query.expected[0].name) for query in single)
    assert max(places.values()) < len(single) / 2 and min(places[place] for place in range(5)) >= 3


def test_right_answers_pass_in_all_forms_and_mutants_fail_with_their_fault() -> None:
    found = calibrated(calls())
    assert (found.wrong, found.weak) == ((), ())
    assert found.probes > 2_000
    told = {mutant.fault for query in QUERIES for mutant in mutants(query)}
    assert told == {
        "hallucinated API", "wrong API", "missing argument", "unknown argument", "wrong type", "wrong value",
        "missed call", "superfluous call", "wrong order",
    }  # fmt: skip


def _trusting(text: str, offered: Collection[str]) -> Reading:
    found = read_answer(text, offered)
    return Reading("prose") if found.kind == "unreadable" else found


WEAKENED = {
    "what cannot be read calls nothing": ("calls.benchmark.read_answer", _trusting),
    "no call is read": ("calls.benchmark.read_answer", lambda text, offered: Reading("prose")),
    "any value fits": ("calls.check.fits", lambda value, accepted, schema, root: True),
    "any type fits": ("calls.check.schema_findings", lambda value, schema, root, name: []),
    "nothing is left over": ("calls.check._left_over", lambda calls, expected, pairs, functions: []),
    "all texts are the same": ("calls.values.spelling", lambda text: ""),
}


@pytest.mark.parametrize(("what", "instead"), WEAKENED.values(), ids=list(WEAKENED))
def test_a_scorer_with_a_fault_is_found_before_a_model_is_asked(
    monkeypatch: pytest.MonkeyPatch, what: str, instead: object
) -> None:
    monkeypatch.setattr(f"apigap.benchmarks.{what}", instead)
    found = calibrated(calls())
    assert found.wrong or found.weak
    if found.wrong:
        with pytest.raises(CheckFailed, match="no model is asked"):
            prove(calls(), QUERIES, Silent())


def test_the_rules_of_each_kind_are_there() -> None:
    assert verdict_module.RULES["own"] is OWN_RULES and len(verdict_module.RULES) == 4

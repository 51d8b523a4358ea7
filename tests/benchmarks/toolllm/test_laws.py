"""What holds for every answer and every choice, on queries that were written for this project."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.toolllm.study import score_answers

from apigap.benchmarks.toolllm.baselines import at_random, everything, mean_chance, nothing
from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.names import function_name, standardise
from apigap.benchmarks.toolllm.queries import OWN, Query, load_queries
from apigap.benchmarks.toolllm.selection import score, select
from apigap.benchmarks.toolllm.summary import summarise_selection
from apigap.benchmarks.toolllm.verdict import verdict
from apigap.records.errors import CorruptRecord
from apigap.records.result import Prediction
from tests.benchmarks.runs import calibrated, toolllm

QUERIES = load_queries([OWN])
queries = st.sampled_from(QUERIES)
names = st.sampled_from(
    sorted({name for query in QUERIES for name in query.offered} | {"nobody_for_nothing", "Search"})
)
choices = st.lists(names, max_size=8)
pieces = st.one_of(
    st.text(max_size=20),
    st.sampled_from([
        "{", "}", "[", "]", '"', "'", ",", ":", "\\", "```", "```json\n", "\n", '{"api_calls": [', '{"name": "', "null",
        "<tool_call>", "</tool_call>", "<think>", "</think>", '{"tree": {"tree": {"node_type": "Action", "children": [',
        '{"tool_calls": [', '{"role": "assistant", "content": [', "Finish", "1e999", "NaN", "\ud800", "\u0000",
    ]),
    names,
)  # fmt: skip


def answer(chosen: list[str]) -> str:
    return json.dumps({"api_calls": chosen})


@given(queries, st.lists(pieces, max_size=30).map("".join))
def test_any_text_gives_a_selection_and_a_result(query: Query, text: str) -> None:
    result = verdict(query, select(text, query))
    assert 0 <= result.score <= 1
    assert result.passed == (result.detail["exact"] and result.detail["mode"] in ("json", "native", "tree"))
    assert type(result).from_line(result.to_line()).to_line() == result.to_line()


@given(queries, choices, st.randoms())
def test_order_and_duplicates_never_change_a_score(query: Query, chosen: list[str], random: Random) -> None:
    more = [*chosen, *(name for name in chosen if random.random() < 0.5)]
    random.shuffle(more)
    assert score(select(answer(more), query), query) == score(select(answer(chosen), query), query)


@given(queries, choices, names)
def test_a_wrong_choice_more_raises_nothing(query: Query, chosen: list[str], more: str) -> None:
    before, after = (score(select(answer(c), query), query) for c in (chosen, [*chosen, more]))
    if after.hits > before.hits:
        assert after.recall > before.recall
    else:
        assert after.recall == before.recall
        assert (after.precision or 0.0) <= (before.precision if before.precision is not None else 1.0)
        assert after.f1 <= before.f1


@given(queries, choices)
def test_only_the_labels_resolve(query: Query, chosen: list[str]) -> None:
    found = score(select(answer(chosen), query), query)
    assert found.resolved == (found.recall == 1 and found.precision == 1)


@given(st.text(max_size=80), st.text(max_size=80))
def test_standardised_names_stay_as_they_are(tool: str, api: str) -> None:
    assert standardise(standardise(tool)) == standardise(tool)
    assert len(function_name(tool, api)) <= 64
    assert function_name(standardise(tool), standardise(api)) == function_name(tool, api)


LARGE = 2_000_000
HOSTILE = {
    "open brackets": "[" * LARGE,
    "open braces": "{" * LARGE,
    "objects that never end": '{"a":' * (LARGE // 5),
    "empty lists": "[]" * (LARGE // 2),
    "broken pairs": "[{]}" * (LARGE // 4),
    "a quote that never ends": '{"api_calls": ["' + "a" * LARGE,
    "quotes": '{"' * (LARGE // 2),
    "tags": "<tool_call>" * (LARGE // 11),
    "traces": "<think>\n" * (LARGE // 8),
    "blanks": "{" + " " * LARGE,
    "many names": json.dumps({"api_calls": [f"name_{number:090}" for number in range(LARGE // 100)]}),
    "a long name": json.dumps({"api_calls": ["(" * LARGE]}),
    "a long number": '{"api_calls": ' + "9" * LARGE + "}",
    "nested": '{"api_calls": ' + "[" * 100_000 + "]" * 100_000 + "}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_megabytes_of_anything_are_read(text: str) -> None:
    assert not score(select(text, QUERIES[0]), QUERIES[0]).resolved


def test_a_choice_after_ten_megabytes_of_words_counts() -> None:
    text = "so many words " * (10_000_000 // 14) + gold(QUERIES[0])
    assert score(select(text, QUERIES[0]), QUERIES[0]).resolved


def test_the_scorer_proves_itself_on_our_own_queries() -> None:
    found = calibrated(toolllm([OWN]))
    assert (found.wrong, found.weak) == ((), ())
    assert found.probes > 4 * len(QUERIES)


def test_our_own_queries_are_of_every_kind() -> None:
    tools = [len({api.tool_name for api in query.apis}) for query in QUERIES]
    assert len(QUERIES) >= 20
    assert min(Counter(tools)[1], sum(count > 1 for count in tools)) >= 3
    assert 0 < sum(query.is_trivial for query in QUERIES) < len(QUERIES) / 4
    assert any(query.colliding for query in QUERIES)
    assert any(len(query.expected) < len(query.labels) for query in QUERIES)


def test_baselines_and_missing_answers_are_in_the_summary() -> None:
    first, second = QUERIES[:2]
    results = score_answers([first, second], [Prediction(task_id=first.task_id, samples=(gold(first),))])
    whole = summarise_selection([first, second], results, answered_only=False).groups["all"]
    assert (whole.recall.estimate, whole.resolved.estimate, whole.precision) == (0.5, 0.5, 1.0)
    assert summarise_selection([first, second], results, answered_only=True).groups["all"].answered == 1
    assert whole.baselines["everything"].recall == 1.0
    assert whole.baselines["random"].model_dump() == mean_chance([first, second], at_random).model_dump()
    assert (everything(first).precision, nothing(first).recall) == (3 / 4, 0.0)


BROKEN = {
    "no labels": ("relevant APIs", None, "relevant APIs"),
    "empty labels": ("relevant APIs", [], "relevant APIs"),
    "a label that is no pair": ("relevant APIs", [["Tidewatch"]], "relevant APIs"),
    "a label that is not offered": ("relevant APIs", [["Tidewatch", "Moon"]], "not in its api_list"),
    "nothing offered": ("api_list", [], "api_list"),
}


@pytest.mark.parametrize(("key", "value", "told"), BROKEN.values(), ids=list(BROKEN))
def test_a_row_without_usable_labels_is_refused(tmp_path: Path, key: str, value: object, told: str) -> None:
    rows = json.loads(OWN.read_text("utf-8"))
    rows[3][key] = value
    path = tmp_path / "some.json"
    path.write_text(json.dumps(rows), "utf-8")
    with pytest.raises(CorruptRecord, match=rf"some\.json, row 3 \(query_id 900004\).*{told}"):
        load_queries([path])


NO_QUERIES = {
    b"": "is empty; give a query file",
    b" \n": "is empty; give a query file",
    b"[]": "no query in",
    b'{"a": 1}': "holds no list of queries; give a query file",
    b"\xbf\x00": "is not JSON",
}


@pytest.mark.parametrize(("data", "told"), NO_QUERIES.items())
def test_a_file_without_queries_is_told(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(data)
    with pytest.raises(CorruptRecord, match=told):
        load_queries([path])

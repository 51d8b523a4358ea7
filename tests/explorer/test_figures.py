"""The figures of the explorer are those of the other commands, and keep the laws of what they are made of."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.analysis.analyse import analyse
from apigap.analysis.compare import compare
from apigap.explorer.apis import needs_of
from apigap.explorer.comparisons import comparisons_of
from apigap.explorer.dataset import Dataset, read_dataset
from apigap.explorer.rates import rates_of
from apigap.explorer.runs import Runs
from apigap.explorer.scores import TASK_RUNG, Score
from tests.analysis.test_ladder_report import OLD, PAIRED, answers_of, kept, ladder_of
from tests.silent import Silent

SMALL, LARGE = "gguf/qwen2.5-coder-0.5b", "gguf/qwen2.5-coder-1.5b"


def test_rates_of_tasks_are_those_of_an_analysis(starter: Path, explored: Dataset) -> None:
    experiments = ["starter-qwen2.5-coder-0.5b", "starter-qwen2.5-coder-1.5b"]
    expected = {
        (row.model, row.cell): (row.pass_at_1, row.low, row.high, row.tasks, row.apis)
        for row in analyse(starter, experiments).cells
        if row.experiment in experiments
    }
    found = {
        (one.subject, one.condition): (one.rate, one.low, one.high, one.units, one.apis)
        for one in explored.rates
        if (one.library, one.change, one.side) == ("", "", "new")
    }
    assert found == expected
    assert len(found) == 6


def test_rates_of_the_ladder_are_those_of_a_report(ladder: Path) -> None:
    report = ladder_of(kept(PAIRED), answers_of(PAIRED, OLD))
    expected = {
        (measure.measure, side): (rate.mean, rate.low, rate.high)
        for measure in report.measures
        for side, rate in (("new", measure.new), ("control", measure.control))
    }
    rates = read_dataset([ladder], draws=50, progress=Silent()).rates
    found = {
        (one.rung, one.side): (one.rate, one.low, one.high)
        for one in rates
        if (one.subject, one.library, one.change) == ("gguf/dated", "", "")
    }
    assert found == expected


def test_differences_are_those_of_compare(starter: Path, explored: Dataset) -> None:
    folder = starter / "results" / "starter-qwen2.5-coder-1.5b"
    expected = compare(folder / "baseline", folder / "oracle.s", draws=200).gain
    assert expected
    (found,) = [
        one for one in explored.comparisons if (one.kind, one.subject, one.b) == ("knowledge", LARGE, "oracle.s")
    ]
    assert (found.difference, found.low, found.high, found.p) == (
        expected.difference, expected.low, expected.high, expected.p_value
    )  # fmt: skip
    assert found.p_holm >= found.p
    pairs = [(one.a, one.b, one.condition) for one in explored.comparisons if one.kind == "models"]
    assert pairs == [(SMALL, LARGE, name) for name in ("baseline", "oracle.s", "oracle.s_e")]


def test_who_knows_all_is_told_from_who_knows_the_old_alone(ladder: Path) -> None:
    found = read_dataset([ladder], draws=50, progress=Silent())
    gained = {one.rung: round(one.difference, 2) for one in found.comparisons}
    assert gained == {"exists: told apart": 0.5, "signature: choice": 1.0, "signature: F1 of names": 0.33}
    gaps = {one.subject: {gap.measure: gap.estimate for gap in one.gaps} for one in found.ladders}
    assert gaps["gguf/knower"]["signature: choice"] == 0
    assert gaps["gguf/dated"]["signature: choice"] == 1
    reasons = {reading.reason for one in found.ladders for reading in one.horizons}
    assert all(reason for reason in reasons), "six APIs of one library have no horizon, and it is said why"


def score(api: int, value: float, condition: str = "baseline", subject: str = "m", rung: str = TASK_RUNG) -> Score:
    name = f"lib.a{api}"
    return Score(subject, condition, rung, "lib", name, "new", "added", f"{name} {rung}", f"lib {name}", value)


VALUES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1, max_size=20)


@given(VALUES, st.randoms())
def test_a_rate_lies_in_its_interval_whatever_the_order(rows: list[tuple[int, float]], chance) -> None:
    scores = [score(api, value) for api, value in rows]
    found = rates_of(scores)
    assert {(one.library, one.change) for one in found} == {("", ""), ("", "added"), ("lib", ""), ("lib", "added")}
    for one in found:
        assert 0 <= one.low <= one.rate + 1e-12
        assert one.rate - 1e-12 <= one.high <= 1
        assert (one.units, one.apis) == (len(rows), len({api for api, _ in rows}))
    chance.shuffle(scores)
    assert rates_of(scores) == found


@given(VALUES)
def test_a_model_against_itself_gives_no_difference(rows: list[tuple[int, float]]) -> None:
    scores = [score(api, value, subject=name) for name in ("a", "b") for api, value in rows]
    (found,) = comparisons_of(scores, dict.fromkeys([("a", TASK_RUNG), ("b", TASK_RUNG)], frozenset("e")), draws=50)
    assert (found.difference, found.p) == (0, 1)
    assert found.low <= 0 <= found.high


NOTHING = Runs((), {}, {}, {})
KNOWN = {"baseline": 1.0, "oracle.s": 1.0}
CURED = {"baseline": 0.0, "oracle.s": 0.0, "oracle.s_e": 1.0, "oracle.full": 1.0}
CHECKED = {"baseline": 0.0, "oracle.s": 1.0}


@pytest.mark.parametrize(
    ("values", "rung", "need", "cure"),
    [
        (KNOWN, TASK_RUNG, "known", ""),
        (CURED, TASK_RUNG, "cured", "oracle.s_e"),
        ({"baseline": 0.25, "oracle.s": 0.25}, TASK_RUNG, "open", ""),
        ({"oracle.s": 1.0}, TASK_RUNG, "unknown", ""),
        (CHECKED, TASK_RUNG, "cured", "oracle.s"),
        (CHECKED, "signature: choice", "open", ""),
    ],
)
def test_what_a_model_needs(values: dict[str, float], rung: str, need: str, cure: str) -> None:
    scores = [score(0, value, condition, rung=rung) for condition, value in values.items()]
    (found,) = needs_of(NOTHING, scores).values()
    assert (found.need, found.cure) == (need, cure)


def test_the_highest_rung_decides_what_a_model_needs() -> None:
    scores = [score(0, 1.0, rung="exists: told apart"), score(0, 0.0, rung=TASK_RUNG)]
    (found,) = needs_of(NOTHING, scores).values()
    assert found.need == "open"

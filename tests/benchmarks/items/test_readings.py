"""Readings of answers to items, and their verdicts: tables of answers, and laws."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.items.asking import request_of
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.models.options import OptionRequest, OptionScore, OptionScores
from apigap.models.request import GenerationRequest
from apigap.records.questions.ladder import LadderItem
from tests.benchmarks.items.made import CHOICE, EXISTS, INVENTED, PARAMETERS, TAKES, VALUE


def scores(*values: float, tokens: tuple[int, ...] = ()) -> str:
    sizes = tokens or (1,) * len(values)
    return OptionScores(
        scores=tuple(OptionScore(log_probability=v, tokens=n) for v, n in zip(values, sizes, strict=True))
    ).to_line()


@pytest.mark.parametrize(
    "item, answer, score, readable",
    [
        (EXISTS, "Yes", 1.0, True),
        (EXISTS, "**No**, it does not.", 0.0, True),
        (EXISTS, "I do not know.", 0.0, False),
        (EXISTS, "", 0.0, False),
        (INVENTED, "No.", 1.0, True),
        (CHOICE, "C", 1.0, True),
        (CHOICE, "The answer is (c).", 1.0, True),
        (CHOICE, "A", 0.0, True),
        (CHOICE, "All of them.", 0.0, False),
        (CHOICE, scores(-9.0, -8.0, -1.0, -7.0), 1.0, True),
        (CHOICE, scores(-1.0, -8.0, -9.0, -7.0), 0.0, True),
        (CHOICE, scores(-1.0, -8.0), 0.0, False),  # of another question
        (CHOICE, OptionScores().to_line(), 0.0, False),  # it did not fit in the window
        (EXISTS, scores(-0.2, -2.0), 1.0, True),
        (INVENTED, scores(-0.2, -2.0), 0.0, True),
        (PARAMETERS, "```python\ndef pivot(rows, margins=None):", 1.0, True),
        (PARAMETERS, "```python\ndef pivot(self, rows):", 2 / 3, True),
        (PARAMETERS, "```python\ndef pivot(columns):", 0.0, True),
        (PARAMETERS, "no idea", 0.0, False),
        (VALUE, "[4, 'b']", 1.0, True),
        (VALUE, "```python\n>>> y\n[4, 'b']\n>>> y[0]\n4\n```", 1.0, True),
        (VALUE, "It pivots.\n\nSo `y` is `(4, 'b')`.", 1.0, True),
        (VALUE, "```python\n>>> y\n[5, 'b']\n```", 0.0, True),
        (VALUE, "```python\n>>> y\n", 0.0, False),
        (VALUE, "I cannot say.", 0.0, False),
    ],
)
def test_verdicts(item: LadderItem, answer: str, score: float, readable: bool) -> None:
    result = verdict(item, read(answer, item))
    assert result.score == pytest.approx(score)
    assert result.passed == (score == 1)
    assert result.detail["read"] is readable
    assert (result.about, result.part) == (item.api_name, item.rung)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_an_answer_that_looks_like_probabilities_and_has_none_is_not_read(value: str) -> None:
    scores = ",".join(f'{{"log_probability": {value}, "tokens": 1}}' for _ in CHOICE.options)
    found = verdict(CHOICE, read(f'{{"scores": [{scores}]}}', CHOICE))
    assert (found.score, found.detail["read"], "log_odds" in found.detail) == (0.0, False, False)


def test_both_scores_are_kept_and_odds_are_of_the_first_option() -> None:
    result = verdict(CHOICE, read(scores(-9.0, -8.0, -4.0, -3.0, tokens=(3, 3, 4, 1)), CHOICE))
    assert (result.score, result.detail["per_token"]) == (0.0, 1.0)
    odds = verdict(EXISTS, read(scores(math.log(0.75), math.log(0.25)), EXISTS)).detail["log_odds"]
    assert odds == pytest.approx(math.log(3), abs=1e-6)


@given(st.sampled_from([EXISTS, CHOICE, PARAMETERS, VALUE]), st.text(max_size=300))
def test_any_text_is_read_without_an_error(item: LadderItem, text: str) -> None:
    result = verdict(item, read(text, item))
    assert 0 <= result.score <= 1


@pytest.mark.parametrize("item", [EXISTS, INVENTED, TAKES, CHOICE, PARAMETERS, VALUE])
def test_prompts_ask_about_the_subject_and_never_tell_the_answer(item: LadderItem) -> None:
    for way in ("likelihood", "letters"):
        request = request_of(item, None, way)
        text = "\n".join(message.content for message in request.messages())
        assert item.question in text
        assert request.key == f"{item.task_id}/{way}"
        if item.form == "parameters":
            assert not any(name in text.replace(item.question, "") for name in item.truth)
        assert text[: request.shared] not in ("", item.question) or not request.shared


def test_options_are_scored_where_likelihood_is_told_and_lettered_elsewhere() -> None:
    scored, lettered = request_of(CHOICE, None, "likelihood"), request_of(CHOICE, None, "letters")
    assert isinstance(scored, OptionRequest) and isinstance(lettered, GenerationRequest)
    assert [option.rstrip(":") for option in scored.options] == list(CHOICE.options)
    assert scored.begin.endswith("def pivot")
    assert f"C. {CHOICE.options[2]}" in str(lettered.prompt)

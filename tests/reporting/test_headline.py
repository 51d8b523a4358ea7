"""The headline: single questions first, then tasks, each of as many as were asked."""

import pytest

from apigap.reporting.headline import headline, ladder_sentences
from apigap.reporting.ladder_model import LadderMeasure
from tests.reporting.sample_ladder import CHOICE, EXISTS, ladder, measure, rate
from tests.reporting.test_tables import CONDITIONS, Marks, report

SIGNATURE, FULL = "signature", "full bundle"


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        (
            {"a": {"baseline": "f", "s": "p", "full": "p"}, "b": {"baseline": "f", "s": "f", "full": "f"}},
            "Of 2 tasks that were asked, q passed 0 without knowledge, 1 with signature.",  # as full, and shorter
        ),
        (
            {"a": {"baseline": "f", "s": "f", "full": "p"}, "b": {"baseline": "p", "s": "f", "full": "p"}},
            "Of 2 tasks that were asked, q passed 1 without knowledge, 2 with full bundle.",
        ),
        (
            {"a": {"baseline": "p", "s": "f", "full": "p"}, "b": {"baseline": "p", "s": "p", "full": "p"}},
            "Of 2 tasks that were asked, q passed 2 without knowledge; with no documentation that was tried more.",
        ),
        ({"a": {"baseline": "i", "s": "p"}}, "No answer of q to 1 task could be judged."),
        (
            {"a": {"baseline": "i", "s": "p"}, "b": {"baseline": "f", "s": "f"}},
            "Of 1 task that was asked, q passed 0 without knowledge; with no documentation that was tried more.",
        ),
        ({}, "q was asked no task."),
        (
            {"a": {"baseline": "pff"}, "b": {"baseline": "ppf"}},
            "Of 2 tasks that were asked, q passed 1 without knowledge; with no documentation that was tried more.",
        ),
    ],
)  # fmt: skip
def test_tasks_are_told_over_all_that_were_asked(marks: Marks, sentence: str) -> None:
    assert headline(report(marks)).text == sentence


def test_without_conditions_nothing_is_said_of_help() -> None:
    found = headline(report({"a": {"baseline": "f"}}, CONDITIONS[:1]))
    assert found.text == "Of 1 task that was asked, q passed 0 without knowledge."


BEGIN = "Of the 2 APIs of lib 2 that matter most"


@pytest.mark.parametrize(
    ("measures", "sentence"),
    [
        (
            [measure(EXISTS, rate(3, 6), rate(6, 6, 0.6), 0.5), measure(CHOICE, rate(1, 6), rate(4, 6))],
            f"{BEGIN}, q tells 3 of 6 from invented names and picks the parameters of 1 of 6; of as many matched old "
            "ones 6 and 4.",
        ),
        (
            [measure(EXISTS, rate(3, 4), rate(3, 6, 0.3), 0.5), measure(CHOICE, rate(1, 6), rate(4, 5))],
            f"{BEGIN}, q picks the parameters of 1 of 6; of matched old ones 4 of 5. It is below the rung in "
            "“exists: told apart”, since old ones are not surely above chance there (0.50 over 6 against 0.50).",
        ),
        (
            [measure(EXISTS, rate(3, 4), rate(3, 6, 0.3), 0.5)],
            f"{BEGIN}, single questions tell nothing: q is below every rung, since old ones are not surely above "
            "chance there (0.50 over 6 against 0.50).",
        ),
        (
            [measure(EXISTS, rate(3, 4), rate(0, 0), 0.5)],
            f"{BEGIN}, q tells 3 of 4 from invented names; no old one is like them, so no gap is stated.",
        ),
        (
            [measure(CHOICE, rate(1, 4), rate(2, 2, 0.2))],
            f"{BEGIN}, q picks the parameters of 1 of 4; of matched old ones 2 of 2, too few to state a gap.",
        ),
        ([measure("signature: F1 of names", rate(0, 4), rate(1, 4))], "No single question was put to q about lib 2."),
    ],
)
def test_single_questions_are_told_beside_old_ones(measures: list[LadderMeasure], sentence: str) -> None:
    assert " ".join(ladder_sentences(ladder(*measures), "q")).strip() == sentence


def test_both_stand_in_one_text() -> None:
    audit = report({"a": {"baseline": "f"}}, CONDITIONS[:1]).model_copy(update={"ladder": ladder()})
    found = headline(audit)
    assert found.text == f"{found.ladder} {found.tasks}"
    assert found.ladder.startswith(BEGIN)

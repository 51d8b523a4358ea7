"""A prompt that is longer than the window loses the end of its knowledge, by rule."""

from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.novelapi.prompting import Prompter, first_lines
from apigap.models.model_facts import room_for
from apigap.records.configuration import load_settings
from tests.records.test_task import make_task

TASK = make_task(description="Make y.")
KNOWLEDGE = "\n".join(["Example:", "```python", *(f"step_{number}()" for number in range(50)), "```"])


def prompter(room: int | None, layout: str = "instructed") -> Prompter:
    settings = load_settings(overrides=[f"generation.layout={layout}"]).generation
    return Prompter(settings, "e", lambda task: KNOWLEDGE, room)


def test_what_fits_is_shown_whole() -> None:
    assert prompter(None).cut(TASK) is None
    assert prompter(10_000).prompt(TASK) == prompter(None).prompt(TASK)
    assert room_for(None, 512) is None
    assert room_for(8192, 512) == 23_040


def test_what_does_not_fit_ends_at_a_line_and_is_told() -> None:
    for layout in ("instructed", "published"):
        short = prompter(600, layout)
        (message,) = short.prompt(TASK)
        assert len(message.content) <= 600
        assert "step_9()\n" in message.content
        assert "step_49()" not in message.content
        assert TASK.description in message.content
        assert message.content.count("```") % 2 == 0
        shown, whole = short.cut(TASK) or (0, 0)
        assert 0 < shown < whole == len(KNOWLEDGE)


def test_a_task_alone_is_never_cut() -> None:
    settings = load_settings().generation
    assert TASK.description in Prompter(settings, "baseline", lambda task: None, 10).prompt(TASK)[0].content


@given(st.text(alphabet="ab`\n", max_size=80), st.integers(-5, 100))
def test_first_lines_are_no_more_than_asked(text: str, most: int) -> None:
    found = first_lines(text, most)
    assert len(found) <= max(most, 0)

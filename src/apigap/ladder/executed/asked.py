"""The items of what was run for an API: a choice of four effects in two orders, one effect to write, and a task."""

from collections.abc import Iterator

from apigap.ladder.executed.effect import Effect
from apigap.ladder.executed.work import ApiWork
from apigap.ladder.subject import Subject
from apigap.records.base import content_hash
from apigap.records.questions.ladder import LadderItem, Rung

_LATE = (
    "it could not be run here", "an answer that does nothing", "the judge does not pass", "it looks the same",
    "what it gives differs", "changed arguments", "what it gives stands in", "what it gives is drawn",
    "nothing that it leaves", "it does not run",
)  # fmt: skip
"""Beginnings of the reasons by which a usage is lost, the last of its way first; others come before all of them."""


def effect_question(library: str, version: str, effect: Effect) -> str:
    """The question about the effect of a program."""
    return (
        f"This code is run with {library} {version}:\n\n```python\n{effect.programs[0]}\n```\n\n"
        f"What is the value of `{effect.expression}` afterwards?"
    )


def effect_items(
    choice: Subject, value: Subject, work: ApiWork, place: int, seed: int
) -> Iterator[LadderItem | tuple[Rung, str]]:
    """The choice with the right option at `place` (0..3), and turned round; the value to write; or why there is none.

    `choice` and `value` are the same API in the pair that it has there.
    """
    effect, written = (work.effect.effect, work.effect.written) if work.effect else (None, None)
    if effect is not None:
        yield from _choice(choice, effect, place, seed)
    if written is not None:
        yield value.item(
            rung="effect", form="value", question=effect_question(value.api.library, value.api.new_version, written),
            truth=written.options, expression=written.expression, programs=written.programs,
        )  # fmt: skip
    if effect is None and written is None:
        yield "effect", why_none(work.effect.dropped if work.effect else ())


def _choice(subject: Subject, effect: Effect, place: int, seed: int) -> Iterator[LadderItem]:
    right, *wrong = zip(effect.options, effect.programs, strict=True)
    wrong.sort(key=lambda pair: content_hash([seed, "effect", subject.api.api_name, pair[0]]))
    ordered = [*wrong[:place], right, *wrong[place:]]
    question = effect_question(subject.api.library, subject.api.new_version, effect)
    for order, row, at in ((1, ordered, place), (2, ordered[::-1], len(ordered) - 1 - place)):
        yield subject.item(
            rung="effect", form="choice", question=question, options=tuple(text for text, _ in row), right=at,
            order=order, expression=effect.expression, programs=tuple(program for _, program in row),
        )  # fmt: skip


def call_items(subject: Subject, work: ApiWork) -> Iterator[LadderItem | tuple[Rung, str]]:
    """The task that names the API, or the reason why there is none."""
    task = work.call and work.call.task
    if task is None:
        yield "call", why_none(work.call.dropped if work.call else ())
        return
    yield subject.item(rung="call", form="code", question=task.description, task=task)


def why_none(dropped: tuple[str, ...]) -> str:
    """The reason of the usage that came furthest, without its source."""
    if not dropped:
        return "nothing of the release uses it"
    reasons = [text.partition(": ")[2] or text for text in dropped]
    return min(reasons, key=_steps_left)


def _steps_left(reason: str) -> int:
    return next((left for left, late in enumerate(_LATE) if reason.startswith(late)), len(_LATE))

"""From an answer of the model to a draft of a task, or to what is wrong with it before and after its first run."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from apigap.models.schemas.structured import UnreadableAnswer, read_answer
from apigap.models.syntax import why_unparsed
from apigap.models.transcripts import Call
from apigap.records.configuration import TaskSettings
from apigap.records.run import RunRecord
from apigap.sandbox.verdict.summary import summary
from apigap.tasks.author.answers import TaskAnswer, code_of, inputs_of
from apigap.tasks.author.task_request import TaskRequest
from apigap.tasks.difficulty import difficulty_of
from apigap.tasks.disjoint import repeats
from apigap.tasks.finish import observed_in
from apigap.tasks.hand_written import WrittenTask, problem_of_text
from apigap.tasks.leak import leaks
from apigap.tasks.outcome import is_telling

F = TypeVar("F", bound=BaseModel)
_SHOWN = 80


def read(call: Call, form: type[F]) -> F:
    """The object of `form` that the model answered.

    Raises:
        UnreadableAnswer: when it answered something else, or did not come to the end.
    """
    try:
        return read_answer(call.answer, form)
    except UnreadableAnswer as error:
        if call.stop_reason == "length":
            limit = call.decoding.max_tokens
            raise UnreadableAnswer(f"the answer was cut off after {limit} tokens: be shorter") from error
        raise


def draft_of(work: TaskRequest, call: Call, limits: TaskSettings) -> WrittenTask:
    """The task of an answer, as far as it can be told before it runs; its difficulty is what was written, not asked.

    Raises:
        UnreadableAnswer: with what is wrong with it.
    """
    answer, candidate = read(call, TaskAnswer), work.candidate
    draft = WrittenTask(
        api=candidate.api_name,
        change="added" if candidate.change == "added" else "modified",
        difficulty=work.size,
        description=answer.description,
        context=code_of(answer.context),
        solution=code_of(answer.solution),
        observe=tuple(dict.fromkeys(line.strip() for line in answer.observe if line.strip())),
        scenario=(),
        author=call.model,
    )
    problem = _too_long(draft, limits) or problem_of_text(draft) or _problem(draft, work)
    if problem is not None:
        raise UnreadableAnswer(problem)
    return draft.model_copy(update={"difficulty": difficulty_of(draft.solution, candidate)})


def _too_long(draft: WrittenTask, limits: TaskSettings) -> str | None:
    sizes = (
        ("context", draft.context, limits.context_characters),
        ("solution", draft.solution, limits.masked_characters),
    )
    return next(
        (f"its {what} has {len(text)} characters, more than {most}" for what, text, most in sizes if len(text) > most),
        None,
    )


def _problem(draft: WrittenTask, work: TaskRequest) -> str | None:
    """A fault that a person avoids: observe the library instead of the answer, have no inputs, copy an exemplar."""
    leaf = work.candidate.leaf
    if not draft.observe:
        return "it observes nothing"
    for expression in draft.observe:
        why = why_unparsed(f"({expression}\n)")
        if why is not None:
            return f"to observe `{expression}` is no expression: {why}"
        if leaks(expression, leaf):
            return f"`{expression}` uses the API itself: observe variables that the solution assigns"
    if not inputs_of(draft.context):
        return "its context assigns no data to a variable, so there are no inputs to change"
    if repeats(draft.context, draft.solution, [exemplar.code for exemplar in work.bundle.exemplars], leaf):
        return "an example of the documentation makes the same calls on the same data, or a line: use data of your own"
    return None


def observe(work: TaskRequest, runs: Sequence[RunRecord]) -> None:
    """Keep what the reference of the draft gives in its own context, or reject the draft."""
    assert work.draft is not None
    observations = observed_in("basic", work.draft, runs)
    if isinstance(observations, str):
        work.reject(observations)
        return
    raising = runs[0].errors
    if raising:
        expression, error = next(iter(raising.items()))
        work.reject(f"to observe `{expression}` raises {error.type}: {error.message}")
        return
    work.observed = {one.expression: one.expected for one in observations}
    opaque = next((name for name, value in work.observed.items() if not _is_plain(value)), None)
    if opaque is not None:
        work.reject(
            f"`{opaque}` is an object ({summary(work.observed[opaque], _SHOWN)}): the solution has to convert it to "
            "numbers, texts, lists or dictionaries"
        )


def _is_plain(value: Any) -> bool:
    """Data that another right answer has too: no iterator, and no inner state of a library's object."""
    return is_telling(value) and not (isinstance(value, dict) and "iterator" in value)

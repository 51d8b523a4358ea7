"""Advice put to the test: a model is asked again with the docstring as it is, and with the change written into it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.prompting import Prompter
from apigap.closing.asker import CellAsker, rates_of
from apigap.closing.summing_up import share_of
from apigap.records.candidate import Candidate
from apigap.records.task import Task
from apigap.reporting.advice_model import ApiAdvice, Proof
from apigap.reporting.tools_model import Share


def shown_docstring(candidate: Candidate, docstring: str) -> str:
    """The text that `help` would show: name, signature, docstring."""
    signature = candidate.signature or ""
    return f"{candidate.api_name}{signature}\n\n{docstring}".strip()


def proven(
    apis: Sequence[ApiAdvice],
    candidates: Mapping[str, Candidate],
    tasks: Sequence[Task],
    asker: CellAsker,
    folder: Path,
) -> list[ApiAdvice]:
    """The advices, each API that `tasks` are about with what the model passes before and after.

    Raises:
        AnswersAwaited: when the model is a folder that lacks answers; the same command goes on.
        ModelUnavailable: when it cannot be asked.
    """
    advised = {one.api_name: one for one in apis}
    asked = [task for task in tasks if task.api_name in advised]
    cells: dict[str, Callable[[ApiAdvice], str | None]] = {
        "without": lambda one: None,
        "before": lambda one: shown_docstring(candidates[one.api_name], one.before),
        "after": lambda one: shown_docstring(candidates[one.api_name], one.after),
    }
    prompters = {
        folder / name: Prompter(
            asker.settings.generation, name, lambda task, text=text: text(advised[task.api_name]), asker.room
        )
        for name, text in cells.items()
    }
    asker.answer(prompters, asked, [(one.api_name, one.before, one.after) for one in apis])
    rates = {name: rates_of(asker.judged(folder / name, asked)) for name in cells}

    def share(name: str, api: str) -> Share:
        return share_of([task for task in asked if task.api_name == api], rates[name])

    about = {task.api_name for task in asked}
    return [
        one.model_copy(update={"proof": Proof.model_validate({name: share(name, one.api_name) for name in cells})})
        if one.api_name in about
        else one
        for one in apis
    ]

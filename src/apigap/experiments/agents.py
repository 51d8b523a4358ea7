"""Cells of an experiment in which a model has tools: what decides their answers, and the work that they are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from apigap.agent.anytime import Judge, write_agents
from apigap.agent.budget import most_tokens
from apigap.agent.protocol import protocol_for
from apigap.agent.run import AgentCell
from apigap.agent.session import Session, Terms
from apigap.agent.workplace import Workplace
from apigap.evaluation.answers import Ask
from apigap.models.generate import describe
from apigap.models.model_facts import decoding_within
from apigap.models.spending.budget import purse
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN, Workload
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.experiment import Cell, ToolSet
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.sources import modules_hash
from apigap.records.task import Task
from apigap.sandbox.engine import Engine

_DECIDING = tuple(
    f"apigap.agent.{name}"
    for name in (
        "toolsets", "prompting", "protocol", "budget", "session", "tools", "documentation", "changes", "interpreter",
        "session_script",
    )
)  # fmt: skip
"""The code that decides a trace: with other code of it one that is there does not go on."""
_TELLING = tuple(f"apigap.agent.{name}" for name in ("evidence", "waste", "anytime"))
"""The code that decides what is told of a trace, which is told anew with other code of it."""


class Agents:
    """The agents of one model on `tasks`; the place where they work is made once, for all of their cells."""

    def __init__(self, model: str, tasks: Sequence[Task], settings: Settings, progress: Progress) -> None:
        self._model = model
        self._tasks = tasks
        self._settings = settings
        self._progress = progress
        self._workplace: Workplace | None = None

    def run(self, cell: Cell, folder: Path, ask: Ask, engine: Engine | None) -> None:
        """Go on with a cell until all of its samples are over; see `AgentCell.run`.

        Raises:
            UsageError: without an engine, where the tools need one.
        """
        workplace = self._place(cell, engine)
        terms = self.terms(cell)
        workers = engine.workers if engine else 1
        samples = self._settings.generation.samples
        made = AgentCell(folder, self._tasks, samples, terms, workplace, workers)
        made.run(ask, self._made_from(terms, workplace), self._progress)

    def judge(self, cell: Cell, folder: Path, judge: Judge, results: Sequence[Result], made_from: Any) -> None:
        """Write what agents would have given had they had to stop earlier, with the verdicts on it (agents.jsonl)."""
        samples = self._settings.generation.samples
        sessions = AgentCell(folder, self._tasks, samples, self.terms(cell), None, 1).finished()
        told = {**made_from, "told": modules_hash(*_TELLING)}
        write_agents(folder, sessions, {(r.task_id, r.sample): r for r in results}, judge, told)

    def terms(self, cell: Cell) -> Terms:
        """The terms of a cell.

        Raises:
            UsageError: when dollars are bounded and the price of the model is not known.
        """
        settings, generation = self._settings.agent, self._settings.generation
        budget, price = settings.budget(cell.condition), purse().price(self._model)
        if budget.dollars is not None and price is None:
            raise UsageError(
                f"the price of {self._model} is not known, so agent.dollars cannot be kept; name it with --price "
                "IN/OUT, in dollars per million tokens"
            )
        return Terms(
            tools=cast("ToolSet", cell.condition),
            protocol=protocol_for(self._model, settings.protocol),
            budget=budget,
            price=price,
            longest_answer=decoding_within(self._model, generation.max_tokens).max_tokens,
            temperature=generation.temperature,
            seed=generation.seed,
        )

    def workload(self, cell: Cell, done: int) -> Workload:
        """The most that the samples that are left may be, `done` tasks being over: all of their budget.

        All tokens count as read but for a longest answer in each round: who may write reads what was written.
        """
        terms = self.terms(cell)
        samples = (len(self._tasks) - done) * self._settings.generation.samples
        opened = [Session(task, 0, terms) for task in self._tasks[:1]]
        prompt = sum(len(message.content) for one in opened for message in one.messages) // CHARACTERS_PER_TOKEN
        most = most_tokens(opened[0].spent, terms.budget, prompt, terms.price) if opened else None
        answers = terms.budget.rounds * terms.longest_answer
        wrote = answers if most is None else min(answers, most)
        read = prompt * terms.budget.rounds if most is None else prompt + most - wrote
        return Workload(
            requests=samples * terms.budget.rounds, read=float(samples * max(prompt, read)), most=samples * wrote
        )

    def _place(self, cell: Cell, engine: Engine | None) -> Workplace | None:
        if cell.condition == "none":
            return None
        if engine is None:
            raise UsageError(f"the tools of {cell.name} need a sandbox; run it with an engine")
        self._workplace = self._workplace or Workplace(self._tasks, engine, self._settings.agent, self._progress)
        return self._workplace

    def _made_from(self, terms: Terms, workplace: Workplace | None) -> dict[str, Any]:
        generation = self._settings.generation
        return {
            "model": describe(self._model, decoding_within(self._model, generation.max_tokens)),
            "generation": {name: getattr(generation, name) for name in ("samples", "temperature", "seed")},
            "tools": terms.tools,
            "protocol": terms.protocol,
            "budget": terms.budget.model_dump(mode="json"),
            "results": {name: getattr(self._settings.agent, name) for name in ("result_characters", "hits")},
            "agent": modules_hash(*_DECIDING),
            **({"environments": workplace.locks} if workplace else {}),
        }

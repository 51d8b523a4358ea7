"""The benchmark of items: each asks one thing about one API; answers are held against the releases, or run there."""

import copy
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, FilePath

from apigap.benchmarks.code_benchmark import MachineOptions
from apigap.benchmarks.items.asking import Way, begun_console, code_request, request_of
from apigap.benchmarks.items.judge import ItemAnswer, ItemsJudge
from apigap.benchmarks.items.reading_checks import shows_answer
from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.summary import ItemsSummary, summarise_items
from apigap.benchmarks.items.verdict import EVALUATOR
from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.evaluation.benchmark import Benchmark, Judging, Probe
from apigap.evaluation.item import Item
from apigap.evaluation.model_pool import prompts_in_force
from apigap.evaluation.options import ANSWERS, ASKING
from apigap.evaluation.predictions import Answers
from apigap.knowledge.bundle_files import read_bundles
from apigap.knowledge.conditions import render
from apigap.models.extraction import extract_code
from apigap.models.fences import fenced
from apigap.models.model_facts import scores_options
from apigap.models.options import OptionRequest
from apigap.models.request import GenerationRequest
from apigap.records.base import Json, content_hash
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import file_hash
from apigap.records.progress import Progress, Unseen
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache

_MOST_TOKENS = 96


class ItemsOptions(MachineOptions):
    """The items, how they are asked, the knowledge that is shown with them, and the machine that runs answers."""

    items: Annotated[
        tuple[FilePath, ...], Field(min_length=1, description="Files that `apigap items` wrote; may be repeated.")
    ]
    way: Annotated[
        Literal["auto", "likelihood", "letters"],
        Field(
            description="likelihood: the options' probabilities; letters: the letter that the model writes, in two "
            "orders; auto: likelihood where the model tells it."
        ),
        ASKING,
    ] = "auto"
    condition: Annotated[
        str, Field(description="Knowledge that prompts show: baseline (none), s_name, s, e, ..., full."), ANSWERS
    ] = "baseline"
    knowledge: Annotated[
        tuple[FilePath, ...],
        Field(description="Files of bundles (stage 2, or beside the items); may be repeated."),
        ANSWERS,
    ] = ()


class Items(Benchmark[LadderItem, ItemAnswer]):
    """Items of the ladder: an answer passes that names the right option, the right value, or all parameters and no
    other, or that does what its code has to do.
    """

    name = "items"
    title = "Single questions about new APIs, and about unchanged ones like them"
    options_type = ItemsOptions
    options: ItemsOptions
    evaluator = EVALUATOR
    proves_itself = True
    judges_at_once = True
    counts_cut = True

    def __init__(self, options: ItemsOptions, settings: Settings) -> None:
        super().__init__(options, settings)
        self._way: Way = "likelihood" if options.way == "likelihood" else "letters"
        self._engine: Engine | None = None

    def for_model(self, model: str) -> Self:
        """The same items as `model` is asked them.

        Raises:
            UsageError: when probabilities are wanted of a model that does not tell them.
        """
        if self.options.way == "likelihood" and not scores_options(model):
            raise UsageError(f"{model} does not tell how likely a given text is; ask it with --way letters")
        asked = copy.copy(self)
        asked._way = "likelihood" if self.options.way != "letters" and scores_options(model) else "letters"
        return asked

    def judged_by(self, engine: Engine) -> Self:
        """The same items, whose code runs in an engine that is there already."""
        judged = copy.copy(self)
        judged._engine = engine
        return judged

    def load(self) -> list[LadderItem]:
        """The items of all files; each once."""
        items = [item for path in self.options.items for item in load_records(path, LadderItem)]
        return list({item.task_id: item for item in items}.values())

    def proved_first(self, tasks: Sequence[LadderItem]) -> Sequence[LadderItem]:
        """The items whose answers are not run."""
        return [item for item in tasks if item.form != "code"]

    def select(self, tasks: Sequence[LadderItem], limit: int) -> list[LadderItem]:
        """The items that the condition has something to show for, of whole pairs; `limit` bounds the items.

        Nothing documents twins, which nobody has: they are asked without knowledge.

        The second order of a choice is asked where letters are read, which small changes of a prompt may sway.
        """
        fitting = [item for item in tasks if item.order == 1 or self._way == "letters"]
        if self.options.condition != "baseline":
            fitting = [item for item in fitting if not item.is_twin and self._knowledge(item)]
        if not limit or limit >= len(fitting):
            return fitting
        kept: list[LadderItem] = []
        for pair in dict.fromkeys((item.library, item.pair) for item in fitting):
            own = [item for item in fitting if (item.library, item.pair) == pair]
            if len(kept) + len(own) > limit:
                break
            kept += own
        return kept or fitting[:limit]

    def prompt(self, task: LadderItem, room: int | None = None) -> GenerationRequest | OptionRequest:
        """The question, after the condition's knowledge as far as it fits in `room` characters."""
        knowledge = self._knowledge(task)
        if task.task is not None:
            return code_request(task, task.task, knowledge, self._way, self.settings.generation, room)
        if knowledge and room is not None:
            knowledge = knowledge[: max(0, room - len(task.question) - sum(map(len, task.options)) - 1000)]
        return request_of(task, knowledge, self._way)

    def most_tokens(self, task: LadderItem, model: str) -> int | None:
        """A short answer of a local model, but for code; others get some room for reasoning before a letter."""
        return _MOST_TOKENS if task.form != "code" and scores_options(model) else None

    def parse(self, response: str, task: LadderItem) -> ItemAnswer:
        """The reading of a response, or its code; never raises."""
        if task.task is not None:
            return extract_code(response, task.task.context_code)
        return read(response, task)

    def score(self, task: LadderItem, artifact: ItemAnswer, sample: int = 0) -> Result:
        """The verdict on one answer; code runs in a sandbox that is made for it."""
        results: list[Result] = []
        with self.judging([task], Unseen()) as judging:
            judging.judge([Item(task, sample, artifact)], results.append)
        return results[0]

    @contextmanager
    def judging(
        self, tasks: Sequence[LadderItem], progress: Progress, *, anew: bool = False
    ) -> Generator[Judging[LadderItem, ItemAnswer]]:
        """A judge of the items; where code is among what they ask for, with sandboxes as benchmark novelapi has them.

        Raises:
            EnvironmentFailure: when no library of an item that asks for code can be installed.
        """
        shown = [item.task_id for item in tasks if self._shows_answer(item)]
        code = [item.task for item in tasks if item.task is not None]
        if not code:
            yield Judging(ItemsJudge(None, shown).score_all)
            return
        with self._machine() as engine:
            homes = homes_at_hand(code, engine, progress)
            kept = VerdictCache(engine) if self.settings.execution.cache and not anew and not engine.cold else None
            judge = ItemsJudge(NovelApiJudge(engine, homes, kept), shown)
            yield Judging(judge.score_all, engine.terms, {"environments": locks_of(homes)})

    def _machine(self) -> AbstractContextManager[Engine]:
        return nullcontext(self._engine) if self._engine is not None else self.options.sandboxes(self.settings)

    def asked_with(self) -> Mapping[str, Json]:
        """The items, the way in which they are asked, and the knowledge that is shown."""
        return {
            **self.judged_with(),
            "way": self._way,
            "condition": self.options.condition,
            "knowledge": self._shown_hash,
            "generation": prompts_in_force(self.settings.generation),
        }

    def judged_with(self) -> Mapping[str, Json]:
        """The items, and what was shown with them: an answer that it holds is marked."""
        items: dict[str, Json] = {"items": [file_hash(path) for path in self.options.items]}
        if self.options.condition == "baseline":
            return items
        return {**items, "condition": self.options.condition, "knowledge": self._shown_hash}

    def gold(self, task: LadderItem) -> str:
        """A response that passes."""
        return _said(task, task.right)

    def probes(self, task: LadderItem) -> list[Probe]:
        """The right answer passes, another one and none do not; nothing that cannot be read passes.

        Of code that is nothing, doing nothing, and leaving early.
        """
        if task.task is not None:
            nothing = ("", fenced("pass"), fenced("import sys\nsys.exit(0)"))
            return [Probe(self.gold(task), True), *(Probe(response, False) for response in nothing)]
        right, wrong = (
            self.gold(task),
            _said(task, None if task.right is None else (task.right + 1) % len(task.options)),
        )
        if task.form == "value":
            wrong = f"{begun_console(task)}[{task.truth[0]}, None]\n```"
        unlike = [] if wrong == right else [Probe(wrong, False, 0.0)]
        return [Probe(right, True, 1.0), Probe("", False, 0.0), Probe("I cannot say.", False, 0.0), *unlike]

    def summarise(
        self, tasks: Sequence[LadderItem], results: Sequence[Result], answers: Answers, answered_only: bool
    ) -> ItemsSummary:
        """The gaps by measure; items without an answer count as wrong, unless `answered_only`."""
        del answers
        return summarise_items(tasks, results, answered_only)

    @cached_property
    def _bundles(self) -> dict[str, KnowledgeBundle]:
        if self.options.condition == "baseline":
            return {}
        if not self.options.knowledge:
            raise UsageError(f"say with --knowledge which bundles condition {self.options.condition} shows")
        return {bundle.api_name: bundle for bundle in read_bundles(self.options.knowledge)}

    @cached_property
    def _shown_hash(self) -> str:
        return content_hash(sorted(bundle.to_line() for bundle in self._bundles.values()))

    def _knowledge(self, item: LadderItem) -> str:
        bundle = self._bundles.get(item.api_name)
        return (render(bundle, self.options.condition) or "") if bundle else ""

    def _shows_answer(self, item: LadderItem) -> bool:
        """True where the prompt about an item has its answer in it."""
        bundle = self._bundles.get(item.api_name)
        return bundle is not None and shows_answer(item, bundle, self.options.condition)


def _said(item: LadderItem, place: int | None) -> str:
    """The answer that names the option at `place`; of parameters all of them, and none without; the code of a task."""
    if item.task is not None:
        return fenced(item.task.masked_region)
    if item.form == "value":
        return f"{begun_console(item)}{item.truth[0]}\n```"
    if not item.options:
        return f"{item.begin}{', '.join(item.truth)}):"
    if item.form == "yes or no":
        return item.options[place or 0]
    return "ABCD"[place or 0]

"""The benchmark of items: each asks one thing about one API, and the answer is held against the releases."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, FilePath

from apigap.benchmarks.items.asking import Way, request_of
from apigap.benchmarks.items.readings import Reading, read
from apigap.benchmarks.items.summary import ItemsSummary, summarise_items
from apigap.benchmarks.items.verdict import EVALUATOR, verdict
from apigap.evaluation.benchmark import Benchmark, Probe
from apigap.evaluation.options import ASKING, Options
from apigap.evaluation.predictions import Answers
from apigap.knowledge.bundle_files import read_bundles
from apigap.knowledge.conditions import render
from apigap.models.model_facts import scores_options
from apigap.models.options import OptionRequest
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.base import Json, content_hash
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import file_hash
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.store import load_records

_MOST_TOKENS = 96


class ItemsOptions(Options):
    """The items, how they are asked, and the knowledge that is shown with them."""

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
        str, Field(description="Knowledge that prompts show: baseline (none), s_name, s, e, ..., full."), ASKING
    ] = "baseline"
    knowledge: Annotated[
        tuple[FilePath, ...], Field(description="Files of bundles (stage 2); may be repeated."), ASKING
    ] = ()


class Items(Benchmark[LadderItem, Reading]):
    """Items of the ladder: an answer passes that names the right option, or all parameters and no other."""

    name = "items"
    title = "Single questions about new APIs, and about unchanged ones like them"
    options_type = ItemsOptions
    options: ItemsOptions
    evaluator = EVALUATOR
    proves_itself = True

    def __init__(self, options: ItemsOptions, settings: Settings) -> None:
        super().__init__(options, settings)
        self._way: Way = "likelihood" if options.way == "likelihood" else "letters"

    def for_model(self, model: str) -> Self:
        """The same items as `model` is asked them.

        Raises:
            UsageError: when probabilities are wanted of a model that does not tell them.
        """
        if self.options.way == "likelihood" and not scores_options(model):
            raise UsageError(f"{model} does not tell how likely a given text is; ask it with --way letters")
        way = "likelihood" if self.options.way != "letters" and scores_options(model) else "letters"
        return type(self)(self.options.model_copy(update={"way": way}), self.settings)

    def load(self) -> list[LadderItem]:
        """The items of all files; each once."""
        items = [item for path in self.options.items for item in load_records(path, LadderItem)]
        return list({item.task_id: item for item in items}.values())

    def select(self, tasks: Sequence[LadderItem], limit: int) -> list[LadderItem]:
        """The items that the condition has something to show for, of whole pairs; `limit` bounds the items.

        The second order of a choice is asked where letters are read, which small changes of a prompt may sway.
        """
        fitting = [item for item in tasks if item.order == 1 or self._way == "letters"]
        if self.options.condition != "baseline":
            fitting = [item for item in fitting if self._knowledge(item)]
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
        if knowledge and room is not None:
            knowledge = knowledge[: max(0, room - len(task.question) - sum(map(len, task.options)) - 1000)]
        return request_of(task, knowledge, self._way)

    def decoding(self, model: str) -> Decoding:
        """Short answers: of parameters one line, else a letter with some room for reasoning."""
        decoding = super().decoding(model)
        most = _MOST_TOKENS if scores_options(model) else decoding.max_tokens
        return decoding.model_copy(update={"max_tokens": min(most, decoding.max_tokens)})

    def parse(self, response: str, task: LadderItem) -> Reading:
        """The reading of a response; never raises."""
        return read(response, task)

    def score(self, task: LadderItem, artifact: Reading, sample: int = 0) -> Result:
        """The verdict on a reading."""
        return verdict(task, artifact, sample)

    def asked_with(self) -> Mapping[str, Json]:
        """The items, the way in which they are asked, and the knowledge that is shown."""
        return {
            **self.judged_with(),
            "way": self._way,
            "condition": self.options.condition,
            "knowledge": content_hash(sorted(bundle.to_line() for bundle in self._bundles.values())),
        }

    def judged_with(self) -> Mapping[str, Json]:
        """The items."""
        return {"items": [file_hash(path) for path in self.options.items]}

    def gold(self, task: LadderItem) -> str:
        """A response that passes."""
        return _said(task, task.right)

    def probes(self, task: LadderItem) -> list[Probe]:
        """The right answer passes, another one and none do not; nothing that cannot be read passes."""
        right, wrong = (
            self.gold(task),
            _said(task, None if task.right is None else (task.right + 1) % len(task.options)),
        )
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

    def _knowledge(self, item: LadderItem) -> str:
        bundle = self._bundles.get(item.api_name)
        return (render(bundle, self.options.condition) or "") if bundle else ""


def _said(item: LadderItem, place: int | None) -> str:
    """The answer that names the option at `place`; of parameters all of them, and none without."""
    if not item.options:
        return f"{item.begin}{', '.join(item.truth)}):"
    if item.form == "yes or no":
        return item.options[place or 0]
    return "ABCD"[place or 0]

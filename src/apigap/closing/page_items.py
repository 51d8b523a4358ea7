"""Single questions about what was closed: the ladder's items, none of which took part in choosing a text."""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.benchmarks.items.reading_checks import shows_answer
from apigap.benchmarks.novelapi.cells import PREDICTIONS, RESULTS
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.score import score
from apigap.records.base import Json, content_hash
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.progress import Progress
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine

_RUNGS = ("effect", "call")
"""A page has the answers to all others in it: that there is such an API, and its signature."""


class PageItems(Items):
    """The items on what the APIs of `bundles` do and how they are called, with a page before each, or none.

    An item whose answer is an example of any page is left out of every way, so that all ask the same.
    """

    _bundles_of: Mapping[str, KnowledgeBundle]
    _pages: Mapping[str, str]

    def about(self, bundles: Mapping[str, KnowledgeBundle], pages: Mapping[str, str]) -> Self:
        """The items on the APIs of `bundles`; `pages` are by API, none where nothing is shown."""
        asked = copy.copy(self)
        asked._bundles_of, asked._pages = bundles, pages
        return asked

    def select(self, tasks: Sequence[LadderItem], limit: int) -> list[LadderItem]:
        """The items on new APIs that no page answers."""
        new = [item for item in tasks if item.group == "new" and item.rung in _RUNGS]
        known = self._bundles_of
        asked = [i for i in new if i.api_name in known and not shows_answer(i, known[i.api_name], "e")]
        return super().select(asked, limit)

    def asked_with(self) -> Mapping[str, Json]:
        """All that decides the answers, the pages among it."""
        return {**super().asked_with(), "pages": content_hash(dict(self._pages))}

    def judged_with(self) -> Mapping[str, Json]:
        """All that decides the verdicts, the pages among it."""
        return {**super().judged_with(), "pages": content_hash(dict(self._pages))}

    def _knowledge(self, item: LadderItem) -> str:
        return self._pages.get(item.api_name, "")


class ItemAsker:
    """Asks the items of `files` about the APIs of `bundles`, each way in a folder below `root`."""

    def __init__(
        self, model: str, files: Sequence[Path], bundles: Mapping[str, KnowledgeBundle], root: Path, settings: Settings
    ) -> None:
        self._model = model
        self._items = PageItems(ItemsOptions.of(items=tuple(files)), settings)
        self._bundles = bundles
        self._root = root

    @property
    def items(self) -> list[LadderItem]:
        """The items that are asked."""
        benchmark = self._items.for_model(self._model).about(self._bundles, {})
        return benchmark.select(benchmark.load(), 0)

    def folder(self, way: str) -> Path:
        """The folder of the answers in one way."""
        return self._root / way

    def results(
        self, way: str, pages: Mapping[str, str], engine: Engine, progress: Progress, make: MakeGenerator
    ) -> list[Result]:
        """The verdicts on the answers with these pages.

        Raises:
            ModelUnavailable: when the model cannot be asked; what was answered before is kept.
            AnswersAwaited: when the model is a folder that lacks answers.
        """
        folder = self.folder(way)
        benchmark = self._items.judged_by(engine).about(self._bundles, pages)
        predict(benchmark, folder / PREDICTIONS, Asking(self._model), progress, make)
        score(benchmark, folder / PREDICTIONS, folder / RESULTS, progress, answered_only=True)
        return load_records(folder / RESULTS, Result)

"""The ways of giving a model what it lacks, each asked on the tasks that took no part in choosing the texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter
from apigap.closing.asker import CellAsker
from apigap.closing.files import ClosingFiles
from apigap.closing.in_context import InContext
from apigap.closing.mcp_client import McpClient
from apigap.closing.smallest import Combination, pages_shown
from apigap.closing.summing_up import MeasuredWay
from apigap.closing.tool_turns import ToolTurns
from apigap.records.base import Json, content_hash
from apigap.records.errors import AnswersAwaited
from apigap.records.extras import is_installed
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import read_manifest
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.reporting.closing_model import TunedWeights

TITLES = {
    "baseline": "without help",
    "smallest": "its own page, the smallest text",
    "whole": "its own page, everything",
    "llms": "llms.txt in the context",
    "mcp": "the MCP server as a tool",
    "sft": "tuned weights",
}


class Ways:
    """Asks about `held`, the tasks that were held back. `texts` are the chosen pieces of each API.

    The server's tools may be called for `turns` turns, with `native` in the provider's own way.
    """

    def __init__(
        self,
        asker: CellAsker,
        files: ClosingFiles,
        held: Sequence[Task],
        bundles: Mapping[str, KnowledgeBundle],
        texts: Mapping[str, Combination],
        turns: int,
        native: bool,
    ) -> None:
        self._asker = asker
        self._files = files
        self._held = held
        self._bundles = bundles
        self._texts = texts
        self._turns = turns
        self._native = native
        self._folders = {"baseline": files.way("baseline")}

    def measured(self, without_help: Sequence[Result], tuned: TunedWeights | None) -> list[MeasuredWay]:
        """All ways, that without help first; for a folder the requests of all are written before any is awaited.

        Raises:
            AnswersAwaited: when the model is a folder that lacks answers.
            ModelUnavailable: when a model cannot be asked.
        """
        awaited: AnswersAwaited | None = None
        names = {
            "smallest": lambda: self._pages("smallest", pages_shown(self._bundles, self._texts)),
            "whole": lambda: self._pages("whole", pages_shown(self._bundles, {})),
            "llms": self._in_context,
            **({"mcp": self._with_tools} if is_installed("fastmcp") else {}),
        }
        for ask in names.values():
            try:
                ask()
            except AnswersAwaited as error:  # the requests of the other ways go into files as well
                awaited = error
        if awaited:
            raise awaited
        found = [self._way("baseline", without_help), *(self._judged(name) for name in names)]
        return [*found, self._tuned(tuned)] if tuned else found

    def _folder(self, way: str, texts: Json) -> Path:
        """The folder of a way's answers; where its own has answers to other texts, one beside it, by their hash."""
        own, knowledge = self._files.way(way), content_hash(texts)
        manifest = own / "predictions.manifest.json"
        same = not manifest.exists() or read_manifest(manifest).made_from.get("knowledge") == knowledge
        self._folders[way] = own if same else self._files.way(f"{way}-{knowledge[:8]}")
        return self._folders[way]

    def _judged(self, way: str) -> MeasuredWay:
        return self._way(way, self._asker.judged(self._folders[way], self._held))

    def _way(self, way: str, results: Sequence[Result]) -> MeasuredWay:
        return MeasuredWay(way, TITLES[way], self._folders[way], self._asker.model, results)

    def _pages(self, way: str, shown: KnowledgeOf) -> None:
        prompter = Prompter(self._asker.settings.generation, way, shown, self._asker.room)
        texts: list[Json] = [shown(task) for task in self._held]
        self._asker.answer({self._folder(way, texts): prompter}, self._held, texts)

    def _in_context(self) -> None:
        whole, pages = self._files.whole_text(), self._files.pages()
        adapter = InContext(self._asker.settings.generation, whole, pages, self._asker.room)
        self._asker.answer({self._folder("llms", whole): adapter}, self._held, whole)

    def _with_tools(self) -> None:
        client, whole = McpClient(self._files.llms), self._files.whole_text()
        turns = ToolTurns(self._asker, client, self._folder("mcp", whole), self._turns, self._native)
        turns.answer(self._held, whole)

    def _tuned(self, tuned: TunedWeights) -> MeasuredWay:
        """The prompts without help, put to the tuned weights; the answers of others are in folders of their own."""
        folder = self._files.way(f"sft-{tuned.sha256[:8]}")
        plain = Prompter(self._asker.settings.generation, "sft", lambda task: None)
        self._asker.answer({folder: plain}, self._held, None, model=tuned.model)
        results = self._asker.judged(folder, self._held, tuned.model)
        return MeasuredWay("sft", TITLES["sft"], folder, tuned.model, results)

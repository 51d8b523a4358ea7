"""Delivery `rag`: a group's bundles in an index per condition, and what a task's prompt shows of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from apigap.knowledge.conditions import parts
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN
from apigap.records.base import content_hash
from apigap.records.configuration import RetrievalSettings
from apigap.records.errors import UsageError
from apigap.records.knowledge import Component, KnowledgeBundle
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.retrieval.chunker import ChunkRules
from apigap.retrieval.context_assembly import Knowledge, knowledge_text
from apigap.retrieval.documents import Document, Section
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.index import Built, SearcherName, build_index, open_index
from apigap.retrieval.kept_vectors import KeptVectors
from apigap.retrieval.searcher import Searcher

_SURFACE: frozenset[Component] = frozenset({"name", "parameters"})


def rag_folder(root: Path, group: str) -> Path:
    """The folder of a group's indexes, with a folder per condition."""
    return root / "rag" / group


def document_of(bundle: KnowledgeBundle, condition: str) -> Document | None:
    """The document that a bundle is under a condition, by component; its text is that of `knowledge.conditions.render`.

    Name and parameters are one unit. None where the bundle has nothing to show.
    """
    found = parts(bundle, condition)
    if not found:
        return None
    sections = [
        Section(name=component, text=text, unit="surface" if component in _SURFACE else f"{component} {number}")
        for number, (component, text) in enumerate(found)
    ]
    fields = {
        "library": bundle.library,
        "version": bundle.version,
        "change": bundle.change,
        "condition": condition,
    }
    return Document(id=bundle.api_name, sections=tuple(sections), fields=fields)


def query_of(task: Task, query: str) -> str:
    """The query for a task: its description, and its context after or before it.

    `description_context` is the published query (NovelAPIBench, arXiv:2606.03657), which has no instruction either.
    """
    orders: Mapping[str, tuple[str, ...]] = {
        "description_context": (task.description, task.context_code),
        "description": (task.description,),
        "context_description": (task.context_code, task.description),
    }
    return "\n".join(part.strip("\n") for part in orders[query] if part.strip())


def _filler(length: int) -> str:
    """A text of so many characters, in lines as those of documentation."""
    return (("." * 79 + "\n") * (length // 80 + 1))[:length]


@dataclass(frozen=True)
class Retrieval:
    """Search over the `bundles` of a whole group, so that every library of it distracts, in `folder`."""

    bundles: Sequence[KnowledgeBundle]
    folder: Path
    settings: RetrievalSettings
    progress: Progress

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the settings; what takes long is kept in the cache."""
        embedder = load_embedder(self.settings.embedder, self.progress.note)
        if self.settings.embedder == "lexical":
            return embedder
        return KeptVectors(embedder, self.progress.step(f"texts embedded by {self.settings.embedder}"))

    def build(self, condition: str) -> Built:
        """The index of a condition, made only where it is not there or its sources have changed.

        Raises:
            UsageError: for an unknown condition, or one under which no bundle has anything to show.
        """
        found = [document for bundle in self.bundles if (document := document_of(bundle, condition)) is not None]
        if not found:
            raise UsageError(
                f"under the condition {condition!r} none of the {len(self.bundles)} bundles has anything to search"
            )
        rules = ChunkRules(most_tokens=self.settings.chunk_tokens, pieces=self.settings.pieces)
        bundles = content_hash(sorted(content_hash(bundle.model_dump(mode="json")) for bundle in self.bundles))
        made_from = {"condition": condition, "bundles": bundles}
        return build_index(self.folder / condition, found, rules, self.embedder, made_from)

    def searcher(self, condition: str, searcher: SearcherName | None = None) -> Searcher:
        """Search under a condition, by the searcher of the settings unless another is named."""
        built = self.build(condition)
        return open_index(self.folder / condition, self.embedder, searcher or self.settings.searcher, built.manifest)

    def most_shown(self, condition: str, *, control: bool = False) -> Callable[[Task], str | None]:
        """A text as long as any that prompts may show under the condition, for an estimate before there is an index."""
        documents = {b.api_name: document_of(b, condition) for b in self.bundles}
        sizes = {name: sum(len(part.text) for part in one.sections) for name, one in documents.items() if one}
        tokens = min(self.settings.budget_tokens, self.settings.k * self.settings.chunk_tokens)
        most = min(tokens * CHARACTERS_PER_TOKEN, sum(sorted(sizes.values())[-self.settings.k :]))

        def text(task: Task) -> str:
            own = sizes.get(task.api_name, 0)
            return _filler(min(most, own) if control else most) if own else ""

        return text

    def knowledge_of(
        self, condition: str, tasks: Iterable[Task], *, control: bool = False
    ) -> Callable[[Task], str | None]:
        """The knowledge text of each of the `tasks`, as prompts take it; see `retrieve`.

        It is empty where the task's own API has nothing to show under the condition: the same tasks are left out as
        without retrieval. Where it has, and nothing at all is found, the prompt is that of the baseline: the worst that
        retrieval can do counts. A budget that cuts something off is told.
        """
        found = retrieve(self.searcher(condition), list(tasks), self.settings, control=control)
        cut = sum(bool(knowledge.left_out) for knowledge in found.values())
        if cut:
            self.progress.note(
                f"{condition}: {cut} of {len(found)} prompts have no room for all chunks that were found; they show "
                f"those that fit retrieval.budget_tokens = {self.settings.budget_tokens}"
            )
        shown = {bundle.api_name for bundle in self.bundles if document_of(bundle, condition) is not None}
        return lambda task: found[task.task_id].text or (None if task.api_name in shown else "")


def retrieve(
    searcher: Searcher, tasks: Sequence[Task], settings: RetrievalSettings, *, control: bool = False
) -> dict[str, Knowledge]:
    """The knowledge in the prompt of each task, by task_id.

    As a `control` only chunks of the task's own API are searched, by the same query, number and budget: what is lost
    then is the chunks' fault and not retrieval's.
    """
    queries = [query_of(task, settings.query) for task in tasks]
    known = {chunk.document for chunk in searcher.chunks}
    within = [[task.api_name] for task in tasks] if control else None
    hits = searcher.search_all(queries, settings.k, within)
    return {
        task.task_id: knowledge_text(found if task.api_name in known else [], settings.budget_tokens)
        for task, found in zip(tasks, hits, strict=True)
    }

"""Stages 1 to 3 of one release: discovery, knowledge, tasks; and C1, which needs no model either."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi.task_environments import homes_of, preload_of
from apigap.benchmarks.task_environment import Home
from apigap.discovery.discover import discover, environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.library import find_library
from apigap.gates.record import GateRecord, undecided_counts
from apigap.gates.validity import ValidityGate
from apigap.knowledge.conditions import CONDITIONS, given_away
from apigap.knowledge.extract import Release, bundle_log, extract
from apigap.knowledge.usages.verify import ApiUsages
from apigap.models.transcripts import Transcripts
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import fetch_sdist
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.store import Journal, load_records, write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.stages.authorship import NOBODY, Authors, c1_of, cost, made_from
from apigap.stages.candidate_choice import select_candidates
from apigap.tasks.author import Author
from apigap.tasks.author.rewrite import Rewriter
from apigap.tasks.generate import ApiTasks, Writer, generate
from apigap.tasks.synthesise import Synthesiser

_C1_BATCH = 8


@dataclass(frozen=True)
class Target:
    """A library and the two releases to compare; without an old one everything in the new one is new."""

    library: str
    old: str | None
    new: str
    domain: str = "user"


class LibraryChain:
    """The stages of one target; each method leaves its file complete and returns what is in it.

    `authors` are models that write in the place of the synthesiser and of deterministic prose.
    """

    def __init__(
        self,
        target: Target,
        layout: Layout,
        settings: Settings,
        engine: Engine,
        store: EnvironmentStore,
        progress: Progress,
        authors: Authors = NOBODY,
    ) -> None:
        self._authors = authors
        self.target = target
        self._layout = layout
        self._settings = settings
        self._engine = engine
        self._progress = progress
        self._store = store
        self.new: Environment
        self.old: Environment | None = None
        self.preload: tuple[str, ...] = ()
        self._modules: tuple[str, ...] = ()
        self._sdist: Path | None = None

    def prepare(self) -> None:
        """Make both environments and fetch the new version's sdist.

        Raises:
            UsageError: for a library whose configuration says that it is large.
            EnvironmentFailure: when a version cannot be installed.
        """
        config = find_library(self.target.library)
        if config.large:
            raise UsageError(
                f"installing {config.name} takes gigabytes, so nothing does it unasked: `apigap discover` reads it as "
                f"text; for all stages say `large: false` in configs/libraries/{config.name}.yaml"
            )
        step = self._progress.step(f"{self.target.library}: environments")
        step(0, 3)
        self.new = environment_at(config.name, self.target.new, self._store)
        step(1, 3)
        self.old = environment_at(config.name, self.target.old, self._store) if self.target.old else None
        step(2, 3)
        self._sdist = fetch_sdist(config.distribution, self.target.new)
        self._modules = modules_of(self.new.library, self.new.site_packages).tops
        self.preload = self._modules
        if self._sdist is None:
            self._progress.note(
                f"{self.target.library} {self.target.new} has no source distribution: usages come from docstrings only"
            )
        step(3, 3)

    def discover(self) -> list[Candidate]:
        """Stage 1; its file holds all candidates, the answer those that the settings select."""
        path = self._path("stage1_discovery")
        stage = self._stage(path, "stage 1: discovery", {})
        if not stage.complete:
            step = self._progress.step(f"{self.target.library}: discovery")
            step(0, 1)
            found = discover(
                self.target.library, self.target.old, self.target.new, engine=self._engine, store=self._store
            )
            write_records(path, found.candidates)
            stage.finish({**found.counts, "failures": list(found.failures)})
            step(1, 1)
        candidates = select_candidates(load_records(path, Candidate), self._settings.selection)
        self._warm(candidates)
        return candidates

    def take(self, candidates: Sequence[Candidate]) -> None:
        """Stage 1 where it was done elsewhere: the file of stage 1 holds `candidates`."""
        self._warm(candidates)

    def _warm(self, candidates: Sequence[Candidate]) -> None:
        """Choose what to load before the fork."""
        names = [candidate.api_name for candidate in candidates]
        self.preload = preload_of(names, self.new, self._engine)

    def extract(self, candidates: list[Candidate]) -> list[KnowledgeBundle]:
        """Stage 2."""
        path, usages = self._path("stage2_knowledge"), self._path("stage2_usages")
        made_of = {"stage1": file_hash(self._path("stage1_discovery")), "knowledge": self._section("knowledge")}
        if self._settings.selection.on:
            made_of["selection"] = self._section("selection")
        if self._authors.rewrite:
            made_of["rewrite"] = made_from(self._authors.rewrite, self._settings.author)
        stage = self._stage(path, "stage 2: knowledge", made_of)
        if not stage.complete:
            release = Release(self.new, self.old, self._sdist, self._modules, self.preload)
            step = self._progress.step(f"{self.target.library}: knowledge")
            extract(candidates, release, self._engine, path, usages, self._settings.knowledge, step)
            rewritten = self._rewrite(path)
            bundles, left = load_records(path, KnowledgeBundle), load_records(usages, ApiUsages)
            write_records(self._path("stage2_log"), bundle_log(bundles, left))
            stage.finish({**_knowledge_counts(bundles, left), **rewritten})
        return load_records(path, KnowledgeBundle)

    def _rewrite(self, path: Path) -> dict[str, Any]:
        """The bundles of `path` with prose in a model's words, where one is named; what it took, for the manifest."""
        model = self._authors.rewrite
        if model is None:
            return {}
        self._progress.step(f"{self.target.library}: prose by {model}")
        with self._transcripts(model, "stage2_transcripts", self._settings.author.web_search) as transcripts:
            rewriter = Rewriter(transcripts, self._settings.author, self._settings.knowledge.prose_characters)
            bundles, log = rewriter.rewrite(load_records(path, KnowledgeBundle))
        write_records(self._path("stage2_rewrites"), log)
        write_records(path, bundles)
        return {"rewrite": {"taken": sum(one.taken for one in log), "of": len(log), **cost(transcripts)}}

    def generate(self, candidates: list[Candidate]) -> list[Task]:
        """Stage 3, by the synthesiser or by the model that is its author."""
        path, usages, log = (self._path(name) for name in ("stage3_tasks", "stage2_usages", "stage3_log"))
        made_of: dict[str, Any] = {"usages": file_hash(usages), "tasks": self._section("tasks")}
        model = self._authors.author
        if model is not None:
            made_of["author"] = made_from(model, self._settings.author)
            made_of["knowledge"] = file_hash(self._path("stage2_knowledge"))
        stage = self._stage(path, "stage 3: tasks", made_of)
        if not stage.complete:
            found = load_records(usages, ApiUsages)
            step = self._progress.step(f"{self.target.library}: tasks" + (f" by {model}" if model else ""))
            asked: dict[str, Any] = {}
            if model is None:
                generate(candidates, found, self._synthesiser(), path, log, step)
            else:
                with self._transcripts(model, "stage3_transcripts") as transcripts:
                    generate(candidates, found, self._author(transcripts, candidates), path, log, step)
                asked = {"author": cost(transcripts)}
            stage.finish({**_task_counts(load_records(path, Task), load_records(log, ApiTasks)), **asked})
        return load_records(path, Task)

    def _synthesiser(self) -> Writer:
        limits = self._settings.tasks
        return Synthesiser(self._engine, self.new, self.preload, self.target.domain, limits, self.old)

    def _author(self, transcripts: Transcripts, candidates: list[Candidate]) -> Writer:
        bundles = {bundle.api_name: bundle for bundle in load_records(self._path("stage2_knowledge"), KnowledgeBundle)}
        gate = ValidityGate(self._engine, self.new, self.old, self.preload, candidates)
        return Author(
            transcripts, bundles, self._engine, self.new, self.preload, self.target.domain,
            self._settings.tasks, self._settings.author, c1_of(gate),
        )  # fmt: skip

    def _transcripts(self, model: str, stage: str, web_search: str | None = None) -> Transcripts:
        return self._authors.transcripts(model, self._path(stage), self._settings.author, web_search)

    def check(self, candidates: list[Candidate], tasks: list[Task]) -> list[GateRecord]:
        """C1 of stage 4, which is complete when no task is undecided: those that are, the next run judges again."""
        path = self._path("stage4_c1")
        stage = self._stage(path, "stage 4: C1", {"stage3": file_hash(self._path("stage3_tasks"))})
        records = load_records(path, GateRecord) if stage.complete else []
        decided = {record.task_id for record in records if not record.undecided}
        if not stage.complete or any(task.task_id not in decided for task in tasks):
            records = self._judge(candidates, tasks, path)
            if not undecided_counts(records):
                stage.finish(dict(Counter(record.status for record in records)))
        return records

    def _judge(self, candidates: list[Candidate], tasks: list[Task], path: Path) -> list[GateRecord]:
        """C1's records in `path`, those of tasks that are not decided there made anew."""
        gate = ValidityGate(self._engine, self.new, self.old, self.preload, candidates)
        step = self._progress.step(f"{self.target.library}: C1, references, no-ops and mutants")
        with Journal(path, GateRecord, again=lambda record: record.undecided) as journal:
            done = {record.task_id for record in journal.done}
            waiting = [task for task in tasks if task.task_id not in done]
            gate.learn(waiting)
            for start in range(0, len(waiting), _C1_BATCH):
                for record in gate.check(waiting[start : start + _C1_BATCH]):
                    journal.append(record)
                step(len(journal.done), len(tasks))
            journal.finish(lambda record: (record.api_name, record.task_id))
        return load_records(path, GateRecord)

    def home(self, tasks: Sequence[Task]) -> Home:
        """Where the gates judge answers to `tasks` of this release, as any evaluation does."""
        (home,) = homes_of(tasks, self._engine).values() if tasks else [Home(self.new, self.preload)]
        return home

    def _path(self, stage: str) -> Path:
        return self._layout.stage(self.target.library, stage)

    def _section(self, name: str) -> Any:
        return getattr(self._settings, name).model_dump(mode="json")

    def _stage(self, path: Path, name: str, made_of: dict[str, Any]) -> Stage:
        common = {
            "library": self.target.library,
            "old_version": self.target.old,
            "new_version": self.target.new,
            "environments": {"new": self.new.lock, "old": self.old.lock if self.old else None},
            "evaluator": evaluator_hash(),
            "execution": execution_in_force(self._settings, self._engine),
        }
        return Stage(self._layout.manifest(path), name, {**common, **made_of})


def execution_in_force(settings: Settings, engine: Engine) -> dict[str, Any]:
    """Limits and isolation: what else decides a verdict. How many programs run at a time does not."""
    limits = settings.execution.model_dump(mode="json", exclude={"workers", "cache", "build_sdists"})
    return {**limits, "isolation": engine.profile.model_dump(mode="json")}


def _knowledge_counts(bundles: list[KnowledgeBundle], usages: list[ApiUsages]) -> dict[str, Any]:
    return {
        "bundles": len(bundles),
        "whole": sum(not bundle.missing for bundle in bundles),
        "with_exemplars": sum(bool(b.exemplars) for b in bundles),
        "with_prose": sum(b.m_prose is not None for b in bundles),
        "with_code": sum(b.m_code is not None for b in bundles),
        "with_usages_left": sum(bool(u.usages) for u in usages),
        "giving_away": {name: sum(bool(given_away(b, name)) for b in bundles) for name in CONDITIONS},
    }


def _task_counts(tasks: list[Task], log: list[ApiTasks]) -> dict[str, Any]:
    reasons = Counter(
        reason.partition(": ")[2] or reason for entry in log if not entry.tasks for reason in entry.dropped[:1]
    )
    return {
        "tasks": len(tasks),
        "apis": len({task.api_name for task in tasks}),
        "difficulty": dict(sorted(Counter(task.difficulty for task in tasks).items())),
        "without_task": dict(sorted(reasons.items())),
    }

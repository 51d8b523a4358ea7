"""Stages 1 to 3 of one release: discovery, knowledge, tasks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.library import LibraryConfig, find_library
from apigap.discovery.missing import how_to_read
from apigap.discovery.neighbours import is_too_large, why_too_large
from apigap.discovery.parts import source_tree_of
from apigap.discovery.pythons import python_of_pair
from apigap.gates.provenance import release_in_force
from apigap.gates.validity import ValidityGate
from apigap.knowledge.conditions import CONDITIONS, revealed
from apigap.knowledge.extract import Release, bundle_log, extract
from apigap.knowledge.usages.verify import ApiUsages
from apigap.models.transcripts import Transcripts
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import release
from apigap.records.base import Json
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.manifest import Stage, file_hash, read_manifest
from apigap.records.progress import Advance, Progress
from apigap.records.retired import Retirement
from apigap.records.store import load_records, write_records
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.stages.authorship import NOBODY, Authors, c1_of, cost, made_from
from apigap.stages.candidate_choice import left_out, select_candidates, told_left_out
from apigap.stages.discovery_runs import discover_target
from apigap.tasks.author import Author
from apigap.tasks.author.rejections import rejected_tries
from apigap.tasks.author.rewrite import Rewriter
from apigap.tasks.generate import ApiTasks, Writer, generate
from apigap.tasks.synthesise import Synthesiser


@dataclass
class LibraryChain:
    """The stages of one target; each method leaves its file complete and returns what is in it.

    `authors` are models that write in the place of the synthesiser and of deterministic prose. `prepare` comes first:
    it makes the environments, and `preload` is what is loaded there before any answer runs. `left_out` are the
    candidates that stage 1 found and the settings do not let go on.
    """

    target: Target
    layout: Layout
    settings: Settings
    engine: Engine
    store: EnvironmentStore
    progress: Progress
    authors: Authors = NOBODY
    new: Environment = field(init=False)
    old: Environment | None = field(init=False, default=None)
    preload: tuple[str, ...] = field(init=False, default=())
    left_out: list[Candidate] = field(init=False, default_factory=list[Candidate])
    _modules: tuple[str, ...] = field(init=False, default=())
    _sdist: Path | None = field(init=False, default=None)

    def prepare(self) -> None:
        """Make both environments and fetch the new version's sdist.

        Raises:
            UsageError: for a library whose configuration says that it is large.
            EnvironmentFailure: when a version cannot be installed.
        """
        config = find_library(self.target.library)
        if is_too_large(config, self.target.new):
            raise UsageError(why_too_large(config, self.target.new))
        old = self._old_to_run(config)
        step = self.progress.step(f"{self.target.library}: environments")
        step(0, 3)
        python = self._python(config, old)
        self.new = environment_at(config.name, self.target.new, self.store, python)
        step(1, 3)
        self.old = environment_at(config.name, old, self.store, python) if old else None
        step(2, 3)
        self._sdist = source_tree_of(release(config.distribution, self.target.new))
        self._modules = modules_of(self.new.library, self.new.site_packages).tops
        self.preload = self._modules
        if self._sdist is None:
            self.progress.note(
                f"{self.target.library} {self.target.new} has no source distribution: usages come from docstrings only"
            )
        step(3, 3)

    def _old_to_run(self, config: LibraryConfig) -> str | None:
        """The older release, where it is installed; one that would bring gigabytes is read as text alone, said so."""
        old = self.target.old
        if old is None or not is_too_large(config, old):
            return old
        self.progress.note(
            f"{config.name} {old} would bring gigabytes, so it is read as text and not run: C1 cannot show that the "
            "tasks fail there"
        )
        return None

    def _python(self, config: LibraryConfig, old: str | None) -> str | None:
        """The version of Python for both releases that are run; None where each has its own."""
        if old is None:
            return None
        pair = [release(config.distribution, version) for version in (old, self.target.new)]
        return python_of_pair(config, pair, self.store)

    def discover(self) -> list[Candidate]:
        """Stage 1; its file holds all candidates, the answer those that the settings select."""
        path = self._path("stage1_discovery")
        stage = self._stage(path, "stage 1: discovery", {})
        if not stage.complete:
            found = discover_target(self.target, self.engine, self.progress, self.store)
            if (advice := how_to_read(found.library, found.new_version, found.missing)) is not None:
                self.progress.note(advice)
            write_records(path, found.candidates)
            write_records(self._path("stage1_retired"), found.retired)
            stage.finish({**found.counts, "failures": list(found.failures), "notes": list(found.notes)})
        everything = load_records(path, Candidate)
        candidates = select_candidates(everything, self.settings.selection)
        self.left_out = left_out(everything, candidates)
        if self.left_out:
            self.progress.note(f"{self.target.library}: {told_left_out(self.left_out)}")
        self._choose_preload(candidates)
        return candidates

    def retired(self) -> list[Retirement]:
        """The retirements of the new release, by the file beside stage 1; none where an earlier version left none."""
        path = self._path("stage1_retired")
        return load_records(path, Retirement) if path.exists() else []

    def notes(self) -> tuple[str, ...]:
        """Notes for whoever uses the candidates of stage 1, as its manifest has it."""
        path = self.layout.manifest(self._path("stage1_discovery"))
        return tuple(read_manifest(path).counts.get("notes", ())) if path.exists() else ()

    def read_candidates(self) -> list[Candidate]:
        """Stage 1 where it was done elsewhere: all candidates of its file."""
        candidates = load_records(self._path("stage1_discovery"), Candidate)
        self._choose_preload(candidates)
        return candidates

    def _choose_preload(self, candidates: Sequence[Candidate]) -> None:
        names = [candidate.api_name for candidate in candidates]
        self.preload = preload_of(names, self.new, self.engine)

    def extract(self, candidates: list[Candidate]) -> list[KnowledgeBundle]:
        """Stage 2."""
        path, usages = self._path("stage2_knowledge"), self._path("stage2_usages")
        made_of = {"stage1": file_hash(self._path("stage1_discovery")), "knowledge": self._section("knowledge")}
        retired = self.retired()
        if any(one.replacement for one in retired):
            made_of["retired"] = file_hash(self._path("stage1_retired"))
        if self.settings.selection.on:
            made_of["selection"] = self._section("selection")
        if self.authors.rewrite:
            made_of["rewrite"] = made_from(self.authors.rewrite, self.settings.author)
        stage = self._stage(path, "stage 2: knowledge", made_of)
        if not stage.complete:
            both = Release(self.new, self.old, self._sdist, self._modules, self.preload)
            extract(candidates, both, self.engine, path, usages, self.settings.knowledge, self._step, retired)
            rewritten = self._rewrite(path)
            bundles, left = load_records(path, KnowledgeBundle), load_records(usages, ApiUsages)
            write_records(self._path("stage2_log"), bundle_log(bundles, left))
            stage.finish({**_knowledge_counts(bundles, left), **rewritten})
        return load_records(path, KnowledgeBundle)

    def _rewrite(self, path: Path) -> dict[str, Json]:
        """The bundles of `path` with prose in a model's words, where one is named; what it took, for the manifest."""
        model = self.authors.rewrite
        if model is None:
            return {}
        self.progress.step(f"{self.target.library}: prose by {model}")
        with self._transcripts(model, "stage2_transcripts", self.settings.author.web_search) as transcripts:
            rewriter = Rewriter(transcripts, self.settings.author, self.settings.knowledge.prose_characters)
            bundles, log = rewriter.rewrite(load_records(path, KnowledgeBundle))
        write_records(self._path("stage2_rewrites"), log)
        write_records(path, bundles)
        return {"rewrite": {"taken": sum(one.taken for one in log), "of": len(log), **cost(transcripts)}}

    def generate(self, candidates: list[Candidate]) -> list[Task]:
        """Stage 3, by the synthesiser or by the model that is its author."""
        path, usages, log = (self._path(name) for name in ("stage3_tasks", "stage2_usages", "stage3_log"))
        made_of: dict[str, Json] = {"usages": file_hash(usages), "tasks": self._section("tasks")}
        model = self.authors.author
        if model is not None:
            made_of["author"] = made_from(model, self.settings.author)
            made_of["knowledge"] = file_hash(self._path("stage2_knowledge"))
        stage = self._stage(path, "stage 3: tasks", made_of)
        if not stage.complete:
            found = load_records(usages, ApiUsages)
            step = self.progress.step(f"{self.target.library}: tasks" + (f" by {model}" if model else ""))
            asked: dict[str, Json] = {}
            if model is None:
                generate(candidates, found, self._synthesiser(), path, log, step)
            else:
                with self._transcripts(model, "stage3_transcripts") as transcripts:
                    generate(candidates, found, self._author(transcripts, candidates), path, log, step)
                asked = {"author": cost(transcripts)}
            stage.finish({**_task_counts(load_records(path, Task), load_records(log, ApiTasks)), **asked})
        return load_records(path, Task)

    def without_task(self) -> dict[str, str]:
        """The APIs of which stage 3 made no task, with the reason for which the last usage of each gave none."""
        entries = load_records(self._path("stage3_log"), ApiTasks)
        last = {entry.api_name: entry.dropped[-1:] for entry in entries if not entry.tasks}
        return {
            name: why[0].partition(": ")[2] if why else "no usage was left for a task" for name, why in last.items()
        }

    def _synthesiser(self) -> Writer:
        limits = self.settings.tasks
        return Synthesiser(self.engine, self.new, self.preload, self.target.domain, limits, self.old)

    def _author(self, transcripts: Transcripts, candidates: list[Candidate]) -> Writer:
        bundles = {bundle.api_name: bundle for bundle in load_records(self._path("stage2_knowledge"), KnowledgeBundle)}
        return Author(
            transcripts, bundles, self.engine, self.new, self.preload, self.target.domain,
            self.settings.tasks, self.settings.author, c1_of(self.validity_gate(candidates)),
        )  # fmt: skip

    def _transcripts(self, model: str, stage: str, web_search: str | None = None) -> Transcripts:
        return self.authors.transcripts(model, self._path(stage), self.settings.author, web_search)

    def validity_gate(self, candidates: Sequence[Candidate]) -> ValidityGate:
        """C1 for tasks of this release."""
        return ValidityGate(self.engine, self.new, self.old, self.preload, candidates)

    def _step(self, title: str) -> Advance:
        return self.progress.step(f"{self.target.library}: {title}")

    def _path(self, stage: str) -> Path:
        return self.layout.stage(self.target.library, stage)

    def _section(self, name: str) -> Json:
        return getattr(self.settings, name).model_dump(mode="json")

    def _stage(self, path: Path, name: str, made_of: dict[str, Json]) -> Stage:
        terms = release_in_force(self.target, self.new, self.old, self.settings, self.engine)
        return Stage(self.layout.manifest(path), name, {**terms, **made_of})


def _knowledge_counts(bundles: list[KnowledgeBundle], usages: list[ApiUsages]) -> dict[str, Json]:
    return {
        "bundles": len(bundles),
        "whole": sum(not bundle.missing for bundle in bundles),
        "with_exemplars": sum(bool(b.exemplars) for b in bundles),
        "with_prose": sum(b.m_prose is not None for b in bundles),
        "with_code": sum(b.m_code is not None for b in bundles),
        "with_usages_left": sum(bool(u.usages) for u in usages),
        "giving_away": {name: sum(bool(revealed(b, name)) for b in bundles) for name in CONDITIONS},
    }


def _task_counts(tasks: list[Task], log: list[ApiTasks]) -> dict[str, Json]:
    reasons = Counter(
        reason.partition(": ")[2] or reason for entry in log if not entry.tasks for reason in entry.dropped[:1]
    )
    rejected = rejected_tries(reason for entry in log for reason in entry.dropped)
    return {
        "tasks": len(tasks),
        "apis": len({task.api_name for task in tasks}),
        "difficulty": dict(sorted(Counter(task.difficulty for task in tasks).items())),
        "without_task": dict(sorted(reasons.items())),
        **({"rejected_tries": rejected} if rejected else {}),
    }

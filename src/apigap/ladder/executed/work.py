"""From the APIs of one release to what was run for them: usages, bundles, questions on effects, tasks to call them.

All is kept beside the items as it is made, so that a run that was ended goes on: the bundles in `NAME.knowledge.jsonl`,
the usages in `NAME.usages.jsonl`, what was made of these in `NAME.executed.jsonl`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.library import LibraryConfig
from apigap.discovery.parts import source_tree_of
from apigap.gates.provenance import release_in_force
from apigap.knowledge.extract import extract
from apigap.knowledge.release import Release
from apigap.knowledge.usages.verify import ApiUsages
from apigap.ladder.executed.call import ApiCall, CallMaker
from apigap.ladder.executed.companions import companions_for
from apigap.ladder.executed.effect import ApiEffect, EffectMaker
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import release
from apigap.records.base import Json, Record, content_hash
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.questions.ladder import Rung
from apigap.records.sources import CodeIdentity
from apigap.records.store import Journal, load_records
from apigap.records.target import Target
from apigap.sandbox.engine import Engine

_BATCH = 16
_QUICK = {"cpu_seconds": 2, "wall_seconds": 8.0}
"""The time of programs that may give wrong options: many are tried, and some never end."""
_EXTRACTED_BY = CodeIdentity(("apigap.knowledge.extract",))
_MADE_BY = CodeIdentity(("apigap.ladder.executed.call", "apigap.ladder.executed.effect"))


class ApiWork(Record):
    """The outcome of running usages of one API; None for a rung that was not wanted."""

    api_name: str
    effect: ApiEffect | None = None
    call: ApiCall | None = None


@dataclass(frozen=True)
class Workshop:
    """Runs what items of the `rungs` need; files are beside `items`, the file of the items."""

    engine: Engine
    store: EnvironmentStore
    progress: Progress
    settings: Settings
    rungs: Sequence[Rung]
    seed: int
    items: Path

    def work(
        self,
        target: Target,
        config: LibraryConfig,
        apis: Sequence[Candidate],
        others: Sequence[Candidate],
        python: str | None,
    ) -> dict[str, ApiWork]:
        """The work on each of `apis`, by name; what an earlier run has left of the same is taken over.

        `others` are APIs of the library that may stand in for relatives.

        Raises:
            EnvironmentFailure: when the new release cannot be installed.
            InfrastructureError: when the index cannot be reached.
        """
        new, beside = self._release(target, config, apis, python)
        knowledge = self._knowledge_stage(target, new, apis)
        if not knowledge.complete:
            extract(
                apis, new, self.engine, self._file("knowledge"), self._file("usages"), self.settings.knowledge,
                lambda title: self.progress.step(f"{target.library}: {title}"),
            )  # fmt: skip
            knowledge.finish({"apis": len(apis)})
        stage = self._executed_stage(target, new, apis, others)
        if not stage.complete:
            self._make(target, new, beside, apis, others)
            stage.finish({"apis": len(apis)})
        return {one.api_name: one for one in load_records(self._file("executed"), ApiWork)}

    def _release(
        self, target: Target, config: LibraryConfig, apis: Sequence[Candidate], python: str | None
    ) -> tuple[Release, tuple[str, ...]]:
        """The new release alone, since what the old one gives decides nothing here; and what is installed beside it."""
        new = environment_at(config.name, target.new, self.store, python)
        own = release(config.distribution, target.new)
        sdist = source_tree_of(own)
        if sdist is None:
            self.progress.note(
                f"{target.library} {target.new} has no source distribution: usages come from docstrings only"
            )
        beside = companions_for(new, own, sdist, {one.leaf for one in apis})
        if beside:
            self.progress.note(
                f"{target.library} {target.new} is run beside {', '.join(beside)}, which its extras name"
            )
            new = environment_at(config.name, target.new, self.store, new.minor, beside)
        modules = modules_of(new.library, new.site_packages).tops
        preload = preload_of([one.api_name for one in apis], new, self.engine, beside)
        return Release(new, None, sdist, modules, preload), tuple(beside)

    def _make(
        self,
        target: Target,
        new: Release,
        beside: tuple[str, ...],
        apis: Sequence[Candidate],
        others: Sequence[Candidate],
    ) -> None:
        usages = {one.api_name: one for one in load_records(self._file("usages"), ApiUsages)}
        limits = self.settings.tasks
        calls = CallMaker(self.engine, new.new, new.preload, target.domain, limits, beside)
        step = self.progress.step(f"{target.library}: effects and calls")
        quick = self.engine.limits.model_copy(update=_QUICK)
        with self.engine.with_limits(quick) as engine, Journal(self._file("executed"), ApiWork) as journal:
            effects = EffectMaker(engine, new.new, new.preload, limits, self.seed, [*apis, *others])
            done = {one.api_name for one in journal.done}
            waiting = [(one, usages[one.api_name]) for one in apis if one.api_name not in done]
            step(len(done), len(apis))
            for start in range(0, len(waiting), _BATCH):
                batch = waiting[start : start + _BATCH]
                asked = effects.write(batch) if "effect" in self.rungs else [None] * len(batch)
                called = calls.write(batch) if "call" in self.rungs else [None] * len(batch)
                for (one, _), effect, call in zip(batch, asked, called, strict=True):
                    journal.append(ApiWork(api_name=one.api_name, effect=effect, call=call))
                step(len(journal.done), len(apis))
            journal.finish(lambda one: one.api_name)

    def _knowledge_stage(self, target: Target, new: Release, apis: Sequence[Candidate]) -> Stage:
        """The manifest of bundles and usages."""
        made_from: dict[str, Json] = {
            **self._made_in(target, new, apis),
            "knowledge": self.settings.knowledge.model_dump(mode="json"),
            "code": _EXTRACTED_BY.digest,
        }
        return self._stage("knowledge", made_from, ("knowledge", "usages"))

    def _executed_stage(
        self, target: Target, new: Release, apis: Sequence[Candidate], others: Sequence[Candidate]
    ) -> Stage:
        """The manifest of what was made of the usages."""
        made_from: dict[str, Json] = {
            **self._made_in(target, new, apis),
            "others": content_hash([one.to_line() for one in others]),
            "usages": file_hash(self._file("usages")),
            "rungs": [*self.rungs],
            "seed": self.seed,
            "tasks": self.settings.tasks.model_dump(mode="json"),
            "code": _MADE_BY.digest,
        }
        return self._stage("executed", made_from, ("executed",))

    def _made_in(self, target: Target, new: Release, apis: Sequence[Candidate]) -> dict[str, Json]:
        in_force = release_in_force(target, new.new, None, self.settings, self.engine)
        return {**in_force, "apis": content_hash([one.to_line() for one in apis])}

    def _stage(self, name: str, made_from: dict[str, Json], parts: Sequence[str]) -> Stage:
        """A manifest beside its files; what another run left there of something else gives way, as items do."""
        path = self._file(name).with_name(f"{self.items.stem}.{name}.manifest.json")
        files = tuple(self._file(part) for part in parts)
        try:
            return Stage(path, f"{name} of items", made_from, files=files)
        except UsageError:
            self.progress.note(f"{path.name} is of something else: what it is about is made again")
            for old in (path, *files):
                old.unlink(missing_ok=True)
            return Stage(path, f"{name} of items", made_from, files=files)

    def _file(self, part: str) -> Path:
        return beside(self.items, part)


def beside(items: Path, part: str) -> Path:
    """The file beside that of the `items` with a part of what they were made from."""
    return items.with_name(f"{items.stem}.{part}.jsonl")

"""From two releases of a library to its items: discovery, controls, names that nobody has, questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.discovery.discover import Discovery, environment_at, read_pair
from apigap.discovery.library import LibraryConfig, find_library
from apigap.discovery.neighbours import is_too_large
from apigap.discovery.surface import Surface
from apigap.gates.probe.probe import existing_names, names_in, python_of, unchanged_apis
from apigap.ladder.apis import shape_of
from apigap.ladder.controls import Matching, match
from apigap.ladder.executed.work import ApiWork, Workshop
from apigap.ladder.make import ItemsReport, Loss, chosen, make_items, subjects_of, yields_of
from apigap.ladder.names import Names
from apigap.ladder.steady import SteadyApis, steady_apis
from apigap.ladder.subject import Subject
from apigap.packages.environments import EnvironmentStore
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.progress import Progress
from apigap.records.questions.ladder import READABLE, RUNGS, LadderItem, Rung
from apigap.records.target import Target
from apigap.sandbox.engine import Engine
from apigap.stages.discovery_runs import discover_target
from apigap.stages.first_releases import dated


@dataclass(frozen=True)
class ItemsRun:
    """Makes the items of releases. `most` bounds the new APIs of each (0: all); `seed` is of every draw.

    `only` are the APIs that may be asked about, where it is not empty.
    """

    engine: Engine
    store: EnvironmentStore
    progress: Progress
    most: int
    seed: int
    settings: Settings
    rungs: Sequence[Rung] = RUNGS
    static: bool = False
    only: frozenset[str] = frozenset()

    def make(self, target: Target, path: Path) -> tuple[list[LadderItem], ItemsReport]:
        """The items of one release and what was lost on the way; the same input gives the same items.

        What is run for rungs that need it is kept beside `path`, the file that the items are for.

        Raises:
            UsageError: when `target` has no old release, or nothing new that can be asked about.
            InfrastructureError: when a release cannot be read.
        """
        if target.old is None:
            raise UsageError(f"{target.library} has no older release to compare with; name one with --old")
        config = find_library(target.library)
        found = discover_target(target, self.engine, self.progress, self.store, static=self.static)
        asked, lost = chosen(found.candidates, self.most, self.only)
        if not asked:
            raise UsageError(_nothing(found, lost))
        asked = list(dated(found.model_copy(update={"candidates": tuple(asked)}), self.progress).candidates)
        surfaces = read_pair(
            config, target.old, target.new, engine=self.engine, store=self.store, static=found.reading == "static"
        )
        steady, matching = self._controls(config, target, surfaces, asked)
        real = [one for one in unchanged_apis(*surfaces) if shape_of(one)]
        names = Names(names_in(surfaces), lambda names: self._existing(found, names))
        subjects = subjects_of(matching.pairs, matching.unmatched)
        rungs, note = self._rungs(found, config)
        work = self._work(target, config, found, subjects, real, rungs, path)
        items, unasked = make_items(subjects, real, names, self.seed, rungs, work)
        notes = [*([note] if note else []), *_unlike(matching)]
        report = self._report(found, asked, steady, matching, [*lost, *unasked], notes)
        return items, report.model_copy(update={"yields": yields_of(items, asked, rungs)})

    def _rungs(self, found: Discovery, config: LibraryConfig) -> tuple[tuple[Rung, ...], str]:
        """Those of the wanted rungs that can be made, and a note on others."""
        if found.reading != "static" and not is_too_large(config, found.new_version):
            return tuple(self.rungs), ""
        readable: tuple[Rung, ...] = tuple(rung for rung in READABLE if rung in self.rungs)
        if not readable:
            raise UsageError(
                f"{' and '.join(self.rungs)} need a release that is run, and {found.library} {found.new_version} was "
                "read as text; leave out --static, or ask for --rungs exists,signature"
            )
        left_out = [rung for rung in self.rungs if rung not in readable]
        why = f"{found.library} {found.new_version} is read as text and not run"
        return readable, f"{why}, so there are no items of {' and '.join(left_out)}" if left_out else ""

    def _work(
        self,
        target: Target,
        config: LibraryConfig,
        found: Discovery,
        subjects: Sequence[Subject],
        others: Sequence[Candidate],
        rungs: Sequence[Rung],
        path: Path,
    ) -> dict[str, ApiWork]:
        """The work on the subjects, where one of the `rungs` needs anything to be run."""
        executed: list[Rung] = [rung for rung in rungs if rung not in READABLE]
        if not executed:
            return {}
        workshop = Workshop(self.engine, self.store, self.progress, self.settings, executed, self.seed, path)
        apis = list({one.api.api_name: one.api for one in subjects}.values())
        return workshop.work(target, config, apis, others, python_of(found, target.new))

    def _controls(
        self, config: LibraryConfig, target: Target, surfaces: tuple[Surface, Surface], asked: Sequence[Candidate]
    ) -> tuple[SteadyApis, Matching]:
        unchanged = [one for one in unchanged_apis(*surfaces) if shape_of(one) and one.evidence]
        step = self.progress.step(f"{target.library}: controls")
        step(0, 1)
        steady = steady_apis(config, unchanged, target.old or "", target.new)
        matching = match(asked, steady.apis)
        step(1, 1)
        return steady, matching

    def _existing(self, found: Discovery, names: Sequence[str]) -> set[str]:
        """Those of `names` that either release has when it runs; as text the names that are `taken` must do."""
        if found.reading == "static" or found.old_version is None:
            return set()
        homes = [
            environment_at(found.library, version, self.store, python_of(found, version))
            for version in (found.old_version, found.new_version)
        ]
        return {name for home in homes for name in existing_names(self.engine, home, names)}

    def _report(
        self,
        found: Discovery,
        asked: Sequence[Candidate],
        steady: SteadyApis,
        matching: Matching,
        losses: Sequence[Loss],
        more: Sequence[str],
    ) -> ItemsReport:
        alone = tuple(one.api_name for one in matching.unmatched)
        no_control = (
            [Loss(rung=None, reason="no control is like it: it is asked without one", apis=alone)] if alone else []
        )
        news = len({one.importance.family if one.importance else one.api_name for one in asked})
        notes = [
            *found.notes,
            *more,
            *([steady.note] if steady.note else []),
            *(
                [f"{len(asked)} new APIs are {news} pieces of news, and count as that many"]
                if news < len(asked)
                else []
            ),
        ]
        return ItemsReport(
            library=found.library,
            old_version=found.old_version or "",
            new_version=found.new_version,
            candidates=len(found.candidates),
            chosen=len(asked),
            pairs=len(matching.pairs),
            pool=len(steady.apis),
            steady_since=steady.since,
            yields=(),
            balance=matching.balance,
            losses=(*losses, *no_control),
            notes=tuple(notes),
        )


def _nothing(found: Discovery, lost: Sequence[Loss]) -> str:
    pair = f"{found.library} {found.old_version} -> {found.new_version}"
    if not found.candidates:
        return f"{pair}: discovery found nothing that is new or called differently, so there is nothing to ask about"
    reasons = "; ".join(f"{len(one.apis)} {one.reason}" for one in lost)
    return f"{pair}: of {len(found.candidates)} candidates none can be asked about: {reasons}"


def _unlike(matching: Matching) -> list[str]:
    """The note on covariates in which new APIs and their controls are far from alike."""
    large = [one.covariate for one in matching.balance if one.is_large]
    if not large:
        return []
    return [f"new APIs and controls differ in {', '.join(large)}; the table of how alike they are says by how much"]

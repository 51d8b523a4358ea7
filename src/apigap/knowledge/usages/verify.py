"""Verification of usages: run in the new version under the spy, and beside it in the old version."""

from collections.abc import Iterable, Sequence

from apigap.knowledge.release import Release
from apigap.knowledge.usages.build import Builder
from apigap.knowledge.usages.names import identifiers
from apigap.knowledge.usages.observed_type import property_type
from apigap.knowledge.usages.transplant import ValueBook, transplants
from apigap.knowledge.usages.unverified import UnverifiedUsage, names_api, unverified_usages
from apigap.knowledge.usages.usage import Usage, program_of
from apigap.knowledge.usages.watched_runs import WatchedRuns
from apigap.records.base import Record, canonical_json
from apigap.records.candidate import DATA_KINDS, Candidate
from apigap.records.run import RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_ENOUGH = 3
_PATIENCE = 3
_UNWATCHED = 4
_FIRST = 8
_ORIGINS = {"docstring": 0, "docs": 1, "tests": 2, "built": 3}


class VerifiedUsage(Record):
    """A usage that called the API, with the call completed, in the new version.

    `exercises` are the changed parameters that it passes; `needs_new` is true when the same code does not run,
    or does not give the same values, in the old version.
    """

    usage: Usage
    exercises: tuple[str, ...]
    needs_new: bool


class ApiUsages(Record):
    """The verified usages of one API, those that show the change first; `unverified` where there is none of them.

    Once they are divided, `usages` are those that are left for tasks and `shown` those that a bundle has as exemplars.
    `gives` is the type of what a property was seen to give.
    """

    api_name: str
    usages: tuple[VerifiedUsage, ...]
    tried: int
    reason: str | None = None
    unverified: tuple[UnverifiedUsage, ...] = ()
    gives: str | None = None
    shown: tuple[VerifiedUsage, ...] = ()


def matching(candidate: Candidate, usages: Iterable[Usage], most: int) -> list[Usage]:
    """At most `most` usages that mention the API.

    Those that pass a changed parameter come first, then those that also name its class or module, then short ones.

    No usage for what is no call: whether a program used it could not be seen.
    """
    if candidate.kind in DATA_KINDS:
        return []
    changed = changed_parameters(candidate)
    found = [usage for usage in usages if candidate.leaf in usage.identifiers]

    owner = candidate.api_name.split(".")[-2]

    def rank(usage: Usage) -> tuple[bool, bool, int, int, str]:
        mentioned = owner in usage.identifiers or owner in identifiers("\n".join(usage.prelude))
        passes = bool(changed & usage.identifiers)
        return (not passes, not mentioned, _ORIGINS[usage.origin], len(usage.code), usage.source)

    return sorted(found, key=rank)[:most]


def changed_parameters(candidate: Candidate) -> frozenset[str]:
    """Names of the new version's parameters that are new or changed there; another order is no change."""
    now = {parameter.name for parameter in candidate.parameters}
    return frozenset(c.parameter for c in candidate.changes if c.what != "parameters reordered") & now


class Verifier:
    """Runs usages in both versions; each usage runs once per version however many APIs it mentions."""

    def __init__(self, engine: Engine, release: Release, pool: Sequence[Usage]) -> None:
        self._pool = pool
        self._book = ValueBook(pool)
        self._builder = Builder(engine, release, pool, self._book)
        self._engine = engine
        self._release = release
        self._watched = WatchedRuns(engine, release.new, release.preload)
        self._plain: dict[tuple[str, str], RunRecord] = {}

    def expect(self, candidates: Sequence[Candidate]) -> None:
        """Say of which candidates usages will be wanted, batch by batch."""
        self._builder.expect([candidate for candidate in candidates if candidate.kind not in DATA_KINDS])

    def usages_of(self, candidates: Sequence[Candidate], most: int) -> list[ApiUsages]:
        """The verified usages of each candidate: upstream's own, and where those do not show a change, transplants."""
        own = [self._with_readers(c, u) for c, u in zip(candidates, self._upstream(candidates, most), strict=True)]
        wanted = [
            (candidate, self._transplants(candidate, found)) for candidate, found in zip(candidates, own, strict=True)
        ]
        made = [merge(found, more) for found, more in zip(own, self.verify(wanted), strict=True)]
        return self._constructed(candidates, made)

    def _with_readers(self, candidate: Candidate, current: ApiUsages) -> ApiUsages:
        """`current` with usages that read a field or a member, which nobody can watch."""
        if candidate.kind not in DATA_KINDS:
            return current
        reading = sorted((u for u in self._pool if names_api(u, candidate)), key=lambda u: (len(u.code), u.source))
        unverified = tuple(
            UnverifiedUsage(usage=usage, reason=f"a {candidate.kind} is read, which cannot be seen")
            for usage in reading[:2]
        )
        return current.model_copy(update={"unverified": unverified})

    def _upstream(self, candidates: Sequence[Candidate], most: int) -> list[ApiUsages]:
        """Upstream's own usages; where few of the first ones are good, those that come after them as well."""
        mentioning = [matching(candidate, self._pool, _PATIENCE * most) for candidate in candidates]
        found = self.verify([(c, usages[:most]) for c, usages in zip(candidates, mentioning, strict=True)])
        poor = [number for number, usages in enumerate(found) if len(usages.usages) < _ENOUGH]
        more = self.verify([(candidates[number], mentioning[number][most:]) for number in poor])
        for number, later in zip(poor, more, strict=True):
            found[number] = joined(found[number], later)
        return found

    def _constructed(self, candidates: Sequence[Candidate], results: list[ApiUsages]) -> list[ApiUsages]:
        """`results` with usages built from objects that upstream makes, where there are too few for tasks."""
        poor = [n for n, (c, usages) in enumerate(zip(candidates, results, strict=True)) if _wants_more(c, usages)]
        built = dict(zip(poor, self._builder.usages_of([candidates[number] for number in poor]), strict=True))
        for places in (slice(_FIRST), slice(_FIRST, None)):
            wanted = [n for n in poor if _wants_more(candidates[n], results[n]) and built[n][places]]
            more = self.verify([(candidates[number], built[number][places]) for number in wanted])
            for number, later in zip(wanted, more, strict=True):
                results[number] = joined(results[number], later)
        return results

    def _transplants(self, candidate: Candidate, current: ApiUsages) -> list[Usage]:
        shown = sum(verified.needs_new and bool(verified.exercises) for verified in current.usages)
        if candidate.change != "modified" or shown >= _ENOUGH:
            return []
        mentioned = sorted(matching(candidate, self._pool, 400), key=lambda usage: (len(usage.code), usage.source))
        return transplants(candidate, changed_parameters(candidate), mentioned, self._book)

    def verify(self, wanted: Sequence[tuple[Candidate, Sequence[Usage]]]) -> list[ApiUsages]:
        """The verified usages of each candidate among the given ones, in the given order."""
        recorded = self._watched.run([(candidate, usage) for candidate, usages in wanted for usage in usages])
        read = {(c.api_name, u.code) for c, us in wanted for u in us if c.kind == "property" and u.origin == "built"}
        good = {key for key, run in recorded.items() if run.status == "completed" and _calls_api(run, key in read)}
        needed = {usage.code: usage for c, usages in wanted for usage in usages if (c.api_name, usage.code) in good}
        both = (self._release.new, *((self._release.old,) if self._release.old else ()))
        self._run_plain(list(needed.values()), both)
        called = {name for name, _ in good}
        unseen = [_unwatchable(c, usages, recorded) for c, usages in wanted if c.api_name not in called]
        self._run_plain([usage for found in unseen for usage in found], both[:1])
        return [self._usages(candidate, usages, recorded, good) for candidate, usages in wanted]

    def _run_plain(self, usages: list[Usage], environments: Sequence[Environment]) -> None:
        for environment in environments:
            missing = [usage for usage in usages if (environment.lock, usage.code) not in self._plain]
            runs = self._engine.run(
                environment, [program_of(usage) for usage in missing], preload=self._release.preload
            )
            for usage, run in zip(missing, runs, strict=True):
                self._plain[environment.lock, usage.code] = run

    def _usages(
        self,
        candidate: Candidate,
        usages: Sequence[Usage],
        recorded: dict[tuple[str, str], RunRecord],
        good: set[tuple[str, str]],
    ) -> ApiUsages:
        kept = [
            VerifiedUsage(
                usage=usage,
                exercises=_exercised(candidate, recorded[candidate.api_name, usage.code]),
                needs_new=self._needs_new(usage),
            )
            for usage in usages
            if (candidate.api_name, usage.code) in good
        ]
        kept.sort(key=rank)
        built = [usage for usage in usages if usage.origin == "built"]
        reason = None if kept else _reason_for_none(candidate, usages, recorded)
        return ApiUsages(
            api_name=candidate.api_name,
            usages=tuple(kept),
            tried=len(usages),
            reason=reason,
            unverified=() if kept else self._unverified(candidate, usages, recorded),
            gives=property_type([(v.usage, recorded[candidate.api_name, v.usage.code]) for v in kept], candidate)
            or property_type(
                [(u, run) for u in built if (run := self._plain.get((self._release.new.lock, u.code)))], candidate
            ),
        )

    def _unverified(
        self, candidate: Candidate, usages: Sequence[Usage], recorded: dict[tuple[str, str], RunRecord]
    ) -> tuple[UnverifiedUsage, ...]:
        return tuple(
            unverified_usages(
                candidate,
                usages,
                lambda usage: recorded[candidate.api_name, usage.code],
                lambda usage: self._plain.get((self._release.new.lock, usage.code)),
            )
        )

    def _needs_new(self, usage: Usage) -> bool:
        new = self._plain[self._release.new.lock, usage.code]
        if new.status != "completed":
            return False
        if self._release.old is None:
            return True
        old = self._plain[self._release.old.lock, usage.code]
        return old.status != "infra" and (
            old.status != "completed" or canonical_json(old.observed) != canonical_json(new.observed)
        )


def _wants_more(candidate: Candidate, current: ApiUsages) -> bool:
    shown = [verified for verified in current.usages if verified.needs_new]
    return candidate.kind not in DATA_KINDS and len({verified.usage.family for verified in shown}) < _ENOUGH


def joined(current: ApiUsages, more: ApiUsages) -> ApiUsages:
    """Both sets of usages of one API; where there is none, the reason of the set in which something was tried."""
    ranked = tuple(sorted((*current.usages, *more.usages), key=rank))
    reason = None if ranked else current.reason if current.tried else more.reason or current.reason
    return ApiUsages(
        api_name=current.api_name,
        usages=ranked,
        tried=current.tried + more.tried,
        reason=reason,
        unverified=() if ranked else (*current.unverified, *more.unverified),
        gives=current.gives or more.gives,
    )


def rank(verified: VerifiedUsage) -> tuple[bool, bool]:
    """The order of usages: first those that need the new version, of them those that pass a changed parameter."""
    return (not verified.needs_new, not verified.exercises)


def merge(current: ApiUsages, more: ApiUsages) -> ApiUsages:
    """Both sets of usages of one API, ranked together."""
    useful = [verified for verified in more.usages if verified.needs_new]
    return joined(current, more.model_copy(update={"usages": tuple(useful)}))


def _unwatchable(
    candidate: Candidate, usages: Sequence[Usage], recorded: dict[tuple[str, str], RunRecord]
) -> list[Usage]:
    """Built usages that only the watch kept from running: of an API whose module wants settings first."""
    runs = ((usage, recorded[candidate.api_name, usage.code]) for usage in usages if usage.origin == "built")
    return [usage for usage, run in runs if run.status == "infra"][:_UNWATCHED]


def _calls_api(run: RunRecord, read: bool) -> bool:
    """Check that the usage called the API; `read`: it reads a property, which a descriptor of the library calls."""
    return any(call.completed and (read or call.caller == "candidate") for call in run.calls)


def _exercised(candidate: Candidate, run: RunRecord) -> tuple[str, ...]:
    passed = {name for call in run.calls if call.caller == "candidate" for name in call.explicit or ()}
    return tuple(sorted(passed & changed_parameters(candidate)))


def _reason_for_none(candidate: Candidate, usages: Sequence[Usage], recorded: dict[tuple[str, str], RunRecord]) -> str:
    if candidate.kind in DATA_KINDS:
        return f"what it names ({candidate.kind}) is read and never called, so no task can be made of it"
    if not usages:
        return "no usage in the docstrings, documents or tests of this release mentions it"
    runs = [recorded[candidate.api_name, usage.code] for usage in usages]
    failed = [run for run in runs if run.status != "completed"]
    if len(failed) == len(runs):
        first = failed[0].exception
        how = first.type if first else f"{failed[0].limit or ''} {failed[0].status}".strip()
        return f"none of {len(runs)} usages runs by itself ({how})"
    return f"{len(runs) - len(failed)} usages run, and none of them calls it"

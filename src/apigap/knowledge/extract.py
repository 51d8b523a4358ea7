"""Stage 2: from candidates to knowledge bundles, and the usages that are left over for tasks."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from apigap.knowledge.components.annotations import plain_annotation
from apigap.knowledge.components.prose import mechanism
from apigap.knowledge.components.source import implementation
from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.conditions import leaks
from apigap.knowledge.former_names import FormerNames
from apigap.knowledge.licences import licence_of
from apigap.knowledge.release import Release
from apigap.knowledge.usages.harvest import harvest
from apigap.knowledge.usages.verify import ApiUsages, VerifiedUsage, Verifier, rank
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.configuration import KnowledgeSettings
from apigap.records.errors import InfrastructureError
from apigap.records.knowledge import Exemplar, KnowledgeBundle
from apigap.records.retired import Retirement
from apigap.records.store import Journal
from apigap.sandbox.engine import Engine

_LONGER = 2
_BATCH = 8
"""The APIs whose usages run together, more where there are more workers: as many are made again after an interrupt."""


def extract(
    candidates: Sequence[Candidate],
    release: Release,
    engine: Engine,
    bundles_path: Path,
    usages_path: Path,
    limits: KnowledgeSettings,
    step: Callable[[str], Callable[[int, int], None]] = lambda title: lambda done, total: None,
    retired: Sequence[Retirement] = (),
) -> None:
    """Write a bundle and the usages left for tasks per novel candidate; goes on where a killed run stopped.

    `step` starts a step of the run by its title and gives what is told of its progress. Bundles say of what is
    `retired` that their API takes its place.
    """
    former = FormerNames(retired)
    novel = [candidate for candidate in candidates if candidate.change != "moved"]
    with Journal(usages_path, ApiUsages) as left, Journal(bundles_path, KnowledgeBundle) as bundles:
        done = {bundle.api_name for bundle in bundles.done}
        kept = {usages.api_name: {v.usage.family for v in usages.usages} for usages in left.done}
        waiting = [candidate for candidate in novel if candidate.api_name not in done]
        if waiting:
            leaves = frozenset(candidate.leaf for candidate in waiting)
            words = frozenset(word for candidate in waiting for word in _words(candidate))
            reading = step("files that may show usages")
            pool = harvest(release.new.site_packages, release.modules, release.sdist, leaves, words, reading)
            progress = step("knowledge")
            progress(len(done), len(novel))
            verifier = Verifier(engine, release, pool)
            verifier.expect(waiting)
            size = max(_BATCH, 4 * engine.workers)
            for start in range(0, len(waiting), size):
                batch = waiting[start : start + size]
                for candidate, found in zip(batch, verifier.usages_of(batch, limits.usages), strict=True):
                    shown, rest = split(found.usages, limits)
                    exemplars = exemplars_of(shown, found, limits)
                    if candidate.api_name not in kept:
                        left.append(found.model_copy(update={"usages": rest, "shown": shown, "unverified": ()}))
                    elif kept[candidate.api_name] & {verified.usage.family for verified in shown}:
                        raise InfrastructureError(
                            f"{candidate.api_name}: its usages ran differently than before the interruption; "
                            f"remove {usages_path} and {bundles_path} to make them again"
                        )
                    bundle = _bundle(candidate, exemplars, found.gives, release, limits)
                    bundles.append(former.added_to(bundle))
                progress(len(bundles.done), len(novel))
        left.finish(lambda usages: usages.api_name)
        bundles.finish(lambda bundle: bundle.api_name)


def _words(candidate: Candidate) -> set[str]:
    """Words of which a useful test has one: the API's class, the API, a changed parameter of it."""
    owner = {candidate.api_name.split(".")[-2]} if candidate.kind not in ("function", "class") else set[str]()
    return {candidate.leaf, *owner, *(change.parameter for change in candidate.changes)}


class BundleLog(Record):
    """The state of an API's bundle: whole, or else what it lacks, or why it has no usage."""

    api_name: str
    whole: bool
    reason: str | None = None


def bundle_log(bundles: Sequence[KnowledgeBundle], usages: Sequence[ApiUsages]) -> list[BundleLog]:
    """The log of stage 2: one line per bundle, with the reason where it does not count."""
    why = {found.api_name: found.reason for found in usages}
    return [
        BundleLog(api_name=bundle.api_name, whole=not bundle.missing, reason=_reason(bundle, why.get(bundle.api_name)))
        for bundle in bundles
    ]


def _reason(bundle: KnowledgeBundle, why_no_usage: str | None) -> str | None:
    if not bundle.missing:
        return None
    only = bundle.missing == ("exemplars",)
    return why_no_usage if only and why_no_usage else f"it has no {' and no '.join(bundle.missing)}"


def split(
    usages: Sequence[VerifiedUsage], limits: KnowledgeSettings
) -> tuple[tuple[VerifiedUsage, ...], tuple[VerifiedUsage, ...]]:
    """Divide usages into exemplars and the rest, from which tasks are made; no upstream place is in both.

    Exemplars alternate with tasks along the ranking, so that both get usages that show the change. Where only one
    does, it is left for the task, which cannot be made of any other; an API with a single usage keeps it as exemplar.
    """
    families: dict[str, list[VerifiedUsage]] = {}
    for verified in usages:
        families.setdefault(verified.usage.family, []).append(verified)
    short = _shortest(families, limits.exemplar_characters, lambda family: len(families[family][0].usage.code))
    telling = [family for family, members in families.items() if rank(members[0]) == rank(usages[0])]
    spared = telling if len(telling) == 1 and len(short) > 1 else []
    shown = [family for family in short if family not in spared][:: 1 if spared else 2][: limits.exemplars]
    return tuple(families[f][0] for f in shown), interleaved([v for v in usages if v.usage.family not in shown])


def interleaved(usages: Sequence[VerifiedUsage]) -> tuple[VerifiedUsage, ...]:
    """`usages` by rank, and among equals in turns: upstream's own, those with an argument more, built ones.

    Only the first few are tried for a task, and no way of making them is to take all these places.
    """
    kinds: dict[tuple[bool, bool], dict[str, list[VerifiedUsage]]] = {}
    for verified in usages:
        kinds.setdefault(rank(verified), {}).setdefault(_variety(verified), []).append(verified)
    turns = (itertools.zip_longest(*of_rank.values()) for of_rank in kinds.values())
    return tuple(v for of_rank in turns for turn in of_rank for v in turn if v is not None)


def _variety(verified: VerifiedUsage) -> str:
    return "built" if verified.usage.origin == "built" else "more" if " with " in verified.usage.source else "own"


_Any = TypeVar("_Any")


def _shortest(items: Iterable[_Any], most: int, size: Callable[[_Any], int]) -> list[_Any]:
    """Those of at most `most` characters; where there are none, the shortest one if it is not over twice as long."""
    listed = list(items)
    short = [one for one in listed if size(one) <= most]
    return short or [one for one in sorted(listed, key=size)[:1] if size(one) <= _LONGER * most]


def _bundle(
    candidate: Candidate,
    exemplars: tuple[Exemplar, ...],
    gives: str | None,
    release: Release,
    limits: KnowledgeSettings,
) -> KnowledgeBundle:
    site_packages = release.new.site_packages
    surface = surface_of(candidate, site_packages)
    licence = licence_of(candidate.library, site_packages)
    code = implementation(candidate, site_packages, limits.code_characters)
    bundle = KnowledgeBundle(
        api_name=candidate.api_name,
        library=candidate.library,
        version=candidate.new_version,
        old_version=candidate.old_version,
        change=candidate.change,
        surface=surface.model_copy(update={"return_type": surface.return_type or gives}),
        exemplars=exemplars,
        m_prose=mechanism(candidate, site_packages, release.sdist, limits.prose_characters),
        m_code=code.model_copy(update={"local_only": licence.kind != "permissive"}) if code else None,
        changes=candidate.changes,
        old_signature=plain_annotation(candidate.old_signature).annotation if candidate.old_signature else None,
        licence=licence,
    )
    return bundle.model_copy(update={"leaks": tuple(leaks(bundle))})


def exemplars_of(
    executed: Sequence[VerifiedUsage], usages: ApiUsages, limits: KnowledgeSettings
) -> tuple[Exemplar, ...]:
    """Those that ran; where none did, the shortest ones that name the API, as `static` with the reason."""
    if executed:
        return tuple(Exemplar(code=v.usage.code, status="executed", source=v.usage.source) for v in executed)
    short = _shortest(usages.unverified, limits.exemplar_characters, lambda one: len(one.usage.code))
    return tuple(
        Exemplar(code=one.usage.code, status="static", source=one.usage.source, reason=one.reason)
        for one in ([] if usages.usages else short[: limits.exemplars])
    )

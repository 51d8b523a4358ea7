"""The changes of a library between the release that somebody knows and the one that a project uses."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from packaging.version import InvalidVersion, Version

from apigap.api import DEFAULT_MODEL
from apigap.api.session import Display
from apigap.api.stages import extract
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.discovery.importance.order import in_rank_order, stands_for_family
from apigap.discovery.library import find_library
from apigap.discovery.versions import newest_before
from apigap.knowledge.conditions import render
from apigap.packages.index import release, releases
from apigap.records.base import content_hash
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings, load_settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.names import did_you_mean, first_of
from apigap.records.paths import cache_home
from apigap.records.retired import Retirement
from apigap.records.store import load_records
from apigap.records.target import Target
from apigap.reporting.api_pages import CHANGES


@dataclass(frozen=True)
class Changes:
    """All that changed in a library between two releases; nothing where they are the same, or the old one is newer.

    `candidates` are in the order of their rank. `bundles` (by API) have the examples, which ran in the new release.
    `classes` are all that are new or changed, also where `candidates` are only those that somebody asked about.
    """

    library: str
    old: str
    new: str
    candidates: Sequence[Candidate] = ()
    retired: Sequence[Retirement] = ()
    bundles: Sequence[KnowledgeBundle] = ()
    classes: Sequence[Candidate] = ()

    @property
    def heads(self) -> list[Candidate]:
        """The candidates that are neither minor nor told by another of their family."""
        return list(filter(stands_for_family, self.candidates))

    def page(self, name: str) -> str:
        """All that is known of one API, new or gone, as Markdown.

        Raises:
            UsageError: for a name that did not change; the message has the nearest ones that did.
        """
        bundles = [one for one in self.bundles if one.api_name == name]
        gone = [one for one in self.retired if one.old_name == name]
        if not bundles and not gone:
            known = [*(one.api_name for one in self.bundles), *(one.old_name for one in self.retired)]
            raise UsageError(
                f"{name!r} did not change in {self.library} between {self.old} and {self.new}; "
                f"{did_you_mean(name, known, f'what changed: {first_of(known)}')}"
            )
        return "\n\n".join([f"# {name}", *map(_bundle_text, bundles), *map(gone_text, gone)]) + "\n"


def known_release(library: str, new: str, day: date) -> str:
    """The newest release of a library from before a day, such as a model's training cutoff.

    Raises:
        UsageError: when there was none.
        InfrastructureError: when the index cannot be reached.
    """
    found = newest_before(releases(find_library(library).distribution), day)
    if found is None:
        raise UsageError(f"{library} had no stable release before {day}: all of {new} is new; read its documentation")
    return found


def changes_between(
    library: str,
    old: str,
    new: str,
    *,
    settings: Settings | None = None,
    data: Path | None = None,
    unsafe_local: bool = False,
    progress: Display = None,
) -> Changes:
    """Compare two releases: what is new, changed and gone, with examples that ran in the new one (stages 1 and 2).

    The files are kept in `data`, by default in the cache: a pair of releases is compared once.

    Raises:
        UsageError: when a release does not exist.
        InfrastructureError: when the index cannot be reached, a release cannot be installed, or isolation is missing.
    """
    config = find_library(library)
    before, after = (release(config.distribution, version).version for version in (old, new))
    if not _is_older(before, after):
        return Changes(config.name, before, after)
    terms = settings or load_settings()
    root = data or _kept(f"{config.name}-{before}-{after}", terms)
    run = extract(
        library, old=before, new=after, data=root, settings=terms, unsafe_local=unsafe_local, progress=progress
    )
    target: Target = run.target
    gone = load_records(Layout(root, DEFAULT_MODEL).stage(target.library, "stage1_retired"), Retirement)
    return Changes(target.library, before, after, in_rank_order(run.candidates), gone, run.bundles)


def _kept(name: str, settings: Settings) -> Path:
    """The folder in the cache of a comparison: another version of the reader, or other settings, make another one."""
    decided_by = content_hash([evaluator_hash(), settings.model_dump(mode="json")], 8)
    return cache_home() / "changes" / f"{name}-{decided_by}"


def gone_text(one: Retirement) -> str:
    """The fate of a name in a sentence, with the code before and now where both ran."""
    name = f"`{one.old_name}({one.parameter}=...)`" if one.parameter else f"`{one.old_name}`"
    now = f"; write `{one.replacement}` instead" if one.replacement else ""
    default = f": {one.old_default} -> {one.new_default}" if one.kind == "default changed" else ""
    words = [f"{name}: {one.kind}{default} after {one.old_version}{now}.", *([one.advice] if one.advice else [])]
    if one.usage:
        words.append(f"Before:\n```python\n{one.usage.old}\n```\nIn {one.new_version}: {one.usage.now}")
        words += [f"Now:\n```python\n{one.usage.new}\n```"] if one.usage.new else []
    return "\n\n".join(words)


def ran(bundle: KnowledgeBundle) -> int:
    """The number of a bundle's examples that ran in its release."""
    return sum(example.status == "executed" for example in bundle.exemplars)


def _bundle_text(bundle: KnowledgeBundle) -> str:
    sure = [example for example in bundle.exemplars if example.status == "executed"]
    shown = bundle.model_copy(update={"exemplars": tuple(sure)})
    tested = f" Its examples ran in {bundle.library} {bundle.version}." if sure else " No example of it could be run."
    what = CHANGES[bundle.change].capitalize()
    head = f"{what} in {bundle.library} {bundle.version}, compared with {bundle.old_version}.{tested}"
    return f"{head}\n\n{render(shown, 'full')}"


def _is_older(one: str, other: str) -> bool:
    try:
        return Version(one) < Version(other)
    except InvalidVersion:
        return one != other

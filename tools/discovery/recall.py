"""Recall of discovery: does it find what the libraries' own text says came with the new versions?

The `versionadded` directives are gathered from the text alone (`discovery.written`): docstrings in the source, and the
pages of the source distribution. Only then is discovery asked what became of each API that they name.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from apigap.discovery.diff import Finding, classify
from apigap.discovery.discover import documents_of, environment_of, read_pair
from apigap.discovery.evidence.directives import is_new
from apigap.discovery.evidence.documents import with_documents
from apigap.discovery.evidence.version_notes import Sighting
from apigap.discovery.library import find_library
from apigap.discovery.surface import Entry, Surface
from apigap.packages.index import release
from apigap.sandbox.environment import Environment
from apigap.statistics.intervals import Interval, wilson
from tools.discovery.precision import SCRIPT, SECONDS, Fact, knows
from tools.discovery.source_notes import sightings_in_source

if TYPE_CHECKING:
    from apigap.packages.environments import EnvironmentStore
    from apigap.sandbox.engine import Engine

LIBRARIES = ("numpy", "scipy", "pandas", "django", "sqlalchemy", "astropy", "flask")

Outcome = Literal[
    "found", "variable", "private", "there in the old version", "without evidence", "deprecated since",
    "unreadable module", "taken for unchanged", "not in the signature", "signature unknown", "not seen",
]  # fmt: skip
NO_NEW_API: tuple[Outcome, ...] = ("variable", "private", "there in the old version")
"""What the directive names is no new public API: module variables and data of classes, private objects that no public
name leads to, and what the old version has when it is asked. These are listed, and not counted."""


class Asked(NamedTuple):
    """One thing that a directive says is new, and what discovery made of it; `former` is its old name."""

    library: str
    name: str
    parameter: str | None
    version: str
    where: str
    outcome: Outcome
    former: str | None = None


class Recall(NamedTuple):
    """The answers, and the share of directives about new public APIs that discovery finds."""

    asked: tuple[Asked, ...]

    @property
    def share(self) -> Interval:
        """Found among those that name a new public API, with the Wilson interval."""
        counted = [asked for asked in self.asked if asked.outcome not in NO_NEW_API]
        return wilson(sum(asked.outcome == "found" for asked in counted), len(counted))

    @property
    def causes(self) -> Counter[Outcome]:
        """How often each outcome came."""
        return Counter(asked.outcome for asked in self.asked)


def measure_recall(library: str, old: str, new: str, *, engine: "Engine", store: "EnvironmentStore") -> Recall:
    """What discovery from `old` to `new` finds of what the text of `new` says was added.

    Raises:
        EnvironmentFailure, InfrastructureError: see `discovery.discover.discover`.
    """
    config = find_library(library)
    before, after = read_pair(config, old, new, engine=engine, store=store)
    documents = documents_of(after, config)
    site = environment_of(config, release(config.distribution, new), store).site_packages
    sightings = in_series([*sightings_in_source(site, after.tops), *documents.sightings], old, new)
    findings = classify(before, with_documents(after, documents))
    asked = list(ask(library, sightings, findings, before, after))
    doubtful = [row for row in asked if row.outcome == "taken for unchanged"]
    home = environment_of(config, release(config.distribution, old), store)
    there = _there_before(doubtful, home, config.prepare, engine)
    return Recall(tuple(row._replace(outcome="there in the old version") if row in there else row for row in asked))


def _there_before(doubtful: list[Asked], environment: Environment, prepare: str, engine: "Engine") -> list[Asked]:
    """Those that the old version has when Python is asked there: what is new of them is a value, or how they behave."""
    questions = [{"name": row.former, "keywords": [row.parameter] if row.parameter else []} for row in doubtful]
    argument = {"asked": questions, "prepare": prepare}
    facts: list[Fact] = engine.script(environment, SCRIPT, argument, timeout=SECONDS) if questions else []
    return [
        row
        for row, fact in zip(doubtful, facts, strict=True)
        if fact["found"] and (row.parameter is None or knows(fact, row.parameter))
    ]


def in_series(sightings: Iterable[Sighting], old: str, new: str) -> list[Sighting]:
    """Those that say that an API, a parameter or an attribute was added after `old`, until `new`."""
    return [
        sighting
        for sighting in sightings
        if sighting.directive.kind == "versionadded"
        and sighting.directive.part != "other"
        and is_new(sighting.directive.version, old, new)
    ]


def ask(
    library: str, sightings: Sequence[Sighting], findings: Sequence[Finding], before: Surface, after: Surface
) -> Iterator[Asked]:
    """What became of every API, parameter and attribute that `sightings` name; each is asked for once."""
    register = _Register(findings, before, after)
    seen: set[tuple[str, str | None]] = set()
    for sighting in sightings:
        for name, parameter in _named(sighting, register):
            if (name, parameter) not in seen:
                seen.add((name, parameter))
                outcome, former = register.outcome(name, parameter, sighting), register.former(name)
                yield Asked(library, name, parameter, sighting.directive.version, sighting.where, outcome, former)


def _named(sighting: Sighting, register: "_Register") -> Iterator[tuple[str, str | None]]:
    directive = sighting.directive
    name = next((name for name in sighting.names if register.find(name)), sighting.names[0])
    if directive.part == "attribute":
        yield from ((f"{name}.{attribute}", None) for attribute in directive.parameters)
    else:
        yield from ((name, parameter) for parameter in directive.parameters or (None,))


class _Register:
    """The findings by every name that a text may use for them."""

    def __init__(self, findings: Sequence[Finding], before: Surface, after: Surface) -> None:
        self._by_name: dict[str, Finding] = {}
        self._variables = set(after.variables)
        self._failures = set(after.failures)
        self._others: dict[str, set[str]] = {}
        by_tail: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in findings:
            entry = finding.entry
            home = f"{entry.defined_in}.{entry.qualname}" if entry.defined_in and entry.qualname else entry.name
            for name in (*entry.paths, entry.name, home):
                self._by_name.setdefault(name, finding)
                self._others.setdefault(name, set()).update(entry.others)
            if entry.owner:
                by_tail[".".join(entry.name.split(".")[-2:])].append(finding)
        self._by_tail = {tail: same[0] for tail, same in by_tail.items() if len(same) == 1}

    def find(self, name: str) -> Finding | None:
        """The finding of that name; of `module.Class.method` also where the class is known under another path."""
        found = self._by_name.get(name)
        if found is None:
            owner, _, leaf = name.rpartition(".")
            cls = self._by_name.get(owner)
            found = self._by_name.get(f"{cls.entry.name}.{leaf}") if cls and cls.entry.kind == "class" else None
        return found or self._by_tail.get(".".join(name.split(".")[-2:])) or self._re_exported(name)

    def _re_exported(self, name: str) -> Finding | None:
        """What a private module holds under the name that the first public package above it gives it."""
        segments = name.split(".")
        private = next((place for place, segment in enumerate(segments) if segment.startswith("_")), 0)
        rest = segments[private:]
        tails = (rest[start:] for start in range(1, len(rest))) if private else ()
        names = (".".join([*segments[:end], *tail]) for tail in tails for end in range(private, 0, -1))
        return next((self._by_name[other] for other in names if other in self._by_name), None)

    def outcome(self, name: str, parameter: str | None, sighting: Sighting) -> Outcome:
        """What became of the API `name`, or of its `parameter`."""
        finding = self.find(name)
        if finding is None:
            return self._without_entry(name, sighting)
        if finding.verdict == "added":
            return "found"
        if finding.verdict == "deprecated":
            return "deprecated since"
        if finding.verdict == "without evidence":
            return "without evidence"
        return _of_object(finding) if parameter is None else _of_parameter(finding, parameter)

    def former(self, name: str) -> str | None:
        """The name in the old version of what the new one has under `name`."""
        finding = self.find(name)
        return finding.former.path if finding and finding.former else None

    def _without_entry(self, name: str, sighting: Sighting) -> Outcome:
        owner, _, leaf = name.rpartition(".")
        if name in self._variables or leaf in self._others.get(owner, ()) or sighting.directive.is_data:
            return "variable"
        if any(f"{name}.".startswith(f"{failed}.") for failed in self._failures):
            return "unreadable module"
        if any(segment.startswith("_") for segment in name.split(".")):
            return "private"
        return "not seen"


def _of_object(finding: Finding) -> Outcome:
    return "taken for unchanged" if finding.verdict in ("unchanged", "moved", "modified") else "signature unknown"


def _of_parameter(finding: Finding, parameter: str) -> Outcome:
    if parameter in {change.parameter for change in finding.changes}:
        return "found"
    if finding.former is None:
        return "signature unknown"
    old, new = _parameter_names(finding.former.entry), _parameter_names(finding.entry)
    if old is None or new is None:
        return "signature unknown"
    if parameter in old:
        return "taken for unchanged"
    return "not in the signature" if parameter not in new else "not seen"


def _parameter_names(entry: Entry) -> set[str] | None:
    return None if entry.parameters is None else {parameter.name for parameter in entry.parameters}

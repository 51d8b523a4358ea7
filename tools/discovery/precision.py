"""Precision of discovery: a seeded draw of candidates, each checked by asking both versions themselves.

Nothing here uses the walk or griffe: `lookup_script` asks the installed library inside the sandbox, and where a library
is only read, `lookup_text` reads its text with Python's own parser. Such checks are marked `text`.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from apigap.discovery.discover import environment_of
from apigap.discovery.library import find_library
from apigap.discovery.surface import Reading
from apigap.discovery.versions import companions_of
from apigap.packages.index import Release, release
from apigap.packages.remote_wheel import fetch_wheel_text, wheel_to_read
from apigap.records.candidate import Candidate, Change
from apigap.records.errors import InfrastructureError
from apigap.sandbox.environment import Environment
from apigap.statistics.intervals import Interval, wilson
from tools.discovery.lookup_text import TextLookup

if TYPE_CHECKING:
    from apigap.packages.environments import EnvironmentStore
    from apigap.sandbox.engine import Engine

SECONDS = 600.0
SCRIPT = Path(__file__).with_name("lookup_script.py")
Fact = dict[str, Any]
How = Literal["run", "text", "run and text"]
_STARS = {"var_positional", "var_keyword"}


class Checked(NamedTuple):
    """One candidate of the draw; `reason` says why it does not hold, None where it does."""

    candidate: Candidate
    how: How
    reason: str | None


class Precision(NamedTuple):
    """The draw and its verdicts; `sizes` are the numbers of candidates that each library was drawn from."""

    checked: tuple[Checked, ...]
    sizes: dict[str, int]

    @property
    def share(self) -> Interval:
        """The share that holds, with the Wilson interval."""
        return wilson(sum(row.reason is None for row in self.checked), len(self.checked))

    @property
    def weighted(self) -> float:
        """The share that holds where every library counts by its number of candidates, not by its part of the draw."""
        rows: defaultdict[str, list[bool]] = defaultdict(list)
        for row in self.checked:
            rows[row.candidate.library].append(row.reason is None)
        total = sum(self.sizes[library] for library in rows)
        return sum(self.sizes[library] * sum(held) / len(held) for library, held in rows.items()) / total


def draw(candidates: Iterable[Candidate], number: int, seed: int) -> list[Candidate]:
    """`number` added and modified candidates, as equally over the libraries as their numbers allow.

    Each library gives the same number, or all it has; the draw within it is random. Relocated APIs are no novelty and
    are not drawn. The same candidates and seed give the same draw.
    """
    pools: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.change != "moved":
            pools[candidate.library].append(candidate)
    generator = random.Random(seed)  # noqa: S311 - a draw that can be repeated
    for library in sorted(pools):
        pools[library].sort(key=lambda candidate: candidate.api_name)
        generator.shuffle(pools[library])
    drawn: list[Candidate] = []
    while len(drawn) < number and any(pools.values()):
        for library in sorted(pools):
            if pools[library] and len(drawn) < number:
                drawn.append(pools[library].pop())
    return sorted(drawn, key=lambda candidate: (candidate.library, candidate.api_name))


def check(
    drawn: Sequence[Candidate],
    readings: Mapping[str, Reading],
    *,
    engine: "Engine",
    store: "EnvironmentStore",
    tell: Callable[[Checked], object],
) -> list[Checked]:
    """Check every candidate in both versions; `tell` is told of each as it comes.

    `readings` says how discovery read each library; what it only read as text cannot be run here.

    Raises:
        EnvironmentFailure, InfrastructureError: when a version cannot be installed, read or asked.
    """
    by_library: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in drawn:
        by_library[candidate.library].append(candidate)
    rows: list[Checked] = []
    for library, members in by_library.items():
        ask = _Asking(library, readings[library], engine, store)
        for row in ask.check(members):
            tell(row)
            rows.append(row)
    return rows


class _Asking:
    """Asks the versions of one library about names."""

    def __init__(self, library: str, reading: Reading, engine: "Engine", store: "EnvironmentStore") -> None:
        self._config = find_library(library)
        self._engine, self._store = engine, store
        self._is_text = reading == "static"

    def check(self, candidates: list[Candidate]) -> list[Checked]:
        new_facts = self._facts(candidates[0].new_version, [(c.api_name, _keywords(c), None) for c in candidates])
        old_facts: list[Fact | None] = [None] * len(candidates)
        if candidates[0].old_version is not None:
            asked = [
                (c.old_api_name or c.api_name, _keywords(c), fact["doc"])
                for c, fact in zip(candidates, new_facts, strict=True)
            ]
            old_facts = [*self._facts(candidates[0].old_version, asked)]
        rows = zip(candidates, old_facts, new_facts, strict=True)
        return [self._checked(candidate, old, new) for candidate, old, new in rows]

    def _checked(self, candidate: Candidate, old: Fact | None, new: Fact) -> Checked:
        how: How = "text" if self._is_text else "run"
        if candidate.change == "added":
            return self._checked_added(candidate, how, old, new)
        if self._is_text or old is None or candidate.old_version is None:
            return Checked(candidate, how, why_not_modified(candidate.changes, old, new))
        is_there = old["found"] and new["found"]
        unreal = unreal_changes(candidate.changes, old, new) if is_there else list(candidate.changes)
        if not unreal or (_is_telling(old) and _is_telling(new)):
            return Checked(candidate, how, why_not_modified(candidate.changes, old, new))
        # what Python cannot tell here stands in the text: signatures of compiled functions, overloads, and what
        # needs a library that is not installed
        both = [self._read_installed(candidate, version) for version in (candidate.old_version, candidate.new_version)]
        if not all(fact["found"] for fact in both):
            return Checked(candidate, how, why_not_modified(candidate.changes, old, new))
        return Checked(candidate, "run and text", _first_unreal(unreal_changes(unreal, *both), *both))

    def _checked_added(self, candidate: Candidate, how: How, old: Fact | None, new: Fact) -> Checked:
        missing = ("ImportError", "ModuleNotFoundError")
        if self._is_text or new["found"] or not str(new["reason"]).startswith(missing):
            return Checked(candidate, how, why_not_added(old, new))
        told = self._read_installed(candidate, candidate.new_version)  # it needs a library that is not installed
        before = None if candidate.old_version is None else self._read_installed(candidate, candidate.old_version)
        return Checked(candidate, "run and text", why_not_added(before, told))

    def _read_installed(self, candidate: Candidate, version: str) -> Fact:
        environment = environment_of(self._config, release(self._config.distribution, version), self._store)
        old_name = candidate.old_api_name or candidate.api_name
        name = candidate.api_name if version == candidate.new_version else old_name
        return TextLookup(environment.site_packages).fact(name)

    def _facts(self, version: str, asked: list[tuple[str, list[str], str | None]]) -> list[Fact]:
        if self._is_text:
            return self._read(version, asked)
        found = release(self._config.distribution, version)
        environment = environment_of(self._config, found, self._store)
        questions = [{"name": name, "keywords": keywords, "doc": doc} for name, keywords, doc in asked]
        try:
            facts: list[Fact] = self._asked(environment, questions)
        except InfrastructureError:  # one of them ended the interpreter: each has one of its own
            facts = [self._alone(environment, question) for question in questions]
        return facts

    def _asked(self, environment: Environment, questions: list[dict[str, Any]]) -> list[Fact]:
        argument = {"asked": questions, "prepare": self._config.prepare}
        return self._engine.script(environment, SCRIPT, argument, timeout=SECONDS)

    def _alone(self, environment: Environment, question: dict[str, Any]) -> Fact:
        try:
            return self._asked(environment, [question])[0]
        except InfrastructureError as error:
            nothing: Fact = {
                "found": False,
                "kind": None,
                "parameters": None,
                "returns": None,
                "doc": None,
                "fields": [],
            }
            reason = f"asking for it ended the interpreter: {str(error)[-200:]}"
            return {"name": question["name"], **nothing, "accepts": {}, "elsewhere": None, "reason": reason}

    def _read(self, version: str, asked: list[tuple[str, list[str], str | None]]) -> list[Fact]:
        main = release(self._config.distribution, version)
        lookup = TextLookup(*(_text_of(found) for found in (main, *companions_of(self._config, main))))
        return [lookup.fact(name) for name, _, _ in asked]


def _text_of(found: Release) -> Path:
    file = wheel_to_read(found)
    if file is None:
        raise InfrastructureError(f"{found.library} {found.version} has no wheel to read; check its versions")
    return fetch_wheel_text(found.library, found.version, file)


def why_not_added(old: Fact | None, new: Fact) -> str | None:
    """Why an API is not new; None where it is: usable now, and not there before, also not under another name."""
    if not new["found"]:
        return f"it cannot be reached in the new version: {new['reason']}"
    if new["kind"] in ("module", "data"):
        return f"it is a {new['kind']} in the new version"
    if old is None:
        return None
    if old["found"]:
        return f"it is there in the old version, as {old['kind']}"
    return f"the old version has it as {old['elsewhere']}" if old["elsewhere"] else None


def why_not_modified(changes: Sequence[Change], old: Fact | None, new: Fact) -> str | None:
    """Why one of the changes is not real, the first one that is not; None where all are."""
    for fact, when in ((old, "old"), (new, "new")):
        if fact is None or not fact["found"]:
            return f"it cannot be reached in the {when} version: {fact['reason'] if fact else 'there is none'}"
    assert old is not None
    if not changes:
        return "no change is listed"
    return _first_unreal(unreal_changes(changes, old, new), old, new)


def unreal_changes(changes: Sequence[Change], old: Fact, new: Fact) -> list[Change]:
    """Those of `changes` that the two facts do not show."""
    return [change for change in changes if not _is_real(change, old, new)]


def _first_unreal(unreal: Sequence[Change], old: Fact | None, new: Fact) -> str | None:
    if not unreal or old is None:
        return None
    return f"{unreal[0].what} {unreal[0].parameter}: {_seen(old)} became {_seen(new)}"


def _is_real(change: Change, old: Fact, new: Fact) -> bool:
    what, name = change.what, change.parameter
    if what == "kind changed" and old["kind"] != new["kind"]:
        return True
    if what == "return annotation changed":
        return old["returns"] != new["returns"]
    if what == "overload added":
        return new.get("overloads", 0) > old.get("overloads", 0)
    if what == "parameter added":
        return knows(new, name) and not knows(old, name)
    if what == "parameter removed":
        return knows(old, name) and not knows(new, name)
    if what == "parameter renamed":
        return knows(old, change.old or "") and not knows(old, name) and knows(new, name)
    before, after = _parameter(old, name), _parameter(new, name)
    if what == "parameters reordered":
        return _order(old) != _order(new)
    if before is None or after is None:
        return False
    if what == "default changed":
        return before["default"] != after["default"]
    if what == "annotation widened":
        return before["annotation"] != after["annotation"]
    if what in ("became required", "became optional"):
        return before["required"] != after["required"] == (what == "became required")
    return before["kind"] != after["kind"]  # kind changed, became keyword-only


def _is_telling(fact: Fact | None) -> bool:
    """Tell whether Python itself knows the whole signature."""
    return fact is not None and fact["parameters"] is not None and fact["returns"] is not None


def knows(fact: Fact, name: str) -> bool:
    """Tell whether a parameter of that name is there: by the signature, the fields, or else by a call that gives it."""
    bare = name.lstrip("*")
    if bare in fact["fields"] or _parameter(fact, bare) is not None:
        return True
    return fact["parameters"] is None and fact["accepts"].get(bare) is True


def _parameter(fact: Fact, name: str) -> Fact | None:
    rows = fact["parameters"] or ()
    return next((row for row in rows if row["name"].lstrip("_") == name.lstrip("_")), None)


def _order(fact: Fact) -> list[str]:
    return [row["name"] for row in fact["parameters"] or () if row["kind"].startswith("positional")]


def _seen(fact: Fact) -> str:
    """The facts in few words, for a reader who wants to know why."""
    if fact["parameters"] is None:
        return f"{fact['kind']} without a signature (accepts {fact['accepts']})"
    rows = (row["name"] + ("" if row["default"] is None else f"={row['default']}") for row in fact["parameters"])
    return f"{fact['kind']}({', '.join(rows)})"[:400]


def _keywords(candidate: Candidate) -> list[str]:
    return sorted({name for c in candidate.changes for name in (c.parameter, c.old or "") if name.isidentifier()})

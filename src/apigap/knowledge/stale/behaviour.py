"""APIs that answer otherwise under an unchanged signature: calls in upstream's usages, looked at in both releases.

A call counts where its object and its arguments are equal in both and what it gives is not: so what changed is this
API and no other before it. What a second run with another seed gives otherwise is left out, and so are values that are
not plain data, whose insides are the library's own business.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from apigap.discovery.surface import Entry
from apigap.knowledge.stale.calls import SeenCall, calls_in, view_of
from apigap.knowledge.stale.equal_inputs import are_equal, bare_name, by_bare_names, hides_something
from apigap.knowledge.stale.habit_usages import Pair
from apigap.knowledge.stale.rounding import differ_by_rounding
from apigap.knowledge.usages.usage import Usage, bindings
from apigap.records.base import canonical_json
from apigap.records.retired import HabitUsage, Notice, Retirement
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.comparison import differences
from apigap.sandbox.verdict.summary import summary

MOST_USAGES = 1_500
MOST_PER_API = 4
_LONGEST = 2_000
_BATCH = 64
_SHOWN = 120
_USED_MEMORY = "__used = [bytearray(b'\\xa5' * (8 * size)) for size in range(1, 600)]; del __used[::2]"
_PLAIN = ("datetime", "decimal", "fractions", "ipaddress", "pathlib", "uuid")


class Unchanged:
    """The APIs that both releases have with the same signature, by path, and of methods by the home of their code."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        called = [entry for entry in entries if entry.kind in ("function", "class", "method", "classmethod")]
        self.paths = {path: entry.name for entry in called if entry.owner is None for path in entry.paths}
        self._methods = {(entry.owner or "", entry.leaf): entry.name for entry in called if entry.owner}
        classes = [entry for entry in entries if entry.kind == "class"]
        self._classes = {f"{entry.defined_in}:{entry.qualname}": entry.name for entry in classes}
        bare = Counter(map(bare_name, self._classes))
        self._by_bare = {bare_name(home): name for home, name in self._classes.items() if bare[bare_name(home)] == 1}
        self.method_leaves = frozenset(leaf for _, leaf in self._methods)
        self.leaves = self.method_leaves | {path.rpartition(".")[2] for path in self.paths}

    def method(self, classes: Any, leaf: str) -> str | None:
        """The method `leaf` of an object of `classes`, the nearest first, where it is one of these."""
        names = cast("list[Any]", classes) if isinstance(classes, list) else []
        owners = (self._class_of(name) for name in names if isinstance(name, str))
        return next((self._methods[owner, leaf] for owner in owners if owner and (owner, leaf) in self._methods), None)

    def _class_of(self, home: str) -> str | None:
        """The class whose code is at `home`; by its own name where the releases define it in different modules."""
        return self._classes.get(home) or self._by_bare.get(bare_name(home))


@dataclass(frozen=True)
class BehaviourChanges:
    """Looks at the calls of usages in both environments of `pair`."""

    engine: Engine
    pair: Pair
    unchanged: Unchanged
    library: str

    def found(
        self, pool: Sequence[Usage], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> list[Retirement]:
        """One record for each API whose answer to the same call changed, with the shortest usage that shows it."""
        wanted = self._wanted(pool)
        kept: dict[str, Retirement] = {}
        progress(0, len(wanted))
        for start in range(0, len(wanted), _BATCH):
            for one in self._batch(wanted[start : start + _BATCH]):
                kept.setdefault(one.old_name, one)
            progress(min(start + _BATCH, len(wanted)), len(wanted))
        return [kept[name] for name in sorted(kept)]

    def _wanted(self, pool: Sequence[Usage]) -> list[tuple[Usage, list[SeenCall]]]:
        """Usages with a call, short ones first; of each name as many as may show it."""
        counts: dict[str, int] = {}
        found: list[tuple[Usage, list[SeenCall]]] = []
        paths = frozenset(self.unchanged.paths)
        for usage in sorted(pool, key=lambda usage: (len(usage.code), usage.source)):
            if len(usage.code) > _LONGEST or usage.origin == "tests" or len(found) >= MOST_USAGES:
                continue
            calls = calls_in(usage, paths, self.unchanged.method_leaves)
            names = {call.path or call.leaf for call in calls}
            if any(counts.get(name, 0) < MOST_PER_API for name in names):
                found.append((usage, calls))
                for name in names:
                    counts[name] = counts.get(name, 0) + 1
        return found

    def _batch(self, wanted: Sequence[tuple[Usage, list[SeenCall]]]) -> list[Retirement]:
        runs = [
            self.engine.run(
                environment, [_program(usage, calls, seed) for usage, calls in wanted], preload=self.pair.preload
            )
            for environment in (self.pair.old, self.pair.new)
            for seed in (0, 1)
        ]
        found = [
            self._changed(usage, call, each)
            for (usage, calls), *each in zip(wanted, *runs, strict=True)
            if all(run.status == "completed" for run in each)
            for call in calls
        ]
        return [one for one in found if one is not None]

    def _changed(self, usage: Usage, call: SeenCall, runs: Sequence[RunRecord]) -> Retirement | None:
        seen = [run.observed for run in runs]
        if any(name not in one for one in seen for name in call.needed):
            return None
        if not all(_is_same_input(name, seen) for name in call.inputs):
            return None
        shown = _shown(call, seen)
        if shown is None:
            return None
        before, again, now, later = map(by_bare_names, shown)
        if differences(before, again) or differences(now, later) or not self.differ(before, now):
            return None
        name = self.unchanged.paths.get(call.path) if call.path else self._method(call, seen)
        if name is None:
            return None
        told = _told(call.text, before, now)
        return Retirement(
            kind="behaviour changed",
            library=self.library,
            old_version=self.pair.old.version,
            new_version=self.pair.new.version,
            old_name=name,
            api_kind="function" if call.path else "method",
            evidence=(Notice(kind="ran", where=usage.source, text=told),),
            usage=HabitUsage(old=usage.code, source=usage.source, now=told),
        )

    def differ(self, before: Any, now: Any) -> bool:
        """Check for two values: not the same number in another class or rounded otherwise, and not the release's own
        version in it.
        """
        if not (differences(before, now) and differences(now, before)):
            return False
        old, new = _without(before, self.pair.old.version), _without(now, self.pair.new.version)
        return canonical_json(old) != canonical_json(new) and not differ_by_rounding(old, new)

    def _method(self, call: SeenCall, seen: Sequence[dict[str, Any]]) -> str | None:
        names = {self.unchanged.method(one[call.classes], call.leaf) for one in seen}
        return names.pop() if len(names) == 1 else None


def _program(usage: Usage, calls: Sequence[SeenCall], seed: int) -> Program:
    """The usage with all that is looked at. With another seed memory is used before it, and some of it kept: so what is
    read from memory that nobody filled, and where things lie, is another each time.
    """
    return Program(
        context="\n".join((*((_USED_MEMORY,) if seed else ()), *usage.prelude)),
        completion="\n".join((*bindings(usage.inputs), usage.body)),
        observe=tuple(dict.fromkeys(name for call in calls for name in call.observe)),
        seed=seed,
    )


def _without(form: Any, version: str) -> Any:
    """A form without the version where a text has it as a number of its own."""
    if isinstance(form, str):
        return re.sub(rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)", "", form)
    if isinstance(form, list):
        return [_without(part, version) for part in cast("list[Any]", form)]
    if isinstance(form, dict):
        return {key: _without(part, version) for key, part in cast("dict[str, Any]", form).items()}
    return form


def _told(text: str, before: Any, now: Any) -> str:
    """The answers of both releases; where they look alike, the first place at which they are not."""
    old, new = summary(before), summary(now)
    if old != new:
        return f"{text} gives {new} where it gave {old}"
    first = differences(before, now)[0]
    place = first.path.strip(".") or "the value"
    forms = [canonical_json(form)[:_SHOWN] for form in (first.actual, first.expected)]
    return f"{text} gives {new}: {place} is {forms[0]} where it was {forms[1]}"


def _is_same_input(name: str, seen: Sequence[dict[str, Any]]) -> bool:
    """Check that an input is known and the same in both releases, whatever the seed; what is hidden, by its rows."""
    forms = [one[name] for one in seen]
    if any(map(hides_something, forms)):
        view = view_of(name)
        if not all(view in one for one in seen):
            return False
        forms = [one[view] for one in seen]
    old, again, new, later = forms
    steady = not differences(old, again) and not differences(new, later)
    return steady and _is_known(old) and _is_known(new) and are_equal(old, new)


def _shown(call: SeenCall, seen: Sequence[dict[str, Any]]) -> list[Any] | None:
    """The result of the call in each run as plain data: itself, or its rows; None where it is neither."""
    for name in (call.text, call.view):
        forms = [one.get(name) for one in seen]
        if all(name in one for one in seen) and all(map(_is_plain, forms)):
            return forms
    return None


def _is_plain(form: Any) -> bool:
    """Check that a fingerprint is plain data all through: numbers, texts, containers, arrays, tables, dates.

    Bytes are a form to keep or send things in, which may be another one and mean the same.
    """
    if isinstance(form, list):
        return all(map(_is_plain, cast("list[Any]", form)))
    if not isinstance(form, dict):
        return True
    known = cast("dict[str, Any]", form)
    if known.keys() == {"type", "text"} and str(known["type"]).partition(".")[0] in _PLAIN:
        return True
    if {"cut", "unstable", "cycle", "fields", "text", "raises", "class", "function", "bytes"} & set(known):
        return False
    return ("type" not in known or "frame" in known) and all(map(_is_plain, known.values()))


def _is_known(form: Any) -> bool:
    """Check that nothing of an input was cut off or hidden: then equal forms are equal values."""
    if isinstance(form, list):
        return all(map(_is_known, cast("list[Any]", form)))
    if not isinstance(form, dict):
        return True
    known = cast("dict[str, Any]", form)
    return not {"cut", "unstable", "raises"} & set(known) and all(map(_is_known, known.values()))

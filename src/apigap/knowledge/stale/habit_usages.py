"""For what was taken away: a usage that ran before, what it gives now, and what gives the old result now.

Usages are those of the old release's own documents and tests. Everything runs in the sandbox.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apigap.knowledge.stale.rewriting import rewritten
from apigap.knowledge.usages.names import bound_names, identifiers
from apigap.knowledge.usages.usage import Usage, bindings
from apigap.records.base import canonical_json
from apigap.records.parsing.syntax import parse
from apigap.records.retired import HabitUsage, Retirement
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

MOST = 6
_LONGEST = 4_000
_MAX_TEXT = 400
_MAX_NAMES = 12
_TELLING = 50
_WARNS = "import warnings\nwarnings.simplefilter('always')"
_WARNING = re.compile(r"^[^\n]*?\b(\w*(?:Warning|Deprecat\w+)): ([^\n]+)", re.MULTILINE)
_READ = ("data", "module", "property", "field", "enum_member")
_ORIGINS = ("docstring", "docs", "tests", "built")


@dataclass(frozen=True)
class Pair:
    """Both environments, and what is loaded in them before programs fork."""

    old: Environment
    new: Environment
    preload: tuple[str, ...]


@dataclass(frozen=True)
class _Ran:
    """A usage of a retirement, with what it gives: `values` in the old release, `now` is its run in the new one."""

    retirement: Retirement
    usage: Usage
    observe: tuple[str, ...]
    values: str
    now: RunRecord


class HabitUsages:
    """Finds usages of retirements in `pool`, the usages of the old release."""

    def __init__(self, engine: Engine, pair: Pair, pool: Sequence[Usage]) -> None:
        self._engine, self._pair = engine, pair
        self._by_name: dict[str, list[Usage]] = {}
        for usage in pool:
            for name in (*usage.identifiers, *identifiers("\n".join(usage.prelude))):
                uses = self._by_name.setdefault(name, [])
                if len(usage.code) <= _LONGEST and (not uses or uses[-1] is not usage):
                    uses.append(usage)

    def added_to(
        self, retirements: Sequence[Retirement], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> list[Retirement]:
        """The retirements in the same order, each with a usage where one was found and ran.

        A changed default is left out where usages that leave it alone give the same in both releases, and none gives
        another: it is written in another way and means the same.
        """
        found: list[Retirement] = []
        progress(0, len(retirements))
        for start in range(0, len(retirements), 24):
            found += self._batch(retirements[start : start + 24])
            progress(min(start + 24, len(retirements)), len(retirements))
        return found

    def matching(self, one: Retirement) -> list[Usage]:
        """The usages that write the name; those that name its class or module first, then short ones."""
        parts = one.old_name.split(".")
        found = self._by_name.get(one.leaf, [])
        if one.parameter:
            passes = one.kind != "default changed"
            found = [u for u in self._by_name.get(parts[-1], []) if (one.parameter in u.identifiers) == passes]

        def rank(usage: Usage) -> tuple[bool, int, int, str]:
            prelude = identifiers("\n".join(usage.prelude))
            return (
                parts[-2] not in usage.identifiers | prelude,
                _ORIGINS.index(usage.origin),
                len(usage.code),
                usage.source,
            )

        return sorted(found, key=rank)

    def _batch(self, batch: Sequence[Retirement]) -> list[Retirement]:
        wanted = [(one, usage) for one in batch for usage in self.matching(one)[:MOST]]
        ran = self._used_before(wanted)
        shown: dict[tuple[str, str, str], HabitUsage] = {}
        for one in self._now(ran):
            known = shown.get(one.retirement.key)
            if known is None or known.new is None:
                told = self._told(one)
                if told is not None and (known is None or told.new is not None):
                    shown[one.retirement.key] = told
        same = {one.retirement.key for one in ran if _gives_the_same(one)} - set(shown)
        return [one.model_copy(update={"usage": shown.get(one.key)}) for one in batch if one.key not in same]

    def _used_before(self, wanted: Sequence[tuple[Retirement, Usage]]) -> list[_Ran]:
        """Those that completed in the old release, and of what is called, were seen to call it."""
        watched = [(one, usage) for one, usage in wanted if one.api_kind not in _READ]
        programs = [_program(usage, (), target=one.old_name) for one, usage in watched]
        runs = self._engine.run(self._pair.old, programs, preload=self._pair.preload)
        seen = {(one.key, usage.code) for (one, usage), run in zip(watched, runs, strict=True) if _calls(one, run)}
        kept = [(one, u) for one, u in wanted if one.api_kind in _READ or (one.key, u.code) in seen]
        observed = [_observed(usage) for _, usage in kept]
        plain = [_program(usage, names) for (_, usage), names in zip(kept, observed, strict=True)]
        before = self._engine.run(self._pair.old, plain, preload=self._pair.preload)
        now = self._engine.run(self._pair.new, plain, preload=self._pair.preload)
        return [
            _Ran(one, usage, names, _values(old, names), new)
            for (one, usage), names, old, new in zip(kept, observed, before, now, strict=True)
            if old.status == "completed"
        ]

    @staticmethod
    def _now(ran: Sequence[_Ran]) -> list[_Ran]:
        return [one for one in ran if _answer_now(one) is not None]

    def _told(self, ran: _Ran) -> HabitUsage | None:
        now = _answer_now(ran)
        new = self._new_usage(ran) if now is not None else None
        if now is None or (ran.retirement.kind == "default changed" and new is None):
            return None  # that the default is the reason shows only where the former one gives the old result
        return HabitUsage(old=ran.usage.code, source=ran.usage.source, now=now, new=new)

    def _new_usage(self, ran: _Ran) -> str | None:
        """The code with the replacement in it, where it gives in the new release what the old code gave before."""
        before = ran.usage.code
        names = [rewritten(name, ran.retirement, before) or name for name in ran.observe]
        code = rewritten(before, ran.retirement)
        if code is None:
            return None
        program = Program(context=_WARNS, completion=code, observe=tuple(names))
        run = self._engine.run(self._pair.new, [program], preload=self._pair.preload)[0]
        warned = any(_is_about(ran.retirement, text) for _, text in _WARNING.findall(run.stderr))
        same = run.status == "completed" and not warned and _values(run, tuple(names)) == ran.values
        return code if same and ran.observe else None


def _program(usage: Usage, observe: tuple[str, ...], target: str | None = None) -> Program:
    return Program(
        context="\n".join((_WARNS, *usage.prelude)),
        completion="\n".join((*bindings(usage.inputs), usage.body)),
        observe=observe,
        target=target,
        record=target is not None,
    )


def _observed(usage: Usage) -> tuple[str, ...]:
    """The expressions that the usage checks, and the names that its steps bind."""
    checked = [step.expression for step in usage.steps if step.expression]
    bound = sorted(set[str]().union(*(bound_names(node) for node in parse(usage.body).body)))
    return tuple(dict.fromkeys([*checked, *bound[:_MAX_NAMES]]))


def _values(run: RunRecord, observe: tuple[str, ...]) -> str:
    observed: dict[str, Any] = run.observed
    return canonical_json([observed.get(name) for name in observe])


def _calls(one: Retirement, run: RunRecord) -> bool:
    """Check that the usage itself called the API, and passed the parameter or left a changed default alone."""
    if run.status != "completed":
        return False
    calls = [call for call in run.calls if call.completed and call.caller == "candidate"]
    if one.parameter is None:
        return bool(calls)
    passes = one.kind != "default changed"
    return any((one.parameter in (call.explicit or ())) == passes for call in calls)


def _gives_the_same(ran: _Ran) -> bool:
    """Check that what leaves a changed default alone gives in the new release what it gave in the old one."""
    same = ran.now.status == "completed" and _values(ran.now, ran.observe) == ran.values
    return ran.retirement.kind == "default changed" and bool(ran.observe) and same


def _answer_now(ran: _Ran) -> str | None:
    """The new release's answer to the old usage; None where that has another reason, or is no answer."""
    one, run = ran.retirement, ran.now
    if one.kind == "default changed":
        differs = run.status == "completed" and _values(run, ran.observe) != ran.values
        return f"{one.parameter} is {one.new_default} where it was {one.old_default}" if differs else None
    if run.status == "raised" and run.exception is not None:
        text = f"{run.exception.type}: {' '.join(run.exception.message.split())}"[:_MAX_TEXT]
        fits = (run.exception.type == "TypeError") == (one.parameter is not None)
        return text if fits and _is_about(one, text) else None
    told = (f"{name}: {' '.join(text.split())}" for name, text in _WARNING.findall(run.stderr) if _is_about(one, text))
    return next((text[:_MAX_TEXT] for text in told), None) if run.status == "completed" else None


def _is_about(one: Retirement, text: str) -> bool:
    """Check that an error or a warning speaks of the retirement: by its name, or in the words of its evidence."""
    word = re.search(rf"(?<!\w){re.escape(one.leaf)}(?!\w)", text)
    written = [note.text[:_TELLING] for note in one.evidence if note.kind in ("warning", "decorator")]
    return bool(word) or any(start in text for start in written if len(start) == _TELLING)

"""Where the modes of API-Bank differ, counted on a data set: the corrections that each refused gold call needs."""

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.calls import call
from apigap.benchmarks.apibank.dialogues import LEVELS, Level, Sample, Step, Turn, load_bank, step_turn
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.registry import Envelope, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read, read_calls
from apigap.benchmarks.apibank.scoring.corrected_scorer import RENAMED, compared, make, typed
from apigap.benchmarks.apibank.scoring.released import find_call
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import System

READING, TYPES, NAMES, STATE, ANEW, RULES = CORRECTIONS = (
    "read sensibly", "typed values", "renamed parameters", "state of the dialogue", "recorded call made anew",
    "mended rules",
)  # fmt: skip
"""What corrected mode does otherwise to a gold call, each by itself on top of the released mode."""


@dataclass(frozen=True)
class Need:
    """Gold calls of a level and API that released mode refuses, and the fewest corrections that make them right."""

    corrections: tuple[str, ...]
    level: Level
    api: str
    samples: int


def needs(data: Path) -> list[Need]:
    """For every gold call that released mode refuses the smallest set of corrections with which it is right."""
    bank = load_bank(data)
    released, corrected = ApiBankJudge(bank), ApiBankJudge(bank, "corrected")
    found: Counter[tuple[tuple[str, ...], Level, str]] = Counter()
    for level in LEVELS:
        for task in bank.tasks(level):
            if isinstance(task, Sample | Step) and task.is_call:
                gold = released.gold(task)
                if not released.score(task, gold).passed:
                    found[_Refused(corrected, task, gold).fewest(), level, _truth(task).api_name] += 1
    return [Need(*key, count) for key, count in sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0]))]


class _Refused:
    """A gold call that released mode refuses, tried with some corrections at a time."""

    def __init__(self, adapter: ApiBankJudge, task: Sample | Step, gold: str) -> None:
        self._registry: Registry = PLANNING if isinstance(task, Step) else DIALOGUE
        self._truth = _truth(task)
        self._gold = gold
        self._systems: dict[bool, System] = {True: adapter.system_at(task), False: adapter.system_of(task)}

    def fewest(self) -> tuple[str, ...]:
        """The first set of corrections that helps, smaller ones first."""
        sizes = range(1, len(CORRECTIONS))
        sets = (chosen for size in sizes for chosen in itertools.combinations(CORRECTIONS, size))
        return next((chosen for chosen in sets if self._is_right(frozenset(chosen))), CORRECTIONS)

    def _is_right(self, chosen: frozenset[str]) -> bool:
        system = self._systems[STATE in chosen]
        before = system.snapshot()
        api = self._registry.apis[self._truth.api_name]
        try:
            wanted: Mapping[str, Any] = self._truth.result
            if ANEW in chosen:
                wanted = make(self._registry, system, Read(api.name, dict(self._truth.param_dict)))
                system.restore(before)
            result = self._made(system, chosen)
            return compared(api, result, dict(wanted), False, {}).right if RULES in chosen else api.rule(result, wanted)
        except Exception:  # noqa: BLE001  (whatever a refused call or a published rule raises is a no)
            return False
        finally:
            system.restore(before)

    def _made(self, system: System, chosen: frozenset[str]) -> Envelope:
        arguments = self._read(chosen)
        if NAMES in chosen:
            renamed = RENAMED.get(self._truth.api_name, {})
            arguments = {renamed.get(name, name): value for name, value in arguments.items()}
        api = self._registry.apis[self._truth.api_name]
        if TYPES in chosen:
            arguments = {name: typed(api, name, value) for name, value in arguments.items()}
        return call(self._registry, system, api.name, arguments)

    def _read(self, chosen: frozenset[str]) -> dict[str, Any]:
        if READING in chosen:
            return read_calls(self._gold)[0].arguments
        found = find_call(self._gold)
        return dict(found.arguments) if found else {}


def _truth(task: Sample | Step) -> Turn:
    return task.truth if isinstance(task, Sample) else step_turn(task)

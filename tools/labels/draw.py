"""Draw answers by seed so that every fault has some, of each benchmark and of models where models make it."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from apigap.records.base import content_hash
from tools.labels.answers import Answer, BenchmarkName
from tools.labels.code import NAMELESS, RIGHT, Code

SEED = 20
_BENCHMARKS: tuple[BenchmarkName, ...] = ("apibank", "toolllm", "calls")
QUOTAS: Mapping[str, tuple[int, int, int]] = {
    "no call": (8, 3, 3),
    "wrong format": (9, 3, 4),
    "hallucinated API": (6, 4, 5),
    "search not asked": (8, 0, 0),
    "search asked wrongly": (12, 0, 0),
    "wrong choice after search": (12, 0, 0),
    "wrong API": (6, 5, 5),
    "missing argument": (8, 0, 7),
    "unknown argument": (7, 0, 6),
    "wrong type": (5, 0, 7),
    "wrong value": (9, 0, 8),
    "missed call": (0, 4, 8),
    "wrong order": (0, 0, 6),
    "superfluous call": (1, 6, 6),
    NAMELESS: (5, 0, 0),
    RIGHT: (6, 4, 4),
}
"""Answers of API-Bank, ToolLLM and `calls` by what the code says first: 200 in all."""
_OF_MODELS = 0.6
"""The share of each quota that is filled with answers of models first."""


def drawn(
    code: Code, answers: Iterable[Answer], seed: int = SEED, quotas: Mapping[str, Sequence[int]] = QUOTAS
) -> list[Answer]:
    """The answers, in an order that tells nothing; a task is drawn twice only where there is no other.

    `quotas` say how many of each first fault, per benchmark.
    """
    strata = _strata(code, answers)
    taken: list[Answer] = []
    used: set[tuple[str, str]] = set()
    for fault, counts in quotas.items():
        for benchmark, count in zip(_BENCHMARKS, counts, strict=True):
            chosen = _choose(_shuffled(strata[fault, benchmark], seed), count, used)
            used |= {(one.benchmark, one.task_id) for one in chosen}
            taken += chosen
    return _shuffled(taken, seed)


def a_part(quotas: Mapping[str, Sequence[int]], share: float) -> dict[str, list[int]]:
    """Smaller quotas, in which nothing goes that was there."""
    return {
        fault: [max(1, round(share * count)) if count else 0 for count in counts] for fault, counts in quotas.items()
    }


def _strata(code: Code, answers: Iterable[Answer]) -> dict[tuple[str, BenchmarkName], list[Answer]]:
    """Answers by what the code says; each text once per task."""
    found: defaultdict[tuple[str, BenchmarkName], list[Answer]] = defaultdict(list)
    seen: set[str] = set()
    for one in answers:
        if one.id not in seen and code.knows(one) and (said := code.says(one)) is not None:
            seen.add(one.id)
            found[said.first, one.benchmark].append(one)
    return found


def _choose(several: Sequence[Answer], count: int, used: set[tuple[str, str]]) -> list[Answer]:
    """`count` of them: answers of models first, up to their share, then made ones, then what is there."""
    fresh = [one for one in several if (one.benchmark, one.task_id) not in used]
    once = list({one.task_id: one for one in reversed(fresh)}.values())[::-1]
    models = [one for one in once if not one.is_made][: round(count * _OF_MODELS)]
    made = [one for one in once if one.is_made and one.task_id not in {model.task_id for model in models}]
    others = [one for one in [*once, *several] if one not in models and one not in made]
    return list(dict.fromkeys([*models, *made, *others]))[:count]


def _shuffled(answers: Iterable[Answer], seed: int) -> list[Answer]:
    return sorted(answers, key=lambda one: content_hash([one.id, seed]))


def shuffled_for(answers: Sequence[Answer], labeller: str) -> list[Answer]:
    """The order of one labeller's sheets."""
    order = list(answers)
    random.Random(f"{SEED}/{labeller}").shuffle(order)  # noqa: S311
    return order

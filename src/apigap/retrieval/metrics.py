"""Measures of a ranking: pure functions of a ranked list of ids and the relevant ones.

All are 0 where nothing relevant was found, and never more than 1.
"""

import math
from collections.abc import Collection, Sequence


def target_rank(ranked: Sequence[str], relevant: Collection[str]) -> int | None:
    """The place of the first relevant id, from 1; None where there is none."""
    return next((place for place, found in enumerate(ranked, start=1) if found in relevant), None)


def hit_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """1 if one of the first `k` is relevant."""
    return float(any(found in relevant for found in ranked[:k]))


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """1 / rank of the first relevant id (Voorhees 1999); the mean over queries is the MRR."""
    rank = target_rank(ranked, relevant)
    return 1 / rank if rank else 0.0


def ndcg_at(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain of the first `k` with gains 0 and 1 (Järvelin and Kekäläinen 2002).

    The discount of place i is log2(i + 1); an id counts at its first place only.
    """
    first = list(dict.fromkeys(ranked))[:k]
    gained = sum(_discounted(place) for place, found in enumerate(first, start=1) if found in relevant)
    ideal = sum(_discounted(place) for place in range(1, min(k, len(set(relevant))) + 1))
    return gained / ideal if ideal else 0.0


def _discounted(place: int) -> float:
    return 1 / math.log2(place + 1)

"""The search engine's ranking: BM25 over documents that are kept as words."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

_K1, _B, _FLOOR = 1.5, 0.75, 0.25
_WORD = re.compile(r"[A-Za-z0-9]+(?:[-'.][A-Za-z0-9]+)*|[^\sA-Za-z0-9]")


def best_documents(rows: Mapping[str, Any], query: str, count: int = 2) -> list[Any]:
    """The `count` best of `raw_documents` for the words of `query`; equal ones in the order of the file."""
    scores = bm25(rows["tokenized_documents"], _WORD.findall(query))
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    return [rows["raw_documents"][number] for number in order[:count]]


def bm25(documents: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """Okapi BM25 with k1 1.5 and b 0.75; a negative idf is replaced by a quarter of the mean idf."""
    counts = [Counter(document) for document in documents]
    containing = Counter(word for count in counts for word in count)
    idf = {word: math.log(len(documents) - n + 0.5) - math.log(n + 0.5) for word, n in containing.items()}
    least = _FLOOR * math.fsum(idf.values()) / len(idf) if idf else 0.0
    idf = {word: value if value >= 0 else least for word, value in idf.items()}
    mean = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for word in query:
        if word not in idf:
            continue
        for number, count in enumerate(counts):
            often = count[word]
            scale = often + _K1 * (1 - _B + _B * len(documents[number]) / mean)
            scores[number] += idf[word] * often * (_K1 + 1) / scale
    return scores

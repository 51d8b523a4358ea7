"""Fine-tuning a sentence encoder on pairs of a query and a document that it needs: in-batch negatives.

Henderson et al. (2017), section 4: the other documents of a batch are the wrong answers to a query, and the loss is the
cross-entropy of the right one. ToolLLM (arXiv:2307.16789) tunes its API retriever so.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from apigap.records.base import Record
from apigap.records.extras import imported
from apigap.retrieval.sentence_model import load_sentence_model

_EXTRA = "encoders"


class Recipe(Record):
    """Settings for tuning an encoder; all but base, epochs and tokens as published.

    `rate` is the highest learning rate: it rises over the first `warm_up` share of the steps and falls to 0 after it.
    `tokens` is how much of a text is read while tuning. Cosines are multiplied by `scale` before the softmax.
    """

    epochs: int = 5
    batch: int = 32
    rate: float = 2e-5
    warm_up: float = 0.1
    tokens: int = 256
    scale: float = 20.0
    seed: int = 0


class Pair(NamedTuple):
    """The numbers of a query and of a document that it needs."""

    query: int
    document: int


class Material(NamedTuple):
    """Texts to learn from; `relevant` are the numbers of the documents that each query needs."""

    queries: Sequence[str]
    documents: Sequence[str]
    relevant: Sequence[frozenset[int]]

    @property
    def pairs(self) -> list[Pair]:
        """Each query with each document that it needs."""
        return [Pair(query, document) for query, needed in enumerate(self.relevant) for document in sorted(needed)]


def batches(material: Material, size: int, rng: np.random.Generator) -> Iterator[list[Pair]]:
    """All pairs in random order, in batches of at most `size` in which no document is a false negative.

    That is, none is needed by the query of another pair. A pair that is left alone has no negatives and is left out.
    """
    pairs = material.pairs
    waiting: list[Pair] = [pairs[number] for number in rng.permutation(len(pairs))]
    while waiting:
        batch: list[Pair] = []
        later: list[Pair] = []
        for place, pair in enumerate(waiting):
            if len(batch) == size:
                later += waiting[place:]
                break
            fits = all(_apart(pair, other, material.relevant) for other in batch)
            (batch if fits else later).append(pair)
        if len(batch) > 1:
            yield batch
        waiting = later


def _apart(one: Pair, other: Pair, relevant: Sequence[frozenset[int]]) -> bool:
    return one.document not in relevant[other.query] and other.document not in relevant[one.query]


def tune(
    base: Path | str, material: Material, recipe: Recipe, folder: Path, advance: Callable[[int, int], None]
) -> list[float]:
    """Tune the encoder `base` (a folder, or ORGANISATION/NAME) and save it in `folder`; the same seed, library and
    machine give the same weights.

    Returns:
        The mean loss of each epoch, before its steps took effect on it.

    Raises:
        InfrastructureError: when sentence-transformers is not installed.
        ModelUnavailable: when `base` cannot be loaded.
    """
    torch: Any = imported("torch", _EXTRA, "tuning an encoder")
    torch.manual_seed(recipe.seed)
    model: Any = load_sentence_model(str(base))
    window, model.max_seq_length = model.max_seq_length, recipe.tokens
    rng = np.random.default_rng(recipe.seed)
    epochs = [list(batches(material, recipe.batch, rng)) for _ in range(recipe.epochs)]
    total = sum(map(len, epochs))
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, partial(pace, total=total, warm_up=recipe.warm_up))
    model.train()
    means: list[float] = []
    done = 0
    for epoch in epochs:
        losses: list[float] = []
        for batch in epoch:
            loss = _loss(torch, model, material, batch, recipe.scale)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
            done += 1
            advance(done, total)
        means.append(sum(losses) / max(1, len(losses)))
    model.max_seq_length = window
    model.eval()
    model.save(str(folder))
    return means


def pace(step: int, total: int, warm_up: float) -> float:
    """The learning rate of a step as a share of the highest: up in a line, then down in a line."""
    rising = max(1, round(warm_up * total))
    return (step + 1) / rising if step < rising else max(0.0, (total - step) / max(1, total - rising))


def _loss(torch: Any, model: Any, material: Material, batch: Sequence[Pair], scale: float) -> Any:
    def embedded(texts: list[str]) -> Any:
        found = model(model.tokenize(texts))["sentence_embedding"]
        return torch.nn.functional.normalize(found, dim=1)

    queries = embedded([material.queries[pair.query] for pair in batch])
    documents = embedded([material.documents[pair.document] for pair in batch])
    return torch.nn.functional.cross_entropy(scale * queries @ documents.T, torch.arange(len(batch)))

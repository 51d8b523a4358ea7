"""The embedders by name."""

from collections.abc import Callable
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.lexical import LexicalEmbedder
from apigap.retrieval.minilm import MiniLM
from apigap.retrieval.sentence_model import SentenceModel

EMBEDDERS = ("lexical", "minilm")


def load_embedder(name: str, announce: Callable[[str], None] | None = None) -> Embedder:
    """The embedder `name`: one of `EMBEDDERS`, or a model of sentence-transformers, as a path or ORGANISATION/NAME.

    `minilm` is fetched first where it is missing, announced in one line.

    Raises:
        UsageError: when there is no such embedder.
        ModelUnavailable: when its files are not on this machine and cannot be fetched.
    """
    if name == "lexical":
        return LexicalEmbedder()
    if name == "minilm":
        return MiniLM(announce)
    if "/" in name or Path(name).is_dir():
        return SentenceModel(name)
    raise UsageError(
        f"no embedder is named {name!r}; known are {', '.join(EMBEDDERS)}, and models of sentence-transformers as "
        "a folder or ORGANISATION/NAME"
    )

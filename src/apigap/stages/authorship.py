"""Models that write in the course of stages 2 and 3, and what a manifest says of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.gates.validity import ValidityGate
from apigap.models.model_facts import decoding_of, tokens_for
from apigap.models.request import Decoding
from apigap.models.transcripts import Transcripts
from apigap.records.base import Json
from apigap.records.configuration import AuthorSettings
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.manifest import file_hash
from apigap.records.task import Task

_TEXT_TOKENS = 800
"""Enough for a task or for the prose of an API."""


@dataclass(frozen=True)
class Authors:
    """The model that writes tasks (`author`) and the one that rewrites prose (`rewrite`); None: nobody does.

    With `recorded`, transcripts of such a run, their calls are replayed and no model is asked.
    """

    author: str | None = None
    rewrite: str | None = None
    recorded: Path | None = None

    def __post_init__(self) -> None:
        if self.recorded is not None and not (self.author or self.rewrite):
            raise UsageError(
                "--replay has what a model wrote: name it by --author or --rewrite, as when it was recorded"
            )

    def asked(self, settings: AuthorSettings) -> list[tuple[str | None, int | None]]:
        """The models that will be asked, each with the most tokens of its answers; none where calls are replayed."""
        named = [name for name in (self.author, self.rewrite) if name]
        return [] if self.recorded else [(name, _decoding(name, settings).max_tokens) for name in named]

    def transcripts(
        self, model: str, path: Path, settings: AuthorSettings, web_search: str | None = None
    ) -> Transcripts:
        """The calls of `model`, kept in `path`; with `web_search` it may ask that provider before it answers."""
        return Transcripts(model, _decoding(model, settings), path, self.recorded, web_search=web_search)


NOBODY = Authors()


def made_from(model: str, settings: AuthorSettings) -> dict[str, Json]:
    """Entries of a manifest that decide a model's texts; the answers that it really gave are in the transcripts' hash.

    Raises:
        ModelUnavailable: for a local model that is not known.
    """
    return {
        "model": model,
        "decoding": _decoding(model, settings).model_dump(mode="json"),
        "settings": settings.model_dump(mode="json"),
    }


def cost(transcripts: Transcripts) -> dict[str, Json]:
    """The model, the hash of its (closed) transcripts and what they cost, for a manifest's counts."""
    return {"model": transcripts.model, "transcripts": file_hash(transcripts.path), **transcripts.cost}


def c1_of(gate: ValidityGate) -> Callable[[Sequence[Task]], list[str | None]]:
    """C1 as an author wants it: why each task is rejected, or None."""

    def check(tasks: Sequence[Task]) -> list[str | None]:
        records = gate.check(tasks)
        broken = next((record for record in records if record.status == "not run"), None)
        if broken is not None:
            raise InfrastructureError(
                f"a task of {broken.api_name} could not be checked ({broken.reason}); the same command goes on from "
                "here, and asks the model nothing again"
            )
        return [record.reason for record in records]

    return check


def _decoding(model: str, settings: AuthorSettings) -> Decoding:
    most = tokens_for(model, _TEXT_TOKENS) if settings.max_tokens is None else settings.max_tokens
    return decoding_of(model).model_copy(update={"max_tokens": most})

"""The models of a run: each is loaded when the first request is really asked, and closed with the run."""

from collections.abc import Callable, Sequence
from pathlib import Path

from apigap.evaluation.answers import Ask, OnAnswer, Request, ask_all
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import decoding_within, room_for, window_of
from apigap.models.prompts import read_template
from apigap.models.request import Decoding
from apigap.records.base import Json, content_hash
from apigap.records.configuration import LAYOUTS, GenerationSettings

MakeGenerator = Callable[[str, Decoding], Generator]


def prompts_in_force(settings: GenerationSettings) -> dict[str, Json]:
    """The facts that decide prompts and answers apart from the model, for a manifest; with a template's text as a hash.

    Raises:
        UsageError: when the template cannot be read.
    """
    own = settings.layout not in LAYOUTS
    template: dict[str, Json] = {"template": content_hash(read_template(Path(settings.layout)))} if own else {}
    return {**settings.model_dump(mode="json"), **template}


def asked_of(model: str, settings: GenerationSettings, knowledge: Json) -> dict[str, Json]:
    """The entries of a manifest that decide the answers of a cell: `model`, prompts, and what prompts show by its hash.

    Raises:
        UsageError: when the template cannot be read, or a local model is not known.
    """
    return {
        "model": describe(model, decoding_within(model, settings.max_tokens)),
        "generation": prompts_in_force(settings),
        "knowledge": content_hash(knowledge),
    }


class Models:
    """Use it as a context manager, so that no server outlives the run."""

    def __init__(self, settings: GenerationSettings, make: MakeGenerator = Generator) -> None:
        self._settings = settings
        self._make = make
        self._loaded: dict[str, Generator] = {}

    def ask(self, model: str) -> Ask:
        """The function that puts requests to `model`."""

        def ask(requests: Sequence[Request], on_answer: OnAnswer) -> None:
            if model not in self._loaded:
                self._loaded[model] = self._make(model, self.decoding(model))
            ask_all(self._loaded[model], requests, on_answer)

        return ask

    def decoding(self, model: str) -> Decoding:
        """The decoding of `model` in this run."""
        return decoding_within(model, self._settings.max_tokens)

    def room(self, model: str) -> int | None:
        """The number of characters that a prompt for `model` may have; None where its window is not known."""
        return room_for(window_of(model), self.decoding(model).max_tokens)

    def close(self, model: str) -> None:
        """End what `model` holds here; it is loaded again where it is asked again."""
        if model in self._loaded:
            self._loaded.pop(model).close()

    def __enter__(self) -> "Models":
        return self

    def __exit__(self, *_: object) -> None:
        for model in list(self._loaded):
            self.close(model)

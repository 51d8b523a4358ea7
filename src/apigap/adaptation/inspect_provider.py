"""The Inspect provider for models in this process: PyTorch, one answer at a time. Only Inspect itself imports it."""

import contextlib
import threading
from pathlib import Path
from typing import Any

import anyio.to_thread
import torch
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.model import StopReason as InspectStopReason
from inspect_ai.tool import ToolChoice, ToolInfo

from apigap.adaptation.chat_tokens import prompt_text
from apigap.adaptation.editing.codebook import Codebook
from apigap.adaptation.editing.edit import Applied, Edit
from apigap.adaptation.editing.facts import encode, window_of
from apigap.adaptation.editing.grace import with_codebook
from apigap.adaptation.loading import Loaded, load
from apigap.models.adapted import AdaptedModel, read_adapted, require_base
from apigap.models.request import Decoding, Message
from apigap.records.errors import ModelUnavailable

_MOST = 1024


class TransformersAPI(ModelAPI):
    """`transformers/NAME`: a model of the registry, a folder, or a name on the hub; or what `apigap adapt` made."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  the signature that Inspect calls
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._stack = contextlib.ExitStack()
        self.loaded = open_adapted(model_name, self._stack)
        self._lock = threading.Lock()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """One answer; raises ModelUnavailable where the model cannot be asked so."""
        if tools:
            raise ModelUnavailable(f"{self.model_name} takes no tools; describe them in the prompt instead")
        messages = [Message.model_validate({"role": m.role, "content": m.text}) for m in input]
        return await anyio.to_thread.run_sync(self._answer, messages, config)

    def _answer(self, messages: list[Message], config: GenerateConfig) -> ModelOutput:
        decoding = Decoding(max_tokens=config.max_tokens or _MOST, stop=tuple(config.stop_seqs or ()))
        with self._lock:  # sampling draws from the one generator of the process
            text, reason, read, written = generate_text(
                self.loaded, messages, decoding, config.temperature or 0.0, config.top_p or 1.0, config.seed or 0
            )
        choice = ChatCompletionChoice(message=ChatMessageAssistant(content=text), stop_reason=reason)
        usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
        return ModelOutput(model=self.model_name, choices=[choice], usage=usage)

    def max_connections(self) -> int:
        """One at a time."""
        return 1

    def close(self) -> None:
        """Let go of the weights; it cannot be asked any more."""
        with self._lock:
            self._stack.close()
            vars(self).pop("loaded", None)


def open_adapted(name: str, stack: contextlib.ExitStack) -> Loaded:
    """The model `name`, with what it was taught on it until `stack` ends.

    Raises:
        ModelUnavailable: when it cannot be loaded, or what it was taught belongs on another base.
        CorruptRecord: when what it was taught cannot be read.
    """
    folder = Path(name).expanduser()
    adapted = read_adapted(folder)
    artefact = folder / adapted.artefact if adapted else folder
    if adapted and artefact.is_dir():
        return load(str(artefact))
    if adapted:
        require_base(adapted)
    loaded = load(adapted.base if adapted else name)
    if adapted:
        _teach(loaded, adapted, artefact, stack)
    return loaded


def generate_text(
    loaded: Loaded, messages: list[Message], decoding: Decoding, temperature: float, top_p: float, seed: int
) -> tuple[str, InspectStopReason, int, int]:
    """The answer to a conversation, why it ended, and the tokens read and written; greedy at temperature 0.

    It ends at the model's window, as one that is cut at `max_tokens`; a prompt that fills the window has none.
    """
    ids = encode(loaded.tokenizer, prompt_text(loaded.tokenizer, messages))
    window = window_of(loaded.model)
    if window and len(ids) >= window:
        return "", "model_length", len(ids), 0
    most = min(decoding.max_tokens, window - len(ids)) if window else decoding.max_tokens
    drawn: dict[str, Any] = {"do_sample": True, "temperature": temperature, "top_p": top_p, "top_k": 0}
    torch.manual_seed(seed)  # pyright: ignore[reportUnknownMemberType]
    model: Any = loaded.model
    with torch.no_grad():
        found: Any = model.generate(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            max_new_tokens=most,
            pad_token_id=loaded.tokenizer.eos_token_id,
            eos_token_id=loaded.tokenizer.eos_token_id,
            tokenizer=loaded.tokenizer,
            **({"stop_strings": list(decoding.stop)} if decoding.stop else {}),
            **(drawn if temperature else {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}),
        )
    new = found[0, len(ids) :]
    text = str(loaded.tokenizer.decode(new, skip_special_tokens=True))
    ends = [place for stop in decoding.stop if (place := text.find(stop)) >= 0]
    cut = len(new) >= most and not ends and int(new[-1]) != loaded.tokenizer.eos_token_id
    return text[: min(ends)] if ends else text, "max_tokens" if cut else "stop", len(ids), len(new)


def _teach(loaded: Loaded, adapted: AdaptedModel, artefact: Path, stack: contextlib.ExitStack) -> None:
    if adapted.method == "grace":
        codebook, origin = Codebook.load(artefact)
        stack.enter_context(with_codebook(loaded.model, origin["module"], codebook))
    else:
        stack.enter_context(Applied(loaded.model, Edit.load(artefact)))

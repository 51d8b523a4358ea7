"""Ask any model of Inspect: many requests at once, answers that do not depend on their order, typed failures."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from apigap.models.adapted import IN_PROCESS, in_process_backend
from apigap.models.asking import ask_each, check_keys, run_apart
from apigap.models.backbones import find_backbone, provider_name
from apigap.models.batch.folder import BatchFolder
from apigap.models.drawing import drawing_of
from apigap.models.failures import describe_failure, ending_of, load_model
from apigap.models.gguf.servers import backend_of, default_processes
from apigap.models.model_facts import BATCH, LOCAL, MOCK, decoding_of, reasons, scores_options
from apigap.models.options import OptionRequest, OptionScores
from apigap.models.outputs import answer_of, chat_message, forget_calls, search_results, search_tools, without_echoes
from apigap.models.registry import find_model
from apigap.models.request import Answer, Decoding, GenerationRequest, sample_seed
from apigap.models.schemas.native_tools import tool_info
from apigap.models.spending.budget import purse
from apigap.records.base import Json, content_hash
from apigap.records.errors import UsageError
from apigap.records.model_providers import access_of

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput

OnAnswer = Callable[[str, int, Answer], None]
OnScores = Callable[[str, OptionScores], None]
Reply = Callable[[str], str]

MOCK_MODEL = f"{MOCK}model"
"""The model that is asked where answers are made up; its name says so in every file."""
_CONNECTIONS = 10
_RETRIES = 5
_PATIENT: dict[str, Any] = {"client_timeout": 1800.0, "max_retries": 0}
"""Of a server of one's own, which may write for long; the client does not ask again by itself what Inspect will."""


class Generator:
    """Answers of one model under one decoding.

    `model` is an Inspect name (`gguf/qwen2.5-coder-1.5b`, `openai/gpt-4o`, `mockllm/model`) or that of a backbone.
    `connections` bounds the requests under way (servers for a local model). With `cache` an answer that was given
    before to the same request, by the same backend, is taken from Inspect's cache. `reply` writes the answers of
    `mockllm/...` from the last message, and the one before an answer that is begun; `model_args` go to the provider.
    A name that begins with `batch/` is a folder, into which requests are written and from which answers are read.
    `alternatives` asks for that many likeliest first tokens with each answer (see `Answer`), which not every provider
    gives. With `web_search`, the name of one of Inspect's search providers (`tavily`, `openai`), the model may search
    the web before it answers.

    Raises:
        ModelUnavailable: when the model, its provider's package or its key is missing.
        UsageError: when `reply` is given to a model that is not a mock, or a search to one that calls no tools.
    """

    def __init__(
        self,
        model: str,
        decoding: Decoding | None = None,
        *,
        connections: int | None = None,
        cache: bool = True,
        reply: Reply | None = None,
        model_args: dict[str, Any] | None = None,
        alternatives: int = 0,
        web_search: str | None = None,
    ) -> None:
        if reply is not None and not model.startswith(MOCK):
            raise UsageError(f"only {MOCK}... takes its answers from a function, not {model}; leave `reply` out")
        self.model = model
        self.decoding = decoding or decoding_of(model)
        self.connections = connections or (0 if model.startswith(LOCAL) else connections_of(model))
        self._alternatives = alternatives
        self._web_search = web_search
        self._tools = search_tools(model, web_search)
        self._reasons = reasons(model)
        self._cache = cache and not model.startswith(MOCK)
        self._folder = BatchFolder(model) if model.startswith(BATCH) else None
        if self._folder:
            return
        self._model = load_model(provider_name(model), self._model_args(reply, model_args or {}))
        if model.startswith(LOCAL):
            self.connections = self._model.api.max_connections()  # of nodes it is known once they have the model
        self._quick = None
        if access := access_of(provider_name(model)):
            self._model = without_echoes(self._model)
            if access.module == "openai" and "http_client" not in (model_args or {}):
                from apigap.models.connections import quicken

                self._quick = quicken(self._model)
        self._scope = content_hash(self.describe())

    def generate(
        self, requests: Sequence[GenerationRequest], on_answer: OnAnswer, form: type[BaseModel] | None = None
    ) -> None:
        """Answer all `requests`; `on_answer(key, sample, answer)` is called once per sample, in the order of arrival.

        With `form` the answers are to be JSON objects of it: providers that can hold a model to a schema do, and what
        the others give has to be read with care (`structured.read_answer`).

        When a call fails for good, the others are asked all the same, unless several fail in a row; then the failure is
        raised.

        Raises:
            ModelUnavailable: when the provider cannot be reached or refuses.
            AnswersAwaited: when the model is a folder that lacks answers.
            BudgetSpent: when a limit of the command is reached; what was answered before has been handed over.
            UsageError: when keys repeat, or several samples are asked at temperature zero.
        """
        _check(requests)
        if self._folder:
            self._folder.generate(requests, self.decoding, on_answer, form)
            return

        spending = purse()
        spending.before(self.model, requests, self.decoding.max_tokens, self.connections)

        async def answer(request: GenerationRequest) -> None:
            for sample in range(request.samples):
                spending.demand(self.model)
                forget_calls()
                found = await self._sample(request, sample, form)
                spending.pay(self.model, request, found)
                on_answer(request.key, sample, found)

        run_apart(lambda: self._ask_each(requests, answer))

    @property
    def scores_options(self) -> bool:
        """True where `score_options` may be called; elsewhere options are asked for by their letters."""
        return scores_options(self.model)

    def score_options(self, requests: Sequence[OptionRequest], on_scores: OnScores) -> None:
        """Tell how likely the options of each request are; `on_scores(key, scores)` comes in the order of arrival.

        The scores of a request depend on nothing but itself, and not on the order of its options; nothing is taken
        from a cache. When a call fails for good, what arrived before has been handed over and the failure is raised.

        Raises:
            ModelUnavailable: when the model cannot be loaded or stops.
            UsageError: when keys repeat, or the model tells no probabilities of given texts.
        """
        if not self.scores_options:
            raise UsageError(
                f"{self.model} does not tell how likely a given text is; ask it for the letter of an option instead"
            )
        check_keys(requests)

        async def score(request: OptionRequest) -> None:
            on_scores(request.key, await self._scores(request))

        run_apart(lambda: ask_each(requests, score, self.connections))

    def answer(self, request: GenerationRequest) -> tuple[Answer, ...]:
        """All samples of one request."""
        found: dict[int, Answer] = {}
        self.generate([request], lambda _, sample, answer: found.__setitem__(sample, answer))
        return tuple(found[sample] for sample in sorted(found))

    def describe(self) -> dict[str, Json]:
        """Everything that decides the answers, for a manifest."""
        options: dict[str, Json] = {"alternatives": self._alternatives} if self._alternatives else {}
        options |= {"web_search": self._web_search} if self._web_search else {}
        if not self.model.startswith(LOCAL):
            return {**describe(self.model, self.decoding), **options}
        from apigap.models.provider import GgufAPI

        assert isinstance(self._model.api, GgufAPI)
        backend = backend_of(self._model.api.spec, self._model.api.settings)
        return {**_describe(self.model, self.decoding, backend), **options}

    def close(self) -> None:
        """End what a model holds on this machine; it cannot be asked any more."""
        if self.model.startswith((LOCAL, IN_PROCESS)):
            self._model.api.close()

    def __enter__(self) -> "Generator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _model_args(self, reply: Reply | None, arguments: dict[str, Any]) -> dict[str, Any]:
        if self.model.startswith(LOCAL):
            return {"processes": self.connections or None, **arguments}
        if self.model.startswith(MOCK):
            return {"custom_outputs": _mock(reply or (lambda _: "```python\npass\n```")), **arguments}
        backbone, access = find_backbone(self.model), access_of(self.model)
        patient = _PATIENT if access and access.needs_address else {}
        return {**patient, **(backbone.model_args() if backbone else {}), **arguments}

    async def _ask_each(
        self, requests: Sequence[GenerationRequest], answer: Callable[[GenerationRequest], Awaitable[None]]
    ) -> None:
        try:
            await ask_each(requests, answer, self.connections)
        finally:
            if self._quick:
                await self._quick.aclose()

    async def _scores(self, request: OptionRequest) -> OptionScores:
        from apigap.models.provider import GgufAPI

        assert isinstance(self._model.api, GgufAPI)
        try:
            return await self._model.api.score_options(request)
        except Exception as error:  # whatever stops a server becomes typed
            raise describe_failure(self.model, request.key, error) from error

    async def _sample(self, request: GenerationRequest, sample: int, form: type[BaseModel] | None) -> Answer:
        messages = [chat_message(message) for message in request.messages()]
        if request.shared and self.model.startswith(LOCAL):
            messages[0].metadata = {"shared": request.shared}
        seed = sample_seed(request.seed, request.key, sample)
        try:
            config = self._config(request, seed, form)
            if self._tools:
                turns, output = await self._model.generate_loop(messages, tools=self._tools, config=config)
                return answer_of(output, request.begin, self._reasons, config.max_tokens).model_copy(
                    update={"found": search_results([*messages, *turns])}
                )
            offered = [tool_info(tool) for tool in request.tools]
            output = await self._model.generate(messages, tools=offered, config=config)
            return answer_of(output, request.begin, self._reasons, config.max_tokens, offered=bool(offered))
        except Exception as error:  # providers raise what they like; every one of them becomes typed
            if ending := ending_of(error):
                return Answer(text="", stop_reason=ending)
            raise describe_failure(self.model, request.key, error) from error

    def _config(self, request: GenerationRequest, seed: int, form: type[BaseModel] | None) -> "GenerateConfig":
        from inspect_ai.model import CachePolicy, GenerateConfig, ResponseSchema
        from inspect_ai.util import json_schema

        most = self.decoding.max_tokens
        policy = CachePolicy(expiry=None, scopes={"apigap": self._scope})
        return GenerateConfig(
            max_tokens=min(most, request.most_tokens or most),
            stop_seqs=list(self.decoding.stop) or None,
            max_connections=self.connections,
            max_retries=_RETRIES,
            cache=policy if self._cache else None,
            logprobs=True if self._alternatives else None,
            top_logprobs=self._alternatives or None,
            response_schema=ResponseSchema(name=form.__name__, json_schema=json_schema(form)) if form else None,
            **drawing_of(provider_name(self.model), self.decoding, request.temperature, seed),
        )


def describe(model: str, decoding: Decoding | None = None) -> dict[str, Json]:
    """Everything that decides the answers of `model`, for a manifest: name, decoding and, for a local one, its backend.

    Raises:
        ModelUnavailable: when a local model is unknown.
    """
    local = backend_of(find_model(model.removeprefix(LOCAL))) if model.startswith(LOCAL) else None
    local = in_process_backend(model) if model.startswith(IN_PROCESS) else local
    backbone = find_backbone(model)
    if model.startswith(BATCH):
        return _describe(model, decoding or decoding_of(model), {"engine": "batch"})
    engine = {"engine": provider_name(model).partition("/")[0], **(backbone.model_args() if backbone else {})}
    return _describe(model, decoding or decoding_of(model), local or engine)


def _describe(model: str, decoding: Decoding, backend: dict[str, Json]) -> dict[str, Json]:
    return {
        "model": model,
        "sha256": backend.get("sha256"),
        "backend": backend,
        "decoding": decoding.model_dump(mode="json"),
    }


def connections_of(model: str) -> int:
    """The number of requests to `model` at a time, where nobody says another."""
    if model.startswith(IN_PROCESS):
        return 1
    return default_processes(find_model(model.removeprefix(LOCAL))) if model.startswith(LOCAL) else _CONNECTIONS


def _check(requests: Sequence[GenerationRequest]) -> None:
    check_keys(requests)
    for request in requests:
        if request.samples > 1 and request.temperature == 0:
            raise UsageError(
                f"{request.key}: {request.samples} samples at temperature 0 are all the same; "
                "ask for one sample or a higher temperature"
            )


def _mock(reply: Reply) -> Callable[..., "ModelOutput"]:
    """Outputs with their own usage: without one Inspect counts tokens with a vocabulary from the internet."""
    from inspect_ai.model import ModelOutput, ModelUsage

    def output(messages: "list[ChatMessage]", *_: object) -> ModelOutput:
        last = messages[-2:] if messages[-1].role == "assistant" else messages[-1:]  # an answer that is begun
        output = ModelOutput.from_content("mockllm/model", reply("\n".join(message.text for message in last)))
        output.usage = ModelUsage()
        return output

    return output

"""The Inspect provider for local GGUF models. Only Inspect itself imports this module."""

import time
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.model import StopReason as InspectStopReason
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from apigap.models.download import ensure_file
from apigap.models.gguf.places import nodes
from apigap.models.gguf.servers import ServerPool, Settings, chat_request, default_processes, options_request
from apigap.models.options import OptionRequest, OptionScore, OptionScores
from apigap.models.registry import ModelSpec, find_model
from apigap.models.request import Message, OfferedTool
from apigap.models.schemas.native_tools import openai_calls, openai_tool
from apigap.records.base import Json
from apigap.records.errors import ModelUnavailable
from apigap.records.parsing.json_shapes import is_object

if TYPE_CHECKING:
    from apigap.models.gguf.node_pool import NodePool

_TOO_LONG = "exceed_context_size_error"
_STOP_REASONS: dict[str, InspectStopReason] = {"stop": "stop", "tool_calls": "tool_calls", "length": "max_tokens"}


class GgufAPI(ModelAPI):
    """`processes` servers (one per core) with `context` tokens each. The file is fetched when it is missing."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  the signature that Inspect calls
        processes: int | None = None,
        context: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.spec = find_model(model_name)
        self.settings = Settings(context=context or self.spec.context, **settings)
        self.pool = _pool(self.spec, self.settings, processes)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """One answer; raises ModelUnavailable where the model cannot be asked at all."""
        request = chat_request(
            [_message(message) for message in input],
            max_tokens=config.max_tokens or self.spec.decoding.max_tokens,
            stop=config.stop_seqs or (),
            temperature=config.temperature or 0.0,
            top_p=1.0 if config.top_p is None else config.top_p,
            seed=config.seed or 0,
            shared=int((input[0].metadata or {}).get("shared", 0)),
            alternatives=config.top_logprobs or 0,
            schema=_schema(config),
            tools=[_tool(one) for one in tools],
        )
        return self._output(await self._ask(request))

    async def score_options(self, request: OptionRequest) -> OptionScores:
        """The likelihood of each option; raises ModelUnavailable where the model cannot be asked at all."""
        began = time.monotonic()
        asked = options_request(request.messages(), request.options, request.shared)
        answer = await self._ask(asked)
        seconds = time.monotonic() - began
        error = answer.get("error")
        if error is None:
            scores = tuple(OptionScore(log_probability=value, tokens=tokens) for value, tokens in answer["scores"])
            return OptionScores(scores=scores, input_tokens=answer["prompt_tokens"], seconds=seconds)
        if error.get("type") == _TOO_LONG:
            return OptionScores(input_tokens=error["n_prompt_tokens"], seconds=seconds)
        raise self._refused(error)

    async def _ask(self, request: dict[str, Json]) -> Json:
        """The answer, awaited in a thread of its own: nodes may have more servers than anyio has threads."""
        own = anyio.CapacityLimiter(1)
        return await anyio.to_thread.run_sync(self.pool.ask, request, abandon_on_cancel=True, limiter=own)

    def _output(self, answer: Json) -> ModelOutput:
        error = answer.get("error")
        if error is None:
            choice, usage = answer["choices"][0], answer["usage"]
            message = choice["message"]
            calls = [_call(str(number), *call) for number, call in enumerate(openai_calls(message))]
            return self._choice(
                ChatMessageAssistant(content=message["content"] or "", tool_calls=calls or None),
                _STOP_REASONS.get(choice["finish_reason"], "unknown"),
                usage["prompt_tokens"],
                usage["completion_tokens"],
                choice.get("logprobs"),
            )
        if error.get("type") == _TOO_LONG:
            return self._choice(ChatMessageAssistant(content=""), "model_length", error["n_prompt_tokens"], 0)
        raise self._refused(error)

    def _refused(self, error: Json) -> ModelUnavailable:
        return ModelUnavailable(f"{self.model_name} does not take this prompt: {error['message']}")

    def _choice(
        self, message: ChatMessageAssistant, reason: InspectStopReason, read: int, written: int, scores: Json = None
    ) -> ModelOutput:
        logprobs = Logprobs.model_validate(scores) if scores else None
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=message, stop_reason=reason, logprobs=logprobs)],
            usage=ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written),
        )

    def max_connections(self) -> int:
        """One request per server at a time."""
        return self.pool.processes

    def max_tokens(self) -> int | None:
        """The length of an answer where none is asked for."""
        return self.spec.decoding.max_tokens

    def close(self) -> None:
        """End the servers."""
        self.pool.close()


def _pool(spec: ModelSpec, settings: Settings, processes: int | None) -> "ServerPool | NodePool":
    """The model's servers: on this machine, or on the nodes of the cluster where programs run on them."""
    there = nodes()
    if there is None:
        return ServerPool(ensure_file(spec), settings, processes or default_processes(spec))
    from apigap.models.gguf.node_pool import NodePool

    return NodePool(spec, settings, there, processes)


def _schema(config: GenerateConfig) -> dict[str, Json] | None:
    wanted = config.response_schema
    return wanted.json_schema.model_dump(exclude_none=True) if wanted else None


def _tool(tool: ToolInfo) -> dict[str, Json]:
    parameters = tool.parameters.model_dump(exclude_none=True)
    return openai_tool(OfferedTool(name=tool.name, description=tool.description, parameters=parameters))


def _call(number: str, name: str, arguments: Json) -> ToolCall:
    if is_object(arguments):
        return ToolCall(id=number, function=name, arguments=arguments)
    return ToolCall(id=number, function=name, arguments={}, parse_error=f"the arguments are no object: {arguments}")


def _message(message: ChatMessage) -> Message:
    if isinstance(message, ChatMessageTool):
        raise ModelUnavailable("a local model takes no tool messages; give the tool's result as a user message")
    return Message(role=message.role, content=message.text)

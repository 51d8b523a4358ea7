"""A tool server that is simulated: each API answers with the response that is recorded for it.

Nothing is reached over a network and nothing is random: the same call always has the same answer. The answers have the
form of ToolBench's, `{"error": ..., "response": ...}`.
"""

import json
from typing import Any, NamedTuple

from apigap.benchmarks.toolllm.prompts import parameter_name
from apigap.benchmarks.toolllm.queries import Api, Query
from apigap.records.parsing.json_shapes import is_object

MAX_RESPONSE = 1024
"""Characters of an answer that a model is shown."""


class Observation(NamedTuple):
    """The response to a call; `offered` says whether there is a function of that name."""

    text: str
    offered: bool


class ToolServer:
    """The APIs of one query, under the names of their functions."""

    def __init__(self, query: Query) -> None:
        # Of APIs that share a name the first one answers: its description is the one that is shown.
        self._apis = {api.function: api for api in reversed(query.apis)}

    def answer(self, name: str, arguments: Any) -> Observation:
        """The answer to one call; `arguments` are whatever the model gave. Faults of a call are told, never raised."""
        api = self._apis.get(name)
        if api is None:
            told = f"there is no function {name[:80]!r}; call one of those that were given"
            return Observation(_told(error=told), False)
        fault = _fault(api, arguments)
        if fault is not None:
            return Observation(_told(error=fault), True)
        if api.template_response is None:
            return Observation(_told(error="no response of this API has been recorded"), True)
        return Observation(_told(response=api.template_response), True)


def _fault(api: Api, arguments: Any) -> str | None:
    if not is_object(arguments):
        return "the arguments are not a JSON object"
    missing = [name for parameter in api.required_parameters if (name := parameter_name(parameter)) not in arguments]
    return f"required parameters are missing: {', '.join(dict.fromkeys(missing))}" if missing else None


def _told(*, error: str = "", response: Any = "") -> str:
    return json.dumps({"error": error, "response": response}, ensure_ascii=False)[:MAX_RESPONSE]

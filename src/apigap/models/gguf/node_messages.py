"""Messages between the machine that asks a local model and a node that has it: bytes of our own schema."""

from typing import Any

from apigap.cluster.messages import Identity
from apigap.models.gguf.servers import Settings
from apigap.models.registry import ModelSpec
from apigap.records.base import Record


class ModelWanted(Record):
    """A local model for a node: what it is, how llama.cpp is set, and how many servers (None: as many as fit)."""

    spec: ModelSpec
    settings: Settings
    servers: int | None


class ModelReady(Record):
    """A node that has the model: its servers, its apigap, and what decides the answers (see `backend_of`).

    `problem` is why it cannot have it.
    """

    identity: Identity
    servers: int = 0
    backend: dict[str, Any] = {}
    problem: str | None = None


class ModelAnswered(Record):
    """The answer of llama.cpp to a request; `problem` is why the node could not ask it."""

    answer: Any = None
    problem: str | None = None

"""A node's part in asking a local model: one actor that owns the node's servers and answers requests."""

import json

from apigap.cluster.messages import Identity
from apigap.cluster.node import problem_of
from apigap.models.download import ensure_file
from apigap.models.gguf.node_messages import ModelAnswered, ModelReady, ModelWanted
from apigap.models.gguf.servers import ServerPool, backend_of, default_processes


class ModelNode:
    """The servers of one model on a node; its methods take and give bytes, and may be called from several threads."""

    def __init__(self) -> None:
        self._pool: ServerPool | None = None

    def load(self, wanted: bytes) -> bytes:
        """Bring the file of a `ModelWanted` to this node's cache; gives a `ModelReady`. Servers start when asked."""
        ready = ModelReady(identity=Identity.here())

        def load() -> None:
            nonlocal ready
            asked = ModelWanted.from_line(wanted)
            backend = backend_of(asked.spec, asked.settings)
            path = ensure_file(asked.spec)
            self._pool = ServerPool(path, asked.settings, asked.servers or default_processes(asked.spec))
            ready = ready.model_copy(update={"servers": self._pool.processes, "backend": backend})

        problem = problem_of(load)
        return ready.model_copy(update={"problem": problem}).to_line().encode()

    def ask(self, request: bytes) -> bytes:
        """The `ModelAnswered` to a request as JSON; waits for a free server."""
        answered = ModelAnswered()

        def ask() -> None:
            nonlocal answered
            assert self._pool is not None
            answered = ModelAnswered(answer=self._pool.ask(json.loads(request)))

        problem = problem_of(ask)
        return answered.model_copy(update={"problem": problem}).to_line().encode()

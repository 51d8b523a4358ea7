"""A request that goes to several nodes leaves each of their servers free once it is done, however the request ends."""

import threading
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from apigap.models.gguf.node_messages import ModelAnswered
from apigap.models.gguf.node_pool import NodePool
from apigap.models.gguf.node_roster import Hand
from apigap.records.errors import ModelUnavailable

REQUEST: dict[str, Any] = {"messages": [{"role": "user", "content": "Write."}]}


@dataclass(eq=False)
class Node:
    """An actor with one answer to all; what it was asked is done once it is `quick`."""

    answer: ModelAnswered
    quick: bool = True
    ask: Any = None

    def __post_init__(self) -> None:
        self.ask = self

    def remote(self, sent: bytes) -> tuple["Node", object]:
        return self, object()


@dataclass
class ScriptedRay:
    """The part of Ray that a pool uses, for such nodes."""

    exceptions: Any = field(default_factory=lambda: type("Exceptions", (), {"RayError": OSError}))

    def wait(self, references: list[Any], num_returns: int = 1, timeout: float = 0) -> tuple[list[Any], list[Any]]:
        done = [one for one in references if one[0].quick][:num_returns]
        return done, [one for one in references if one not in done]

    def get(self, reference: tuple[Node, object]) -> bytes:
        return reference[0].answer.to_line().encode()


class Roster:
    """Nodes that are there from the start."""

    name = "a model"

    def __init__(self, hands: list[Hand]) -> None:
        self.hands = hands

    def look(self) -> None:
        """Nobody comes or goes."""


@pytest.mark.parametrize(
    ("other", "gives_up"),
    [(ModelAnswered(answer={"n": 1}), False), (ModelAnswered(answer=None, problem="no memory"), True)],
    ids=["another answers first", "another fails until the request gives up"],
)
def test_a_slow_copy_frees_its_server_in_the_end(other: ModelAnswered, gives_up: bool) -> None:
    slow, quick = Node(ModelAnswered(answer={"n": 1}), quick=False), Node(other)
    hands = [Hand(cast("Any", None), node, None, 0.0, 1, free=free) for node, free in ((slow, 2), (quick, 1))]
    pool = NodePool.__new__(NodePool)
    vars(pool).update(_roster=Roster(hands), _ray=ScriptedRay(), _late={}, _changed=threading.Condition())
    if gives_up:
        with pytest.raises(ModelUnavailable, match="no memory"):
            pool.ask(REQUEST)
    else:
        assert pool.ask(REQUEST) == {"n": 1}
    assert [hand.free for hand in hands] == [1, 1]
    slow.quick = True
    pool.ask(REQUEST)
    assert [hand.free for hand in hands] == [2, 1]

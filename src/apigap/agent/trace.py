"""The trace of an agent: a row for each answer of the model and for each call of a tool, in their order."""

from typing import Any, Literal

from apigap.agent.toolsets import CODE
from apigap.records.base import Record, content_hash
from apigap.records.experiment import ToolName

StepKind = Literal["answer", "call"]
StepOutcome = Literal["ok", "error", "refused"]
"""Of a call: it did its work; the tool says what is wrong (code that raises, a name that is nowhere); or it was not
made at all, since the tool is not offered, its argument cannot be read, or the budget is used up."""


class Step(Record):
    """One row. `number` counts the rows of a sample from 0, `round` the model's answers from 1.

    Of an answer `text` is what the model wrote (calls in a provider's own way are JSON), of a call what the tool gave
    and the model was shown; `digest` is its hash. `arguments` are the call's, by name. Tokens are those that the answer
    read and wrote, estimated from characters where nobody counts them; `dollars` are 0 where the price is not known.
    """

    task_id: str
    sample: int
    number: int
    round: int
    kind: StepKind
    tool: ToolName | Literal["", "unknown"] = ""
    arguments: dict[str, Any] = {}
    outcome: StepOutcome = "ok"
    text: str = ""
    digest: str = ""
    stop_reason: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dollars: float = 0.0

    @property
    def key(self) -> tuple[str, int]:
        """The sample that it is a row of."""
        return self.task_id, self.sample

    @property
    def is_counted(self) -> bool:
        """True of a call that the budget counts: not handing in, not one that was refused."""
        return self.kind == "call" and self.tool != "submit" and self.outcome != "refused"

    @property
    def code(self) -> str:
        """The code that a call runs or hands in; empty for all other steps."""
        return str(self.arguments.get("code", "")) if self.tool in CODE else ""


def digest_of(text: str) -> str:
    """The hash under which the text of a step is known."""
    return content_hash(text)

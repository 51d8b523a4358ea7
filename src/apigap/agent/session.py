"""One sample of an agent as it goes on. Its state follows from its steps alone, so a recorded trace is replayed.

Whoever drives it asks for `request` and takes the answer as a step, then makes `next_call` and takes each result, until
it is `over`.
"""

from typing import Literal, NamedTuple

from apigap.agent import prompting
from apigap.agent.budget import LEAST_ANSWER, Spent, about_tokens, left, most_tokens
from apigap.agent.interpreter import is_replayed
from apigap.agent.protocol import Asked, Protocol, read_calls, said, written_code
from apigap.agent.toolsets import offered
from apigap.agent.trace import Step
from apigap.models.request import GenerationRequest, Message, ToolCall
from apigap.models.spending.prices import Price
from apigap.models.traces import without_trace
from apigap.records.configuration import AgentBudget
from apigap.records.experiment import ToolSet
from apigap.records.task import Task

Over = Literal["submitted", "gave up", "calls", "rounds", "tokens", "seconds", "dollars", "context", "filtered"]
"""The end: it handed in; two answers in a row called no tool; a bound of the budget; what a provider ended it by."""
_SILENT = 2


class Terms(NamedTuple):
    """Terms that all samples of a cell share. `price` is None where it is not known."""

    tools: ToolSet
    protocol: Protocol
    budget: AgentBudget
    price: Price | None
    longest_answer: int
    temperature: float
    seed: int


class Adopted(NamedTuple):
    """From the row `step` of the trace on, `code` was what counted; `spent` is what had been used by then."""

    step: int
    spent: Spent
    code: str


class Session:
    """One sample of a task under the terms of a cell."""

    def __init__(self, task: Task, sample: int, terms: Terms) -> None:
        self.task = task
        self.sample = sample
        self.terms = terms
        self.steps: list[Step] = []
        self.spent = Spent()
        self.over: Over | None = None
        self.adopted: list[Adopted] = []
        self.messages = [*prompting.opening(task, terms.tools, terms.protocol, terms.budget)]
        self.cells: list[str] = []
        """The code that was run and came to its end, in its order: the session of the interpreter."""
        self._asked: list[Asked] = []
        self._given: list[tuple[Asked, str]] = []
        self._silent = 0
        self._unread = sum(about_tokens(message.content) for message in self.messages)
        self._read = 0

    @property
    def key(self) -> tuple[str, int]:
        """The task and the number of the sample."""
        return self.task.task_id, self.sample

    @property
    def code(self) -> str:
        """The code that counts by now; empty while there is none."""
        return self.adopted[-1].code if self.adopted else ""

    @property
    def next_call(self) -> Asked | None:
        """The call that is to be made next; None where an answer is to be asked for, or all is over."""
        return self._asked[len(self._given)] if self.over is None and len(self._given) < len(self._asked) else None

    @property
    def calls_left(self) -> bool:
        """True while another tool may be called."""
        return self.spent.calls < self.terms.budget.calls

    def request(self) -> GenerationRequest | None:
        """The request for the next answer; None where a call waits, or the budget leaves no room: then it is over."""
        if self.over is not None or self.next_call is not None:
            return None
        prompt = self._read + self._unread
        most = most_tokens(self.spent, self.terms.budget, prompt, self.terms.price)
        used = self.spent.used_up(self.terms.budget)
        if not used and most is not None and most < LEAST_ANSWER:
            used = "tokens" if self.terms.budget.tokens is not None else "dollars"
        if used:
            self._end(used)
            return None
        bound = most if most is not None and most < self.terms.longest_answer else None
        task_id, sample = self.key
        return GenerationRequest(
            key=f"{task_id}/agent.{self.terms.tools}/{sample}/{self.spent.rounds + 1}",
            prompt=tuple(self.messages),
            temperature=self.terms.temperature,
            seed=self.terms.seed,
            most_tokens=bound,
            tools=offered(self.terms.tools) if self.terms.protocol == "native" else (),
        )

    def take(self, step: Step) -> None:
        """Go on by one step, which has just been made or was recorded.

        An answer that crosses the budget is not looked at: what is over it never counts.
        """
        self.steps.append(step)
        self.spent = self.spent.after(step)
        crossed = self.spent.over(self.terms.budget)
        if step.kind == "call":
            self._take_call(step)
        elif not crossed:
            self._take_answer(step)
        if crossed and self.over is None:
            self._end(crossed)

    def _take_answer(self, step: Step) -> None:
        if step.stop_reason in ("context", "filtered"):
            return self._end(step.stop_reason)
        protocol, text = self.terms.protocol, step.text
        self._read, self._unread = step.input_tokens + step.output_tokens, 0
        self._asked = read_calls(text, protocol, whole=step.stop_reason != "length")
        self._given = []
        if self._asked:
            self._silent = 0
            return self.messages.append(self._turn(text))
        self._silent += 1
        if not self.code and (code := written_code(text, self.task.context_code)):
            self._adopt(code)
        if self._silent == _SILENT:
            return self._end("gave up")
        self.messages.append(Message(role="assistant", content=without_trace(said(text, protocol)) or "(nothing)"))
        return self._tell(prompting.reminder(self.terms.tools, protocol, self.spent, self.terms.budget))

    def _take_call(self, step: Step) -> None:
        asked = self._asked[len(self._given)]
        self._given.append((asked, step.text))
        if step.outcome != "refused" and step.code:
            self._adopt(step.code)
            if step.tool == "run_code":
                self.cells += [step.code] if is_replayed(step.text) else []
            else:
                self._end("submitted")
        if len(self._given) == len(self._asked):
            self._tell_results()

    def _adopt(self, code: str) -> None:
        self.adopted.append(Adopted(len(self.steps) - 1, self.spent, code))

    def _tell_results(self) -> None:
        rest = left(self.spent, self.terms.budget)
        if self.terms.protocol == "text":
            return self._tell(f"{prompting.results(self._given)}\n\n{rest}")
        for number, (_, text) in enumerate(self._given):
            is_last = number == len(self._given) - 1
            content = f"{text}\n\n{rest}" if is_last else text
            self.messages.append(Message(role="tool", content=content, call_id=self._call_id(number)))
            self._unread += about_tokens(content)
        return None

    def _tell(self, text: str) -> None:
        self.messages.append(Message(role="user", content=text))
        self._unread += about_tokens(text)

    def _turn(self, text: str) -> Message:
        """The answer as the conversation keeps it: without a trace, its calls in the provider's own way."""
        if self.terms.protocol == "text":
            return Message(role="assistant", content=without_trace(text))
        calls = tuple(
            ToolCall(id=self._call_id(number), name=asked.named or "unknown", arguments=asked.arguments)
            for number, asked in enumerate(self._asked)
        )
        return Message(role="assistant", content=said(text, "native"), calls=calls)

    def _call_id(self, number: int) -> str:
        return f"call_{self.spent.rounds}_{number}"

    def _end(self, why: str) -> None:
        self.over = why  # pyright: ignore[reportAttributeAccessIssue]  one of Over by where it comes from

"""One task requested from a model: the requests, the answers, and the reasons for which they were rejected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apigap.knowledge.usages.verify import VerifiedUsage
from apigap.models.request import GenerationRequest, Message
from apigap.models.transcripts import Call
from apigap.records.candidate import Candidate
from apigap.records.configuration import AuthorSettings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Difficulty, Task
from apigap.tasks.author.prompts import SHARED, retry_prompt, scenarios_prompt, task_prompt
from apigap.tasks.hand_written import WrittenTask

_REASON_CHARACTERS = 500


@dataclass
class TaskRequest:
    """The state of one task: first its text (`draft`), then its scenarios (`task`), then the gate (`accepted`)."""

    candidate: Candidate
    bundle: KnowledgeBundle
    usage: VerifiedUsage | None
    size: Difficulty
    number: int
    settings: AuthorSettings
    tries: int = 0
    draft: WrittenTask | None = None
    observed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    task: Task | None = None
    accepted: bool = False
    reasons: list[str] = field(default_factory=list[str])
    calls: list[Call] = field(default_factory=list[Call])
    _rejection: tuple[str, str] | None = None
    _scenario_rejections: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def ask_for_task(self) -> GenerationRequest:
        """The request for its text; after a rejection with what was said then, and why it was rejected."""
        self.tries += 1
        self._scenario_rejections = []
        prompt = task_prompt(self.candidate, self.bundle, self.usage, self.size)
        return self._request("task", prompt, self._rejection, len(SHARED))

    def ask_for_scenarios(self) -> GenerationRequest:
        """The request for the scenarios of its draft."""
        assert self.draft is not None
        rejection = self._scenario_rejections[-1] if self._scenario_rejections else None
        if rejection is not None:
            self.tries += 1
        return self._request("scenarios", scenarios_prompt(self.draft, self.observed), rejection, 0)

    def reject(self, reason: str) -> None:
        """The task itself does not hold: it is written again."""
        said = next(call.answer for call in reversed(self.calls) if call.purpose.endswith("/task"))
        self.draft = self.task = None
        self._rejection = (said, self._note(reason))

    def reject_scenarios(self, reason: str) -> None:
        """The scenarios do not hold: they are written again, and at the second time the task with them."""
        if self._scenario_rejections:
            self.reject(f"no other inputs could be found for it: {reason}")
        else:
            self._scenario_rejections.append((self.calls[-1].answer, self._note(reason)))

    @property
    def provenance(self) -> tuple[str, ...]:
        """The calls that its text and its scenarios come from, and the place of the usage that was shown."""
        last = {call.purpose.rpartition("/")[2]: call.key for call in self.calls}
        return (*(f"transcript {key}" for key in last.values()), *((self.usage.usage.source,) if self.usage else ()))

    def _note(self, reason: str) -> str:
        short = " ".join(reason.split())[:_REASON_CHARACTERS]
        self.reasons.append(f"{self.size}, try {self.tries}: {short}")
        return short

    def _request(self, what: str, prompt: str, rejection: tuple[str, str] | None, shared: int) -> GenerationRequest:
        messages: str | tuple[Message, ...] = retry_prompt(prompt, *rejection) if rejection else prompt
        return GenerationRequest(
            key=f"{self.candidate.api_name}/{self.number}/{self.tries}/{what}",
            prompt=messages,
            temperature=self.settings.temperature,
            seed=self.settings.seed,
            shared=shared,
        )

"""M_prose in a model's words, where one is named: checked against what the model was given, and dropped where it adds.

What is kept says so in its provenance, with the call that it comes from; what is not kept leaves the deterministic text
in its place, with the reasons in the stage's log.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from apigap.knowledge.conditions import leaks, render
from apigap.models.request import GenerationRequest, Message
from apigap.models.schemas.structured import UnreadableAnswer, read_answer
from apigap.models.transcripts import Call, Transcripts
from apigap.records.base import Record
from apigap.records.configuration import AuthorSettings
from apigap.records.knowledge import KnowledgeBundle, Prose

_MARK = "rewritten by "
_LEAST_WORDS = 15
_CODE = re.compile(
    r"`([^`]+)`|\b(\w+(?:\.\w+)*)\(|\b([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|\w+\.\w+(?:\.\w+)*)\b|(\d+(?:\.\d+)*)"
)
_INSTRUCTION = """\
Explain in one paragraph of 60 to 120 words what the API below does and how it behaves: its purpose, what it takes, \
what it gives, and what is special. A programmer who has never seen it reads this. {source} \
Call it "it", never by its name; write no code and no examples. Answer with one JSON object: \
{{"text": "the paragraph"}}."""
_GIVEN_ALONE = "Say only what is written below."
_SEARCHED = (
    "Say only what is written below, or what a web search of the documentation of this version tells; search first."
)


class ProseAnswer(BaseModel):
    """The prose that the model writes."""

    text: Annotated[str, Field(min_length=1)]


class Rewrite(Record):
    """The result for one bundle's prose: `taken`, and why each try was rejected."""

    api_name: str
    taken: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rewriter:
    """Rewrites the prose of bundles with the model behind `transcripts`, in at most `most` characters each."""

    transcripts: Transcripts
    settings: AuthorSettings
    most: int

    def rewrite(self, bundles: Sequence[KnowledgeBundle]) -> tuple[list[KnowledgeBundle], list[Rewrite]]:
        """The bundles with their new prose, in order, and what became of each that had a prose to rewrite.

        A prose that was rewritten before is left as it is.
        """
        done = {bundle.api_name: bundle for bundle in bundles}
        open_ = {b.api_name: b for b in bundles if b.m_prose is not None and not is_rewritten(b.m_prose)}
        reasons: dict[str, list[str]] = {name: [] for name in open_}
        said: dict[str, str] = {}
        for number in range(1, self.settings.rounds + 1):
            waiting = [bundle for name, bundle in open_.items() if not is_rewritten(done[name].m_prose)]
            requests = [self._request(b, number, said.get(b.api_name), reasons[b.api_name]) for b in waiting]
            for bundle, call in zip(waiting, self.transcripts.ask(requests, ProseAnswer), strict=True):
                try:
                    done[bundle.api_name] = self._rewritten(bundle, call)
                except UnreadableAnswer as error:
                    reasons[bundle.api_name].append(str(error))
                    said[bundle.api_name] = call.answer
        log = [
            Rewrite(api_name=name, taken=is_rewritten(done[name].m_prose), reasons=tuple(reasons[name]))
            for name in open_
        ]
        return list(done.values()), log

    def _request(self, bundle: KnowledgeBundle, number: int, said: str | None, why: list[str]) -> GenerationRequest:
        instruction = _INSTRUCTION.format(source=_SEARCHED if self.transcripts.web_search else _GIVEN_ALONE)
        messages = (Message(role="user", content=f"{instruction}\n\n{material(bundle)}"),)
        if said is not None:
            again = f"This was rejected: {why[-1]}\nWrite the whole JSON object again."
            messages = (*messages, Message(role="assistant", content=said), Message(role="user", content=again))
        return GenerationRequest(
            key=f"{bundle.api_name}/{number}/prose",
            prompt=messages,
            temperature=self.settings.temperature,
            seed=self.settings.seed,
            shared=len(instruction),
        )

    def _rewritten(self, bundle: KnowledgeBundle, call: Call) -> KnowledgeBundle:
        assert bundle.m_prose is not None
        text = " ".join(read_answer(call.answer, ProseAnswer).text.split())
        problem = problem_of(text, "\n".join((material(bundle), *call.found)), self.most)
        if problem is not None:
            raise UnreadableAnswer(problem)
        origin = (*bundle.m_prose.provenance, f"{_MARK}{call.model}, transcript {call.key}")
        new = bundle.model_copy(
            update={"m_prose": bundle.m_prose.model_copy(update={"text": text, "provenance": origin})}
        )
        found = tuple(leaks(new))
        named = next((leak for leak in found if (leak.component, leak.contains) == ("prose", "name")), None)
        if named is not None:
            raise UnreadableAnswer(f'it names the API ({named.what}): call it "it"')
        return new.model_copy(update={"leaks": found})


def is_rewritten(prose: Prose | None) -> bool:
    """True when a model wrote it."""
    return prose is not None and any(place.startswith(_MARK) for place in prose.provenance)


def material(bundle: KnowledgeBundle) -> str:
    """The parts of a bundle for the model: all but the exemplars, and no code that may not leave the machine."""
    open_code = bundle.m_code is not None and not bundle.m_code.local_only
    return render(bundle, "s_m_prose_m_code" if open_code else "s_m_prose") or ""


def problem_of(text: str, source: str, most: int) -> str | None:
    """The fault of a prose: its length, or code and numbers in it that `source` does not have."""
    if len(text) > most:
        return f"it has {len(text)} characters, more than {most}"
    if len(text.split()) < _LEAST_WORDS:
        return f"it has fewer than {_LEAST_WORDS} words"
    if "```" in text or ">>>" in text:
        return "it holds code"
    for match in _CODE.finditer(text):
        piece = next(part for part in match.groups() if part)
        if piece.strip().rstrip("()") not in source:
            return f"it speaks of `{piece}`, which is not in what it explains"
    return None

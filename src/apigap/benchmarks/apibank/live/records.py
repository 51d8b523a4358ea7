"""The records of a live run: dialogues as they went, and the verdict on each."""

import json

from apigap.benchmarks.apibank.live.conversation import Conversation
from apigap.benchmarks.apibank.live.ending import Ending, ending_of, evaluator
from apigap.benchmarks.apibank.live.play import Effect
from apigap.benchmarks.call_faults import CallFault
from apigap.benchmarks.taxonomy import label_of_fault
from apigap.models.request import Message
from apigap.records.base import Record
from apigap.records.result import Judged, Outcome, Result

OUT_OF_TURNS: CallFault = "superfluous call"
"""The fault of a dialogue in whose state nothing is wrong, and that did not come to its end for calls and words."""


class CallTold(Record):
    """A call of a dialogue, with its arguments as JSON and its effect (see `Effect`)."""

    api: str
    arguments: str
    effect: Effect


class DialogueRecord(Record):
    """One sample of a dialogue: all messages, the calls in their order, why it ended and what was reached.

    `over` is one of `user`, `turns`, `length`, `context`, `filtered` and `no user` (see `conversation.Over`).
    """

    task_id: str
    sample: int
    messages: tuple[Message, ...]
    calls: tuple[CallTold, ...]
    over: str
    ending: Ending


def record_of(conversation: Conversation) -> DialogueRecord:
    """The record of a dialogue that has ended."""
    play = conversation.play
    return DialogueRecord(
        task_id=play.script.name,
        sample=conversation.sample,
        messages=tuple(conversation.messages),
        calls=tuple(
            CallTold(api=m.asked.name, arguments=_text(m.asked.arguments), effect=m.effect) for m in play.calls
        ),
        over=str(conversation.over),
        ending=ending_of(play, conversation.tried),
    )


def result_of(record: DialogueRecord, part: str) -> Result:
    """The verdict: a dialogue that was cut, or had no user, has none; one that used up its turns has failed."""
    end, outcome = record.ending, _outcome(record)
    faults = (end.faults or (OUT_OF_TURNS,)) if outcome == "fail" else ()
    fault = faults[0] if faults else None
    detail = {
        **end.model_dump(mode="json", exclude={"reached"}),
        "faults": list(faults),
        "fault": fault,
        "over": record.over,
        "calls": len(record.calls),
        **({"ended": record.over} if outcome == "cut" else {}),
        **({"reason": "the simulated user gave no words"} if outcome == "infra" else {}),
    }
    calls = [{"name": call.api, "arguments": call.arguments, "effect": call.effect} for call in record.calls]
    return Result(
        task_id=record.task_id,
        sample=record.sample,
        outcome=outcome,
        passed=outcome == "pass",
        score=float(outcome == "pass"),
        label=label_of_fault(fault) if fault else None,
        detail=detail,
        evaluator=evaluator(),
        seconds=0.0,
        judged=Judged.of(json.dumps(calls, ensure_ascii=False)),
        about=record.task_id,
        part=part,
    )


def _outcome(record: DialogueRecord) -> Outcome:
    if record.over == "no user":
        return "infra"
    if record.over in ("length", "context", "filtered"):
        return "cut"
    return "pass" if record.over == "user" and record.ending.reached else "fail"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

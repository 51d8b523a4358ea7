"""The last code of an agent, as the answer that is judged."""

from collections.abc import Sequence

from apigap.agent.session import Session
from apigap.models.fences import fenced
from apigap.models.request import StopReason
from apigap.records.base import content_hash
from apigap.records.result import Prediction


def prediction_of(sessions: Sequence[Session]) -> Prediction:
    """The samples of one task: the code that each handed in or, where it had to stop, ran last; empty without any.

    Beside the text stand the end of each sample, and its calls, tokens and dollars in all.
    """
    first = sessions[0]
    opening = [message.model_dump(mode="json") for message in first.messages[:2]]
    return Prediction.model_validate(
        {
            "task_id": first.task.task_id,
            "samples": tuple(fenced(session.code) if session.code else "" for session in sessions),
            "key": f"{first.task.task_id}/agent.{first.terms.tools}",
            "prompt": "\n\n".join(message.content for message in first.messages[:2]),
            "prompt_hash": content_hash(opening),
            "stop_reasons": [_ending(session) for session in sessions],
            "input_tokens": [sum(step.input_tokens for step in session.steps) for session in sessions],
            "output_tokens": [sum(step.output_tokens for step in session.steps) for session in sessions],
            "ended": [str(session.over) for session in sessions],
            "calls": [session.spent.calls for session in sessions],
            "rounds": [session.spent.rounds for session in sessions],
            "dollars": [round(session.spent.dollars, 6) for session in sessions],
        }
    )


def _ending(session: Session) -> StopReason:
    """A budget is part of what is measured: its end is no cut. What a provider ended before there was code is one."""
    if session.over == "context" and not session.code:
        return "context"
    return "filtered" if session.over == "filtered" and not session.code else "stop"

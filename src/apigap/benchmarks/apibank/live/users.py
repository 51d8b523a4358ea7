"""The user of a live dialogue: the recorded words one after the other, or a model that knows what they want."""

import json
from collections.abc import Sequence

from apigap.models.request import GenerationRequest, Message

RECORDED = "recorded"
"""The name of the user who says what was recorded."""
MAX_TOKENS = 200
DONE = "[DONE]"
_LONGEST = 2_000
_JOB = (
    "You play the user of an assistant. The user's lines of an earlier conversation tell what the user wants and "
    "all that the user knows; the assistant of this conversation may ask for other things, or in another order. "
    "Write the user's next message and nothing else: short, in the user's words, only with what was asked for or "
    "is still wanted. Names, numbers, dates and passwords are those of the lines; where they do not say "
    "something, say that you do not know. Once the assistant has done all that the lines want, or says that it "
    f"cannot, write {DONE} alone."
)


def simulated(
    key: str, said: Sequence[str], talk: Sequence[tuple[str, str]], temperature: float, seed: int
) -> GenerationRequest:
    """The request for the next words of a user who wants what the recorded words `said` want.

    `talk` are speaker and words so far. Both are written as JSON, so that no line of theirs looks like another part.
    """
    lines = json.dumps(list(said), ensure_ascii=False)
    turns = "\n".join(json.dumps({speaker: words}, ensure_ascii=False) for speaker, words in talk)
    parts = (
        f"The user's lines of the earlier conversation:\n{lines}",
        f"This conversation:\n{turns}",
        "The user's next message:",
    )
    prompt = (Message(role="system", content=_JOB), Message(role="user", content="\n\n".join(parts)))
    return GenerationRequest(key=key, prompt=prompt, shared=len(_JOB), temperature=temperature, seed=seed)


def read_words(answer: str) -> str | None:
    """The words of a simulated user; None once all is done, empty where the model gave none."""
    if DONE in answer:
        return None
    return answer.strip().removeprefix("User:").strip().strip('"')[:_LONGEST]

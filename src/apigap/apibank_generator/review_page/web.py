"""The page of a review: the dialogues of a run, and decisions that are kept as they are made.

Only a program with starlette and uvicorn (the extra `serve`) imports this module.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from apigap.apibank_generator.reasons import REASONS
from apigap.apibank_generator.records import Dialogue, Rejection
from apigap.apibank_generator.review import CHOICES, Choice, Decision, can_be_kept, last_of, taken, why_not
from apigap.records.store import Journal
from apigap.reporting.local_server import LocalServer, as_answer, post

_LONGEST_NOTE = 2000


class Review:
    """The dialogues of a run and the decisions on them, which go to the file `decisions` one by one.

    `rejections` are domains and APIs that were refused: they are shown, and nothing is decided on them.
    """

    def __init__(
        self,
        dialogues: Sequence[Dialogue],
        rejections: Sequence[Rejection],
        decisions: Path,
        apply: Callable[[], dict[str, int]],
    ) -> None:
        self.dialogues = {dialogue.id: dialogue for dialogue in dialogues}
        self._rejections = [_rejected(rejection) for rejection in rejections]
        self._journal = Journal(decisions, Decision)
        self._apply = apply
        self._lock = threading.Lock()

    def told(self) -> dict[str, Any]:
        """All that the page shows."""
        with self._lock:
            last = last_of(self._journal.done)
            notes = {decision.id: decision.note for decision in self._journal.done}
            dialogues = [_told(one, last.get(one.id), notes.get(one.id, "")) for one in self.dialogues.values()]
            return {"dialogues": dialogues, "rejections": self._rejections, **self._counts()}

    def decide(self, name: str, choice: str, note: str) -> dict[str, Any]:
        """Keep a decision; the counts after it."""
        dialogue = self.dialogues.get(name)
        if dialogue is None:
            raise HTTPException(404, f"there is no dialogue {name[:40]}")
        wanted: Choice | None = next((one for one in CHOICES if choice == one), None)
        if wanted is None:
            raise HTTPException(400, f"a decision is one of {', '.join(CHOICES)}")
        if wanted == "keep" and not can_be_kept(dialogue):
            raise HTTPException(409, why_not(dialogue))
        with self._lock:
            self._journal.append(Decision(id=name, choice=wanted, note=note[:_LONGEST_NOTE]))
            return self._counts()

    def apply(self) -> dict[str, Any]:
        """Write the training files anew with the decisions; rows per file."""
        with self._lock:
            return {"rows": self._apply()}

    def close(self) -> None:
        """Close the file of decisions."""
        self._journal.close()

    def _counts(self) -> dict[str, Any]:
        """The number of dialogues taken, looked at, and agreed with, accepted and rejected apart."""
        last = last_of(self._journal.done)
        seen, agreed = ({"accepted": 0, "rejected": 0} for _ in range(2))
        for name in last.keys() & self.dialogues.keys():
            accepted = self.dialogues[name].verdict.accepted
            group = "accepted" if accepted else "rejected"
            seen[group] += 1
            agreed[group] += (last[name].choice == "keep") == accepted
        chosen = taken(list(self.dialogues.values()), last)
        return {"counts": {"taken": len(chosen), "seen": seen, "agreed": agreed}}


def review_server(review: Review, port: int) -> LocalServer:
    """The server of a review, bound to this machine; port 0 takes a free one.

    Raises:
        InfrastructureError: when the port is taken.
    """

    def dialogues(request: Request) -> Response:
        return as_answer(review.told())

    def decide(request: Request, body: dict[str, Any]) -> Response:
        given = {key: body.get(key, "") for key in ("id", "choice", "note")}
        if not all(isinstance(value, str) for value in given.values()):
            raise HTTPException(400, "a decision has the texts id, choice and note")
        return as_answer(review.decide(given["id"], given["choice"], given["note"]))

    def apply(request: Request, body: dict[str, Any]) -> Response:
        return as_answer(review.apply())

    routes = [Route("/dialogues", dialogues), post("/decide", decide), post("/apply", apply)]
    return LocalServer("apigap.apibank_generator.review_page", routes, port)


def _told(dialogue: Dialogue, decision: Decision | None, typed: str) -> dict[str, Any]:
    return {
        **dialogue.model_dump(mode="json", include={"id", "ability", "domain", "exchanges"}),
        **dialogue.verdict.model_dump(mode="json", include={"accepted", "by", "reason", "note"}),
        "apis": list(dialogue.query.apis) if dialogue.query else [],
        "query": dialogue.query.text if dialogue.query else "",
        "meaning": REASONS.get(dialogue.verdict.reason, ""),
        "whyNot": why_not(dialogue),
        "choice": decision.choice if decision else None,
        "typed": typed,
    }


def _rejected(rejection: Rejection) -> dict[str, Any]:
    told = rejection.model_dump(include={"what", "reason", "note"})
    return {"by": rejection.agent, **told, "meaning": REASONS.get(rejection.reason, "")}

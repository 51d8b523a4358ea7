"""The words of the evaluation, which training data must not have."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.apibank_generator.checks.likeness import runs_of
from apigap.apibank_generator.checks.texts import abridged
from apigap.apibank_generator.records import Fault
from apigap.benchmarks.apibank.dialogues import OWN, Bank, data_folder, load_bank
from apigap.records.base import content_hash

OWN_NAME = "apigap's own small set"
_RUN = 10
_LEAST_WORDS = 4


class Evaluation:
    """The users' requests of a data set (`asked`), and every long run of words that anybody says there.

    `name` is what people know the data set by; `hash` is of all its words.
    """

    def __init__(self, asked: Sequence[str], said: Sequence[str], name: str = "no data set") -> None:
        self.asked = sorted({text for text in asked if len(text.split()) >= _LEAST_WORDS})
        self.name = name
        self.hash = content_hash([sorted(set(asked)), sorted(set(said))])
        self._known = {run for text in (*asked, *said) for run in _long_runs(text)}

    def summary(self) -> dict[str, Any]:
        """The data that dialogues were compared with, for readers."""
        return {"data": self.name, "requests": len(self.asked), "runs": len(self._known), "hash": self.hash}

    def fault(self, texts: Sequence[str]) -> Fault | None:
        """The first of `texts` that has such a run; shorter texts are anybody's ("Sure, I can do that.")."""
        for text in texts:
            if _long_runs(text) & self._known:
                return Fault("dialogue_of_evaluation", abridged(text))
        return None


def evaluation_of(data: Path) -> Evaluation:
    """The words of the evaluation data in a folder (`own`: the small set that comes with apigap).

    Raises:
        CorruptRecord: when the folder is no data of API-Bank.
    """
    bank = load_bank(data)
    asked = [*_utterances(bank, "User"), *{step.requirement for step in bank.steps}]
    return Evaluation(asked, _replies(bank), OWN_NAME if is_own(data) else data.resolve().name)


def is_own(data: Path) -> bool:
    """True of the small set, which has few of the words that the published one has."""
    return data_folder(data) == OWN


def _replies(bank: Bank) -> list[str]:
    return [*_utterances(bank, "AI"), *(reply.text for reply in bank.replies)]


def _utterances(bank: Bank, role: str) -> list[str]:
    return [turn.text for dialogue in bank.dialogues for turn in dialogue.turns if turn.role == role]


def _long_runs(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(run for run in runs_of(text, _RUN) if len(run) == _RUN)

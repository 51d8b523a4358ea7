"""Draw generated dialogues for a person to read, and count what that person decided.

.venv/bin/python -m tools.apibank.dialogue_reading draw RUN SHEET       write the sheet that is read
.venv/bin/python -m tools.apibank.dialogue_reading count RUN READING    the share of good ones, with its interval

Among the drawn ones, which were all accepted, stand those that the tester refused, and the planted ones: accepted
dialogues outside of the draw, each spoilt in one place by hand. They tell how much the reader finds.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import model_validator

from apigap.apibank_generator.agents.prompts import described, exchange_lines
from apigap.apibank_generator.reasons import Principle
from apigap.apibank_generator.records import Dialogue, Tool
from apigap.apibank_generator.run import Folder
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.store import load_records, write_text
from apigap.statistics.intervals import wilson

PLANTED = Path(__file__).resolve().parents[2] / "studies" / "apibank-generator" / "strong" / "planted.jsonl"
_DRAWN = 50


class Planted(Record):
    """A fault put into an accepted dialogue: `old` is `new` wherever it stands there."""

    id: str
    principle: Principle
    old: str
    new: str


class Reading(Record):
    """A reader's decision on one dialogue: it is good, or breaks `principle`; `why` says where."""

    id: str
    good: bool
    principle: Principle | None = None
    why: str = ""

    @model_validator(mode="after")
    def _names_a_principle(self) -> "Reading":
        if self.good == (self.principle is not None):
            raise ValueError(f"{self.id}: a good dialogue breaks no principle, and another one breaks one of the five")
        return self


def drawn(dialogues: Sequence[Dialogue]) -> list[str]:
    """The ids of the dialogues that are read, of those that were accepted; always the same ones."""
    accepted = sorted(dialogue.id for dialogue in dialogues if dialogue.verdict.accepted)
    return sorted(random.Random(0).sample(accepted, min(_DRAWN, len(accepted))))  # noqa: S311


def refused(dialogues: Sequence[Dialogue]) -> list[str]:
    """The ids of the dialogues that the tester refused."""
    return [one.id for one in dialogues if one.verdict.by == "tester" and not one.verdict.accepted]


def sheet(dialogues: Sequence[Dialogue], tools: Sequence[Tool], planted: Sequence[Planted]) -> str:
    """The text to read: every dialogue with the APIs that it is for, without any verdict.

    Raises:
        UsageError: when a planted fault does not fit its dialogue.
    """
    faults = {fault.id: fault for fault in planted}
    wanted = {*drawn(dialogues), *refused(dialogues), *faults}
    by_name = {tool.name: tool for tool in tools}
    return "\n".join(_entry(one, by_name, faults.get(one.id)) for one in dialogues if one.id in wanted)


def _entry(dialogue: Dialogue, tools: dict[str, Tool], fault: Planted | None) -> str:
    assert dialogue.query is not None
    lines = "\n".join(line for exchange in dialogue.exchanges for line in exchange_lines(exchange))
    if fault is not None:
        if fault.old not in lines:
            raise UsageError(f"the dialogue {fault.id} has no {fault.old!r}, which the planted fault is to change")
        lines = lines.replace(fault.old, fault.new)
    apis = described([tools[name] for name in dialogue.query.apis])
    return f"===== {dialogue.id} ({dialogue.ability}) =====\nAPIs:\n{apis}\n\n{lines}\n"


def counted(dialogues: Sequence[Dialogue], planted: Sequence[Planted], readings: Sequence[Reading]) -> Iterator[str]:
    """The lines of the count.

    Raises:
        UsageError: when a dialogue of the draw was not read.
    """
    decided = {reading.id: reading for reading in readings}
    ids = drawn(dialogues)
    missing = [name for name in ids if name not in decided]
    if missing:
        raise UsageError(f"{len(missing)} of the {len(ids)} drawn dialogues were not read: {', '.join(missing)}")
    bad = [decided[name] for name in ids if not decided[name].good]
    share = wilson(len(ids) - len(bad), len(ids))
    yield (
        f"{len(ids) - len(bad)} of {len(ids)} accepted dialogues are good: {100 * (share.estimate or 0):.0f} % "
        f"(95 %: {100 * share.low:.0f} to {100 * share.high:.0f})"
    )
    for principle, count in Counter(reading.principle for reading in bad).most_common():
        yield f"{principle}: {count}"
    for reading in bad:
        yield f"{reading.id} {reading.principle}: {reading.why}"
    turned_down = [decided[name] for name in refused(dialogues) if name in decided]
    yield f"{sum(not one.good for one in turned_down)} of {len(turned_down)} that the tester refused are refused"
    found = [fault.id for fault in planted if fault.id in decided and not decided[fault.id].good]
    yield f"{len(found)} of {len(planted)} planted faults are found"


def main() -> None:
    """Draw or count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "count"))
    parser.add_argument("run", type=Path, help="the folder of a finished `apigap apibank generate`")
    parser.add_argument("file", type=Path, help="the sheet to write, or the reading to count")
    given = parser.parse_args()
    folder = Folder(given.run)
    dialogues, planted = load_records(folder.dialogues, Dialogue), load_records(PLANTED, Planted)
    if given.what == "draw":
        write_text(given.file, sheet(dialogues, load_records(folder.tools, Tool), planted))
        return
    for line in counted(dialogues, planted, load_records(given.file, Reading)):
        print(line)


if __name__ == "__main__":
    main()

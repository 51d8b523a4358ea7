"""Draw generated dialogues for a person to read, and count what that person decided.

.venv/bin/python -m tools.apibank.dialogue_reading draw RUN SHEET       the sheet, and what was drawn beside it
.venv/bin/python -m tools.apibank.dialogue_reading count READING [RUN]  the share of good ones, with its interval

Among the drawn ones, which were all accepted, stand those that the tester refused, and the planted ones: accepted
dialogues outside of the draw, each spoilt in one place by hand. They tell how much the reader finds. Checks may be
mended after a reading: with RUN, made by the checks of today, those are counted too that they still accept.
"""

import argparse
import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from pydantic import model_validator

from apigap.apibank_generator.agents.prompts import described, exchange_lines
from apigap.apibank_generator.folder import Folder
from apigap.apibank_generator.reasons import Principle
from apigap.apibank_generator.records import Dialogue, Tool
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.store import load_records, read_bytes, write_text
from apigap.statistics.intervals import wilson

PLANTED = Path(__file__).resolve().parents[2] / "studies" / "apibank-generator" / "strong" / "planted.jsonl"
DRAWN = "drawn.json"
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


class Draw(Record):
    """The ids on a sheet: accepted dialogues by chance, those that the tester refused, and the planted faults."""

    drawn: tuple[str, ...]
    refused: tuple[str, ...]
    planted: tuple[str, ...]


def draw(dialogues: Sequence[Dialogue], planted: Sequence[Planted]) -> Draw:
    """Fifty of the accepted dialogues, always the same ones, and all others that stand between them."""
    faults = [fault.id for fault in planted]
    accepted = sorted(one.id for one in dialogues if one.verdict.accepted and one.id not in faults)
    return Draw(
        drawn=tuple(sorted(random.Random(0).sample(accepted, min(_DRAWN, len(accepted))))),  # noqa: S311
        refused=tuple(one.id for one in dialogues if one.verdict.by == "tester" and not one.verdict.accepted),
        planted=tuple(faults),
    )


def sheet(dialogues: Sequence[Dialogue], tools: Sequence[Tool], planted: Sequence[Planted], ids: Draw) -> str:
    """The text to read: every dialogue with the APIs that it is for, without any verdict.

    Raises:
        UsageError: when a planted fault does not fit its dialogue.
    """
    faults = {fault.id: fault for fault in planted}
    wanted = {*ids.drawn, *ids.refused, *ids.planted}
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


def counted(ids: Draw, readings: Sequence[Reading], accepted: Collection[str] | None = None) -> Iterator[str]:
    """The lines of the count; `accepted` are the ids that the checks of today accept.

    Raises:
        UsageError: when a dialogue of the draw was not read.
    """
    decided = {reading.id: reading for reading in readings}
    missing = [name for name in (*ids.drawn, *ids.refused, *ids.planted) if name not in decided]
    if missing:
        raise UsageError(f"{len(missing)} of the dialogues on the sheet were not read: {', '.join(missing)}")
    bad = [decided[name] for name in ids.drawn if not decided[name].good]
    yield f"{_share(len(ids.drawn) - len(bad), len(ids.drawn))} of the drawn dialogues are good"
    for principle, count in Counter(reading.principle for reading in bad).most_common():
        yield f"{principle}: {count}"
    for reading in bad:
        yield f"{reading.id} {reading.principle}: {reading.why}"
    for what, names in (("that the tester had refused", ids.refused), ("with a planted fault", ids.planted)):
        yield f"{sum(not decided[name].good for name in names)} of {len(names)} {what} are found broken"
    if accepted is not None:
        left = [name for name in ids.drawn if name in accepted]
        good = sum(decided[name].good for name in left)
        yield f"{_share(good, len(left))} of the drawn ones that the checks of today accept are good"


def _share(good: int, of: int) -> str:
    share = wilson(good, of)
    return (
        f"{good} of {of} ({100 * (share.estimate or 0):.0f} %, 95 %: {100 * share.low:.0f} to {100 * share.high:.0f})"
    )


def main() -> None:
    """Draw or count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    drawing, counting = commands.add_parser("draw"), commands.add_parser("count")
    drawing.add_argument("run", type=Path, help="the folder of a finished `apigap apibank generate`")
    drawing.add_argument("sheet", type=Path, help="the sheet to write")
    counting.add_argument("reading", type=Path, help="a line per dialogue of the sheet; drawn.json is beside it")
    counting.add_argument("run", type=Path, nargs="?", help="the same run, made by the checks of today")
    given = parser.parse_args()
    dialogues = load_records(Folder(given.run).dialogues, Dialogue) if given.run else []
    if given.what == "draw":
        planted = load_records(PLANTED, Planted)
        ids = draw(dialogues, planted)
        write_text(given.sheet, sheet(dialogues, load_records(Folder(given.run).tools, Tool), planted, ids))
        write_text(given.sheet.with_name(DRAWN), ids.to_line() + "\n")
        return
    ids = Draw.model_validate_json(read_bytes(given.reading.with_name(DRAWN)))
    accepted = [one.id for one in dialogues if one.verdict.accepted] if given.run else None
    for line in counted(ids, load_records(given.reading, Reading), accepted):
        print(line)


if __name__ == "__main__":
    main()

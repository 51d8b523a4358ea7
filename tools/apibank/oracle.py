"""What becomes of the released evaluator's oracle rows in corrected mode: how answers are read and judged there."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.dialogues import LEVELS, Task, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.scoring.corrected import Read, literal, read_calls
from apigap.benchmarks.apibank.scoring.released import Found, find_call
from apigap.records.store import read_bytes

FILES: dict[str, str] = {"oracle.visible.jsonl": "levels 1 and 2", "lv3_oracle.visible.jsonl": "level 3"}
RIGHT = "right"


@dataclass(frozen=True)
class Row:
    """One answer: how it is read otherwise (None: alike), and both verdicts."""

    reading: str | None
    api: str
    released: str
    corrected: str
    raised: bool
    """Tell whether corrected mode saw an exception of the API."""


def oracle_rows(data: Path) -> dict[str, list[Row]]:
    """All rows of the oracle files that lie in `data`, by what they are about."""
    bank = load_bank(data)
    adapters = ApiBankJudge(bank), ApiBankJudge(bank, "corrected")
    tasks: dict[tuple[str, str], Task] = {(level, task.task_id): task for level in LEVELS for task in bank.tasks(level)}
    return {
        about: [_row(task, answer, api, *adapters) for task, answer, api in _asked(data / name, tasks)]
        for name, about in FILES.items()
        if (data / name).is_file()
    }


def _asked(path: Path, tasks: Mapping[tuple[str, str], Task]) -> Iterator[tuple[Task, str, str]]:
    for line in read_bytes(path).splitlines():
        row: dict[str, Any] = json.loads(line)
        if "file" in row:
            key = row["level"], f"{row['file']}#{row['sample_id']}"
        else:
            key = "level-3", f"level-3-{row['sample_id']}#{row['api_id']}"
        yield tasks[key], row["prediction"], row["gold_api"]


def _row(task: Task, answer: str, api: str, released: ApiBankJudge, corrected: ApiBankJudge) -> Row:
    verdicts = [adapter.score(task, answer) for adapter in (released, corrected)]
    ours, theirs = (RIGHT if one.passed else str(one.detail["category"]) for one in verdicts)
    raised = bool(verdicts[1].detail.get("exception"))
    return Row(reading(find_call(answer), read_calls(answer)), api, ours, theirs, raised)


def reading(found: Found | None, calls: Sequence[Read]) -> str | None:
    """How corrected mode reads an answer otherwise; None where both read the same."""
    if found is None or not calls:
        return None if found is None and not calls else "only one mode finds a call"
    if len(calls) > 1:
        return "several calls"
    if found.name != calls[0].name or found.arguments.keys() != calls[0].arguments.keys():
        return "other arguments"
    pairs = ((found.arguments[name], value) for name, value in calls[0].arguments.items())
    return next((kind for text, value in pairs if (kind := _value(text, value)) is not None), None)


def _value(text: Any, value: Any) -> str | None:
    if str(value) == text or (not isinstance(value, str) and literal(text) == value):
        return None
    if isinstance(value, int | float):
        return "a number is cut or lost"
    return "a value ends at another quote" if isinstance(value, str) else "a list or mapping"


def flows(rows: Sequence[Row]) -> Counter[tuple[str, str]]:
    """How many rows have which two verdicts."""
    return Counter((row.released, row.corrected) for row in rows)

"""All formats of one run, written to a folder."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.apibank_generator.formats.conversations import in_order, share_gpt, trl
from apigap.apibank_generator.formats.prompts import inspect_samples, prompt_and_completion
from apigap.apibank_generator.formats.released import LEVELS, read_rows, released_files, rows_of
from apigap.apibank_generator.records import Dialogue, Tool, readable_json
from apigap.records.errors import UsageError
from apigap.records.store import write_text

KINDS = ("api", "response")


def write_formats(folder: Path, dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> dict[str, int]:
    """Write the dialogues in every form; files of an earlier run that would be empty now are removed.

    Returns:
        How many rows each file has.
    """
    dialogues = [in_order(dialogue, tools) for dialogue in dialogues]
    counts: dict[str, int] = {}
    released = released_files(dialogues, tools)
    for name in [f"{level}-{kind}-train.json" for level in LEVELS.values() for kind in KINDS]:
        rows = released.get(name, [])
        _write_or_remove(folder / "released" / name, json.dumps(rows, ensure_ascii=False, indent=2) if rows else "")
        counts |= {f"released/{name}": len(rows)} if rows else {}
    rows = [row for dialogue in dialogues for _, row in rows_of(dialogue, tools)]
    tables: dict[str, list[dict[str, Any]]] = {
        "prompts.jsonl": [prompt_and_completion(row) for row in rows],
        "trl.jsonl": [trl(dialogue, tools) for dialogue in dialogues],
        "sharegpt.jsonl": [share_gpt(dialogue, tools) for dialogue in dialogues],
        "inspect.jsonl": [sample for dialogue in dialogues for sample in inspect_samples(dialogue, tools)],
    }
    for name, table in tables.items():
        write_text(folder / name, _lines(table))
    return counts | {name: len(table) for name, table in tables.items()}


def convert(paths: Sequence[Path], out: Path) -> int:
    """Released or generated training files as prompts and completions in one JSONL file; how many there are.

    Raises:
        CorruptRecord: when a file is not one of rows with instruction, input and output.
    """
    rows = [prompt_and_completion(row) for path in paths for row in read_rows(path)]
    write_text(out, _lines(rows))
    return len(rows)


def training_files(data: Path) -> list[Path]:
    """The training files that `data` means: itself, or those in a folder (of a run, or API-Bank's `training-data`).

    Raises:
        UsageError: when there is none.
    """
    if data.is_file():
        return [data]
    folders = [data / part for part in (".", "training-data", "formats/released")]
    found = sorted(path for folder in folders for path in folder.glob("*-train.json"))
    if not found:
        told = "has no training file (*-train.json)" if data.is_dir() else "does not exist"
        raise UsageError(f"{data} {told}; give the folder of a run, or of API-Bank's data")
    return found


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(readable_json(row) + "\n" for row in rows)


def _write_or_remove(path: Path, text: str) -> None:
    if text:
        write_text(path, text + "\n")
    else:
        path.unlink(missing_ok=True)

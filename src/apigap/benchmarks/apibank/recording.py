"""A data folder recorded anew: every call is made again in its order, by our own APIs, and its result written down.

The set of dialogues that was written for this project (`own`) is its own script: its calls are what was written by
hand, its results what this module recorded.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.api_search import ApiSearch, Searching
from apigap.benchmarks.apibank.dialogues import (
    FOLDERS,
    REQUIREMENTS,
    Level,
    Turn,
    data_folder,
    load_dialogues,
    load_steps,
)
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.interfaces import FILE, Interface, own_interfaces
from apigap.benchmarks.apibank.outside import ByName
from apigap.benchmarks.apibank.registry import Envelope, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import make
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import Databases, Outside, System
from apigap.records.errors import CorruptRecord
from apigap.records.store import read_bytes, read_text, write_text

DATABASES = "init_database"


def record(data: Path, out: Path) -> int:
    """Write the folder `data` to `out`, with our interface texts and the results of all its calls made again.

    Every dialogue and requirement starts with the databases as they are in the folder. Returns how many calls were
    made.

    Raises:
        CorruptRecord: when a file is not what it must be, or a call does not fit the interface of its API.
    """
    data = data_folder(data)
    interfaces = own_interfaces()
    texts = {f"{DATABASES}/{path.name}": read_text(path) for path in sorted((data / DATABASES).glob("*.json"))}
    texts[FILE] = _pretty(interfaces)
    databases = Databases(data / DATABASES)
    search = ApiSearch(DIALOGUE, interfaces["level-1-2"])
    count = 0
    levels: tuple[Level, ...] = ("level-1", "level-2")
    for level in levels:
        for dialogue in load_dialogues(data, level):
            system = System(databases, Searching(Outside(), search))
            rows = [_row(turn, DIALOGUE, system, dialogue.file) for turn in dialogue.turns]
            texts[f"{FOLDERS[level]}/{dialogue.file}"] = "".join(f"{_line(row)}\n" for row in rows)
            count += sum(1 for turn in dialogue.turns if turn.role == "API")
    requirements, more = _recorded_requirements(data, databases, interfaces["level-3"])
    texts[REQUIREMENTS] = requirements
    for name, text in texts.items():  # all at the end: half a folder looks like a whole one
        write_text(out / name, text)
    return count + more


def _recorded_requirements(data: Path, databases: Databases, interfaces: Mapping[str, Interface]) -> tuple[str, int]:
    """The file of the requirements with the results of their calls, and how many calls these are."""
    load_steps(data)  # an error where it is no such file
    rows: list[dict[str, Any]] = json.loads(read_bytes(data / REQUIREMENTS))
    count = 0
    for number, row in enumerate(rows):
        system = System(databases, ByName(PLANNING, interfaces.get))
        for asked in row["apis"]:
            result = _made(asked["api_name"], asked["input"], PLANNING, system, f"level-3-{number}")
            asked["output"] = result
            count += 1
    return _pretty(rows), count


def _row(turn: Turn, registry: Registry, system: System, file: str) -> dict[str, Any]:
    if turn.role != "API":
        return {"role": turn.role, "text": turn.text}
    result = _made(turn.api_name, turn.param_dict, registry, system, file)
    return {"role": "API", "api_name": turn.api_name, "param_dict": turn.param_dict, "result": result}


def _made(name: str, arguments: Mapping[str, Any], registry: Registry, system: System, where: str) -> Envelope:
    """The result of one call; a call that does not reach its API cannot be recorded."""
    try:
        return json.loads(json.dumps(make(registry, system, Read(name, dict(arguments)))))
    except Refused as error:
        raise CorruptRecord(f"{where}: {name} cannot be called so ({error.message}); correct its arguments") from None


def _line(row: Any) -> str:
    return json.dumps(row, ensure_ascii=False)


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"

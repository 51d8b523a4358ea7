"""The part of a finished `apigap tools audit` that a study keeps: no prompts, and no words of the servers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from apigap.evaluation.summary import counted
from apigap.records.parsing.json_shapes import is_list, is_object
from apigap.records.store import load_records, read_bytes, read_text, write_bytes, write_text
from apigap.reporting.tools_model import ToolReport
from apigap.tool_audit.serving import ServedCall
from apigap.tool_audit.toolset import Toolset
from tools.kept import drop_prompts

ANSWERS, CURES = "answers.jsonl", "cures.json"
OURS = "rewritten"
"""The only change whose words are our own author's; the others repeat those of a server."""
_WORDS = frozenset({"description", "title", "examples", "$comment"})


def keep_server(toolset: Toolset, queries: Path, name: str, folder: Path) -> None:
    """Keep what was asked of a server: `NAME.jsonl`, the queries, and `NAME.tools.json`, names and schemas."""
    write_text(folder / f"{name}.jsonl", read_text(queries))
    bare = {tool.name: _wordless(tool.parameters) for tool in toolset.tools}
    write_text(folder / f"{name}.tools.json", json.dumps(bare, indent=1) + "\n")


def keep_run(run: Path, folder: Path) -> None:
    """Keep the answers of a run, what became of its calls, and which description changed what in them."""
    report = ToolReport.model_validate_json(read_text(run / "report.json"))
    write_bytes(folder / ANSWERS, read_bytes(run / ANSWERS))
    drop_prompts(folder / ANSWERS)
    kept = {
        "model": report.model,
        "main": report.main,
        "served": _served(run / "calls.jsonl"),
        "cures": [_cure(row) for row in report.model_dump()["cures"]],
    }
    write_text(folder / CURES, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def _served(path: Path) -> dict[str, int]:
    """The calls that were made at the real server, by what came of them; empty of a run without --live."""
    return counted(call.outcome for call in load_records(path, ServedCall)) if path.exists() else {}


def _cure(row: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen change and all that were tried, by key; its words where they are ours."""
    ours = any(one["kind"] == OURS and one["chosen"] for one in row["candidates"])
    return {
        "tool": row["tool"],
        "key": row["key"],
        "changed": [change["tool"] for change in row["changes"]],
        "words": row["changes"][0]["after"] if ours else "",
        "tried": {one["kind"]: one["key"] for one in row["candidates"]},
    }


def _wordless(node: Any) -> Any:
    """A schema without its words; a property may be called as they are."""
    if is_list(node):
        return [_wordless(one) for one in node]
    if not is_object(node):
        return node
    return {
        key: {name: _wordless(one) for name, one in value.items()} if key == "properties" else _wordless(value)
        for key, value in node.items()
        if key == "properties" or key not in _WORDS
    }

"""The table of all libraries, from records on disk."""

import json
from pathlib import Path

from tools.discovery.table import Cold, Run, as_json, as_markdown, read_rows, run_all

from apigap.discovery.discover import Discovery
from apigap.discovery.library import LibraryConfig
from apigap.records.candidate import Candidate, Mention
from apigap.records.store import write_text

FLASK = LibraryConfig(name="flask", distribution="flask")
OTHER = LibraryConfig(name="other", distribution="other")
TOLD = Mention(kind="versionadded", version="3.1", where="docstring", in_series=True)


def candidate(name: str, kind: str, change: str, mentions: tuple[Mention, ...] = ()) -> Candidate:
    return Candidate.model_validate(
        {
            "api_name": name, "kind": kind, "library": "flask", "old_version": "3.0.0", "new_version": "3.1.3",
            "change": change, "signature": None, "import_module": "flask", "mentions": mentions,
        }
    )  # fmt: skip


DISCOVERY = Discovery(
    library="flask",
    old_version="3.0.0",
    new_version="3.1.3",
    candidates=(
        candidate("flask.f", "function", "added", (TOLD,)),
        candidate("flask.C.m", "method", "modified"),
        candidate("flask.g", "function", "moved"),
    ),
    changes={"added": {"function": 1}, "modified": {"method": 1}, "moved": {"function": 1}},
    counts={"old": 2000, "new": 2001, "added": 1, "modified": 1, "moved": 1},
    failures=("3.1.3: flask.x: ImportError",),
    documents={"documentation": 77},
)


def test_the_table_of_what_is_kept(tmp_path: Path) -> None:
    write_text(tmp_path / "flask.json", Run(discovery=DISCOVERY, warm_seconds=1.25).to_line())
    write_text(tmp_path / "cold" / "flask.json", Cold(library="flask", seconds=9.6, bytes_fetched=3_400_000).to_line())
    rows = read_rows([FLASK, OTHER], tmp_path)
    line = next(line for line in as_markdown(rows).splitlines() if line.startswith("| flask"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == [
        "flask", "3.0.0", "3.1.3", "running", "2,000", "2,001", "1", "1", "1", "0", "0", "function 1, method 1",
        "1", "77", "1 / 1 / 0", "10", "1.2", "3",
    ]  # fmt: skip
    assert "other is missing" in as_markdown(rows)
    (found,) = json.loads(json.dumps(as_json(rows)))
    assert (found["published"], found["second_evidence"]) == (2, {"agrees": 1, "silent": 1})
    assert "candidates" not in found


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    write_text(tmp_path / "flask.json", Run(discovery=DISCOVERY, warm_seconds=1.0).to_line())
    told: list[str] = []
    run_all([FLASK], tmp_path, told.append)
    assert told == []

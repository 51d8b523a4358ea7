"""Every role of a model through every door: a tiny command for each, and the table in docs/doors.md.

    .venv/bin/python -m tools.models.doors                     # what is not there yet; a killed run goes on
    .venv/bin/python -m tools.models.doors --again --role author --door batch
    .venv/bin/python -m tools.models.doors --page              # the page from what is kept; nothing is run

Servers are llama.cpp's own, with an embedded model. Anthropic's client is the extra `anthropic`.
"""

import argparse
from pathlib import Path

from apigap.records.store import load_records, write_records, write_text
from tools.models.cells import Cell, run_cell
from tools.models.door_list import DOORS, LOCAL_MODEL
from tools.models.doors_page import page
from tools.models.inputs import make_inputs
from tools.models.llama_server import ROOT, serving
from tools.models.role_list import ROLES

KEPT = ROOT / "studies" / "doors" / "cells.jsonl"


def main() -> None:
    """Run the cells that are asked for and not there, one after the other, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--role", action="append", choices=[role.name for role in ROLES], help="default: all")
    parser.add_argument("--door", action="append", choices=[door.name for door in DOORS], help="default: all")
    parser.add_argument("--again", action="store_true", help="run cells that are there once more")
    parser.add_argument("--page", action="store_true", help="run nothing")
    parser.add_argument("--data", type=Path, default=ROOT / "data" / "doors", help="where the commands run")
    parser.add_argument("--kept", type=Path, default=KEPT, help="what came of the cells; one run at a time writes it")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "doors.md", help="where the page goes")
    given = parser.parse_args()
    kept = load_records(given.kept, Cell) if given.kept.exists() else []
    cells = {(cell.role, cell.door): cell for cell in kept}
    if not given.page:
        _run(given, cells)
    if given.kept == KEPT:
        write_text(given.out, page(cells.values()))


def _run(given: argparse.Namespace, cells: dict[tuple[str, str], Cell]) -> None:
    wanted = [
        (role, door)
        for role in ROLES
        for door in DOORS  # one after the other, since the server keeps what it has read
        if (not given.role or role.name in given.role) and (not given.door or door.name in given.door)
        if given.again or (role.name, door.name) not in cells
    ]
    make_inputs(given.data / "inputs")
    with serving(LOCAL_MODEL, given.data / "server.log") as server:
        for role, door in wanted:
            cell = run_cell(role, door, given.data / role.name / door.name, server)
            cells[role.name, door.name] = cell
            write_records(given.kept, cells.values())
            print(f"{role.name} {door.name}: {cell.kind} {cell.exit_code}, {cell.came_out} {cell.said}", flush=True)


if __name__ == "__main__":
    main()

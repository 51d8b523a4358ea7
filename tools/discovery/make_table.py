"""Make docs/discovery-table.md: discovery over all known libraries, its findings and its cost.

    .venv/bin/python -m tools.discovery.make_table            # what is not in the folder of records yet, then the table
    .venv/bin/python -m tools.discovery.make_table --again    # everything anew
    .venv/bin/python -m tools.discovery.make_table --cold     # all from empty caches, then full ones: for the costs
    .venv/bin/python -m tools.discovery.make_table --kept     # the page of docs/discovery-table.json; nothing is run

The old versions are the newest from before 2023-12-01, the new ones those of the libraries' configurations.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

from apigap.discovery.library import known_libraries
from apigap.records.store import write_text
from tools.discovery.table import as_json, as_markdown, page_of, read_rows, run_all, run_cold

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> None:
    """Run what is asked for, then write the table from all records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("data/discovery"), help="where the records are kept")
    parser.add_argument("--only", nargs="*", help="these libraries alone")
    parser.add_argument("--again", action="store_true", help="do not keep earlier records")
    parser.add_argument("--cold", action="store_true", help="begin with empty caches, in a temporary folder")
    parser.add_argument("--kept", action="store_true", help="run nothing")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where the page goes")
    given = parser.parse_args()
    if given.kept:
        told = json.loads((DOCS / "discovery-table.json").read_text(encoding="utf-8"))
        write_text(given.docs / "discovery-table.md", page_of(told))
        return
    libraries = known_libraries()
    chosen = [config for config in libraries if not given.only or config.name in given.only]
    if given.again:
        for config in chosen:
            (given.folder / ("cold" if given.cold else ".") / f"{config.name}.json").unlink(missing_ok=True)
    if given.cold:
        with tempfile.TemporaryDirectory(prefix="apigap-cold-") as empty:
            os.environ.update(APIGAP_CACHE=f"{empty}/apigap", UV_CACHE_DIR=f"{empty}/uv")
            run_cold(chosen, given.folder, print_now)
    else:
        run_all(chosen, given.folder, print_now)
    rows = read_rows(libraries, given.folder)
    write_text(given.docs / "discovery-table.md", as_markdown(rows))
    write_text(given.docs / "discovery-table.json", json.dumps(as_json(rows), indent=1) + "\n")


def print_now(line: str) -> None:
    """Print without waiting for more, so that a log can be watched."""
    print(line, flush=True)


if __name__ == "__main__":
    main()

"""Make docs/knowledge-yields.md: which share of the candidates of eight libraries gets a bundle and a validated task.

Tasks are all that can be judged, whether or not they are worth asking (`tasks.worth_asking=false`).

    .venv/bin/python -m tools.knowledge.make_yields --sample 20    # what is not in the folder yet, then the table
    .venv/bin/python -m tools.knowledge.make_yields --only numpy   # all candidates of one library

The old versions are the newest from before 2023-12-01, the new ones those of the libraries' configurations. A killed
run goes on where it stopped; results of changed code need a new --folder.
"""

import argparse
from pathlib import Path

from apigap.cli.console import Console
from apigap.records.configuration import load_settings
from apigap.records.errors import ApigapError
from apigap.records.store import load_records, write_records, write_text
from apigap.sandbox.engine import Engine
from tools.knowledge.yields import LIBRARIES, Yields, as_markdown, measure

DOCS = Path(__file__).resolve().parents[2] / "docs"

HEAD = """# Yields of stages 2 and 3

This page tells how many new APIs of eight libraries get a bundle and a validated task, and why the others do not. The
aims are bundles for 70 % and validated tasks for 35 %.

- *Candidates* are what stage 1 finds new or changed. *Looked at* are a sample of them, by the hash of their names.
- *Callable* leaves out fields and enum members, which are read and never called. The columns *of the callable* count
  these alone.
- A *bundle* has a surface, an exemplar, and prose or code. *Ran* are callable ones with an exemplar that was seen to
  call the API.
- *Tasks* are all that can be judged (`tasks.worth_asking=false`); far fewer are [worth
  asking](synthesiser.md#what-is-worth-asking). A *validated* task has passed the first gate.

Made by `tools.knowledge.make_yields --sample 20`.

"""


def main() -> None:
    """Measure what is asked for, then write the table from all records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("data/yields"), help="where the records are kept")
    parser.add_argument("--only", nargs="*", default=LIBRARIES, help="these libraries alone")
    parser.add_argument("--sample", type=int, default=0, help="look at so many candidates per library (0: all)")
    parser.add_argument("--out", type=Path, default=DOCS / "knowledge-yields.md", help="where the table goes")
    given = parser.parse_args()
    settings = load_settings(overrides=["tasks.worth_asking=false"])
    with Console() as console, Engine(workers=settings.execution.workers) as engine:
        for library in given.only:
            path = given.folder / f"{library}.jsonl"
            if not path.exists():
                try:
                    found = measure(library, given.sample, given.folder, settings, engine, console)
                except ApigapError as error:
                    console.note(f"{library}: {error}")
                    continue
                write_records(path, [found])
            paths = [given.folder / f"{name}.jsonl" for name in LIBRARIES]
            rows = [row for kept in paths if kept.exists() for row in load_records(kept, Yields)]
            write_text(given.out, HEAD + as_markdown(rows))


if __name__ == "__main__":
    main()

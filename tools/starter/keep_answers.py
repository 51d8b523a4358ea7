"""Answers of a blind solver, kept with the verdicts that `apigap score` reached.

    apigap predict novelapi --tasks starter/2026.11/numpy --condition full -m batch/FOLDER --out P     # writes prompts
    apigap prompts export FOLDER --out sheet.txt          # for the solver, who sees nothing else
    apigap prompts import FOLDER answers.jsonl            # and `predict` again, then
    apigap score novelapi --tasks starter/2026.11/numpy --predictions P --out R
    .venv/bin/python -m tools.starter.keep_answers --predictions P --results R --solver "blind solver 1" \
        --condition full --day 2026-11-26 --why W --out starter/2026.11/answers/numpy.jsonl

W has a line {"task_id": ..., "why": ...} for each refused answer: somebody read it, and says what is wrong with it.
"""

import argparse
import json
from pathlib import Path

from apigap.gates.kept_answers import KeptAnswer
from apigap.records.base import content_hash
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records


def _order(one: KeptAnswer) -> tuple[str, str, str]:
    return one.task_id, one.solver, one.condition


def main() -> None:
    """Add the answers of one solver to a file; a task that it has from the same solver is replaced."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("predictions", "results", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("solver", "condition", "day"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--why", type=Path)
    given = parser.parse_args()
    lines = given.why.read_text(encoding="utf-8").splitlines() if given.why else []
    whys = {row["task_id"]: row["why"] for row in map(json.loads, lines)}
    prompts = {
        one.task_id: content_hash((one.model_extra or {}).get("prompt"))
        for one in load_records(given.predictions, Prediction)
    }
    made = [
        KeptAnswer(
            task_id=one.task_id, solver=given.solver, day=given.day, condition=given.condition,
            prompt=prompts[one.task_id], code=one.judged.text if one.judged else "", outcome=one.outcome,
            why=whys.get(one.task_id) if one.outcome != "pass" else None,
        )
        for one in load_records(given.results, Result)
    ]  # fmt: skip
    before = load_records(given.out, KeptAnswer) if given.out.exists() else []
    new = {_order(one) for one in made}
    kept = [one for one in before if _order(one) not in new]
    write_records(given.out, sorted([*kept, *made], key=_order))


if __name__ == "__main__":
    main()

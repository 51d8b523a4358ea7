"""What statistics over a whole grid cost: 120,000 results in 36 cells, 10,000 draws, read from files.

    .venv/bin/python -m bench.statistics_speed

Wanted: under 30 seconds on two cores, and under 2 GB.
"""

import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from apigap.analysis.compare import compare_cells
from apigap.analysis.judged import JudgedCell, read_cell
from apigap.analysis.task_facts import TaskFacts
from apigap.records.result import FAILURE_LABELS, Outcome, Result
from apigap.records.store import write_text
from apigap.statistics import holm, interaction

CELLS, APIS, TASKS, SAMPLES = 36, 856, 1667, 2
DRAWS = 10_000
DETAIL = {"why": "the values differ", "differences": [{"path": "out", "expected": "1", "observed": "2"}] * 8}


def write_cells(folder: Path) -> dict[str, TaskFacts]:
    """Made-up results with details of a usual size; returns the facts of their tasks."""
    rng = np.random.default_rng(1)
    names = [f"{task:016x}" for task in range(TASKS)]
    facts = {
        name: TaskFacts(task_id=name, api_name=f"lib.api{n % APIS}", change=("added", "modified")[n % APIS % 2])
        for n, name in enumerate(names)
    }
    outcomes: tuple[Outcome, ...] = ("pass", "fail", "suspect", "infra")
    for cell in range(CELLS):
        rate = 0.02 + 0.9 * cell / CELLS
        drawn = rng.choice(4, (TASKS, SAMPLES), p=[rate * 0.98, 0.98 - rate * 0.98, 0.01, 0.01])
        lines = [
            Result(
                task_id=name, sample=sample, outcome=outcomes[kind], passed=kind == 0, score=float(kind == 0),
                label=FAILURE_LABELS[task % 6] if kind == 1 else None, detail=DETAIL, evaluator="e", seconds=0.1,
            ).to_line()
            for task, name in enumerate(names) for sample, kind in enumerate(map(int, drawn[task]))
        ]  # fmt: skip
        write_text(folder / f"cell{cell:02}" / "results.jsonl", "\n".join(lines) + "\n", sync=False)
    return facts


def analyse(cells: list[JudgedCell], facts: dict[str, TaskFacts]) -> float:
    """Every cell against the first, its interaction with the kind of change, and Holm over all; the smallest p."""
    p_values: list[float] = []
    for cell in cells[1:]:
        found = compare_cells(cells[0], cell, facts, draws=DRAWS)
        assert found.gain is not None
        counts = [side.counts(facts) for side in (cells[0], cell)]
        both = (counts[0].judged > 0) & (counts[1].judged > 0)
        before, after = ((side.passed[both] / side.judged[both]) for side in counts)
        apis = [api for api, known in zip(counts[0].apis, both.tolist(), strict=True) if known]
        tasks = [task for task, known in zip(counts[0].tasks, both.tolist(), strict=True) if known]
        changed = [facts[task].change == "modified" for task in tasks]
        test = interaction(before, after, apis, changed, draws=DRAWS)
        assert test is not None
        p_values += [found.gain.p_value, test.p_value]
    return min(holm(p_values))


def main() -> None:
    """Write, read, analyse, and say what each took."""
    with tempfile.TemporaryDirectory() as name:
        facts = write_cells(Path(name))
        size = sum(path.stat().st_size for path in Path(name).rglob("*.jsonl")) / 1e6
        start = time.perf_counter()
        cells = [read_cell(path) for path in sorted(Path(name).iterdir())]
        read = time.perf_counter()
        analyse(cells, facts)
        done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = sum(len(cell.verdicts) for cell in cells)
    print(f"{rows:,} results, {CELLS} cells, {size:.0f} MB; {CELLS - 1} comparisons and interactions, {DRAWS:,} draws")
    print(
        f"reading {read - start:.1f} s, statistics {done - read:.1f} s, together {done - start:.1f} s; {peak:.0f} MiB"
    )


if __name__ == "__main__":
    main()

"""The cost of reading results at size: `compare` on two files, and `analyze` on a grid, each a command of its own.

    .venv/bin/python -m bench.large_results --rows 1000000

The rows are made up, with details and code of a usual size. Wanted: each within a minute and 2 GB (docs/scale.md).
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from apigap.records.base import Json, canonical_json
from apigap.records.result import FAILURE_LABELS

TASKS, APIS, LIBRARIES = 5400, 2700, 40
MODELS = 6
DELIVERIES = ("oracle", "rag", "chunked", "sft", "rag_sft")
CONDITIONS = ("s", "e", "m_prose", "m_code", "s_e", "full")
OUTCOMES = ("pass", "fail", "suspect", "infra")
_APIGAP = "import sys; from apigap.cli.main import main; sys.exit(main())"
_CALL = {
    "arguments": {f"parameter_{n}": {"type": "some.library.Kind", "value": "NO_DEFAULT"} for n in range(12)},
    "caller": "candidate", "completed": True, "explicit": [], "raised": None, "rejected": False,
}  # fmt: skip
_CODE = "\n".join(f"column_{n} = frame.groupby('key_{n}').agg(total=('value', 'sum')).reset_index()" for n in range(8))
_DETAIL = {
    "calls": [_CALL], "dependence": {"answer": "other values"}, "differences": [], "exception": None,
    "extraction": "block", "isolation": "bubblewrap+cgroup-v1", "limit": None, "phase": "report",
    "reason": "every observation holds",
}  # fmt: skip


def task_names() -> list[str]:
    """The ids of all tasks."""
    return [f"{task:016x}" for task in range(TASKS)]


def about(task: int) -> str:
    """The API of a task."""
    return f"lib{task % APIS % LIBRARIES}.api{task % APIS}"


def lines(rate: float, samples: int, seed: int) -> Iterator[bytes]:
    """One results file: every task, `samples` times, of which `rate` pass."""
    rng = np.random.default_rng(seed)
    drawn: NDArray[np.intp] = rng.choice(4, (TASKS, samples), p=[rate * 0.98, 0.98 - rate * 0.98, 0.01, 0.01])
    rest = {"evaluator": "0123456789abcdef", "detail": _DETAIL, "seconds": 0.066}
    for task, name in enumerate(task_names()):
        for sample, kind in enumerate(drawn[task].tolist()):
            label = FAILURE_LABELS[(task + sample) % 6] if kind == 1 else None
            text = f"{_CODE}\nanswer_{seed}_{sample} = {task}"
            row: dict[str, Json] = {
                **rest, "task_id": name, "about": about(task), "part": f"lib{task % LIBRARIES}", "sample": sample,
                "outcome": OUTCOMES[kind], "passed": kind == 0, "score": float(kind == 0), "label": label,
                "judged": {"cut": 0, "text": text},
            }  # fmt: skip
            yield canonical_json(row).encode() + b"\n"


def write(path: Path, rate: float, samples: int, seed: int) -> None:
    """Write one results file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(lines(rate, samples, seed))


def write_grid(data: Path, rows: int) -> int:
    """A data folder of experiments, a model each, with about `rows` results over all cells; the number of cells."""
    names = ["baseline", *(f"{delivery}.{condition}" for delivery in DELIVERIES for condition in CONDITIONS)]
    samples = max(1, round(rows / MODELS / len(names) / TASKS))
    for model in range(MODELS):
        for number, name in enumerate(names):
            rate = 0.02 + 0.8 * number / len(names) * (model + 1) / MODELS
            write(data / "results" / f"model{model}" / name / "results.jsonl", rate, samples, model * 100 + number)
    changes = ("added", "modified")
    facts = (
        {"task_id": name, "api_name": about(n), "library": f"lib{n % LIBRARIES}", "change": changes[n % APIS % 2]}
        for n, name in enumerate(task_names())
    )
    (data / "tasks.jsonl").write_text("".join(canonical_json(fact) + "\n" for fact in facts))
    return MODELS * len(names)


def timed(*words: str) -> tuple[float, float]:
    """Run `apigap` with these words; seconds, and the most MiB that it held."""
    start = time.perf_counter()
    child = os.posix_spawn(sys.executable, [sys.executable, "-c", _APIGAP, *words], os.environ)
    _, status, used = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"apigap {words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, used.ru_maxrss / 1024


def run(
    rows: Annotated[int, typer.Option(min=1, help="Rows of each file, and of the grid.")] = 1_000_000,
    repeats: Annotated[int, typer.Option(min=1)] = 3,
    folder: Annotated[Path | None, typer.Option(help="Keep the files here, and take those that are there.")] = None,
) -> None:
    """Write the files, run both commands, print seconds and memory of each."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as made:
        root = folder or Path(made)
        a, b, data = root / "a.jsonl", root / "b.jsonl", root / "data"
        if not (data / "tasks.jsonl").exists():
            samples = max(1, rows // TASKS)
            write(a, 0.4, samples, 1)
            write(b, 0.45, samples, 2)
            write_grid(data, rows)
        models = [word for model in range(MODELS) for word in ("--experiment", f"model{model}")]
        out = ["--tasks", str(data / "tasks.jsonl"), "--out", str(root / "analysis")]
        commands = {
            "compare": ["compare", str(a), str(b), "--json"],
            "analyze": ["analyze", "--data", str(data), *models, *out, "--json"],
        }
        for repeat in range(repeats):
            for name, words in commands.items():
                seconds, peak = timed(*words)
                print(f"{name}, repeat {repeat + 1}: {seconds:.1f} s, {peak:.0f} MiB", file=sys.stderr, flush=True)


if __name__ == "__main__":
    typer.run(run)

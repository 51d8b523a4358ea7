"""Runs to explore: real ones of the starter study, and single questions that two made-up models answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.kept import ANSWERS, unpacked

from apigap.evaluation.paths import manifest_path
from apigap.explorer.dataset import Dataset, read_dataset
from apigap.records.manifest import Stage, file_hash
from apigap.records.store import write_records
from tests.analysis.test_ladder_report import CANDIDATES, NEW, OLD, PAIRED, answers_of
from tests.silent import Silent

STARTER = Path(__file__).parents[2] / "studies" / "starter" / ANSWERS
CELLS = ("baseline", "oracle.s", "oracle.s_e")


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two models on the tasks of the starter study, three cells each, as their runs left them."""
    kept = tmp_path_factory.mktemp("explorer") / "starter"
    with unpacked(STARTER) as there:
        for model in ("0.5b", "1.5b"):
            for cell in CELLS:
                source = there / "results" / f"starter-qwen2.5-coder-{model}" / cell
                target = kept / "results" / source.parent.name / cell
                target.mkdir(parents=True)
                for path in source.iterdir():
                    (target / path.name).write_bytes(path.read_bytes())
        tasks = kept / "raw" / "stage3_tasks.answered.jsonl"
        tasks.parent.mkdir()
        tasks.write_bytes((there / "raw" / tasks.name).read_bytes())
    yield kept


@pytest.fixture(scope="session")
def explored(starter: Path) -> Dataset:
    return read_dataset([starter], draws=200, progress=Silent())


def write_ladder(folder: Path, knows: dict[str, list[str]]) -> Path:
    """Items, and what each model answers to them, as `apigap items`, `predict items` and `score items` leave them."""
    write_records(folder / "raw" / "lib" / "ladder_items.1-2.jsonl", PAIRED)
    write_records(folder / "raw" / "lib" / "stage1_discovery.m.jsonl", CANDIDATES)
    for model, known in knows.items():
        cell = answers_of(PAIRED, known)
        answers = folder / "results" / f"ladder-{model}" / "baseline" / "predictions.jsonl"
        write_records(answers, cell.predictions)
        asked = {"model": {"model": f"gguf/{model}"}, "condition": "baseline"}
        Stage(manifest_path(answers), "predict items", asked, files=(answers,)).finish({})
        results = answers.with_name("results.jsonl")
        write_records(results, cell.results)
        judged = {"predictions": file_hash(answers), "items": []}
        Stage(manifest_path(results), "score items", judged, files=(results,)).finish({})
    return folder


@pytest.fixture(scope="session")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_ladder(tmp_path_factory.mktemp("ladder"), {"knower": [*OLD, *NEW], "dated": OLD})

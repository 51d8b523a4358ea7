"""From a folder of verdicts to the three questions: by hand, on partial grids, and by the command."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars
import pytest

from apigap.analysis.analyse import Analysis, analyse, write_tables
from apigap.analysis.bypass import bypass_mode
from apigap.analysis.page import headline, write_page
from apigap.gates.known_controls import ControlReport
from apigap.models.adapted import AdaptedModel, Measure
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.manifest import Stage
from apigap.records.result import Judged, Outcome, Prediction, Result
from apigap.records.store import read_records, write_records, write_text
from tests.records.test_task import make_task

OUTCOMES: dict[str, Outcome] = {"p": "pass", "f": "fail", "i": "infra", "s": "suspect", "w": "fail"}
TASKS = [
    make_task(
        api_name=f"lib.api{n // 2}", change="added" if n < 10 else "modified", description=f"Number {n}.",
        old_version="1.0",
    )
    for n in range(20)
]  # fmt: skip


def fill(root: Path, name: str, marks: str, experiment: str = "x", evaluator: str = "e") -> None:
    """A cell with one letter per task; `w` is a fail by another API, `-` no row."""
    folder = root / "results" / experiment / name
    rows = [(task, mark) for task, mark in zip(TASKS, marks, strict=False) if mark != "-"]
    results = [
        Result(
            task_id=task.task_id, sample=0, outcome=OUTCOMES[mark], passed=mark == "p", score=0.0, detail={},
            label={"f": "WrongLogic", "w": "WrongAPISelection"}.get(mark),  # pyright: ignore[reportArgumentType]
            evaluator=evaluator, seconds=0.0, judged=Judged.of("x = 1 + 1"),
        )
        for task, mark in rows
    ]  # fmt: skip
    predictions = [
        Prediction.model_validate({"task_id": task.task_id, "samples": ("```python\nx = 1 + 1\n```",)})
        for task, _ in rows
    ]
    write_records(folder / "results.jsonl", results)
    write_records(folder / "predictions.jsonl", predictions)
    Stage(folder / "predictions.manifest.json", "predictions", {"model": {"model": f"m-{experiment}"}}).finish({})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    write_records(root / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(root, "baseline", "w" * 20)
    fill(root, "oracle.s", "f" * 10 + "p" * 10)
    fill(root, "oracle.e", "p" * 10 + "f" * 10)
    fill(root, "oracle.s_e", "p" * 20)
    fill(root, "rag.s_e", "p" * 14 + "w" * 6)
    return root


def analysed(data: Path, *experiments: str, **options: Any) -> Analysis:
    return analyse(data, experiments or ("x",), draws=300, **options)


def test_the_three_questions_by_hand(data: Path) -> None:
    found = analysed(data)
    assert [row.cell for row in found.cells] == ["baseline", "oracle.s", "oracle.e", "oracle.s_e", "rag.s_e"]
    assert {row.model for row in found.cells} == {"m-x"}
    gains = {(row.cell, row.scope): row.difference for row in found.rq1_gains}
    assert gains["oracle.s", "all"] == pytest.approx(0.5)
    assert (gains["oracle.s", "added"], gains["oracle.s", "modified"]) == (0, 1)
    components = {(row.cell, row.against, row.scope): row.difference for row in found.rq1_components}
    assert components["oracle.s_e", "oracle.e", "modified"] == 1
    interactions = {(row.cell, row.against): row for row in found.rq1_interaction}
    assert interactions["oracle.s", "baseline"].difference == 1 and interactions["oracle.s", "baseline"].p < 0.05
    assert interactions["oracle.s_e", "baseline"].difference == 0 and interactions["oracle.s_e", "baseline"].p == 1
    (lost,) = found.rq2_retrieval
    assert (lost.cell, lost.against, lost.difference) == ("rag.s_e", "oracle.s_e", pytest.approx(-0.3))
    assert headline(found) == "m-x solves 0 % without knowledge; signature + example changes most: +100 points."


def test_retrieval_by_rank_and_through_the_control(data: Path, tmp_path: Path) -> None:
    fill(data, "chunked.s_e", "p" * 18 + "f" * 2)
    ranks = [1] * 8 + [3] * 8 + [None] * 4
    lines = [
        {"task_id": task.task_id, "condition": "s_e", "searcher": searcher, "rank": found, "more": 1}
        for task, rank in zip(TASKS, ranks, strict=True) for searcher, found in (("bm25", rank), ("dense", 9))
    ]  # fmt: skip
    (tmp_path / "ranks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = analysed(data, ranks=[tmp_path / "ranks.jsonl"])
    assert {(row.family, row.cell): row.difference for row in found.rq2_retrieval} == {
        ("rq2 retrieval", "rag.s_e"): pytest.approx(-0.3),
        ("rq2 chunks", "chunked.s_e"): pytest.approx(-0.1),
        ("rq2 search", "rag.s_e"): pytest.approx(-0.2),
    }
    assert not found.rq2_ranks  # two searchers, and no manifest says which of them was used
    manifest = data / "results" / "x" / "rag.s_e" / "predictions.manifest.json"
    manifest.unlink()
    Stage(manifest, "predictions", {"retrieval": {"searcher": "bm25"}}).finish({})
    rows = analysed(data, ranks=[tmp_path / "ranks.jsonl"]).rq2_ranks
    assert [(row.rank, row.tasks, row.retrieved, row.oracle) for row in rows] == [
        ("1", 8, 1.0, 1.0), ("2 to 5", 8, 0.75, 1.0), ("not found", 4, 0.0, 1.0),
    ]  # fmt: skip
    assert any("--ranks FILE" in line for line in analysed(data).missing)


def test_families_are_corrected_each_by_itself(data: Path) -> None:
    found = analysed(data)
    families = {row.family for row in found.rq1_gains}
    given = {"rq1 conditions", "rq1 conditions, added", "rq1 conditions, modified"}
    assert families == given | {name.replace("conditions", "conditions, retrieved") for name in given}
    rows = sorted((row for row in found.rq1_gains if row.family == "rq1 conditions"), key=lambda row: row.p)
    assert rows[0].p_holm == pytest.approx(3 * rows[0].p)
    (alone,) = found.rq2_retrieval
    assert alone.p_holm == alone.p


def test_a_grid_without_given_knowledge_answers_by_what_is_retrieved(tmp_path: Path) -> None:
    root = tmp_path / "data"
    write_records(root / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(root, "baseline", "f" * 20)
    fill(root, "rag.s", "p" * 10 + "f" * 10)
    fill(root, "rag.e", "p" * 15 + "f" * 5)
    found = analysed(root)
    gains = {row.cell: row.difference for row in found.rq1_gains if row.scope == "all"}
    assert gains == {"rag.s": pytest.approx(0.5), "rag.e": pytest.approx(0.75)}
    components = [row for row in found.rq1_components if row.scope == "all"]
    assert [(row.cell, row.against, row.difference) for row in components] == [("rag.e", "rag.s", pytest.approx(0.25))]
    assert "changes most: +75 points" in headline(found)


def test_what_is_missing_is_said(data: Path) -> None:
    fill(data, "oracle.full", "p" * 19 + "-")
    fill(data, "oracle.m_code", "i" + "p" * 19)
    (data / "results" / "x" / "rag.s").mkdir()
    (data / "results" / "x" / "notes").mkdir()
    told = "\n".join(analysed(data).missing)
    assert "x/oracle.full has verdicts on 19 of 20 tasks" in told
    assert "x/oracle.m_code: 1 samples have no verdict (infra)" in told
    assert "x/rag.s has no verdicts yet" in told and "x/notes is no cell of the grid" in told
    assert "x has no sft cell" in told and "x lacks 10 rag cells" in told
    assert "RQ3: no tuned cell" in told


def test_a_baseline_alone_is_analysed(tmp_path: Path) -> None:
    root = tmp_path / "data"
    write_records(root / "raw" / "lib" / "stage3_tasks.m.jsonl", TASKS)
    fill(root, "baseline", "wwf")
    found = analysed(root)
    assert len(found.cells) == 1 and not found.rq1_gains
    assert "no condition can be compared" in headline(found)
    text = write_page(found, tmp_path / "out").read_text()
    assert "Nothing can be told yet" in text and "has no oracle cell" in text
    tables = (tmp_path / "out" / "analysis.md").read_text()
    assert "| no knowledge | 3 |" in tables and "- x has no oracle cell" in tables
    assert "## Which knowledge helps" not in tables  # it could tell nothing


def test_models_are_compared_on_the_tasks_that_they_share(data: Path) -> None:
    fill(data, "baseline", "-" * 10 + "p" * 5 + "f" * 5, experiment="y")
    found = analysed(data, "x", "y")
    assert [(row.experiment, row.cell, row.tasks, row.pass_at_1) for row in found.rq1_shared] == [
        ("x", "baseline", 10, 0.0), ("y", "baseline", 10, 0.5),
    ]  # fmt: skip
    assert not analysed(data).rq1_shared


def test_adapted_models_are_compared_with_the_base(data: Path) -> None:
    fill(data, "oracle.full", "f" * 5 + "w" * 5 + "p" * 10)
    fill(data, "baseline", "p" * 2 + "w" * 18, experiment="tuned")
    fill(data, "oracle.full", "p" * 20, experiment="tuned")
    found = analysed(data, adapted={"raft": "tuned"})
    assert [(row.title, row.difference) for row in found.rq3_gains] == [
        ("raft, no knowledge − base", pytest.approx(0.1)), ("raft, everything − base", pytest.approx(0.5)),
    ]  # fmt: skip
    fixed = {(row.cell, row.label): (row.failed, row.fixed) for row in found.rq3_fixed}
    assert fixed["oracle.full", "WrongLogic"] == (5, 5) and fixed["baseline", "WrongAPISelection"] == (20, 2)
    modes = {(row.experiment, row.cell, row.mode): row.samples for row in found.rq3_bypass}
    assert modes["x", "baseline", "other"] == 20
    assert not any("tuned has no" in line for line in found.missing)  # its grid need not be whole
    assert all(row.experiment == "x" for row in found.rq1_gains)


def test_a_cell_without_its_code_is_missing_from_the_bypass_table_and_named(data: Path) -> None:
    fill(data, "baseline", "p" * 2 + "w" * 18, experiment="tuned")
    for path in (data / "results" / "x").rglob("baseline/results.jsonl"):
        write_records(path, [one.model_copy(update={"judged": None}) for one in read_records(path, Result)])
    found = analysed(data, adapted={"raft": "tuned"})
    assert {row.experiment for row in found.rq3_bypass} == {"tuned"}
    (note,) = (line for line in found.missing if "bypass table" in line)
    assert "leaves out x/baseline" in note


def test_retrieval_stands_beside_adapted_models(data: Path) -> None:
    fill(data, "rag.full", "p" * 5 + "f" * 15)
    fill(data, "rag.full", "p" * 15 + "f" * 5, experiment="tuned")
    assert [(row.title, row.difference) for row in analysed(data, adapted={"sft": "tuned"}).rq3_gains] == [
        ("base, retrieved everything − no knowledge", pytest.approx(0.25)),
        ("sft, retrieved everything − base", pytest.approx(0.5)),
    ]
    assert not analysed(data).rq3_gains


def test_tuned_cells_are_compared_with_the_untuned_ones(data: Path) -> None:
    fill(data, "sft.s_e", "p" * 5 + "f" * 15)
    fill(data, "rag_sft.s_e", "p" * 20)
    rows = [(row.cell, row.against, row.difference) for row in analysed(data).rq3_gains]
    assert rows == [
        ("sft.s_e", "baseline", pytest.approx(0.25)), ("sft.s_e", "oracle.s_e", pytest.approx(-0.75)),
        ("rag_sft.s_e", "rag.s_e", pytest.approx(0.3)),
    ]  # fmt: skip


def test_what_was_measured_of_an_adapted_model_is_told(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "taught"
    adapted = AdaptedModel(
        method="memit", base="gguf/smollm2-135m", group="g", condition="baseline", settings={}, data="d",
        artefact="edit.safetensors", sha256="s", model="gguf/{}/model.gguf",
    )  # fmt: skip
    measured = Measure(
        kind="taught", prompts=3, likelihood=-0.5, base_likelihood=-2.25, exact=1.0, base_exact=0.0,
        divergence=0.125, agreement=0.75,
    )  # fmt: skip
    controls = {
        "base": ControlReport(asked=7, passed=6, low=0.5, high=0.9, failed=("a.b",)),
        "adapted": ControlReport(asked=7, passed=2, low=0.1, high=0.6, failed=()),
    }
    write_text(folder / "adapted.json", adapted.to_line())
    write_records(folder / "measures.jsonl", [measured])
    write_text(
        folder / "controls.json", json.dumps({kind: one.model_dump(mode="json") for kind, one in controls.items()})
    )
    took = {"examples": 40, "load_seconds": 1.0, "seconds": 239.0, "export_seconds": 3.0, "peak_mib": 1559}
    write_text(folder / "cost.json", json.dumps({**took, "processors": 1, "sessions": 2, "values_reused": 38}) + "\n")
    fill(data, "baseline", "p" * 20, experiment="edited")
    manifest = data / "results" / "edited" / "baseline" / "predictions.manifest.json"
    manifest.unlink()
    Stage(manifest, "predictions", {"model": {"model": adapted.name_in(folder)}}).finish({})
    found = analysed(data, adapted={"memit": "edited"})
    assert [(r.method, r.kind, r.base_likelihood) for r in found.rq3_measures] == [("memit", "taught", -2.25)]
    assert [(r.experiment, r.model, r.passed) for r in found.rq3_controls] == [
        ("edited", "base", 6), ("edited", "adapted", 2),
    ]  # fmt: skip
    tables = (write_page(found, tmp_path / "out").parent / "analysis.md").read_text()
    assert "| memit | edited | taught | 3 | -2.250 | -0.500 | 100" in tables
    assert "| memit | edited | adapted | 2 of 7 |" in tables
    assert "| memit | edited | 40 | 4.0 | 1,559 | 1 | 38 |" in tables
    write_text(folder / "controls.json", '{"base": 6}')
    with pytest.raises(CorruptRecord, match=r"controls\.json.*--controls"):
        analysed(data, adapted={"memit": "edited"})


def test_evaluators_are_not_mixed(data: Path) -> None:
    fill(data, "oracle.full", "p" * 20, evaluator="later")
    with pytest.raises(UsageError, match=r"different evaluators.*later in x/oracle.full.*--force"):
        analysed(data)
    assert len(analysed(data, force=True).cells) == 6


def test_unknown_experiments_name_the_known_ones(data: Path) -> None:
    with pytest.raises(UsageError, match="no experiment 'z'; it has x"):
        analysed(data, "z")


def test_tables_are_the_same_in_both_forms_and_go_when_empty(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "rq3_gains.csv").write_text("of an earlier run")
    found = analysed(data)
    written = write_tables(found, out)
    assert not (out / "rq3_gains.csv").exists() and out / "rq1_gains.parquet" in written
    with (out / "rq1_gains.csv").open() as file:
        text = list(csv.DictReader(file))
    typed = polars.read_parquet(out / "rq1_gains.parquet")
    assert typed.schema["p_holm"] == polars.Float64 and typed.schema["tasks"] == polars.Int64
    assert [float(row["difference"]) for row in text] == pytest.approx(typed["difference"].to_list())
    assert len(text) == len(found.rq1_gains)


@pytest.mark.parametrize(
    ("code", "mode"),
    [
        ("", "empty"),
        ("pass", "empty"),
        ("x = melt(", "unreadable"),
        ("def melt(x):\n    return x\ny = melt(1)", "same-name reimplementation"),
        ("class melt: ...\nmelt()", "same-name reimplementation"),
        ("def own(x):\n    return x\ny = own(1)", "reimplementation"),
        ("from lib import melt\ny = 1 + 1", "not called"),
        ("f = lib.melt\ny = 1", "not called"),
        ("y = other.melt(1)", "other"),
        ("y = lib.pivot(1)", "other"),
    ],
)
def test_bypass_modes(code: str, mode: str) -> None:
    assert bypass_mode(code, "lib.melt") == mode


def test_the_command_writes_tables_figures_and_one_page(data: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "apigap.cli.main", "analyze", "--data", str(data), "--experiment", "x"]
    done = subprocess.run(
        [*command, "--output", str(tmp_path / "out"), "--draws", "200", "--json"],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["cells"]["x/oracle.s_e"] == 1.0 and told["missing"]
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"pass_rates.png", "pass_rates.svg", "rq1_modified.png", "rq2_retrieval.svg"} <= figures
    page = (tmp_path / "out" / "analysis.html").read_text()
    assert page.count("<svg") == 7 and "http" not in page.split("</style>")[1].replace("http-equiv", "")
    assert "#010101" not in page and "#010101" not in (tmp_path / "out" / "figures" / "rq1_all.svg").read_text()
    wrong = subprocess.run([*command, "--adapted", "sft"], capture_output=True, text=True, timeout=600)
    assert wrong.returncode == 2 and "METHOD=EXPERIMENT" in wrong.stderr

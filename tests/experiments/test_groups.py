"""Groups: which libraries are in them, and which APIs are for training, whatever else is there."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.experiments.group_config import GroupConfig, find_group, group_names, write_group
from apigap.experiments.groups import NO_BUNDLE, STRANGE, build_group, divide, group_of_tasks, told_left_out
from apigap.experiments.named import find_experiment, paper_grid, spec_of, write_spec
from apigap.experiments.sources import read_group
from apigap.gates.record import GateRecord
from apigap.models.backbones import backbone_names
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.layout import Layout
from apigap.records.manifest import Stage
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

PAPER = {
    "swe": {"fastapi", "flask", "django", "sqlalchemy", "pydantic"},
    "ai4science": {"rdkit", "MDAnalysis", "deepchem", "pymatgen", "astropy", "ase"},
    "data_science": {"numpy", "pandas", "scipy"},
    "dl": {"diffusers", "transformers", "torch"},
    "agent_tool": {"langgraph", "fastmcp"},
}
MODEL = "gguf/qwen2.5-coder-0.5b"
SPLIT = ["a.f1", "a.f6"]


def tasks_of(shape: list[tuple[str, str]]) -> list[Task]:
    return [
        make_task(library=library, api_name=f"{library}.{api}", description=f"Task {number}.")
        for number, (library, api) in enumerate(shape)
    ]


def test_the_published_groups() -> None:
    everything = set.union(*PAPER.values())
    assert len(everything) == 19
    assert set(group_names()) == {*PAPER, "all_pooled_paper", "lolo_diffusers"}
    for name, libraries in PAPER.items():
        assert set(find_group(name).libraries) == libraries
    assert set(find_group("all-pooled-paper").libraries) == set(find_group("lolo_diffusers").libraries) == everything
    assert (find_group("all_pooled_paper").split, find_group("all_pooled_paper").train_share) == ("api", 0.8)
    assert find_group("lolo_diffusers").held_out == ("diffusers",)


def test_an_unknown_group_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean data_science"):
        find_group("data-sience")
    with pytest.raises(UsageError, match="the groups are agent_tool"):
        find_group("zzz")


def test_a_group_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_group(GroupConfig(name="mine", libraries=("httpx",), groups=("dl",), split="held_out", held_out=("torch",)))
    assert find_group("mine").libraries == ("httpx", "diffusers", "transformers", "torch")
    write_group(GroupConfig(name="other name", libraries=("httpx", "PyTorch"), split="held_out", held_out=("pytorch",)))
    assert (find_group("other name").libraries, find_group("other name").held_out) == (("httpx", "torch"), ("torch",))
    with pytest.raises(UsageError, match="already"):
        write_group(GroupConfig(name="Mine", libraries=("httpx",)))
    (tmp_path / "configs" / "groups" / "round.yaml").write_text("groups: [round]\n")
    with pytest.raises(UsageError, match="nested"):
        find_group("round")
    (tmp_path / "configs" / "groups" / "broken.yaml").write_text("libraries: 3\n")
    with pytest.raises(CorruptRecord, match=r"broken\.yaml"):
        find_group("broken")


BAD = [
    (GroupConfig(name="x", libraries=("httpx",), split="held_out", held_out=("numpy",)), "none of its libraries"),
    (GroupConfig(name="x"), "no libraries"),
    (GroupConfig(name="x", libraries=("httpx",), split="held_out"), "need each other"),
]


@pytest.mark.parametrize(("config", "words"), BAD, ids=[case[1] for case in BAD])
def test_a_group_that_cannot_be(config: GroupConfig, words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=words):
        write_group(config, tmp_path)


shapes = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from("stuvwxyz")), min_size=1, max_size=40)


@given(shapes, st.randoms())
def test_no_api_is_in_both_parts_and_nothing_else_decides_where_it_is(
    shape: list[tuple[str, str]], random: "st.DrawFn"
) -> None:
    config = GroupConfig(name="x", libraries=("a", "b", "c"), split="api")
    tasks = tasks_of(shape)
    parts = divide(config, tasks)
    train, test = ({task.api_name for task in part} for part in (parts.train, parts.test))
    assert not train & test
    assert sorted(task.task_id for task in (*parts.train, *parts.test)) == sorted(task.task_id for task in tasks)
    for library in {task.library for task in tasks}:
        apis = {task.api_name for task in tasks if task.library == library}
        if len(apis) > 1:
            assert 0 < len(apis & train) < len(apis)
            assert abs(len(apis & train) - 0.8 * len(apis)) <= 1
    shuffled = [*tasks]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    alone = [task for task in shuffled if task.library == tasks[0].library]
    assert {task.api_name for task in divide(config, alone).train} == {
        task.api_name for task in parts.train if task.library == tasks[0].library
    }


def test_the_split_stays_as_it_is() -> None:
    parts = divide(GroupConfig(name="x", libraries=("a",), split="api"), tasks_of([("a", f"f{n}") for n in range(10)]))
    assert sorted(task.api_name for task in parts.test) == SPLIT


def test_a_library_that_is_held_out_is_the_test() -> None:
    config = GroupConfig(name="x", libraries=("a", "B"), split="held_out", held_out=("b",))
    parts = divide(config, tasks_of([("a", "f"), ("B", "g"), ("a", "h")]))
    assert ({task.library for task in parts.train}, {task.library for task in parts.test}) == ({"a"}, {"B"})


def test_a_group_gathers_what_stage_4_left(tmp_path: Path) -> None:
    layout = Layout(tmp_path, MODEL)
    for library in ("numpy", "pandas"):
        task = make_task(library=library, api_name=f"{library}.f")
        write_records(layout.stage(library, "stage4_filtered"), [task])
        Stage(layout.manifest(layout.stage(library, "stage4_filtered")), "stage 4", {}).finish({})
        write_records(layout.stage(library, "stage2_knowledge"), [bundle(library=library, api_name=f"{library}.f")])
    built = build_group(find_group("data_science"), MODEL, tmp_path)
    assert built.folder == tmp_path / "processed" / "groups" / "data_science" / "qwen2.5-coder-0.5b"
    assert [task.library for task in load_records(built.folder / "tasks.jsonl", Task)] == ["numpy", "pandas"]
    assert built.without == {"scipy": f"apigap pipeline --library scipy --model {MODEL}"}
    manifest = json.loads((built.folder / "group.manifest.json").read_text())
    assert manifest["counts"]["libraries"] == {"numpy": 1, "pandas": 1}
    source = read_group("data-science", MODEL, tmp_path)
    assert (len(source.tasks), len(source.bundles), source.without) == (2, 2, ())
    before = {path.name: path.read_bytes() for path in built.folder.iterdir()}
    build_group(find_group("data_science"), MODEL, tmp_path)
    assert {path.name: path.read_bytes() for path in built.folder.iterdir()} == before


def test_a_library_whose_gates_are_not_through_waits_for_them(tmp_path: Path) -> None:
    layout = Layout(tmp_path, MODEL)
    for library in ("numpy", "pandas", "scipy"):
        path = layout.stage(library, "stage4_filtered")
        own = [make_task(library=library, api_name=f"{library}.f")] if library != "scipy" else []
        write_records(path, own)
        write_records(layout.stage(library, "stage2_knowledge"), [bundle(library=library, api_name=f"{library}.f")])
        stage = Stage(layout.manifest(path), "stage 4", {})
        if library != "pandas":
            stage.finish({})
    built = build_group(find_group("data_science"), MODEL, tmp_path)
    assert [task.library for task in built.tasks] == ["numpy"]
    command = f"apigap pipeline --library pandas --model {MODEL}"
    assert built.without == {
        "pandas": f"its stage 4 is not complete: {command}", "scipy": "no task passed its gates",
    }  # fmt: skip


def test_a_group_without_tasks_says_what_makes_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="apigap pipeline --library diffusers"):
        build_group(find_group("dl"), MODEL, tmp_path)
    with pytest.raises(UsageError, match="apigap group build dl"):
        read_group("dl", MODEL, tmp_path)
    strange = rf"diffusers: none of the tasks given is of it; 1 left out: {STRANGE} \(\w+ 1\)"
    with pytest.raises(UsageError, match=strange):
        group_of_tasks(find_group("dl"), MODEL, tmp_path, [make_task()], [])


def test_what_is_left_out_is_counted_by_reason_and_library(tmp_path: Path) -> None:
    tasks = tasks_of([("numpy", "f"), ("numpy", "g"), ("numpy", "g"), ("scipy", "f"), ("flask", "f"), ("Flask", "g")])
    bundles = [bundle(library="numpy", api_name="numpy.f"), bundle(library="flask", api_name="flask.f")]
    built = group_of_tasks(find_group("data_science"), MODEL, tmp_path, tasks, bundles)
    assert [task.api_name for task in built.tasks] == ["numpy.f"]
    counts = built.counts
    assert (counts.given, counts.tasks) == (6, 1)
    assert counts.left_out == {NO_BUNDLE: {"numpy": 2, "scipy": 1}, STRANGE: {"Flask": 1, "flask": 1}}
    assert counts.without == {"pandas": "none of the tasks given is of it", "scipy": f"{NO_BUNDLE} (1 tasks)"}
    assert told_left_out(counts.left_out)[0] == f"3 left out: {NO_BUNDLE} (numpy 2, scipy 1)"
    manifest = json.loads((built.folder / "group.manifest.json").read_text())
    assert manifest["counts"]["left_out"] == counts.left_out


def test_tasks_that_a_gate_stopped_are_counted_by_the_first(tmp_path: Path) -> None:
    layout, tasks = Layout(tmp_path, MODEL), tasks_of([("numpy", name) for name in "fghi"])
    decisions = [("c1", 0, "passed"), ("c1", 1, "failed"), ("c1", 2, "passed"), ("c1", 3, "failed"),
                 ("c2", 0, "passed"), ("c2", 2, "failed"), ("c2", 3, "failed"), ("c3", 0, "not run")]  # fmt: skip
    write_records(layout.stage("numpy", "stage4_filtered"), tasks[:1])
    write_records(
        layout.stage("numpy", "stage4_gates"),
        [GateRecord.of(tasks[number], gate, status) for gate, number, status in decisions],  # type: ignore[arg-type]
    )
    write_records(layout.stage("numpy", "stage2_knowledge"), [bundle(library="numpy", api_name="numpy.f")])
    Stage(layout.manifest(layout.stage("numpy", "stage4_filtered")), "stage 4", {}).finish({})
    counts = build_group(find_group("data_science"), MODEL, tmp_path).counts
    assert (counts.given, counts.tasks) == (4, 1)
    assert counts.left_out == {"C1 failed": {"numpy": 2}, "C2 failed": {"numpy": 1}}


def test_every_group_and_backbone_is_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    specs = list(paper_grid())
    assert len(specs) == 7 * 4
    assert len(backbone_names()) == 4
    assert all(len(spec.cells) == 34 for spec in specs)
    assert "agent-tool-qwen2.5-coder-7b" in {spec.experiment for spec in specs}
    assert find_experiment("agent-tool-qwen2.5-coder-7b").group == "agent_tool"
    assert find_experiment("swe-qwen2.5-coder-1.5b").model == "gguf/qwen2.5-coder-1.5b"
    with pytest.raises(UsageError, match=r"did you mean .*agent-tool-qwen2\.5-coder-7b"):
        find_experiment("agent-tool-qwen-7b")
    own = spec_of("dl", "openai/gpt-4o").model_copy(update={"cells": ("baseline",)})
    write_spec(own)
    write_spec(spec_of("dl", "openai/gpt-4o"))  # as `--paper-grid` does again: what was edited stays
    assert find_experiment(own.experiment) == own

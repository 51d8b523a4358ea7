"""`apigap validate` on real files: sound tasks, a task that anything passes, and traces of answers."""

import json
from pathlib import Path

import pytest

from apigap.gates.battery import CheckedCase
from apigap.gates.battery.case import MARK
from apigap.gates.host_integrity import changes_since, machine_state
from apigap.gates.kept_answers import KeptAnswer
from apigap.records.store import load_records, write_records
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.environment import Environment
from tests.auditing.conftest import APIGAP, run

CONTEXT = "from packaging.utils import canonicalize_name\n"


def names_task(observed: str = "result", required: bool = True) -> Task:
    """Normalisation of a distribution's name by packaging 25.0."""
    scenarios = tuple(
        Scenario(
            name=name,
            context_code=f"name = {value!r}\n",
            observations=(Observation(expression=observed, expected=True if observed == "True" else expected),),
        )
        for name, value, expected in (("basic", "A_b", "a-b"), ("others", "C.D", "c-d"))
    )
    solution = CONTEXT + "result = canonicalize_name(name)\n"
    return Task(
        api_name="packaging.utils.canonicalize_name", library="packaging", version="25.0", old_version=None,
        domain="tests", change="added", difficulty="easy", description="Normalise name.",
        context_code=scenarios[0].context_code, masked_region=solution,
        reference_solution=scenarios[0].context_code + solution,
        harness=Harness(
            layers=("comparative",), scenarios=scenarios,
            spy=Spy(target="packaging.utils.canonicalize_name", required=required),
        ),
        author="written",
    )  # fmt: skip


@pytest.mark.network
@pytest.mark.sandbox
def test_sound_tasks_are_told_from_tasks_that_anything_passes(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [names_task()])
    done = run([*APIGAP, "validate", "--tasks", str(path), "--json"])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["tasks"], found["valid"], found["problems"]) == (1, 1, [])
    assert found["mutants"] >= 2, "no-op and another API"
    write_records(path, [names_task(), names_task("True", required=False)])
    done = run([*APIGAP, "validate", "--tasks", str(path)])
    assert done.returncode == 1
    assert "it also passes with: no-op" in done.stderr


@pytest.mark.network
@pytest.mark.sandbox
def test_kept_answers_are_judged_again_and_a_part_can_be_checked(tmp_path: Path) -> None:
    tasks, answers = tmp_path / "tasks.jsonl", tmp_path / "answers.jsonl"
    write_records(tasks, [names_task(), names_task("result.upper()")])
    fields = {"solver": "blind solver 1", "day": "2026-11-26", "condition": "full", "prompt": "0" * 16}
    right = KeptAnswer(task_id=names_task().task_id, code=names_task().masked_region, outcome="pass", **fields)
    wrong = right.model_copy(update={"code": "result = 'a-b'"})
    write_records(answers, [right])
    command = [*APIGAP, "validate", "--tasks", str(tasks), "--limit", "1", "--answers", str(answers), "--json"]
    found = json.loads(run(command).stdout)
    assert found["tasks"] == 1
    assert found["answers"] in ({"blind solver 1, full": {"pass": 1}}, {})  # the other task may be the one
    assert found["answers_left"] == 1 - len(found["answers"])
    write_records(tasks, [names_task()])
    write_records(answers, [right, wrong])
    done = run(command)
    assert done.returncode == 1
    assert json.loads(done.stdout)["answers"] == {"blind solver 1, full": {"fail": 1, "pass": 1}}
    assert "answer of blind solver 1: fail and not pass" in done.stderr


@pytest.mark.network
@pytest.mark.sandbox
def test_what_the_old_version_can_do_already_is_no_task(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [Task.model_validate({**names_task().model_dump(), "old_version": "24.0", "task_id": ""})])
    done = run([*APIGAP, "validate", "--tasks", str(path)])
    assert done.returncode == 1
    assert "passes in the old version too" in done.stderr
    assert run([*APIGAP, "validate", "--tasks", str(path), "--skip-old"]).returncode == 0


def test_some_families_of_the_battery_can_be_run_alone(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [names_task()])
    done = run([*APIGAP, "validate", "--tasks", str(path), "--cheats", "--family", "35", "--family", "36", "--json"])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {row["family"] for row in found["families"]} == {35, 36}
    assert found["cases"] > 15
    refused = run([*APIGAP, "validate", "--tasks", str(path), "--family", "35"])
    assert (refused.returncode, "give both" in refused.stderr) == (2, True)


@pytest.mark.network
@pytest.mark.sandbox
def test_an_ended_validation_goes_on_behind_its_last_case(tmp_path: Path) -> None:
    path, out = tmp_path / "tasks.jsonl", tmp_path / "found"
    write_records(path, [names_task()])
    command = [*APIGAP, "validate", "--tasks", str(path), "--cheats", "--family", "35", "--json", "--out", str(out)]
    first = json.loads(run(command).stdout)
    kept = load_records(out / "cases.jsonl", CheckedCase)
    assert len(kept) == first["cases"] > 5
    marked = kept[0].model_copy(update={"reason": "of the first run"})
    unjudged = kept[1].model_copy(update={"outcome": "infra"})
    write_records(out / "cases.jsonl", [marked, unjudged, *kept[2:-3]])
    assert json.loads(run(command).stdout) == first
    again = {case.key: case for case in load_records(out / "cases.jsonl", CheckedCase)}
    assert again == {case.key: case for case in [marked, *kept[1:]]}, "what was judged is not judged again"
    write_records(path, [names_task("result.upper()")])
    refused = run(command)
    assert (refused.returncode, "choose another folder" in refused.stderr) == (2, True)


def test_cheats_never_run_without_isolation(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_records(path, [names_task()])
    done = run([*APIGAP, "validate", "--tasks", str(path), "--cheats", "--unsafe-local"])
    assert done.returncode == 2
    assert "not with --unsafe-local" in done.stderr


def test_changes_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, root = tmp_path / "home", tmp_path / "environment"
    (home / ".config").mkdir(parents=True)
    (home / ".bashrc").write_text("a")
    (home / ".profile").write_text("a")
    (root / "lib").mkdir(parents=True)
    (root / "lib" / "module.py").write_text("x = 1")
    monkeypatch.setenv("HOME", str(home))
    environment = Environment(
        library="x", version="1", root=root, python=root, base_prefix=root, site_packages=root, packages=(), lock="x",
    )  # fmt: skip
    before = machine_state([environment])
    assert changes_since(before, [environment]) == []
    (home / ".bashrc").write_text("b")
    (home / ".profile").unlink()
    (home / ".config" / f"{MARK}.service").write_text("c")
    (root / "lib" / "module.py").chmod(0o600)
    changes = changes_since(before, [environment])
    assert sorted(change.rpartition("/")[2] for change in changes) == sorted(
        [
            "environment have changed",
            ".bashrc has been written",
            ".profile has been removed",
            f"{MARK}.service has been written",
        ]
    )

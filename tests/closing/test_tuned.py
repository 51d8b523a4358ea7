"""Weights tuned on what a closing wrote: which are asked, which are refused, and the command that makes them."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apigap.adaptation.examples import sft_examples
from apigap.closing.files import ClosingFiles
from apigap.closing.halves import halves_of
from apigap.closing.run import Closed, Closing, close
from apigap.closing.tuned import Tuning, closing_of
from apigap.cluster.engines import engine_of
from apigap.models.adapted import ADAPTED, AdaptedModel, weights_hash
from apigap.records.base import content_hash
from apigap.records.configuration import GenerationSettings, load_settings
from apigap.records.layout import Layout
from apigap.records.manifest import Stage
from apigap.records.progress import Unseen
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.reporting.closing_page import weights_line
from apigap.reporting.render import render_closing
from apigap.sandbox.engine import Engine
from tests.closing.scripted import Scripted
from tests.closing.test_close import BUNDLES, TASKS
from tests.records.test_task import make_task

GENERATION = load_settings().generation
FEW = [task for task in TASKS if task.api_name.endswith((".send", ".close", ".subfactorial"))]
CHOOSING, HELD = halves_of(FEW, 0)
NOTHING_HELPS = {task.api_name: ["what no page says"] for task in FEW}


class Taught(Scripted):
    """The weights in the place of tuned ones: they know an API from tasks, without being shown anything."""

    def text(self, request: Any) -> str:
        task = next(task for task in self._tasks if request.key.startswith(task.task_id))
        return f"```python\n{task.masked_region if task.api_name.endswith('.send') else 'pass'}\n```"


def command_of(note: str) -> dict[str, str]:
    """The options of the tuning command at the end of a note, which has to be whole as it stands."""
    words = shlex.split(note[note.index("apigap adapt sft") :])
    assert words[:3] == ["apigap", "adapt", "sft"]
    return dict(zip(words[3::2], words[4::2], strict=True))


def tuned_by(command: dict[str, str], tasks: Sequence[Task], content: bytes = b"tuned") -> Path:
    """What the command leaves, had it been given `tasks`; the folder."""
    folder = Layout(Path(command["--data"]), command["--model"]).adapted(command["--group"], "sft", "baseline")
    examples = sft_examples(tasks, {}, "baseline", GENERATION)
    data = content_hash([example.to_line() for example in examples])
    write_records(folder / "examples.jsonl", examples)
    (folder / "model.gguf").write_bytes(content)
    Stage(folder / "manifest.json", "adapt sft", {"data": data}).finish({"seconds": 90.0})
    found = AdaptedModel(
        method="sft", base=command["--model"], group=command["--group"], condition="baseline", settings={},
        data=data, artefact="edit.safetensors", sha256="0" * 64, model="gguf/{}/model.gguf",
        base_sha256=weights_hash(command["--model"]),
    )  # fmt: skip
    (folder / ADAPTED).write_text(found.model_dump_json())
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a local model; its file is described, and not loaded."""
    path = tmp_path_factory.mktemp("models") / "base.gguf"
    path.write_bytes(b"base")
    return f"gguf/{path}"


def tuning(root: Path, model: str, settings: GenerationSettings = GENERATION, seed: int = 0) -> Tuning:
    files = ClosingFiles(root, "x y")
    return Tuning(files, model, settings, halves_of(FEW, seed).choosing)


def test_the_command_is_whole_and_names_a_group_of_just_these_tasks(tmp_path: Path, base: str) -> None:
    first, again, other = (tuning(tmp_path, base, seed=seed) for seed in (0, 0, 1))
    given = command_of(first.note)
    assert Path(given["--tasks"]) == tmp_path / "closing" / "x y" / "teach.jsonl"
    assert given["--preset"] == "cpu"
    assert given["--model"] == base
    assert "--layout" not in given
    assert given == command_of(again.note)
    assert given["--group"] != command_of(other.note)["--group"]
    assert {closing_of(command_of(one.note)["--group"]) for one in (first, other)} == {"x y"}
    assert [closing_of(group) for group in ("web", "close-x", "close-x-12345678")] == [None, None, "x"]


def test_what_would_not_fit_the_preset_is_allowed_for_and_the_layout_is_told(tmp_path: Path, base: str) -> None:
    long = make_task(context_code="x = 1\n" * 1000)
    files = ClosingFiles(tmp_path, "x")
    given = command_of(Tuning(files, base, GENERATION.model_copy(update={"layout": "published"}), [long]).note)
    assert given["--layout"] == "published"
    assert int(given["--set"].removeprefix("max_length=")) * 3 > 6000
    assert "--set" not in command_of(Tuning(files, base, GENERATION, [make_task()]).note)


@pytest.mark.parametrize(
    ("model", "word"),
    [
        ("batch/queue", "batch/queue is asked elsewhere"),
        ("openai/gpt-x", "openai/gpt-x is asked elsewhere"),
        ("mockllm/model", "apigap tunes only models that it runs itself"),
    ],
)
def test_models_whose_weights_are_elsewhere_get_no_command_that_cannot_work(
    model: str, word: str, tmp_path: Path
) -> None:
    found = tuning(tmp_path, model)
    assert found.weights is None
    assert word in found.note
    assert "apigap adapt" not in found.note
    assert "apigap export sft --tasks" in found.note


def test_without_a_task_that_teaches_there_is_nothing_to_tune(tmp_path: Path, base: str) -> None:
    note = Tuning(ClosingFiles(tmp_path, "x"), base, GENERATION, []).note
    assert "nothing to tune them on" in note
    assert "apigap adapt" not in note
    calls = tuning(tmp_path, base, GENERATION.model_copy(update={"layout": "tools", "begin_answer": False}))
    assert "an answer is a call" in calls.note


def test_weights_of_these_tasks_are_taken_in_whatever_order_they_were_taught(tmp_path: Path, base: str) -> None:
    folder = tuned_by(command_of(tuning(tmp_path, base).note), list(reversed(CHOOSING)))
    found = tuning(tmp_path, base)
    assert found.weights is not None
    assert found.note == ""
    assert found.weights.model == f"gguf/{folder}/model.gguf"
    assert (found.weights.tasks, found.weights.seconds) == (len(CHOOSING), 90.0)
    other = tuning(tmp_path, base, seed=1)
    assert other.weights is None
    assert f"what is in {folder} was tuned on other tasks or prompts" in other.note


def test_weights_that_saw_the_held_back_half_are_refused(tmp_path: Path, base: str) -> None:
    folder = tuned_by(command_of(tuning(tmp_path, base).note), [*CHOOSING, *HELD])
    found = tuning(tmp_path, base)
    assert found.weights is None
    assert f"The weights in {folder} were not asked" in found.note
    assert f"{len(HELD)} of them on other tasks" in found.note
    (folder / "examples.jsonl").unlink()
    write_records(folder / "examples.jsonl", sft_examples(CHOOSING, {}, "baseline", GENERATION))
    assert tuning(tmp_path, base).weights is None, "the file says so, the weights' own hash does not"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"base_sha256": "1" * 64}, "is no longer what they were tuned from"),
        ({"model": "gguf/{}/gone.gguf"}, "their file is not there any more"),
        ({"settings": {"whole_program": True}}, "they were tuned on other prompts than these"),
    ],
)
def test_weights_of_something_else_are_refused_and_told(
    change: dict[str, Any], word: str, tmp_path: Path, base: str
) -> None:
    folder = tuned_by(command_of(tuning(tmp_path, base).note), CHOOSING)
    described = json.loads((folder / ADAPTED).read_text())
    (folder / ADAPTED).write_text(json.dumps({**described, **change}))
    found = tuning(tmp_path, base)
    assert found.weights is None
    assert word in found.note
    assert command_of(found.note)["--group"] == folder.parents[1].name
    (folder / ADAPTED).unlink()
    assert "their tuning was ended early. It goes on with" in tuning(tmp_path, base).note


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    settings = load_settings()
    with engine_of(settings.execution, packages=settings.packages) as found:
        yield found


@pytest.mark.network
@pytest.mark.sandbox
def test_the_same_close_asks_the_weights_that_its_note_asked_for(
    tmp_path: Path, base: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apigap.closing.ways.is_installed", lambda module: False)  # the server starts in seconds
    plain, taught = Scripted(FEW, NOTHING_HELPS), Taught(FEW, NOTHING_HELPS)
    plan = Closing("e2e", base, FEW, BUNDLES, longest=0)

    def closed(seed: int = 0) -> Closed:
        make: Any = lambda model, decoding: plain if model == base else taught  # noqa: E731
        return close(replace(plan, seed=seed), tmp_path, load_settings(), engine, Unseen(), make)

    before = closed().report
    assert (before.tuned, before.ways[-1].way == "sft") == (None, False)
    command = command_of(before.notes[-1])
    tasks = load_records(Path(command["--tasks"]), Task)
    assert {task.task_id for task in tasks} == {task.task_id for task in CHOOSING}
    folder = tuned_by(command, tasks)
    asked = len(plain.asked)
    after = closed()
    assert len(plain.asked) == asked
    assert {request.key.partition("/")[0] for request in taught.asked} == {task.task_id for task in HELD}
    row = after.report.ways[-1]
    right = sum(task.api_name.endswith(".send") for task in HELD)
    assert (row.way, row.passed.right, row.closed.right, row.closed.of) == ("sft", right, right, len(HELD))
    assert row.gain == pytest.approx(right / len(HELD))
    assert row.gain_low <= right / len(HELD) <= row.gain_high
    assert [way for way in after.report.ways if way.way != "sft"] == list(before.ways)
    line = weights_line(after.report)
    assert f"gguf/{folder}/model.gguf (sha256 " in line
    assert re.search(rf"in 1\.5 minutes, on {len(CHOOSING)} tasks on 3 of these 3 APIs", line)
    page = render_closing(after.report)
    assert '<th scope="row">tuned weights</th>' in page
    assert str(folder) in page
    assert closed().report == after.report
    assert len(taught.asked) == len(HELD)
    shutil.rmtree(folder)
    tuned_by(command, tasks, b"tuned again")
    retuned = closed().report
    assert retuned.ways[-1].passed == row.passed
    assert len(taught.asked) == 2 * len(HELD), "other weights are asked themselves"
    other = closed(1).report
    assert other.seed == 1
    assert other.tuned is None
    assert f"what is in {folder} was tuned on other tasks" in other.notes[-1]
    asked = len(plain.asked)
    assert closed().report == retuned
    assert len(plain.asked) == asked, "each division keeps its answers"

"""An experiment's answers: task by task, kept whatever ends the run, and never asked twice."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.cells import complete_for
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.grid import parse_cells
from apigap.experiments.sources import read_source
from apigap.models.generate import Generator
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import Prose
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task
from tests.silent import Silent

TASKS = [make_task(api_name="lib.slugify", description=f"Task {number}.") for number in range(3)]

OTHER = bundle(api_name="lib.task", m_prose=Prose(text="A task of a kind, with a number.", tier="docstring"))


class Model(Generator):
    """Answers with the request's key; dies at the request numbered `fails_at`."""

    asked: list[str] = []
    fails_at = 99

    def __init__(self, model: str, decoding: Decoding) -> None:
        self.model = model

    def generate(self, requests: Sequence[GenerationRequest], on_answer: Callable[[str, int, Answer], None]) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        for request in requests:
            if len(self.asked) == self.fails_at:
                raise ConnectionError
            self.asked.append(request.key)
            on_answer(request.key, 0, Answer(text=request.key, stop_reason="stop"))


@pytest.fixture
def model() -> type[Model]:
    return type("Fresh", (Model,), {"asked": []})


def experiment(root: Path, model: type[Model], cells: list[str], tasks: list[Task] = TASKS) -> Experiment:
    plan = Plan("study", "lib", "mockllm/model", tasks, [bundle(), OTHER], parse_cells(cells))
    return Experiment(plan, load_settings(overrides=["retrieval.embedder=lexical"]), root, Silent(), model)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_all_cells_of_a_task_are_asked_before_the_next_task(tmp_path: Path, model: type[Model]) -> None:
    experiment(tmp_path, model, ["baseline", "s", "full"]).generate()
    assert model.asked == [f"{task.task_id}/{cell}" for task in TASKS for cell in ("baseline", "s", "full")]
    rows = load_records(tmp_path / "results" / "study" / "oracle.full" / "predictions.jsonl", Prediction)
    assert [row.task_id for row in rows] == [task.task_id for task in TASKS]
    assert all("lib.slugify" in (row.model_extra or {})["prompt"] for row in rows)


def test_a_run_that_dies_goes_on_and_ends_in_the_same_bytes(tmp_path: Path, model: type[Model]) -> None:
    experiment(tmp_path / "whole", model, ["oracle"]).generate()
    asked = [*model.asked]
    for stop in (1, 7, 20):
        model.asked.clear()
        model.fails_at = stop
        with pytest.raises(ConnectionError):
            experiment(tmp_path / str(stop), model, ["oracle"]).generate()
        model.fails_at = 999
        experiment(tmp_path / str(stop), model, ["oracle"]).generate()
        assert sorted(model.asked) == sorted(asked)
        assert files(tmp_path / str(stop)) == files(tmp_path / "whole")


def test_cells_that_need_other_weights_say_which(tmp_path: Path, model: type[Model]) -> None:
    study = experiment(tmp_path, model, ["baseline", "sft.s_e", "rag_sft.s_e", "rag_sft.full"])
    assert [cell.name for cell in study.cells] == ["baseline"]
    command = "apigap adapt sft --tasks TRAINING.jsonl --group lib --model mockllm/model --condition s_e"
    assert study.skipped["sft.s_e"] == f"{command} --data {tmp_path}"
    assert set(study.skipped) == {"sft.s_e", "rag_sft.s_e", "rag_sft.full"}
    study.generate()
    assert len(model.asked) == len(TASKS)


def test_a_group_that_is_not_split_has_no_tasks_of_its_own_to_train_on(tmp_path: Path, model: type[Model]) -> None:
    for group, taught in (("agent_tool", "--tasks TRAINING.jsonl "), ("all_pooled_paper", "")):
        plan = Plan("study", group, "mockllm/model", TASKS, [bundle()], parse_cells(["sft.s"]))
        (command,) = Experiment(plan, load_settings(), tmp_path, Silent(), model).skipped.values()
        assert command.startswith(f"apigap adapt sft {taught}--group {group} ")


def test_no_two_models_are_in_memory(tmp_path: Path, model: type[Model], monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {"sft.s": "mockllm/s", "rag_sft.s": "mockllm/s", "sft.e": "mockllm/e"}
    monkeypatch.setattr(Experiment, "_model_of", lambda self, cell: weights.get(cell.name, "mockllm/model"))
    told: list[str] = []

    class Loaded(model):
        def __init__(self, model: str, decoding: Decoding) -> None:
            super().__init__(model, decoding)
            told.append(f"load {model}")

        def close(self) -> None:
            told.append(f"close {self.model}")

    experiment(tmp_path, Loaded, ["sft.s", "sft.e", "baseline", "rag_sft.s", "rag.s"]).generate()
    names = [line.partition(" ")[2] for line in told[::2]]
    assert sorted(names) == ["mockllm/e", "mockllm/model", "mockllm/s"]
    assert told == [f"{act} {name}" for name in names for act in ("load", "close")]


def test_what_retrieval_finds_is_shown_after_all_oracle_cells(tmp_path: Path, model: type[Model]) -> None:
    experiment(tmp_path, model, ["rag.s_m_prose", "chunked.s_m_prose", "s_m_prose"]).generate()
    assert model.asked == [f"{task.task_id}/s_m_prose" for task in TASKS] * 3
    shown = {
        way: load_records(tmp_path / "results" / "study" / f"{way}.s_m_prose" / "predictions.jsonl", Prediction)
        for way in ("oracle", "rag", "chunked")
    }
    prompts = {way: (rows[1].model_extra or {})["prompt"] for way, rows in shown.items()}
    assert all("into a slug" in prompt for prompt in prompts.values())
    assert {way for way, prompt in prompts.items() if "with a number" in prompt} == {"rag"}


def test_a_study_grows_and_is_cut_without_asking_twice(tmp_path: Path, model: type[Model]) -> None:
    experiment(tmp_path, model, ["s"], tasks=TASKS[:2]).generate()
    experiment(tmp_path, model, ["s"]).generate()
    assert model.asked == [f"{task.task_id}/s" for task in TASKS]
    whole = files(tmp_path)
    part = experiment(tmp_path, model, ["s"], tasks=TASKS[1:])
    assert not complete_for(part.folder(part.cells[0]), TASKS[1:])
    part.generate()
    assert complete_for(part.folder(part.cells[0]), TASKS[1:])
    assert part.endings(part.cells[0]) == {"stop": len(TASKS[1:])}, "answers to other tasks are kept, and not told of"
    experiment(tmp_path, model, ["s"]).generate()
    assert len(model.asked) == 3
    assert files(tmp_path) == whole


def test_an_agent_that_has_answered_more_tasks_has_nothing_left_to_do(tmp_path: Path, model: type[Model]) -> None:
    whole, part = (experiment(tmp_path, model, ["agent.docs"], tasks=tasks) for tasks in (TASKS, TASKS[1:]))
    (cell,) = whole.cells
    before = part.workload(cell).requests
    rows = [Prediction(task_id=task.task_id, samples=("x = 1",)) for task in TASKS]
    write_records(whole.folder(cell) / "predictions.jsonl", rows)
    assert before > 0 == part.workload(cell).requests == whole.workload(cell).requests


def test_another_prompt_in_the_same_folder_is_refused(tmp_path: Path, model: type[Model]) -> None:
    experiment(tmp_path, model, ["s"]).generate()
    plan = Plan("study", "lib", "mockllm/model", TASKS, [bundle(change="added", changes=())], parse_cells(["s"]))
    with pytest.raises(UsageError, match="choose another folder"):
        Experiment(plan, load_settings(), tmp_path, Silent(), model).generate()


def test_a_source_leaves_out_and_names_what_has_no_bundle(tmp_path: Path) -> None:
    other = make_task(api_name="other.thing")
    write_records(tmp_path / "tasks.jsonl", [other, *TASKS])
    write_records(tmp_path / "bundles.jsonl", [bundle()])
    source = read_source(tmp_path / "tasks.jsonl", [tmp_path / "bundles.jsonl"], limit=2)
    assert len(source.tasks) == 2
    assert source.without == (other.task_id,)
    write_records(tmp_path / "tasks.jsonl", [other])
    with pytest.raises(UsageError, match="--knowledge"):
        read_source(tmp_path / "tasks.jsonl", [tmp_path / "bundles.jsonl"])


def test_an_experiment_is_cut_to_what_is_answered_or_goes_on_with_other_apis(
    tmp_path: Path, model: type[Model]
) -> None:
    other = make_task(api_name="lib.task", description="Another API.")
    experiment(tmp_path, model, ["baseline", "s"], [*TASKS, other]).generate()
    model.asked.clear()
    for tasks in (TASKS[:2], [*TASKS, other]):
        experiment(tmp_path, model, ["baseline", "s"], tasks).generate()
    assert not model.asked
    assert complete_for(tmp_path / "results" / "study" / "baseline", [*TASKS, other])


def test_a_template_that_changed_is_told_though_all_is_answered(tmp_path: Path, model: type[Model]) -> None:
    template = tmp_path / "own.jinja"

    def asked() -> None:
        settings = load_settings(overrides=[f"generation.layout={template}"])
        plan = Plan("study", "lib", "mockllm/model", TASKS, [bundle(), OTHER], parse_cells(["baseline"]))
        Experiment(plan, settings, tmp_path, Silent(), model).generate()

    template.write_text("{{ description }}\n{{ knowledge }}")
    asked()
    asked()
    template.write_text("Please: {{ description }}\n{{ knowledge }}")
    with pytest.raises(UsageError, match=r"generation\.template"):
        asked()

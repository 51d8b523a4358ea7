"""`inspect eval apigap/novelapi` asks, answers and judges as `apigap run` does."""

from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_set
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from apigap.experiments import plugin
from apigap.experiments.experiment import Experiment, Plan
from apigap.experiments.grid import parse_cells
from apigap.experiments.sources import read_source
from apigap.models.generate import Generator
from apigap.records.configuration import load_settings
from apigap.records.knowledge import Prose
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from tests.experiments.test_run import FLASK, knowledge
from tests.silent import Silent

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
FEW = 2
novelapi = vars(plugin)["novelapi"]


def evaluated(folder: Path, bundles: Path, model: Model | str, condition: str) -> EvalLog:
    task = novelapi(tasks="starter/flask", condition=condition, knowledge=str(bundles), limit=FEW)
    (log,) = inspect_eval(task, model=model, log_dir=str(folder / "logs"), display="none")
    assert log.status == "success", log.error
    return log


def run_cell(folder: Path, bundles: Path, model: str, condition: str) -> list[Prediction]:
    source = read_source(FLASK, [bundles], FEW)
    plan = Plan("study", source.group, model, source.tasks, source.bundles, parse_cells([condition]))
    study = Experiment(plan, load_settings(), folder, Silent(), partial(Generator, cache=False))
    study.generate()
    return load_records(study.folder(study.cells[0]) / "predictions.jsonl", Prediction)


def test_prompts_are_the_same_and_answers_are_judged(tmp_path: Path) -> None:
    bundles = knowledge(tmp_path)
    source = read_source(FLASK, [bundles], FEW)
    seen: list[str] = []

    def answer(messages: list[Any], *_: object) -> ModelOutput:
        seen.append(messages[-1].text)
        first = source.tasks[0]
        code = first.masked_region if first.description in seen[-1] else "pass"
        made = ModelOutput.from_content("mockllm/model", f"```python\n{code}\n```")
        made.usage = ModelUsage()
        return made

    log = evaluated(tmp_path, bundles, get_model("mockllm/model", custom_outputs=answer), "s")
    asked = [(row.model_extra or {})["prompt"] for row in run_cell(tmp_path, bundles, "mockllm/model", "s")]
    assert sorted(seen) == sorted(asked)
    scores = {str(sample.id): sample.scores["verdict"] for sample in log.samples or [] if sample.scores}
    values = [scores[task.task_id].value for task in source.tasks]
    assert values == [{"passed": 1.0}, {"passed": 0.0}]
    assert (scores[source.tasks[1].task_id].metadata or {})["outcome"] == "fail"


def test_a_prompt_beyond_the_window_is_cut_as_in_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("evaluation.inspect_tasks", "evaluation.model_pool"):
        monkeypatch.setattr(f"apigap.{module}.window_of", lambda model: 1_000)
    bundles, source = tmp_path / "long.jsonl", read_source(FLASK, [knowledge(tmp_path)], FEW)
    long = Prose(text="One more line.\n" * 400, tier="docstring")
    write_records(bundles, [one.model_copy(update={"m_prose": long}) for one in source.bundles])
    seen: list[str] = []

    def answer(messages: list[Any], *_: object) -> ModelOutput:
        seen.append(messages[-1].text)
        made = ModelOutput.from_content("mockllm/model", "```python\npass\n```")
        made.usage = ModelUsage()
        return made

    log = evaluated(tmp_path, bundles, get_model("mockllm/model", custom_outputs=answer), "m_prose")
    asked = [(row.model_extra or {})["prompt"] for row in run_cell(tmp_path, bundles, "mockllm/model", "m_prose")]
    assert sorted(seen) == sorted(asked)
    assert all(sample.metadata["cut"][0] < sample.metadata["cut"][1] for sample in log.samples or [])


def test_an_eval_set_asks_nothing_twice(tmp_path: Path) -> None:
    bundles, asked = knowledge(tmp_path), list[str]()

    def answer(messages: list[Any], *_: object) -> ModelOutput:
        asked.append(messages[-1].text)
        if len(asked) == 3:
            raise ConnectionError("the line went dead")
        made = ModelOutput.from_content("mockllm/model", "```python\npass\n```")
        made.usage = ModelUsage()
        return made

    def run(attempts: int) -> tuple[bool, list[EvalLog]]:
        tasks = [
            novelapi(tasks="starter/flask", condition=condition, knowledge=str(bundles), limit=FEW)
            for condition in ("baseline", "s")
        ]
        model = get_model("mockllm/model", custom_outputs=answer)
        folder = str(tmp_path / "logs")
        return eval_set(tasks, log_dir=folder, model=model, retry_attempts=attempts, retry_wait=0.1, display="none")

    assert not run(0)[0]
    done, logs = run(2)
    assert done
    counts = {log.eval.task: log.results.completed_samples for log in logs if log.results}
    assert counts == {"novelapi_baseline": FEW, "novelapi_s": FEW}
    once = len(asked)
    assert once <= 2 * FEW + 2  # the one that failed, and the one beside it
    assert run(0)[0]
    assert len(asked) == once


@pytest.mark.slow
@pytest.mark.model
def test_a_local_model_gives_the_same_answers(tmp_path: Path) -> None:
    bundles, model = knowledge(tmp_path), "gguf/smollm2-135m"
    log = evaluated(tmp_path, bundles, model, "s")
    ours = {row.task_id: row.samples[0] for row in run_cell(tmp_path, bundles, model, "s")}
    assert {str(sample.id): sample.output.completion for sample in log.samples or []} == ours


def test_inspect_finds_the_task_and_the_provider() -> None:
    (entry,) = [entry for entry in entry_points(group="inspect_ai") if entry.name == "apigap"]
    loaded = entry.load()
    assert {"gguf", "novelapi"} <= set(vars(loaded))

"""`inspect eval apigap/apibank` asks and scores as `apigap apibank` does; in `apibank_live` the APIs really answer."""

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task as InspectTask
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo

from apigap.benchmarks.apibank.benchmark import TOOLS
from apigap.benchmarks.apibank.dialogues import LEVELS, Sample, Step, Task, Turn, load_bank, step_turn
from apigap.benchmarks.apibank.inspect.live import PROTOCOLS, apibank_live
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.scripts import Script, scripts
from apigap.benchmarks.apibank.prompts import written
from apigap.evaluation.predict import Asking, predict
from apigap.experiments import plugin
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.benchmarks.runs import apibank as bank_of
from tests.silent import Silent

OWN = Path("own")
apibank = vars(plugin)["apibank"]
BANK = load_bank(OWN)
GOLD = ApiBankJudge(BANK).gold
TASKS: dict[str, Task] = {task.task_id: task for level in LEVELS for task in BANK.tasks(level)}
SCRIPTS: dict[str, Script] = {script.name: script for level in LEVELS for script in scripts(BANK, level)}


def evaluated(folder: Path, task: InspectTask, answer: Any, **options: Any) -> EvalLog:
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log


def said(text: str) -> ModelOutput:
    made = ModelOutput.from_content("mockllm/model", text)
    made.usage = ModelUsage()
    return made


def called(name: str, arguments: dict[str, Any]) -> ModelOutput:
    made = ModelOutput.for_tool_call("mockllm/model", name, arguments)
    made.usage = ModelUsage()
    return made


def truth(task: Task) -> Turn:
    assert isinstance(task, Sample | Step)
    return task.truth if isinstance(task, Sample) else step_turn(task)


def values(log: EvalLog, name: str) -> dict[str, Any]:
    return {str(sample.id): sample.scores[name].value for sample in log.samples or [] if sample.scores}


def echo(text: str) -> str:
    """An answer that tells what was asked."""
    return f"[Echo(asked='{len(text)}')] {text[-60:]}"


@pytest.mark.parametrize("protocol", ["text", "native"])
@pytest.mark.parametrize("kind", ["calls", "replies"])
def test_the_same_predictions_as_predict(tmp_path: Path, protocol: Any, kind: str) -> None:
    def make(model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=echo)

    out = tmp_path / "predictions.jsonl"
    predict(bank_of(kind=kind, protocol=protocol), out, Asking("mockllm/model", limit=3), Silent(), make)
    ours = {row.task_id: list(row.samples) for row in load_records(out, Prediction)}
    task = apibank(kind=kind, protocol=protocol, limit=3)
    log = evaluated(tmp_path, task, lambda messages, *_: said(echo(messages[-1].text)))
    assert {str(sample.id): [sample.output.completion] for sample in log.samples or []} == ours
    assert len(ours) == 9


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_gold_calls_are_right_in_every_protocol_at_every_level(tmp_path: Path, protocol: str, level: int) -> None:
    task = apibank(level=level, kind="calls", protocol=protocol, mode="corrected")
    waiting = {str(sample.id): truth(TASKS[str(sample.id)]) for sample in task.dataset}
    by_asked = {json.dumps([m.text for m in s.input if not isinstance(s.input, str)]): str(s.id) for s in task.dataset}  # pyright: ignore
    offers: dict[str, list[str]] = {}

    def answer(messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        task_id = by_asked[json.dumps([message.text for message in messages])]
        turn = waiting[task_id]
        offers[task_id] = [tool.name for tool in tools]
        if protocol == TOOLS:
            return called(turn.api_name, turn.param_dict)
        return said(written(turn.api_name, turn.param_dict))

    log = evaluated(tmp_path, task, answer)
    assert [*values(log, "verdict").values()] == [{"score": 1.0}] * len(waiting)
    if protocol == TOOLS:
        assert all(waiting[task_id].api_name in offered for task_id, offered in offers.items())


def test_several_samples_of_one_task(tmp_path: Path) -> None:
    answers = iter(["[GetUserToken(username='miriam', password='kestrel-42')]", "no call"])
    task = apibank(level=1, kind="calls", limit=1, temperature=0.7)
    log = evaluated(tmp_path, task, lambda *_: said(next(answers)), epochs=2)
    assert [(sample.epoch, sample.scores is not None) for sample in log.samples or []] == [(1, True), (2, True)]

    def make(model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=echo)

    out = tmp_path / "two.jsonl"
    predict(bank_of(), out, Asking("mockllm/model", 1, 2, 0.7), Silent(), make)
    assert {len(row.samples) for row in load_records(out, Prediction)} == {2}


class Perfect:
    """A model that makes the recorded calls one after the other, and then talks."""

    def __init__(self, protocol: str, spoil: str = "") -> None:
        self.protocol = protocol
        self.spoil = spoil
        self.shown: list[str] = []
        self._made: dict[str, int] = {}

    def __call__(self, messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        asked = next(message.text for message in messages if message.role == "user")
        script = next(script for script in SCRIPTS.values() if script.said[0] == asked)
        number = self._made.get(script.name, 0)
        self.shown.append(messages[-1].text)
        if number >= len(script.calls):
            return said("Done.")
        self._made[script.name] = number + 1
        turn = script.calls[number]
        if self.protocol == TOOLS:
            assert turn.api_name in [tool.name for tool in tools]
            return called(turn.api_name, turn.param_dict)
        return said(written(turn.api_name, turn.param_dict))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_recorded_calls_are_all_made_when_they_are_made_live(tmp_path: Path, protocol: str) -> None:
    log = evaluated(tmp_path, apibank_live(protocol=protocol), Perfect(protocol))
    found = values(log, "made")
    assert found == {name: {"calls": 1.0, "whole": 1.0} for name in SCRIPTS}
    assert values(log, "goal") == dict.fromkeys(SCRIPTS, 1.0)
    size = (tmp_path / Path(log.location).name).stat().st_size
    assert size < 2_000_000  # neither the data nor the adapter goes into the log


def test_results_are_really_those_of_the_apis(tmp_path: Path) -> None:
    model = Perfect("text")
    evaluated(tmp_path, apibank_live(level=1), model)
    assert any("t0k3nmiriam" in text for text in model.shown)
    assert all(text.startswith("->") for text in model.shown if "t0k3nmiriam" in text and "{" in text)


def test_samples_do_not_share_their_state(tmp_path: Path) -> None:
    """Two epochs at once: what one writes the other does not read, so both make all recorded calls."""
    model = Perfect("text")

    def answer(messages: list[Any], tools: list[ToolInfo], *_: object) -> ModelOutput:
        model._made.clear()  # pyright: ignore
        asked = next(message.text for message in messages if message.role == "user")
        script = next(script for script in SCRIPTS.values() if script.said[0] == asked)
        model._made[script.name] = sum(1 for m in messages if m.role == "assistant" and "[" in m.text)  # pyright: ignore
        return model(messages, tools)

    log = evaluated(tmp_path, apibank_live(), answer, epochs=2)
    assert len(log.samples or []) == 2 * len(SCRIPTS)
    assert {json.dumps(v) for v in values(log, "made").values()} == {json.dumps({"calls": 1.0, "whole": 1.0})}


@pytest.mark.parametrize("answer", ["Done.", "[NoSuchApi(x='1')]", "[GetUserToken(user='" + "a" * 50_000 + "')]"])
def test_a_live_dialogue_ends_whatever_the_model_says(tmp_path: Path, answer: str) -> None:
    log = evaluated(tmp_path, apibank_live(level=1, limit=2), lambda *_: said(answer))
    assert {json.dumps(v) for v in values(log, "made").values()} == {json.dumps({"calls": 0.0, "whole": 0.0})}
    assert set(values(log, "goal").values()) == {0.0}


def test_a_dialogue_whose_recording_is_wrong_has_no_goal_score(tmp_path: Path, published: Path) -> None:
    task = apibank_live(data=str(published), level=1)
    task.dataset = task.dataset.filter(lambda sample: str(sample.id).startswith("ModifyReminder-level-1"))
    log = evaluated(tmp_path, task, lambda *_: said("Done."))
    found = values(log, "goal")
    assert {name[-7:-6]: str(value) for name, value in found.items()} == {"1": "0.0", "2": "nan", "3": "nan"}
    (scores,) = [one for one in log.results.scores if one.name == "goal"] if log.results else []
    assert scores.metrics["mean"].value == 0.0


def test_inspect_finds_the_tasks() -> None:
    (entry,) = [entry for entry in entry_points(group="inspect_ai") if entry.name == "apigap"]
    assert {"apibank", "apibank_live"} <= vars(entry.load()).keys()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "xml"}, "text.*native.*tools"), ({"kind": "talk"}, "calls.*replies"), ({"mode": "x"}, "--mode"),
        ({"level": 4}, "--level"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        apibank(**options)


@pytest.mark.parametrize(("options", "room"), [({"max_tokens": 7}, 7), ({"max_tokens": 700}, 700), ({}, 256)])
def test_the_tokens_that_inspect_is_told_go_first(options: dict[str, int], room: int, tmp_path: Path) -> None:
    asked: list[int | None] = []

    def answer(messages: Any, tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
        asked.append(config.max_tokens)
        made = said("[Nothing()]")
        made.choices[0].stop_reason = "unknown"
        made.usage = ModelUsage(output_tokens=7)
        return made

    given: dict[str, Any] = {"model": "mockllm/model", "model_args": {"custom_outputs": answer}, **options}
    (log,) = inspect_eval(apibank(kind="calls", limit=1), log_dir=str(tmp_path), display="none", **given)
    assert set(asked) == {room}
    endings = {sample.output.stop_reason for sample in log.samples or ()}
    assert endings == {"max_tokens" if room == 7 else "unknown"}

"""Effects and calls of a small library from end to end: made from usages, asked, and judged where the code runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.benchmarks.novelapi import task_environments
from apigap.benchmarks.task_environment import Home
from apigap.evaluation.calibrate import calibrate
from apigap.evaluation.inspect_tasks import task_of
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.score import Scored, score
from apigap.ladder.controls import Pair
from apigap.ladder.executed.call import CallMaker
from apigap.ladder.executed.effect import EffectMaker
from apigap.ladder.executed.plain import value_of
from apigap.ladder.executed.work import ApiWork
from apigap.ladder.make import Loss, Names, make_items, subjects_of
from apigap.models.generate import MOCK_MODEL, Generator
from apigap.models.options import OptionRequest
from apigap.models.request import Decoding
from apigap.records.configuration import load_settings
from apigap.records.progress import Unseen
from apigap.records.questions.ladder import RUNGS, LadderItem
from apigap.records.run import Program, RunRecord
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from tests.ladder.toy import APIS, install, usages_of

SETTINGS = load_settings()
PRELOAD = ("abacus",)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return install(tmp_path_factory.mktemp("abacus") / "env")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.of(SETTINGS.execution, packages=SETTINGS.packages) as made:
        yield made


@pytest.fixture(scope="module")
def work(engine: Engine, environment: Environment) -> dict[str, ApiWork]:
    return made_of(engine, environment)


def made_of(engine: Engine, environment: Environment) -> dict[str, ApiWork]:
    batch = [(one, usages_of(one)) for one in APIS]
    effects = EffectMaker(engine, environment, PRELOAD, SETTINGS.tasks, 0).write(batch)
    calls = CallMaker(engine, environment, PRELOAD, "swe", SETTINGS.tasks).write(batch)
    return {e.api_name: ApiWork(api_name=e.api_name, effect=e, call=c) for e, c in zip(effects, calls, strict=True)}


def items_of(work: dict[str, ApiWork]) -> tuple[list[LadderItem], list[Loss]]:
    """Items of all APIs; the first has the second one as its control."""
    new, old, *others = APIS
    subjects = subjects_of([Pair(new, old)], others)
    return make_items(subjects, APIS, Names(set(), lambda names: set()), 0, RUNGS, work)


@pytest.fixture(scope="module")
def items(work: dict[str, ApiWork]) -> list[LadderItem]:
    return items_of(work)[0]


def test_what_has_a_usage_is_asked_and_the_rest_says_why(work: dict[str, ApiWork]) -> None:
    items, lost = items_of(work)
    asked = {(item.rung, item.api_name) for item in items if item.rung in ("effect", "call")}
    both = {(rung, name) for rung in ("effect", "call") for name in ("abacus.scaled", "abacus.Tally.most")}
    assert asked == {*both, ("call", "abacus.mood")}  # it always gives the same, and yet it can be called
    reasons = {(loss.rung, name): loss.reason for loss in lost for name in loss.apis}
    assert "no usage names it" in reasons["effect", "abacus.unused"]
    assert "three other plain values" in reasons["effect", "abacus.mood"]


def test_the_same_usages_give_the_same_items(
    engine: Engine, environment: Environment, work: dict[str, ApiWork]
) -> None:
    again = made_of(engine, environment)
    assert [one.to_line() for one in items_of(again)[0]] == [one.to_line() for one in items_of(work)[0]]


def test_options_of_an_effect_are_what_their_programs_give(
    engine: Engine, environment: Environment, items: Sequence[LadderItem]
) -> None:
    effects = [item for item in items if (item.rung, item.form) == ("effect", "choice")]
    assert effects
    for item in effects:
        programs = [Program(context="", completion=code, observe=(item.expression,)) for code in item.programs]
        runs = engine.run(environment, programs, preload=PRELOAD)
        assert [run.observations[item.expression] for run in runs] == [value_of(option) for option in item.options]
        assert len({repr(value_of(option)) for option in item.options}) == 4
        assert item.programs[item.right or 0] in item.question
        assert item.options[item.right or 0] not in item.question


def test_a_value_to_write_is_what_its_program_gives(
    engine: Engine, environment: Environment, items: Sequence[LadderItem]
) -> None:
    written = [item for item in items if item.form == "value"]
    assert {item.api_name for item in written} == {"abacus.scaled", "abacus.Tally.most"}
    for item in written:
        (code,), (text,) = item.programs, item.truth
        (run,) = engine.run(environment, [Program(context="", completion=code, observe=(item.expression,))])
        assert run.observations[item.expression] == value_of(text)
        assert code in item.question
        assert text not in item.question


def test_a_call_names_its_api_and_shows_no_answer(items: Sequence[LadderItem]) -> None:
    for item in (item for item in items if item.rung == "call"):
        assert item.task is not None
        assert f"`{item.api_name}`" in item.question
        assert item.task.masked_region.strip() not in item.question
        assert item.api_name.rpartition(".")[2] not in item.task.context_code


@pytest.fixture
def benchmark(
    engine: Engine,
    environment: Environment,
    items: Sequence[LadderItem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Items:
    """The benchmark of a mixed file, whose code runs where the library is."""

    def home(tasks: Sequence[Task], engine: Engine) -> Home:
        return Home(environment, PRELOAD)

    monkeypatch.setattr(task_environments, "_home", home)
    write_records(tmp_path / "items.jsonl", items)
    return Items(ItemsOptions.of(items=(tmp_path / "items.jsonl",)), SETTINGS).judged_by(engine)


def test_a_mixed_file_is_validated_by_running_its_code(benchmark: Items) -> None:
    found = calibrate(benchmark, Unseen())
    assert found.probes > 20
    assert not found.wrong


def test_no_code_runs_before_a_model_is_asked(benchmark: Items) -> None:
    tasks = benchmark.load()
    assert {item.form for item in tasks} == {"yes or no", "choice", "parameters", "value", "code"}
    assert {item.form for item in benchmark.proved_first(tasks)} == {"yes or no", "choice", "parameters", "value"}


def answered(benchmark: Items, folder: Path, right: bool) -> Scored:
    """The verdicts on a model that is always right, or leaves every answer out."""
    said = {benchmark.prompt(item).messages()[-2:]: benchmark.gold(item) for item in benchmark.load()}
    by_prompt = {"\n".join(message.content for message in messages): gold for messages, gold in said.items()}

    def make(model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=lambda prompt: by_prompt[prompt] if right else "```python\npass\n```")

    predict(benchmark, folder / "p.jsonl", Asking(MOCK_MODEL), Unseen(), make)
    return score(benchmark, folder / "p.jsonl", folder / "r.jsonl", Unseen())


def test_a_mixed_file_is_asked_and_judged(benchmark: Items, tmp_path: Path) -> None:
    scored = answered(benchmark, tmp_path, right=True)
    assert not scored.no_verdict
    assert {(result.part, result.outcome) for result in scored.results} == {(rung, "pass") for rung in RUNGS}
    assert {result.evaluator for result in scored.results} == {benchmark.evaluator.digest}
    (call,) = [row for row in scored.summary.model_dump()["gaps"] if row["measure"] == "call: passes"]
    assert (call["new"], call["control"]) == (1.0, 1.0)


def test_doing_nothing_is_a_fail_with_a_label(benchmark: Items, tmp_path: Path) -> None:
    scored = answered(benchmark, tmp_path, right=False)
    calls = [result for result in scored.results if result.part == "call"]
    assert len(calls) == 3
    assert all(result.outcome == "fail" and result.label and result.detail["read"] for result in calls)
    assert all(result.score == 0 for result in scored.results if result.part == "effect")


def test_a_library_that_cannot_be_installed_fails_nobody(
    benchmark: Items, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "apigap.benchmarks.items.benchmark.homes_at_hand",
        lambda tasks, engine, progress: {(t.library, t.version): "it cannot be installed" for t in tasks},
    )
    scored = answered(benchmark, tmp_path, right=True)
    assert {r.outcome for r in scored.results if r.part == "call"} == {"infra"}
    assert {r.outcome for r in scored.results if r.part != "call"} == {"pass"}
    assert list(scored.no_verdict) == ["it cannot be installed"]
    assert not [row for row in scored.summary.model_dump()["gaps"] if row["measure"] == "call: passes"]


def test_inspect_asks_and_judges_the_same(benchmark: Items, tmp_path: Path) -> None:
    gold = {benchmark.prompt(item).messages()[0].content: benchmark.gold(item) for item in benchmark.load()}

    def answer(messages: list[ChatMessage], *_: object) -> ModelOutput:
        made = ModelOutput.from_content("mockllm/model", gold[messages[0].text])
        made.usage = ModelUsage()
        return made

    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_eval(task_of(benchmark), model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    passed = [s.scores["verdict"].value for s in log.samples or [] if s.scores]
    assert passed == [{"passed": 1.0}] * len(benchmark.load())


def test_likelihood_is_asked_for_as_a_console_shows_a_value(benchmark: Items) -> None:
    local = benchmark.for_model("gguf/smollm2-135m")
    effect = next(item for item in local.load() if (item.rung, item.form) == ("effect", "choice"))
    request = local.prompt(effect)
    assert isinstance(request, OptionRequest)
    assert request.begin == f"```python\n>>> {effect.expression}\n"
    assert [option.strip() for option in request.options] == list(effect.options)


@pytest.mark.parametrize(
    ("first", "again", "tried"), [(0.4, [], True), (0.9, [0.8, 0.6], False), (0.9, [0.8, 0.3], True)]
)
def test_a_usage_is_slow_that_takes_long_each_time(
    first: float, again: list[float], tried: bool, engine: Engine, environment: Environment,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    runs = [RunRecord(status="completed", phase="observe", cpu_seconds=seconds) for seconds in (first, *again)]
    maker = EffectMaker(engine, environment, PRELOAD, SETTINGS.tasks, 0)
    monkeypatch.setattr(EffectMaker, "_run", lambda self, rows: [runs[1:]])
    monkeypatch.setattr(EffectMaker, "_looks", lambda self, attempt, facts: ["before", "after"])
    assert maker._is_slow(runs[0], None, None) is not tried  # type: ignore[arg-type]

"""Selection in several steps: the simulated server, the loop with a model, and runs in ToolBench's formats."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall as NativeCall

from apigap.benchmarks.toolllm.inspect.steps import FORMS, toolllm_steps
from apigap.benchmarks.toolllm.prompts import parameter_name
from apigap.benchmarks.toolllm.queries import OWN, Query, drawn, load_queries
from apigap.benchmarks.toolllm.runs import HALLUCINATED, MOST_STEPS, Run, Step, converted_run, runner_tree
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.server import MAX_RESPONSE, ToolServer
from apigap.benchmarks.toolllm.steps import ToolCall, calls_in
from apigap.benchmarks.toolllm.trees import recorded_query, tree_names, tree_text
from apigap.records.errors import UsageError
from tests.benchmarks.runs import summary_of, toolllm

QUERIES = load_queries([OWN])
TRAINS = next(query for query in QUERIES if query.task_id == "900005")
LEAVE, _, CLASS, _ = (api.function for api in TRAINS.apis)
odd = ["'", '"', "{'name': 'x'}", "\\'", "\ud800", "\n", "Finish", "<think>", "</think>", '<tool_call>{"name": "x"}']
texts = st.one_of(st.text(max_size=30), st.sampled_from(odd))


@st.composite
def runs(draw: st.DrawFn) -> tuple[Run, Query]:
    query = draw(st.sampled_from(QUERIES))
    steps = [
        Step(thought=draw(texts), name=name, arguments=draw(texts), response=draw(texts), offered=name in query.offered)
        for name in draw(st.lists(st.one_of(st.sampled_from(sorted(query.offered)), texts), max_size=6))
    ]
    finish = draw(st.one_of(st.none(), texts, st.just('{"return_type": "give_answer", "final_answer": "so"}')))
    return Run(task_id=query.task_id, question=query.question, steps=tuple(steps), finish=finish), query


@given(runs())
def test_both_generations_are_read_back_as_what_was_called(case: tuple[Run, Query]) -> None:
    run, query = case
    names = [step.name if step.offered else HALLUCINATED for step in run.steps]
    for exported in (runner_tree(run, query), converted_run(run, query)):
        read = json.loads(json.dumps(exported))
        assert list(tree_names(read)) == [*names, *(["Finish"] if run.finish is not None else [])]
        selection = select(tree_text(exported), query)
        assert (selection.mode, selection.chosen) == ("tree", tuple(dict.fromkeys(names)))
        assert set(selection.invented) <= {HALLUCINATED}
    assert recorded_query(converted_run(run, query)) == query.question


def test_the_longest_run_is_read_back() -> None:
    step = Step(thought="so", name=LEAVE, arguments="{}", response="", offered=True)
    run = Run(task_id="900005", question="?", steps=(step,) * MOST_STEPS, finish="{}", said="so")
    for exported in (runner_tree(run, TRAINS), converted_run(run, TRAINS)):
        assert select(json.dumps(exported), TRAINS).chosen == (LEAVE,)


def test_a_run_has_the_published_shape() -> None:
    asked, told_back = '{"station": "x"}', '{"error": ""}'
    step = Step(thought="Trains first.", name=LEAVE, arguments=asked, response=told_back, offered=True)
    finish = '{"return_type": "give_answer", "final_answer": "At noon."}'
    run = Run(task_id="900005", question=TRAINS.question, steps=(step,), finish=finish)
    tool = {"name": LEAVE, "arguments": asked, "response": told_back}
    details = converted_run(run, TRAINS)["answer"]
    assert (details["total_steps"], details["final_answer"], run.answer) == ("5", finish, "At noon.")
    told: list[tuple[str, str]] = []
    below = details["answer_details"]
    while below:
        (node,) = below
        told.append((node["role"], node["message"]))
        below = node["next"]
    assert told[:4] == [("system", ""), ("user", TRAINS.question), ("assistant", "Trains first."), ("tool", str(tool))]
    tree = runner_tree(run, TRAINS)
    assert tree["win"]
    kinds: list[str] = []
    node = tree["tree"]["tree"]
    while node:
        kinds.append(node["node_type"])
        node = next(iter(node["children"]), None)
    assert kinds == ["Action Input", "Thought", "Action", "Action Input", "Action", "Action Input"]


@pytest.mark.parametrize("query", QUERIES, ids=[query.task_id for query in QUERIES])
def test_the_server_answers_every_api_with_what_is_recorded(query: Query) -> None:
    server = ToolServer(query)
    for api in query.apis:
        if api.function not in query.colliding:
            told = server.answer(api.function, {parameter_name(p): "x" for p in api.required_parameters})
            assert (json.loads(told.text), told.offered) == ({"error": "", "response": api.template_response}, True)


CALLS: list[tuple[str, Any, str]] = [
    ("nobody", {}, "there is no function 'nobody'"),
    (LEAVE.upper(), {"station": "x"}, "there is no function"),
    (LEAVE, {}, "required parameters are missing: station"),
    (LEAVE, {"Station": "x"}, "required parameters are missing: station"),
    (LEAVE, "station=x", "not a JSON object"),
    (LEAVE, None, "not a JSON object"),
]


@pytest.mark.parametrize(("name", "arguments", "error"), CALLS)
def test_the_server_says_what_is_wrong_with_a_call(name: str, arguments: Any, error: str) -> None:
    told = json.loads(ToolServer(TRAINS).answer(name, arguments).text)
    assert error in told["error"]
    assert told["response"] == ""


@given(st.sampled_from(QUERIES), texts, st.recursive(texts, lambda inner: st.dictionaries(texts, inner, max_size=3)))
def test_the_server_answers_any_call_in_few_words(query: Query, name: str, arguments: Any) -> None:
    server = ToolServer(query)
    for called in (name, *query.offered):
        told = server.answer(called, arguments)
        assert len(told.text) <= MAX_RESPONSE
        assert told == server.answer(called, arguments)
        assert told.offered == (called in query.offered)


def test_an_api_without_a_recorded_response_says_so() -> None:
    api = TRAINS.apis[0].model_copy(update={"template_response": None})
    told = ToolServer(TRAINS.model_copy(update={"apis": (api,)})).answer(LEAVE, {"station": "x"})
    assert "recorded" in json.loads(told.text)["error"]


WRITTEN: list[tuple[str, list[ToolCall]]] = [
    ('<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>', [ToolCall("f", {"a": 1})]),
    ('I look.\n<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}', [ToolCall("f", {"a": 1})]),
    ('```json\n{"name": "f", "parameters": {}}\n```', [ToolCall("f", {})]),
    ('[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]', [ToolCall("f", {}), ToolCall("g", {})]),
    ('<think>{"name": "g", "arguments": {}}</think>{"name": "f", "arguments": {}}', [ToolCall("f", {})]),
    ('{"name": "f"}', []),
    ('{"name": "f", "arguments": {"a": ', []),
    ("The answer is 7.", []),
]


@pytest.mark.parametrize(("text", "calls"), WRITTEN)
def test_calls_are_read_with_their_arguments(text: str, calls: list[ToolCall]) -> None:
    assert calls_in(text) == calls


@given(st.text())
def test_any_text_has_calls_or_none(text: str) -> None:
    assert all(isinstance(call.name, str) for call in calls_in(text + '{"name": "f", "arguments": ' + text))


class Walking:
    """A mock model that calls what a query needs, one function per turn, and then `Finish`."""

    def __init__(self, form: str, chosen: dict[str, list[str]] | None = None, finishes: bool = True) -> None:
        self._tags = form == "functions"
        self._chosen = chosen
        self._finishes = finishes
        self.turns = 0

    def __call__(self, messages: list[Any], *_: object) -> ModelOutput:
        self.turns += 1
        query = next(query for query in QUERIES if query.question == messages[1].text)
        done = sum(message.role == "assistant" for message in messages)
        wanted = sorted(query.expected) if self._chosen is None else self._chosen[query.task_id]
        last = {"return_type": "give_answer", "final_answer": "Done."}
        if done < len(wanted):
            name, arguments = wanted[done], _arguments(query, wanted[done])
        elif self._finishes:
            name, arguments = "Finish", last
        else:
            return _output("I am done.")
        if self._tags:
            called = json.dumps({"name": name, "arguments": arguments})
            return _output(f"Next.\n<tool_call>\n{called}\n</tool_call>")
        return _output("Next.", [NativeCall(id=str(done), function=name, arguments=arguments)])


def _arguments(query: Query, function: str) -> dict[str, Any]:
    api = next((api for api in query.apis if api.function == function), None)
    return {parameter_name(p): "x" for p in api.required_parameters} if api else {}


def _output(text: str, calls: list[NativeCall] | None = None) -> ModelOutput:
    made = ModelOutput.from_content("mockllm/model", text)
    made.choices[0].message.tool_calls = calls
    made.usage = ModelUsage()
    return made


def evaluated(folder: Path, model: Walking, **options: Any) -> EvalLog:
    mock = get_model("mockllm/model", custom_outputs=model)
    task = toolllm_steps(limit=4, out=str(folder / "runs"), **options)
    (log,) = inspect_eval(task, model=mock, log_dir=str(folder / "logs"), display="none")
    assert log.status == "success", log.error
    return log


def values(log: EvalLog) -> dict[str, Any]:
    return {str(sample.id): sample.scores["called_apis"].value for sample in log.samples or [] if sample.scores}


@pytest.mark.parametrize("form", FORMS)
def test_who_calls_what_is_needed_is_resolved_and_the_export_scores_alike(tmp_path: Path, form: str) -> None:
    found = values(evaluated(tmp_path, Walking(form), form=form))
    chosen = drawn(QUERIES, 4)
    assert found == {
        query.task_id: {
            "recall": 1.0, "precision": 1.0, "resolved": True, "answered": True, "calls": len(query.expected),
        }
        for query in chosen
    }  # fmt: skip
    summary = summary_of(toolllm([OWN]), tmp_path / "runs" / "own.json", tmp_path / "results.jsonl", answered_only=True)
    assert summary.groups["all"].resolved.estimate == 1.0
    assert (summary.groups["all"].answered, summary.strangers) == (4, 0)
    for query in chosen:
        text = (tmp_path / "runs" / "own" / f"{query.task_id}_CoT@1.json").read_text("utf-8")
        assert set(select(text, query).chosen) == query.expected
        assert json.loads(text)["win"]


@pytest.mark.parametrize("form", FORMS)
def test_wrong_calls_and_a_missing_end_are_told(tmp_path: Path, form: str) -> None:
    chosen = {query.task_id: ["moon_for_x", query.apis[0].function] for query in QUERIES}
    log = evaluated(tmp_path, Walking(form, chosen, finishes=False), form=form)
    assert not any(value["answered"] or value["resolved"] for value in values(log).values())
    for sample in log.samples or []:
        run = (sample.scores or {})["called_apis"].metadata["run"]  # type: ignore[index]
        assert [step["offered"] for step in run["steps"]] == [False, True]
        assert "there is no function" in run["steps"][0]["response"]
        assert run["said"] == "I am done."


def test_a_model_that_never_ends_is_stopped(tmp_path: Path) -> None:
    endless = {query.task_id: [query.apis[0].function] * 100 for query in QUERIES}
    model = Walking("native", endless)
    log = evaluated(tmp_path, model, turns=3)
    assert model.turns == 3 * 4
    assert {value["calls"] for value in values(log).values()} == {3}


def test_a_thousand_calls_in_one_answer_are_cut(tmp_path: Path) -> None:
    def answer(messages: list[Any], tools: list[Any], *_: object) -> ModelOutput:
        calls = [NativeCall(id=str(n), function=tools[0].name, arguments={}) for n in range(1000)]
        return _output("All at once.", calls)

    mock = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_eval(toolllm_steps(limit=1), model=mock, log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    assert [value["calls"] for value in values(log).values()] == [MOST_STEPS]


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="native, functions"):
        toolllm_steps(form="xml")


@pytest.mark.parametrize(("text", "expected"), [("a", "a"), (["a", "b"], "a\nb"), (["a", 1], None), (None, None)])
def test_the_query_of_a_recorded_run_may_be_in_pieces(text: Any, expected: str | None) -> None:
    assert recorded_query({"query": text}) == expected

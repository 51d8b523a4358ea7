"""What a model is shown of a row, and what becomes of its answers."""

import json
from pathlib import Path

import pytest

from apigap.benchmarks.toolllm.prompts import FORMS, MAX_DESCRIPTION, Form, native_functions, selection_messages
from apigap.benchmarks.toolllm.queries import OWN, Api, Parameter, Query, load_queries, queries_path
from apigap.evaluation.predict import Asking, predict
from apigap.models.generate import Generator
from apigap.models.request import Decoding
from apigap.records.errors import CheckFailed, UsageError
from tests.benchmarks.runs import summary_of, toolllm
from tests.silent import Silent

QUERIES = load_queries([OWN])
MOCK = "mockllm/model"


@pytest.mark.parametrize("query", QUERIES, ids=[query.task_id for query in QUERIES])
@pytest.mark.parametrize("form", FORMS)
def test_every_api_and_the_request_are_shown(query: Query, form: Form) -> None:
    shown = "\n".join(message.content for message in selection_messages(query, form))
    assert all(name in shown for name in query.offered)
    assert query.question in shown


def test_functions_have_standard_names_types_and_finish() -> None:
    query = next(query for query in QUERIES if query.task_id == "900004")
    *functions, finish = native_functions(query)
    assert finish["name"] == "Finish"
    recipe, water = functions[0], functions[-1]
    assert recipe["parameters"]["properties"]["recipeid"]["type"] == "number"
    assert list(water["parameters"]["properties"]) == water["parameters"]["required"] == ["is_from", "to"]
    assert '"kettle_io_brewing"' in water["description"]


def test_functions_that_share_a_name_are_shown_once() -> None:
    query = next(query for query in QUERIES if query.colliding)
    names = [function["name"] for function in native_functions(query)]
    assert len(names) == len(set(names)) == len(query.offered) + 1


def test_long_descriptions_are_cut() -> None:
    long = Parameter(name="Class", type="DATE (YYYY-MM-DD)", description="p" * 999)
    api = Api(tool_name="t", api_name="a", api_description="d" * 999, required_parameters=(long, long))
    query = Query.model_validate(
        {"set_name": "s", "query_id": 1, "query": "?", "api_list": [api.model_dump()], "relevant APIs": [["t", "a"]]}
    )
    function, _ = native_functions(query)
    assert function["description"].count("d") == MAX_DESCRIPTION
    assert function["parameters"]["required"] == ["is_class"]
    told = function["parameters"]["properties"]["is_class"]
    assert (told["type"], len(told["description"])) == ("string", MAX_DESCRIPTION)
    assert selection_messages(query)[1].content.count("d" * 9) == MAX_DESCRIPTION // 9


def test_own_names_the_queries_of_this_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert queries_path(Path("own")) == OWN
    with pytest.raises(UsageError, match=r"other\.json does not exist"):
        queries_path(Path("other.json"))
    Path("other.json").write_text("[]")
    assert queries_path(Path("other.json")) == Path("other.json")
    Path("own").write_text("[]")
    assert queries_path(Path("own")) == Path("own")


class Asked:
    """A mock model that chooses the first function that it is shown, and says how often it was asked."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, reply=self._reply)

    def _reply(self, prompt: str) -> str:
        self.prompts.append(prompt)
        name = prompt.partition("\n- ")[2].partition("(")[0]
        return f"```json\n{json.dumps({'api_calls': [name]})}\n```"


def test_a_run_is_scored_and_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    out, model = tmp_path / "answers.jsonl", Asked()
    for limit, asked in ((3, 3), (3, 3), (0, len(QUERIES))):
        predict(toolllm([OWN]), out, Asking(MOCK, limit), Silent(), model)
        assert len(model.prompts) == asked
    whole = out.read_bytes()
    once = tmp_path / "once.jsonl"
    predict(toolllm([OWN]), once, Asking(MOCK), Silent(), Asked())
    assert once.read_bytes() == whole
    summary = summary_of(toolllm([OWN]), out, tmp_path / "results.jsonl").groups["all"]
    first = [query.apis[0].function in query.expected for query in QUERIES]
    assert summary.precision == sum(first) / len(QUERIES)
    assert (summary.answered, summary.modes) == (len(QUERIES), {"json": len(QUERIES)})


def test_answers_of_another_form_are_not_mixed(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    predict(toolllm([OWN]), out, Asking(MOCK, 1), Silent(), Asked())
    with pytest.raises(UsageError, match="form"):
        predict(toolllm([OWN], form="functions"), out, Asking(MOCK, 1), Silent(), Asked())


def test_no_model_is_asked_where_the_scorer_fails_its_probes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigap.benchmarks.toolllm.benchmark.ToolLlm.gold", lambda self, query: "nothing")
    model = Asked()
    with pytest.raises(CheckFailed, match="no model is asked"):
        predict(toolllm([OWN]), tmp_path / "a.jsonl", Asking(MOCK), Silent(), model)
    assert not model.prompts


def test_requests_are_greedy_and_named_by_query_and_form() -> None:
    requests = [toolllm([OWN], form=form).prompt(query) for query in QUERIES for form in FORMS]
    assert len({request.key for request in requests}) == len(requests)
    assert {(request.temperature, request.samples) for request in requests} == {(0.0, 1)}

"""BFCL's format: questions written by hand with known verdicts, its result files, and files that are not right."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.calls.benchmark import REFUSED, Calls, CallsOptions
from apigap.benchmarks.calls.bfcl.files import load_bfcl
from apigap.benchmarks.calls.bfcl.languages import Language, read_value
from apigap.benchmarks.calls.prompts import shown_functions
from apigap.evaluation.calibrate import calibrate
from apigap.evaluation.score import score
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.progress import Unseen
from tests.benchmarks.calls.bfcl_rows import QUESTIONS, task_id, write_folder

ROWS = [(number, text, passes) for number, one in enumerate(QUESTIONS) for text, passes in one.answers]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("bfcl") / "data")


def benchmark(folder: Path, *categories: str) -> Calls:
    return Calls(CallsOptions(data=Path(f"bfcl:{folder}"), category=categories), load_settings())


@pytest.mark.parametrize(
    ("number", "text", "passes"), ROWS, ids=[f"{task_id(row[0])}-{n}" for n, row in enumerate(ROWS)]
)
def test_answers_get_their_known_verdicts(folder: Path, number: int, text: str, passes: bool) -> None:
    one = benchmark(folder)
    query = next(query for query in one.load() if query.task_id == task_id(number))
    result = one.score(query, one.parse(text, query))
    assert result.passed is passes, result.detail
    assert bool(result.detail["faults"]) is not passes and (result.label is None) is passes


def test_there_are_enough_rows_of_every_category() -> None:
    assert len(ROWS) >= 60
    assert {False, True} <= {passes for _, _, passes in ROWS}


def test_the_scorer_is_calibrated_on_them(folder: Path) -> None:
    found = calibrate(benchmark(folder), Unseen())
    assert found.wrong == () and found.probes > 150
    assert [(weak.task_id, weak.weakness) for weak in found.weak] == [(task_id(3), REFUSED)]  # the label 7 of a text


def test_result_files_of_its_runs_are_scored(folder: Path, tmp_path: Path) -> None:
    answers = {task_id(n): question.answers[0][0] for n, question in enumerate(QUESTIONS)}
    kept: dict[str, Any] = {**answers, task_id(7): [{"ring": '{"times": 3}'}, {"ring": '{"times": 1}'}]}
    rows = [{"id": name, "result": result, "latency": 1.0} for name, result in kept.items()]
    path = tmp_path / "BFCL_v4_result.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"id": "memory_0", "result": "who knows"}]))
    found = score(benchmark(folder), path, tmp_path / "results.jsonl", Unseen())
    assert [result.task_id for result in found.results if not result.passed] == []
    assert len(found.results) == len(QUESTIONS)


def test_models_see_json_schemas(folder: Path) -> None:
    queries = {query.task_id: query for query in load_bfcl(folder)}
    tiles = shown_functions(queries[task_id(1)])[0]["parameters"]
    assert [one["type"] for one in (tiles, *tiles["properties"].values())] == ["object", "number", "integer", "boolean"]
    java = shown_functions(queries[task_id(11)])[0]["parameters"]["properties"]["limit"]
    assert java["type"] == "string" and "Java type long" in java["description"]


VALUES: list[tuple[Language, str, str | None, str, Any]] = [
    ("java", "integer", None, "-12", -12), ("java", "integer", None, "12.0", "12.0"), ("java", "byte", None, "7", 7),
    ("java", "long", None, "7", "7"), ("java", "long", None, "-7L", -7), ("java", "float", None, "1.5F", 1.5),
    ("java", "double", None, "2.5e3", 2500.0), ("java", "boolean", None, "false", False),
    ("java", "String", None, "a b", "a b"), ("java", "Array", "long", "new long[]{1L, 2}", [1, "2"]),
    ("java", "Array", None, 'new Object[] { 1, "a,b", true }', [1, "a,b", True]),
    ("java", "ArrayList", "integer", "new ArrayList<Integer>(Arrays.asList(1, 2))", [1, 2]),
    ("java", "ArrayList", "float", "new ArrayList<Float>() {{ add(1.0f); add(2f); }}", [1.0, 2.0]),
    ("java", "ArrayList", None, "new ArrayList<>()", []), ("java", "HashMap", None, "new HashMap<>()", {}),
    ("java", "HashMap", None, 'new HashMap<String, Object>() { { put("a", 1); put("b", "x;y"); } }',
     {"a": 1, "b": "x;y"}),
    ("java", "HashMap", None, "{a: 1}", "{a: 1}"), ("java", "integer", None, "9" * 400, "9" * 400),
    ("javascript", "String", None, "'a'", "a"), ("javascript", "integer", None, "3", 3),
    ("javascript", "float", None, "3", 3.0), ("javascript", "Bigint", None, "3n", 3),
    ("javascript", "Bigint", None, "3", "3"),
    ("javascript", "Boolean", None, "true", True), ("javascript", "array", None, "[1, 'two', true]", [1, "two", True]),
    ("javascript", "array", "Bigint", "new Array(1n, 2n)", [1, 2]),
    ("javascript", "array", "array", "[[1, 2], [3]]", [[1, 2], [3]]),
    ("javascript", "dict", None, "{'a': 1, b: {c: [true]}}", {"a": 1, "b": {"c": [True]}}),
    ("javascript", "dict", None, "{}", {}),
    ("javascript", "dict", None, "a", "a"), ("javascript", "any", None, "12", "12"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "kind", "inner", "text", "value"), VALUES)
def test_values_of_other_languages_are_read(
    language: Language, kind: str, inner: str | None, text: str, value: Any
) -> None:
    found = read_value(text, kind, inner, language)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "text", ["new ArrayList<>() {{", "new int[]{" + "1," * 9000, "{" * 9000, "[" * 19_000, "new HashMap<>() {" * 900]
)
def test_hostile_values_are_read_in_time(text: str) -> None:
    begun = time.process_time()
    read = [read_value(text, kind, None, "java") for kind in ("ArrayList", "Array", "HashMap")]
    read += [read_value(text, kind, None, "javascript") for kind in ("array", "dict")]
    assert read and time.process_time() - begun < 5


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no question file of BFCL"):
        benchmark(tmp_path).load()


def test_a_category_that_is_not_there_is_refused(folder: Path) -> None:
    assert {query.category for query in benchmark(folder, "java", "parallel").load()} == {"java", "parallel"}
    with pytest.raises(UsageError, match="there is no category 'rest'"):
        benchmark(folder, "rest").load()


BROKEN = [
    ('{"id": "simple_0", "question": [[{"role": "user", "content": "?"}]], "function": []}\n', "no ground_truth"),
    ("not JSON\n", "line 1 is not JSON"),
    ("[1]\n", "is no object"),
    ('{"id": "simple_0"}\n', "simple_0"),
]


@pytest.mark.parametrize(("text", "told"), BROKEN)
def test_a_row_that_cannot_be_scored_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "possible_answer").mkdir()
    (tmp_path / "possible_answer" / "BFCL_v4_simple.json").write_text("")
    (tmp_path / "BFCL_v4_simple.json").write_text(text)
    with pytest.raises(CorruptRecord, match=told):
        load_bfcl(tmp_path)

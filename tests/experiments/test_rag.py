"""Delivery `rag`: bundles as documents, what tasks find in them, and the command on a real library."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.prompting import Prompter
from apigap.experiments.rag import Retrieval, document_of, query_of
from apigap.experiments.rag_evaluation import evaluate_retrieval
from apigap.knowledge.bundle_files import read_bundles
from apigap.knowledge.conditions import CONDITIONS, render
from apigap.records.configuration import RetrievalSettings, load_settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.retrieval.lexical import words_of
from tests.auditing.conftest import APIGAP, run
from tests.knowledge.test_conditions import bundle
from tests.silent import Silent
from tests.tasks.test_cut import candidate

STARTER = Path(__file__).parents[2] / "src" / "apigap" / "starter" / "2026.04"
LEXICAL = ("retrieval.embedder=lexical", "retrieval.chunk_tokens=128")


def settings(*changes: str) -> RetrievalSettings:
    return load_settings([], [*LEXICAL, *changes]).retrieval


def tasks() -> list[Task]:
    return load_records(STARTER / "httpx.jsonl", Task)


def written(task: Task, **changes: object) -> KnowledgeBundle:
    """A bundle that speaks of the task's own subject, so that it can be found."""
    leaf = task.api_name.rpartition(".")[2]
    surface = bundle().surface.model_copy(update={"s_name": task.api_name})
    code = {"text": f"def {leaf}(value):\n    return value\n" * 3, "source": "a.py"}
    values = {"api_name": task.api_name, "library": task.library, "version": task.version, "surface": surface}
    prose = {"text": task.description, "tier": "docstring"}
    return bundle(**{**values, "m_prose": prose, "m_code": code, **changes})


@pytest.mark.parametrize("condition", [name for name in CONDITIONS if name != "baseline"])
def test_a_document_is_what_the_condition_renders(condition: str) -> None:
    found = document_of(bundle(), condition)
    assert found is not None and found.text == render(bundle(), condition)
    assert found.fields == {"library": "lib", "version": "2", "change": "modified", "condition": condition}
    assert {section.name for section in found.sections} == set(CONDITIONS[condition])


def test_nothing_to_show_is_no_document() -> None:
    assert document_of(bundle(m_prose=None), "m_prose") is None
    assert document_of(bundle(), "baseline") is None
    with pytest.raises(UsageError, match="unknown condition 'x'"):
        document_of(bundle(), "x")


def test_queries_are_description_and_context_in_the_order_asked_for() -> None:
    task = tasks()[0]
    description, context = task.description.strip("\n"), task.context_code.strip("\n")
    assert query_of(task, "description_context") == f"{description}\n{context}"
    assert query_of(task, "context_description") == f"{context}\n{description}"
    assert query_of(task, "description") == description


@pytest.fixture
def retrieval(tmp_path: Path) -> Retrieval:
    known = {task.api_name: written(task) for task in tasks()}
    bundles = [*known.values(), bundle(api_name="flask.slug", library="flask")]
    return Retrieval(bundles, tmp_path, settings(), Silent())


def test_a_task_is_shown_what_is_found_and_in_the_control_only_its_own(retrieval: Retrieval) -> None:
    asked = {task.api_name: task for task in tasks()}
    found = retrieval.knowledge_of("m_prose", asked.values())
    control = retrieval.knowledge_of("m_prose", asked.values(), control=True)
    for task in asked.values():
        own = render(written(task), "m_prose")
        assert control(task) == own
        assert own in (found(task) or "") and (found(task) or "").count("\n---\n") == 4  # pyright: ignore[reportOperatorIssue]


def test_a_budget_that_cuts_is_told(retrieval: Retrieval) -> None:
    small = replace(retrieval, settings=settings("retrieval.budget_tokens=200"), progress=(told := Silent()))
    knowledge = small.knowledge_of("m_prose", tasks())
    assert all(0 < len(words_of(knowledge(task) or "")) <= 200 for task in tasks())
    assert told.notes == [
        "m_prose: 18 of 18 prompts have no room for all chunks that were found; "
        "they show those that fit retrieval.budget_tokens = 200"
    ]


def test_a_task_without_a_bundle_is_left_out_as_without_retrieval(tmp_path: Path) -> None:
    first, *others = {task.api_name: task for task in tasks()}.values()
    bundles = [written(first, m_prose=None), *(written(task) for task in others)]
    knowledge = Retrieval(bundles, tmp_path, settings(), Silent()).knowledge_of("m_prose", [first, *others])
    assert [bool(knowledge(task)) for task in (first, *others)] == [False, *(True for _ in others)]


def test_a_task_for_which_nothing_is_found_is_asked_as_without_knowledge(retrieval: Retrieval) -> None:
    words = replace(retrieval, settings=settings("retrieval.searcher=bm25"))
    lost = tasks()[0].model_copy(update={"description": "Xyzzy.", "context_code": "plugh = 1"})
    knowledge = words.knowledge_of("m_prose", [lost])
    asked = Prompter(load_settings().generation, "m_prose", knowledge)
    baseline = Prompter(load_settings().generation, "baseline", lambda task: None)
    assert (knowledge(lost), asked.applies(lost), asked.prompt(lost)) == (None, True, baseline.prompt(lost))


def test_the_table_agrees_with_its_rows(retrieval: Retrieval) -> None:
    evaluated = evaluate_retrieval(retrieval, tasks(), ["m_prose", "s_name"], ["dense", "bm25", "hybrid"])
    assert [(s.condition, s.searcher) for s in evaluated.scores] == [
        (condition, searcher) for condition in ("m_prose", "s_name") for searcher in ("dense", "bm25", "hybrid")
    ]
    for score in evaluated.scores:
        rows = [r for r in evaluated.found if (r.condition, r.searcher) == (score.condition, score.searcher)]
        assert len(rows) == score.tasks == len(tasks()) and score.without == 0
        assert score.mrr == pytest.approx(sum(1 / r.rank for r in rows if r.rank) / len(rows))
        assert score.hit_at_1 == sum(r.rank == 1 for r in rows) / len(rows) <= score.hit_at_k
        gains = [1 / math.log2(r.rank + 1) for r in rows if r.rank and r.rank <= score.k]
        assert score.hit_at_k == len(gains) / len(rows) and score.ndcg_at_k == pytest.approx(sum(gains) / len(rows))
        assert score.in_prompt == sum(r.shown > 0 for r in rows) / len(rows)
        assert score.in_prompt_interval[0] <= score.in_prompt <= score.in_prompt_interval[1]
        assert score.control == 1.0  # these bundles fit a prompt
    by = {(s.condition, s.searcher): s for s in evaluated.scores}
    assert by["m_prose", "bm25"].mrr > by["s_name", "bm25"].mrr + 0.3  # the prose has the very words of the task


def test_an_index_without_the_tasks_apis_measures_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none of the 18 tasks is about an API"):
        evaluate_retrieval(Retrieval([bundle()], tmp_path, settings(), Silent()), tasks(), ["s"], ["bm25"])


def test_a_condition_without_any_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="under the condition 'm_code' none of the 1 bundles"):
        Retrieval([bundle(m_code=None)], tmp_path, settings(), Silent()).build("m_code")


def test_no_bundles_says_how_to_make_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    with pytest.raises(UsageError, match="apigap starter bundles"):
        read_bundles([])


HTTPX = {"library": "httpx", "old_version": "0.25.2", "new_version": "0.28.1", "import_module": "httpx"}


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_a_real_library_is_extracted_indexed_and_found(tmp_path: Path) -> None:
    candidates, bundles, data = tmp_path / "c.jsonl", tmp_path / "b.jsonl", tmp_path / "data"
    places = {"Client": "_client", "HTTPTransport": "_transports.default", "create_ssl_context": "_config"}
    found = [
        candidate(api_name=f"httpx.{name}", kind="class" if name[0].isupper() else "function", parameters=(),
                  defined_in=f"httpx.{place}", **HTTPX)
        for name, place in places.items()
    ]  # fmt: skip
    write_records(candidates, found)
    done = run([*APIGAP, "extract", "--candidates", str(candidates), "--out", str(bundles)])
    assert done.returncode == 0, done.stderr
    options = ["--knowledge", str(bundles), "--group", "web", "--data", str(data), "--condition", "full", "--json"]
    options += [part for setting in LEXICAL for part in ("--set", setting)]
    first, second = (run([*APIGAP, "rag", "build", *options]) for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    built, again = json.loads(first.stdout)["full"], json.loads(second.stdout)["full"]
    assert (built.pop("made"), again.pop("made")) == (True, False)
    assert built == again and built["folder"] == str(data / "rag" / "web" / "full") and built["documents"] == 3
    rows = tmp_path / "rows.jsonl"
    told = run([*APIGAP, "rag", "eval", "--tasks", "starter/httpx", "--out", str(rows), *options])
    assert told.returncode == 0, told.stderr
    scores = {score["searcher"]: score for score in json.loads(told.stdout)}
    asked = sum(task.api_name in {c.api_name for c in found} for task in tasks())
    assert {score["tasks"] for score in scores.values()} == {asked}
    assert len(rows.read_text().splitlines()) == 3 * asked
    assert scores["hybrid"]["hit_at_k"] == 1.0  # three APIs, five places


def test_what_the_command_does_not_know_is_named() -> None:
    done = run([*APIGAP, "rag", "eval", "--searcher", "google"])
    assert (done.returncode, "'google'; they are dense, bm25, hybrid" in done.stderr) == (2, True)


def test_a_group_must_have_been_built() -> None:
    done = run([*APIGAP, "rag", "build", "--group", "swe", "--data", "no-such-folder"])
    assert (done.returncode, "make it with: apigap group build swe" in done.stderr) == (2, True)

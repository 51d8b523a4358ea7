"""Tables of traces: the call that brought the knowledge, and the waste of a sample that failed."""

from typing import Any

import pytest

from apigap.agent.evidence import evidence_of, needle_of, state_of, uses
from apigap.agent.session import Session
from apigap.agent.tools import make_call
from apigap.agent.toolsets import SETS
from apigap.agent.trace import Step
from apigap.agent.waste import waste_of
from apigap.records.task import Task
from tests.records.test_task import make_task

from .desk import answer, blocks, session

NEW = make_task(api_name="lib.text.slugify", masked_region="y = slugify(x)")
WORD = make_task(api_name="lib.serialize.send", masked_region="y = s.send(x)")
CHANGED = make_task(api_name="lib.sort", change="modified", masked_region="y = lib.sort(x, descending=True)")

NAMED = [
    (NEW, "lib.text.slugify(text)", True),
    (NEW, "use text.slugify for it", True),
    (NEW, "slugify (x)", True),
    (NEW, "to slugify a text", False),
    (NEW, "unslugify(x)", False),
    (WORD, "send a value", False),
    (WORD, "serialize.send", True),
    (WORD, "shared.send(1)", True),
    (CHANGED, "lib.sort(x, axis=-1)", False),
    (CHANGED, "lib.sort(x, *, descending=False)", True),
    (make_task(api_name="lib.json_text"), "the json_text of it", True),
    (make_task(api_name="lib.JsonText"), "the JsonText of it", True),
]


@pytest.mark.parametrize(("task", "text", "named"), NAMED)
def test_what_names_a_target(task: Task, text: str, named: bool) -> None:
    assert needle_of(task).is_in(text) is named


def traced(task: Task, *turns: tuple[str, list[str]], tools: Any = "all") -> Session:
    """A session in which each answer's calls gave these results."""
    one = session(task, tools=tools)
    for text, results in turns:
        answer(one, text)
        for result in results:
            asked = one.next_call
            assert asked is not None
            if asked.tool == "submit" or asked.tool not in SETS[one.terms.tools]:
                one.take(make_call(one, asked, None))
                continue
            one.take(
                Step(
                    task_id=task.task_id, sample=0, number=len(one.steps), round=one.spent.rounds, kind="call",
                    tool=asked.tool, arguments=asked.arguments, text=result,
                )
            )  # fmt: skip
    return one


RIGHT, WRONG = blocks(("submit", "y = slugify(x)")), blocks(("submit", "y = x.lower()"))
FOUND = (blocks(("search_docs", "clean url"), ("search_docs", "url text")), ["- lib.other(x)", "- lib.text.slugify(x)"])
LOST = (blocks(("search_docs", "clean url")), ["- lib.other(x)"])
RAN = (blocks(("run_code", "x.lower()")), ["'a'"])
TRACES: list[tuple[str, list[tuple[str, list[str]]], tuple[str, int | None, str | None], str]] = [
    ("found and used", [FOUND, RAN, (RIGHT, [""])], ("found", 2, "search_docs"), "used it wrongly"),
    ("found, never run", [FOUND, (RIGHT, [""])], ("found", 2, "search_docs"), "ran nothing"),
    ("found and left", [FOUND, RAN, (WRONG, [""])], ("found", 2, "search_docs"), "found and not used"),
    ("never found", [LOST, RAN, (WRONG, [""])], ("not found", None, None), "searched for the wrong name"),
    ("known before", [RAN, (RIGHT, [""])], ("unaided", None, None), "used it wrongly"),
    ("guessed in a query", [(blocks(("search_docs", "text.slugify")), ["- lib.text.slugify(x)"]), (WRONG, [""])],
     ("unaided", None, None), "ran nothing"),
    ("no tool", [(WRONG, [""])], ("not found", None, None), "used no tool"),
    ("ran, and never saw it", [RAN, (WRONG, [""])], ("not found", None, None), "never saw it"),
    ("gave up", [("no", []), ("no", [])], ("not found", None, None), "gave up"),
    ("looped", [LOST, LOST, LOST, (WRONG, [""])], ("not found", None, None), "looped"),
    ("looped until its budget was gone", [LOST, LOST, LOST], ("not found", None, None), "looped"),
    ("found by running", [(blocks(("run_code", "dir(lib)")), ["text.slugify"]), (WRONG, [""])],
     ("found", 1, "run_code"), "found and not used"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "found", "waste"), [case[1:] for case in TRACES], ids=[case[0] for case in TRACES])
def test_evidence_and_waste_of_a_trace(
    turns: list[tuple[str, list[str]]], found: tuple[str, int | None, str | None], waste: str
) -> None:
    one = traced(NEW, *turns)
    evidence = evidence_of(NEW, one.steps)
    assert [(known.state, known.after, known.by) for known in evidence] == [found]
    assert waste_of(NEW, "all", one.steps, one.code, str(one.over), evidence) == waste


def test_a_refused_call_brings_nothing_and_is_no_call() -> None:
    one = traced(NEW, (blocks(("run_code", "x")), [""]), tools="docs")
    assert one.steps[-1].outcome == "refused"
    assert one.spent.calls == 0
    assert evidence_of(NEW, one.steps)[0].state == "not found"


def test_the_state_of_an_api_is_the_most_frequent_and_of_two_the_better() -> None:
    assert state_of(["found", "not found", "not found"]) == "not found"
    assert state_of(["found", "not found"]) == "found"
    assert state_of(["unaided", "found", "found", "unaided"]) == "unaided"
    assert uses(NEW, "from lib.text import slugify as s\ny = lib.text.slugify(x)")


def test_a_task_on_several_apis_tells_of_each() -> None:
    spy = NEW.harness.spy.model_copy(update={"target": NEW.api_name, "needed": ("lib.clean_up",)})
    fields = {**NEW.model_dump(exclude={"task_id"}), "harness": NEW.harness.model_copy(update={"spy": spy})}
    both = Task.model_validate({**fields, "masked_region": "y = slugify(clean_up(x))"})
    one = traced(both, FOUND, (blocks(("read_page", "lib.clean_up")), ["lib.clean_up(x)"]), (WRONG, [""]))
    evidence = evidence_of(both, one.steps)
    assert [(known.api, known.state, known.after) for known in evidence] == [
        ("lib.text.slugify", "found", 2),
        ("lib.clean_up", "unaided", None),
    ]
    assert waste_of(both, "all", one.steps, one.code, "submitted", evidence) == "found and not used"
    assert not uses(both, "y = slugify(x)")

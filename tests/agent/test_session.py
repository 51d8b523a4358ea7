"""A session as it goes on: what the model is told, what counts in the end, and that no budget is crossed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.agent.budget import LEAST_ANSWER, about_tokens
from apigap.agent.predictions import prediction_of
from apigap.agent.session import Session
from apigap.agent.tools import make_call
from apigap.agent.trace import Step
from apigap.models.request import Message
from apigap.models.spending.prices import Price

from .desk import TASK, answer, blocks, budget, session, terms


def call(one: Session, text: str = "done", **fields: Any) -> Step:
    """The next call, which the session takes with a made-up result."""
    asked = one.next_call
    assert asked is not None
    step = Step(
        task_id=one.task.task_id, sample=0, number=len(one.steps), round=one.spent.rounds, kind="call",
        tool=asked.tool, arguments=asked.arguments, text=text, **fields,
    )  # fmt: skip
    one.take(step)
    return step


def test_it_is_told_its_tools_its_budget_and_the_task() -> None:
    one = session(budget=budget(calls=3, tokens=5000, dollars=0.5))
    told = "\n".join(message.content for message in one.messages)
    for words in ("search_docs", "run_code", "3 tool calls, 8 answers, 5,000 tokens", "$0.5", "x = 1", "Make y."):
        assert words in told
    few = "\n".join(message.content for message in session(tools="source").messages)
    assert "search_docs" not in few
    assert "```read_source" in few


def test_calls_are_made_in_their_order_and_results_follow_together() -> None:
    one = session()
    answer(one, blocks(("search_docs", "a"), ("run_code", "y = 2")))
    assert one.request() is None
    call(one, "- lib.a")
    assert one.request() is None
    call(one, "2")
    last = one.messages[-1].content
    assert last.startswith(
        "Result of search_docs:\n- lib.a\n\nResult of run_code:\n2\n\nLeft: 10 tool calls, 7 answers"
    )
    assert one.cells == ["y = 2"]
    request = one.request()
    assert request is not None
    assert [message.role for message in request.messages()] == ["system", "user", "assistant", "user"]


def test_the_last_code_that_was_handed_in_or_run_counts() -> None:
    one = session()
    answer(one, blocks(("run_code", "y = 1"), ("submit", "y = 2"), ("run_code", "y = 3")))
    call(one)
    assert one.code == "y = 1"
    call(one)
    assert (one.code, one.over, one.next_call, one.request()) == ("y = 2", "submitted", None, None)
    assert prediction_of([one]).samples == ("```python\ny = 2\n```",)


def test_who_calls_nothing_twice_gives_up_and_the_code_that_stands_there_counts() -> None:
    one = session()
    answer(one, "It is easy:\n```python\ny = 2\n```")
    assert "called no tool" in one.messages[-1].content
    answer(one, "As I said.")
    assert (one.over, one.code) == ("gave up", "y = 2")
    none = session()
    answer(none, "I do not know.")
    answer(none, "Really.")
    assert prediction_of([none]).samples == ("",)
    assert prediction_of([none]).endings == ("stop",), "an answer without code is wrong, and no abstention"


@pytest.mark.parametrize(
    ("tools", "text", "words"),
    [
        ("docs", blocks(("run_code", "x")), "There is no such tool here; there is search_docs"),
        ("all", "```read_page\n```", "was not made: it wants the full dotted name"),
        ("all", "```submit\n\n```", "was not made: it wants Python code"),
    ],
)
def test_what_cannot_be_made_is_refused_with_the_reason_and_costs_no_call(tools: Any, text: str, words: str) -> None:
    one = session(tools=tools)
    answer(one, text)
    asked = one.next_call
    assert asked is not None
    step = make_call(one, asked, None)
    assert (step.outcome, words in step.text) == ("refused", True), step.text
    one.take(step)
    assert (one.spent.calls, one.code, one.over) == (0, "", None)


def test_no_call_is_made_beyond_the_budget_but_handing_in() -> None:
    one = session(budget=budget(calls=1))
    answer(one, blocks(("search_docs", "a"), ("search_docs", "b"), ("submit", "y = 2")))
    call(one)
    asked = one.next_call
    assert asked is not None
    refused = make_call(one, asked, None)
    assert refused.text == "No tool calls are left; hand in your code with `submit`."
    one.take(refused)
    asked = one.next_call
    assert asked is not None
    one.take(make_call(one, asked, None))
    assert (one.over, one.spent.calls) == ("submitted", 1)


def test_the_last_round_may_still_use_its_calls() -> None:
    one = session(budget=budget(rounds=1))
    answer(one, blocks(("run_code", "y = 2")))
    call(one)
    assert one.request() is None
    assert (one.over, one.code) == ("rounds", "y = 2")


def test_an_answer_that_crosses_the_tokens_is_not_looked_at() -> None:
    for extra, over, code in ((0, "submitted", "y = 2"), (1, "tokens", "y = 1")):
        one = session(budget=budget(tokens=1000))
        answer(one, blocks(("run_code", "y = 1")), input_tokens=300, output_tokens=100)
        call(one)
        answer(one, blocks(("submit", "y = 2")), input_tokens=500, output_tokens=100 + extra)
        if one.over is None:
            call(one)
        assert (one.over, one.code) == (over, code)


def test_an_answer_has_no_more_tokens_than_the_budget_leaves() -> None:
    one = session(budget=budget(tokens=2000))
    opened = sum(about_tokens(message.content) for message in one.messages)
    request = one.request()
    assert request is not None
    assert request.most_tokens is None or request.most_tokens == 2000 - opened
    answer(one, blocks(("run_code", "1")), input_tokens=opened, output_tokens=100)
    call(one, "z" * 400)
    request = one.request()
    assert request is not None
    read = opened + 100 + about_tokens(one.messages[-1].content)
    assert request.most_tokens == 2000 - (opened + 100) - read


def test_dollars_bound_an_answer_at_its_price() -> None:
    one = session(budget=budget(dollars=0.01), price=Price(1.0, 10.0, "list"))
    opened = sum(about_tokens(message.content) for message in one.messages)
    request = one.request()
    assert request is not None
    assert request.most_tokens == int((0.01 - opened * 1e-6) * 1e5)
    answer(one, blocks(("run_code", "1")), dollars=0.0099)
    call(one)
    assert one.request() is None
    assert one.over == "dollars"


def test_seconds_of_answers_and_tools_count() -> None:
    one = session(budget=budget(seconds=10.0))
    answer(one, blocks(("run_code", "y = 2")), seconds=6.0)
    call(one, seconds=5.0)
    assert (one.over, one.code) == ("seconds", "y = 2")


def test_calls_of_a_provider_stand_in_the_conversation_as_such() -> None:
    one = session(protocol="native")
    request = one.request()
    assert request is not None
    assert [tool.name for tool in request.tools][-1] == "submit"
    named = [{"name": "read_page", "arguments": {"name": "a"}}, {"name": "run_code", "arguments": {"code": "1"}}]
    text = json.dumps({"content": "I look.", "tool_calls": named})
    answer(one, text)
    call(one, "the page")
    call(one, "1")
    made, first, second = one.messages[-3:]
    assert [(c.id, c.name, c.arguments) for c in made.calls] == [
        ("call_1_0", "read_page", {"name": "a"}),
        ("call_1_1", "run_code", {"code": "1"}),
    ]
    assert (made.content, first) == ("I look.", Message(role="tool", content="the page", call_id="call_1_0"))
    assert second.content.startswith("1\n\nLeft: 10 tool calls")
    assert "fenced block" not in "".join(message.content for message in one.messages)


TEXTS = st.sampled_from(
    [
        blocks(("search_docs", "a")), blocks(("run_code", "y = 1"), ("run_code", "y = 2")), blocks(("submit", "y = 3")),
        "```submit\n```", "no call", blocks(("read_page", "a"), ("submit", "y = 4")),
    ]
)  # fmt: skip
TURNS = st.lists(st.tuples(TEXTS, st.integers(1, 400), st.integers(1, 200)), max_size=12)


@given(TURNS, st.integers(0, 4), st.integers(1, 5), st.integers(50, 3000))
def test_no_budget_is_crossed_by_what_counts_and_a_replay_is_the_same(
    turns: list[tuple[str, int, int]], calls: int, rounds: int, tokens: int
) -> None:
    bounds = budget(calls=calls, rounds=rounds, tokens=tokens)
    one = session(budget=bounds)
    before = 0
    for text, read, wrote in turns:
        request = one.request()
        if request is None:
            break
        assert request.most_tokens is None or LEAST_ANSWER <= request.most_tokens <= tokens
        before = one.spent.tokens
        answer(one, text, input_tokens=read, output_tokens=wrote)
        while (asked := one.next_call) is not None:
            refused = (
                make_call(one, asked, None) if asked.wrong or not one.calls_left or asked.tool == "submit" else None
            )
            one.take(refused) if refused else call(one)
    assert one.spent.calls <= calls
    assert one.spent.rounds <= rounds
    assert one.spent.tokens <= tokens or (one.over == "tokens" and before <= tokens and one.steps[-1].kind == "answer")
    again = Session(TASK, 0, terms(budget=bounds))
    for step in one.steps:
        again.request()
        again.take(step)
    again.request()
    one.request()
    assert (again.over, again.code, again.messages, again.spent) == (one.over, one.code, one.messages, one.spent)

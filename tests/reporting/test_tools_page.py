"""The page on a user's own tools: what it says, and that nothing a server or a model wrote can act in it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from apigap.reporting.render import render_tools
from apigap.reporting.tools_model import (
    AnswerRow,
    ArgumentFault,
    CandidateRow,
    Change,
    CureRow,
    FormRow,
    Share,
    ToolReport,
    ToolRow,
)
from apigap.reporting.tools_page import State, aside, headline, state_of
from tests.reporting.test_render import HOSTILE, Page


def report(hostile: str = "") -> ToolReport:
    """A report on three tools, with `hostile` in every text that a server, a user or a model may write."""
    fault = ArgumentFault(fault="wrong value", place=f"time{hostile}", count=2, told=f"time is '3 pm'{hostile}")
    convert = ToolRow(
        name=f"convert{hostile}", description=f"Converts.{hostile}", queries=6, right=3, chosen=4,
        instead=((f"now{hostile}", 1),), invented=((f"clock{hostile}", 1),), faults=(("wrong value", 2),),
        arguments=(fault,), refused=((f"Invalid time{hostile}", 2),),
    )  # fmt: skip
    now = ToolRow(name=f"now{hostile}", description="", queries=4, right=4, chosen=4, unasked=1)
    never = ToolRow(name=f"zones{hostile}", description="Lists.", queries=2, right=0, chosen=0, uncalled=2)
    row = FormRow(
        form="native", all=Share(right=8, of=14), serving=Share(right=7, of=12), leaving=Share(right=1, of=2), cut=1,
        tools=(convert, now, never),
    )  # fmt: skip
    answer = AnswerRow(
        query=f"Which time?{hostile}", expected=f'convert(time="15:00"){hostile}', form="native", held_back=True,
        outcome="fail", fault="wrong value", called=f"convert{hostile}", findings=(f"time is '3 pm'{hostile}",),
        server=(f"convert was refused{hostile}",), answer=f"<tool_call>{hostile}",
    )  # fmt: skip
    cure = CureRow(
        tool=f"convert{hostile}", words="better, but so few queries leave it open",
        candidates=(
            CandidateRow(kind="shape", key="0", before=Share(right=3, of=7), after=Share(right=5, of=7), chosen=True),
        ),
        changes=(Change(tool=f"convert{hostile}", before=f"Converts.{hostile}", after=f"As 15:00{hostile}"),),
        before=Share(right=4, of=7), after=Share(right=6, of=7), own_before=Share(right=1, of=3),
        own_after=Share(right=3, of=3), difference=2 / 7, low=-0.1, high=0.6, p_value=0.5,
    )  # fmt: skip
    return ToolReport(
        title=f"apigap tools audit of clocks{hostile}", source=f"clock-server{hostile}", model=f"m{hostile}",
        main="native", forms=(row, row.model_copy(update={"form": "text"})),
        answers=(answer, answer.model_copy(update={"form": "text", "outcome": "pass", "fault": ""})),
        cures=(cure,), served_by="its schema", notes=(f"a note{hostile}",), facts=(("model", f"m{hostile}"),),
    )  # fmt: skip


def words(text: str) -> str:
    return " ".join("".join(Page(text).words).split())


def test_the_findings_are_told_first() -> None:
    told = words(render_tools(report()))
    found = "m does the right thing in 8 of 14 queries (57 %, 95 % interval 33 % to 79 %)."
    more = "It makes the right calls in 7 of 12, and leaves 1 of 2 alone that no tool is for."
    assert f"{found} {more}" in told
    assert "Never chosen: zones. Taken for others: convert." in told
    assert "A changed description of convert takes the held-back queries from 4 of 7 to 6 of 7 (+29 points" in told
    for text in ("time is '3 pm'", "Invalid time", "no call", "invented", "held back", "1 without verdict"):
        assert text in told


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"queries": 3, "right": 3, "chosen": 3}, "fine"),
        ({"queries": 3, "right": 0, "chosen": 0}, "never chosen"),
        ({"queries": 3, "right": 1, "chosen": 1, "instead": (("other", 2),)}, "confused"),
        ({"queries": 3, "right": 1, "chosen": 1, "invented": (("made_up", 2),)}, "confused"),
        ({"queries": 9, "right": 1, "chosen": 8, "instead": (("other", 1),)}, "called wrongly"),
        ({"queries": 6, "right": 1, "chosen": 1, "instead": (("other", 1),), "uncalled": 4}, "not called"),
        ({"queries": 3, "right": 1, "chosen": 3}, "called wrongly"),
        ({"queries": 3, "right": 3, "chosen": 3, "unasked": 1}, "called unasked"),
        ({"queries": 0, "right": 0, "chosen": 0, "unasked": 1}, "called unasked"),
        ({"queries": 0, "right": 0, "chosen": 0}, "not asked"),
    ],
)
def test_what_is_to_be_said_of_a_tool(fields: dict[str, object], state: State) -> None:
    assert state_of(ToolRow.model_validate({"name": "t", "description": "", **fields})) == state


def test_no_answer_and_no_cure_have_words_too() -> None:
    empty = FormRow(form="native", all=Share(), serving=Share(), leaving=Share(), cut=3, tools=())
    nothing = report().model_copy(update={"forms": (empty,), "answers": (), "cures": ()})
    assert headline(nothing) == "m gave no answer that has a verdict." and aside(nothing) == ""
    assert "None was tried" in words(render_tools(nothing))
    tried = report().cures[0].model_copy(update={"difference": 0.0})
    assert "No changed description did better" in aside(report().model_copy(update={"cures": (tried,)}))


def test_hostile_text_changes_no_element() -> None:
    plain, hostile = Page(render_tools(report())), Page(render_tools(report(HOSTILE)))
    assert hostile.tags() == plain.tags()
    assert not any(name.startswith("on") for _, attributes in hostile.elements for name in attributes)
    assert "</script><script>document.title='owned'</script>" in "".join(hostile.words)
    anchors = [attributes["id"] for _, attributes in plain.elements if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    links = {attributes["href"] or "" for tag, attributes in plain.elements if tag == "a"}
    assert all(link.startswith("#") for link in links) and {link[1:] for link in links} <= set(anchors)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_a_browser_counts_the_tools_and_opens_what_a_link_names(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render_tools(report(HOSTILE)), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    dom = subprocess.run([*command, path.as_uri() + "#tool1"], capture_output=True, text=True, timeout=600).stdout
    assert "<title>apigap tools audit of clocks" in dom and "<title>owned" not in dom
    assert ">3 tools</output>" in dom
    opened = {a.get("id") for tag, a in Page(dom).elements if tag == "details" and "open" in a}
    assert "tool1" in opened and "tool2" not in opened

"""The review: decisions made in the page are kept, applied, and taken back; hostile words stay words."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from apigap.apibank_generator.records import Dialogue, Rejection, Verdict
from apigap.apibank_generator.run import Folder, apply_decisions, review_of
from apigap.records.errors import UsageError
from apigap.records.store import load_records, write_records
from tests.apibank_generator.script import all_rows
from tests.browser import Browser, needs_browser

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
CUT = "99998"


@pytest.fixture
def folder(run: tuple[Folder, dict[str, Any]], tmp_path: Path) -> Folder:
    """A copy of the run, in which one reply is hostile, and the budget ended before the tester saw another dialogue."""
    own = Folder(tmp_path / "run")
    shutil.copytree(run[0].path, own.path)
    dialogues = load_records(own.dialogues, Dialogue)
    first = dialogues[0]
    exchange = first.exchanges[0].model_copy(update={"reply": HOSTILE})
    cut = dialogues[1].model_copy(update={"id": CUT, "verdict": Verdict(accepted=False, by="tester", reason="budget")})
    write_records(own.dialogues, [first.model_copy(update={"exchanges": (exchange,)}), *dialogues[1:], cut])
    return own


@pytest.fixture
def page(folder: Folder) -> Iterator[httpx2.Client]:
    """A client of the page."""
    with review_of(folder.path, 0) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx2.Client(base_url=server.address, headers=headers, trust_env=False) as client:
            yield client
        server.stop()
        thread.join()


def verdicts(folder: Folder) -> dict[str, str]:
    """One dialogue of each kind: accepted, refused by the tester, refused by the checks."""
    found: dict[str, str] = {}
    for one in load_records(folder.dialogues, Dialogue)[:-1]:
        kind = "accepted" if one.verdict.accepted else "tester" if one.verdict.by == "tester" else "checks"
        found.setdefault(kind, one.id)
    return found


def decide(page: httpx2.Client, name: str, choice: str) -> httpx2.Response:
    return page.post("/decide", json={"id": name, "choice": choice, "note": "because"})


def test_decisions_are_kept_applied_and_taken_back(folder: Folder, page: httpx2.Client) -> None:
    ids = verdicts(folder)
    assert page.get("/dialogues").json()["counts"]["taken"] == 60
    assert decide(page, ids["accepted"], "drop").json()["counts"]["taken"] == 59
    told = decide(page, ids["tester"], "keep").json()["counts"]
    assert (told["taken"], told["agreed"]) == (60, {"accepted": 0, "rejected": 0})
    assert page.post("/apply", json={}).json()["rows"]["trl.jsonl"] == 60
    text = (folder.formats / "inspect.jsonl").read_text("utf-8")
    assert f'"{ids["tester"]}#0"' in text and f'"{ids["accepted"]}#0"' not in text
    card = (folder.path / "card.md").read_text("utf-8")
    assert "decided on 2 attempts (accepted and left out: 1; refused by the tester and taken in: 1)" in card
    assert decide(page, ids["accepted"], "none").json()["counts"]["taken"] == 61
    shown = {one["id"]: one for one in page.get("/dialogues").json()["dialogues"]}
    assert [shown[ids[kind]]["choice"] for kind in ("accepted", "tester")] == [None, "keep"]
    assert [shown[ids[kind]]["typed"] for kind in ("accepted", "tester", "checks")] == ["because", "because", ""]
    assert apply_decisions(folder.path)["trl.jsonl"] == 61


def test_what_the_checks_refused_cannot_be_kept(folder: Folder, page: httpx2.Client) -> None:
    refused = decide(page, verdicts(folder)["checks"], "keep")
    assert refused.status_code == 409
    assert (
        "The checks found a fault in it" in refused.json()["error"] or "It has no dialogue" in refused.json()["error"]
    )
    assert page.get("/dialogues").json()["counts"]["taken"] == 60


def test_what_the_budget_cut_off_has_its_own_reason(page: httpx2.Client) -> None:
    refused = decide(page, CUT, "keep")
    assert refused.status_code == 409
    assert refused.json()["error"].startswith("The budget ended before the tester agent was asked")
    (shown,) = [one for one in page.get("/dialogues").json()["dialogues"] if one["id"] == CUT]
    assert shown["whyNot"] == refused.json()["error"]


def test_all_that_was_refused_is_shown(folder: Folder, page: httpx2.Client) -> None:
    told = page.get("/dialogues").json()
    assert len(told["dialogues"]) == len(load_records(folder.dialogues, Dialogue))
    named = [one for one in told["dialogues"] if one["reason"] == "query_names_api"]
    assert [one["query"] for one in named] == [
        row["query"] for row in all_rows() if row.get("fault") == "query_names_api"
    ]
    rejections = load_records(folder.rejections, Rejection)
    assert [(one["by"], one["what"]) for one in told["rejections"]] == [(one.agent, one.what) for one in rejections]
    assert all(one["meaning"] for one in told["rejections"])


@needs_browser
def test_a_note_is_kept_whatever_is_decided_elsewhere(folder: Folder, page: httpx2.Client) -> None:
    ids = verdicts(folder)
    note, button = (f"document.querySelector('#dialogue-{ids[kind]} {tag}')" for kind, tag in
                    (("accepted", "input"), ("tester", "button")))  # fmt: skip
    with Browser() as browser:
        browser.open(f"{page.base_url}#token={page.headers['Authorization'].removeprefix('Bearer ')}")
        browser.wait(f"{note} !== null")
        assert "API: Throw Pot" in browser.run("document.getElementById('rejections').textContent")
        browser.run(f"{note}.focus(), {note}.value = 'half a no', {note}.dispatchEvent(new Event('input'))")
        browser.run(f"{button}.click()")
        browser.wait(f"{button}.getAttribute('aria-pressed') === 'true'")
        assert browser.run(f"[{note}.value, document.activeElement === {note}]") == ["half a no", True]
        browser.run("document.getElementById('open').click()")
        browser.wait(f"{button} === null")
        assert browser.run(f"{note}.value") == "half a no"
        browser.run(f"{note}.dispatchEvent(new Event('change'))")
        browser.wait("document.getElementById('notice').textContent.includes('undecided')")
    annotation_type = {one["id"]: (one["typed"], one["choice"]) for one in page.get("/dialogues").json()["dialogues"]}
    assert (annotation_type[ids["accepted"]], annotation_type[ids["tester"]][1]) == (("half a no", None), "keep")


def test_hostile_words_are_data_and_never_html(page: httpx2.Client) -> None:
    html = page.get("/")
    assert "alert(" not in html.text
    assert "script-src 'self'" in html.headers["Content-Security-Policy"]
    script = page.get("/page.js").text
    for risky in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "outerHTML"):
        assert risky not in script
    told = page.get("/dialogues")
    assert told.headers["Content-Type"].startswith("application/json")
    assert HOSTILE in json.dumps(told.json(), ensure_ascii=False)


BAD: list[tuple[int, str, dict[str, Any]]] = [
    (405, "/nothing", {"json": {}}),
    (404, "/decide", {"json": {"id": "99999", "choice": "keep"}}),
    (400, "/decide", {"json": {"id": "00000", "choice": "burn"}}),
    (400, "/decide", {"json": {"id": 3, "choice": "keep"}}),
    (400, "/decide", {"content": "{", "headers": {"Content-Type": "application/json"}}),
    (415, "/decide", {"content": '{"id": "00000", "choice": "drop"}'}),
    (403, "/decide", {"json": {"id": "00000", "choice": "drop"}, "headers": {"Host": "evil.example"}}),
    (403, "/decide", {"json": {"id": "00000", "choice": "drop"}, "headers": {"Origin": "http://evil.example"}}),
]


@pytest.mark.parametrize(("status", "path", "sent"), BAD)
def test_what_is_no_decision_changes_nothing(
    status: int, path: str, sent: dict[str, Any], page: httpx2.Client, folder: Folder
) -> None:
    assert page.post(path, **sent).status_code == status
    assert folder.decisions.read_bytes() == b""


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no dialogues"):
        apply_decisions(tmp_path)

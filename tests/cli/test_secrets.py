"""Keys never reach a file, a message or a sandbox: one is planted in every way that one comes in, and searched for."""

import base64
import os
import traceback
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from apigap.evaluation.answers import collect
from apigap.models import trial
from apigap.models.generate import Generator
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.transcripts import Transcripts
from apigap.records.errors import ModelUnavailable
from apigap.records.paths import cache_home
from apigap.records.secrets import HIDDEN, hidden, hide_in
from tests.auditing.conftest import APIGAP, AUDIT, SETTINGS, run
from tests.experiments.test_run import knowledge
from tests.models.scripted_server import KEY, MODEL, Reply, Scripted, refused, said, serving
from tests.silent import Silent

PASSWORD = "pw-planted-9876543210"
OTHERS = {"OPENAI_API_KEY": "sk-planted-other-key", "HF_TOKEN": "hf_planted_token_1", "MY_SECRET": "planted-my-secret"}
PLANTED = {KEY, PASSWORD, base64.b64encode(f"user:{PASSWORD}".encode()).decode(), *OTHERS.values()}
LOCAL = f"openai-api/local/{MODEL}"
ECHO = (
    f"Incorrect API key provided: {KEY} (Authorization: Bearer {KEY}; X-Api-Key: {KEY}) at http://user:{PASSWORD}@host"
)
SHOWS_ALL = "```python\nimport os\nraise RuntimeError('ENVIRONMENT ' + repr(dict(os.environ)))\n```"


class Trusting(Scripted):
    """Lets everybody in, whatever the header says; of the failing ones some say all that they were sent."""

    def reply(self, body: dict[str, Any], key: str) -> Reply:
        return super().reply(body, KEY)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The only folder into which a run can write, but for the environments of libraries."""
    return tmp_path / "home"


def started(home: Path, server: Scripted, *words: str, address: str | None = None) -> CompletedProcess[str]:
    """A command in `home`, with keys in its environment and a password in the address of its server."""
    home.mkdir(exist_ok=True)
    planted = {
        "LOCAL_API_KEY": KEY, "LOCAL_BASE_URL": address or server.address.replace("://", f"://user:{PASSWORD}@"),
        "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_DATA_HOME": str(home / "share"),
        "TMPDIR": str(home), "INSPECT_LOG_DIR": str(home / "logs"), "APIGAP_CACHE": str(cache_home()), **OTHERS,
    }  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if name not in planted}
    command = ["env", "-C", str(home), "-i", *(f"{name}={value}" for name, value in {**kept, **planted}.items())]
    return run([*command, *APIGAP, *words])


def leaks(home: Path, done: CompletedProcess[str]) -> list[str]:
    """The places at which something planted is found: in what was printed, and in every file and its name."""
    places = {"stdout": done.stdout.encode(), "stderr": done.stderr.encode()}
    places |= {str(path): path.read_bytes() + path.name.encode() for path in home.rglob("*") if path.is_file()}
    return [f"{word} in {place}" for place, text in places.items() for word in PLANTED if word.encode() in text]


def test_what_is_planted_would_be_found(home: Path) -> None:
    home.mkdir()
    (home / "x.log").write_text(f"a {PASSWORD}")
    assert len(leaks(home, CompletedProcess([], 0, KEY, ""))) == 2


PREDICT = ["predict", "toolllm", "--model", LOCAL, "--limit", "2", "--out", "answers.jsonl"]
ENDINGS: list[tuple[str, dict[str, list[Reply]], Reply, int, str]] = [
    # name, what a request for one word gets and the others, exit code, what is told
    ("answered", {}, said("[]"), 0, ""),
    ("401 at once", {"one word": [refused(401, ECHO)]}, said("[]"), 3, "Incorrect API key"),
    ("400 later", {"one word": [said("ok")]}, refused(400, ECHO), 3, "gave no answer"),
    ("500, then 403", {"one word": [said("ok")], "": [refused(500, ECHO), refused(403, ECHO)]}, said("[]"), 3, "gave"),
    ("an answer in pieces", {"one word": [said("ok")]}, Reply(body=f"<html>{ECHO}".encode()), 3, "gave no answer"),
    ("in an answer", {"one word": [said("ok")]}, said(f"the key is {KEY}"), 0, ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "otherwise", "code", "told"), ENDINGS, ids=[row[0] for row in ENDINGS])
def test_predict(name: str, script: dict[str, list[Reply]], otherwise: Reply, code: int, told: str, home: Path) -> None:
    with serving(Trusting(script, otherwise=otherwise)) as server:
        done = started(home, server, *PREDICT)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert not leaks(home, done)
    assert (HIDDEN in done.stderr) == (name in ("401 at once", "400 later")) or code == 3


def test_a_dead_server_is_named_without_its_password(home: Path) -> None:
    with serving(Trusting({})) as server:
        done = started(home, server, *PREDICT, address=f"http://user:{PASSWORD}@127.0.0.1:9/v1")
    assert done.returncode == 3 and f"http://{HIDDEN}@127.0.0.1:9/v1" in done.stderr, done.stderr
    assert not leaks(home, done)


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize("fails", [False, True], ids=["answered", "refused"])
def test_run_and_what_an_answer_can_see(fails: bool, home: Path) -> None:
    home.mkdir()
    later = refused(403, ECHO) if fails else said(SHOWS_ALL)
    words = [
        "run",
        "--experiment",
        "x",
        "--tasks",
        "starter/flask",
        "--knowledge",
        str(knowledge(home)),
        "--limit",
        "2",
    ]
    more = ["--cells", "baseline", "s", "--steps", "run", "eval", "--model", LOCAL, "--json"]
    with serving(Trusting({"one word": [said("ok")]}, otherwise=later)) as server:
        done = started(home, server, *words, *more)
    assert done.returncode == (3 if fails else 0), done.stderr
    assert not leaks(home, done)
    if not fails:
        results = (home / "data" / "results" / "x" / "baseline" / "results.jsonl").read_text()
        assert "ENVIRONMENT {" in results and "HOME" in results


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_audit(home: Path) -> None:
    script = {"one word": [said("ok")], "API": [refused(403, ECHO)]}
    words = [*AUDIT[:-1], LOCAL, *SETTINGS]
    with serving(Trusting(script, otherwise=said(SHOWS_ALL))) as server:
        done = started(home, server, *words)
    assert "Incorrect API key" in done.stderr and done.returncode == 3, done.stderr
    assert not leaks(home, done)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    monkeypatch.setattr(trial, "_tried", set())
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    with serving(Trusting({"<bad>": [refused(400, ECHO)]}, otherwise=said(f'{{"code": "{KEY}"}}'))) as scripted:
        monkeypatch.setenv("LOCAL_BASE_URL", scripted.address.replace("://", f"://user:{PASSWORD}@"))
        yield scripted


def test_an_error_says_it_nowhere_in_its_trace(server: Scripted, tmp_path: Path) -> None:
    requests = [GenerationRequest(key="t", prompt="<bad>")]
    with Generator(LOCAL, Decoding(max_tokens=64), cache=False) as generator, pytest.raises(ModelUnavailable) as found:
        collect({tmp_path / "a.jsonl": requests}, generator.generate, {}, lambda done, of: None)
    text = "".join(traceback.format_exception(found.value))
    assert "Incorrect API key" in text and not [word for word in PLANTED if word in text]
    server.script["one word"] = [refused(401, ECHO)]
    with pytest.raises(ModelUnavailable) as tried:
        trial.try_models([(LOCAL, 64)], Silent())
    text = "".join(traceback.format_exception(tried.value))
    assert "Incorrect API key" in text and not [word for word in PLANTED if word in text]


class Code(BaseModel):
    """The form of an author's answer."""

    code: str


def test_transcripts_do_not_keep_what_a_server_echoes(server: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "t.transcripts.jsonl"
    with Transcripts(LOCAL, Decoding(max_tokens=64), path) as transcripts:
        (call,) = transcripts.ask([GenerationRequest(key="t", prompt="write")], Code)
    assert call.answer == f'{{"code": "{HIDDEN}"}}'
    assert not [word for word in PLANTED if word in path.read_text()]


TEXTS = [
    ("postgres://user:pass@host/db and git+https://token@host", f"postgres://{HIDDEN}@host/db and git+https://{HIDDEN}@host"),
    ("a@b.c, http://host/a@b, x://y", "a@b.c, http://host/a@b, x://y"),
    (f"{KEY}{KEY}", HIDDEN * 2),
    ("any-key is short", "any-key is short"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), TEXTS)
def test_what_is_hidden(text: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    monkeypatch.setenv("OTHER_API_KEY", "any-key")
    assert hidden(text) == shown


@given(st.text(max_size=30), st.text(max_size=30))
def test_nothing_around_a_key_keeps_it_there(before: str, after: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCAL_API_KEY", KEY)
        assert KEY not in hidden(f"{before}{KEY}{after}")
        error = ValueError(f"{before}{KEY}", 3)
        error.__cause__ = KeyError(KEY)
        hide_in(error)
        assert KEY not in str(error.args) + str(error.__cause__.args) and error.args[1] == 3

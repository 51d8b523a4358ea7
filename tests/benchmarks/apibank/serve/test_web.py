"""The page: used in a real browser, and its addresses asked by what no browser would send."""

import http.client
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from apigap.benchmarks.apibank.serve.domains import DOMAINS
from apigap.benchmarks.apibank.serve.user_session import POOLS, ServedData
from apigap.benchmarks.apibank.serve.web import MOST, BrowserSessions, web_server
from apigap.records.errors import InfrastructureError
from apigap.records.extras import install_command
from apigap.reporting.local_server import MOST_BYTES, LocalServer
from tests.browser import Browser, needs_browser

SERVED = ServedData(Path("own"))
HOSTILE = "<img src=x onerror=\"document.title='owned'\"> violin"
REMINDER = {"token": "t0k3npaulin", "content": HOSTILE, "time": "2023-05-09 18:00:00"}
CALL = {"pool": "level-1-2", "api": "AddReminder", "arguments": REMINDER}


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with web_server(SERVED, 0) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server
        server.stop()
        thread.join()


class Client:
    """Keeps its cookie, as a browser does, and knows the token."""

    def __init__(self, server: LocalServer) -> None:
        self.port = server.port
        self.cookie = ""
        self.token = f"Bearer {server.token}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        sent = {
            "Cookie": self.cookie,
            "Authorization": self.token,
            **({"Content-Type": "application/json"} if body is not None else {}),
            **headers,
        }
        connection.request(method, path, body if isinstance(body, str) else json.dumps(body), sent)
        answer = connection.getresponse()
        self.cookie = (answer.headers.get("Set-Cookie") or self.cookie).split(";")[0]
        data = answer.read()
        connection.close()
        return answer.status, json.loads(data) if answer.headers.get_content_type() == "application/json" else data

    def call(self, body: Any) -> Any:
        status, answer = self.ask("POST", "/call", body)
        assert status == 200, answer
        return answer


def reminders(client: Client) -> int:
    return client.ask("GET", "/rows?pool=level-1-2&api=AddReminder")[1]["count"]


def test_every_api_has_a_form_in_its_domain(server: LocalServer) -> None:
    _, told = Client(server).ask("GET", "/apis")
    assert told["mode"] == "corrected"
    assert {pool: {api["name"] for api in apis} for pool, apis in told["pools"].items()} == {
        pool: registry.apis.keys() for pool, registry in POOLS.items()
    }
    for apis in told["pools"].values():
        assert all(given["description"] for api in apis for given in api["inputs"])
        assert [domain for domain, _ in groupby(api["domain"] for api in apis)] == [
            domain for domain, names in DOMAINS.items() if any(api["name"] in names for api in apis)
        ]


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer x", "Basic TOKEN", "Bearer TOKENx", "Bearer \xe9", "TOKEN"])
@pytest.mark.parametrize(("method", "path", "body"), [("GET", "/apis", None), ("POST", "/call", CALL)])
def test_who_has_no_token_gets_nothing(server: LocalServer, method: str, path: str, body: Any, sent: str) -> None:
    status, answer = Client(server).ask(method, path, body, Authorization=sent.replace("TOKEN", server.token))
    assert status == 401 and "Authorization: Bearer TOKEN" in answer["error"]


@pytest.mark.parametrize(
    ("api", "arguments", "status", "told"),
    [
        ("NoSuchApi", {}, 404, {"kind": "unknown API"}),
        ("GetToday", {"day": 1}, 422, {"kind": "unknown argument", "parameter": "day"}),
        ("AddAlarm", {"token": "x"}, 422, {"kind": "missing argument", "parameter": "time", "expected": "a text"}),
        ("AddAlarm", {"token": "x", "time": 7}, 422, {"kind": "wrong type", "got": "a whole number, 7"}),
        ("AddAlarm", {"token": "x", "time": "2023-01-01 10:00:00"}, 409, {"kind": "refused by the API"}),
    ],
)
def test_an_error_has_a_body_that_says_what_to_do(
    server: LocalServer, api: str, arguments: dict[str, Any], status: int, told: dict[str, str]
) -> None:
    found, answer = Client(server).ask("POST", "/call", {"pool": "level-1-2", "api": api, "arguments": arguments})
    assert found == status and told.items() <= answer.items()
    assert answer["error"] and answer["next"] and answer["changes"] == []


def test_sessions_have_their_own_databases_until_they_are_reset(server: LocalServer) -> None:
    one, other = Client(server), Client(server)
    before = reminders(one)
    assert one.call(CALL)["changes"][0]["after"]["content"] == HOSTILE
    assert (reminders(one), reminders(other)) == (before + 1, before)
    assert one.ask("POST", "/reset", {})[0] == 200
    assert reminders(one) == before


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/../../etc/passwd", None, {}, 404),
        ("GET", "/page.html", None, {}, 404),
        ("GET", "/rows?pool=nowhere&api=x", None, {}, 404),
        ("GET", "/", None, {"Host": "evil.example"}, 403),
        ("POST", "/call", CALL, {"Host": "evil.example:80"}, 403),
        ("POST", "/call", json.dumps(CALL), {"Content-Type": "text/plain"}, 415),
        ("POST", "/call", "{", {}, 400),
        ("POST", "/call", "[" * 100_000, {}, 400),
        ("POST", "/call", [], {}, 400),
        ("POST", "/call", {"pool": "level-1-2", "api": 1, "arguments": {}}, {}, 400),
        ("POST", "/call", {"pool": "level-1-2", "api": "GetToday", "arguments": []}, {}, 400),
        ("POST", "/call", {**CALL, "pool": "level-9"}, {}, 404),
        ("POST", "/elsewhere", {}, {}, 405),
        ("POST", "/call", CALL, {"Origin": "https://evil.example"}, 403),
        ("POST", "/call", CALL, {"Origin": "null"}, 403),
        ("GET", "/apis", None, {"Origin": "http://127.0.0.1:1"}, 403),
        ("POST", "/call", "", {"Content-Length": str(MOST_BYTES + 1)}, 413),
        ("POST", "/reset", {}, {"Cookie": "apibank=\x7f; ;;=", "Content-Type": "application/json"}, 200),
    ],
)
def test_what_no_page_of_ours_would_send(
    server: LocalServer, method: str, path: str, body: Any, headers: dict[str, str], status: int
) -> None:
    found, answer = Client(server).ask(method, path, body, **headers)
    assert found == status, answer
    assert status == 200 or answer["error"]


@pytest.mark.parametrize(
    ("header", "status"),
    [("Transfer-Encoding: chunked", 411), ("Content-Length: -1", 400)],
)
def test_a_body_without_a_length_is_not_read(server: LocalServer, header: str, status: int) -> None:
    host = f"127.0.0.1:{server.port}"
    head = f"POST /call HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{header}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(head.encode("latin-1"))
        assert connection.recv(1000).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_call_of_a_megabyte_is_answered(server: LocalServer) -> None:
    answer = Client(server).call({**CALL, "arguments": {**REMINDER, "content": "a" * 1_000_000}})
    assert answer["result"]["output"] == "success"


def test_the_page_runs_nothing_that_is_not_its_own(server: LocalServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    connection.request("GET", "/")
    policy = connection.getresponse().headers["Content-Security-Policy"]
    connection.close()
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy


def test_the_oldest_session_is_given_up_first() -> None:
    sessions = BrowserSessions(SERVED)
    first, _ = sessions.of("")
    keys = [sessions.of("")[0] for _ in range(MOST - 1)]
    assert sessions.of(first)[0] == first
    sessions.of("")
    assert sessions.of(first)[0] == first and sessions.of(keys[0])[0] != keys[0]


def test_a_port_that_is_taken_is_told(server: LocalServer) -> None:
    with pytest.raises(InfrastructureError, match="--port"):
        web_server(SERVED, server.port)


def test_without_the_extra_it_is_named() -> None:
    script = (
        "import sys\nsys.modules['uvicorn'] = None\nfrom apigap.cli.main import main\n"
        "sys.argv = ['apigap', 'apibank', 'serve', '--port', '0']\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == InfrastructureError.exit_code
    assert "a page in a browser needs uvicorn" in done.stderr and install_command("serve") in done.stderr


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_its_first_call_works_and_it_ends_by_an_interrupt() -> None:
    command = [sys.executable, "-c", "from apigap.cli.main import main; main()", "apibank", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[4]
        call = shlex.split(process.stdout.readline().partition(": ")[2])
        answer = subprocess.run(call, capture_output=True, check=True, env={**os.environ, "no_proxy": "*"})
        assert json.loads(answer.stdout)["result"]["output"] == 9
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        connection.request("GET", "/page.js")  # a connection that stays open does not hold the server
        assert connection.getresponse().status == 200
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
        connection.close()
    assert "Traceback" not in told
    with pytest.raises(OSError):
        socket.create_connection((connection.host, connection.port), timeout=20)


@needs_browser
def test_by_hand_in_a_browser(server: LocalServer) -> None:
    with Browser() as page:
        page.open(server.address)
        page.wait("document.getElementById('token-asked')?.open")
        assert page.run("document.querySelectorAll('#apis button').length") == 0
        page.run(f"document.querySelector('#token-asked input').value = {json.dumps(server.token)}")
        page.run("document.querySelector('#token-asked button').click()")
        page.wait("document.querySelectorAll('#apis button').length === 53")
        page.run("document.querySelector('#form button').click()")
        first = json.loads(page.wait("document.querySelector('#result.good')?.textContent"))
        assert (first["api_name"], list(first["output"])) == ("GetUserToken", ["token"])
        page.run("[...document.querySelectorAll('#apis button')].find((b) => b.textContent === 'BookHotel').click()")
        page.run("document.getElementById('input-room_count').value = 'two'")
        page.run("document.querySelector('#form button').click()")
        assert "a whole number" in page.wait(
            "document.querySelector('#result.bad') && document.getElementById('remarks').textContent"
        )
        assert page.run("document.querySelector('[aria-invalid=true]').id") == "input-room_count"
        page.run("document.getElementById('example').click()")
        page.run("document.querySelector('#form button').click()")
        page.wait("document.querySelector('#result.good')?.textContent")
        page.run("[...document.querySelectorAll('#apis button')].find((b) => b.textContent === 'AddReminder').click()")
        for name, value in REMINDER.items():
            page.run(f"document.getElementById('input-{name}').value = {json.dumps(value)}")
        page.run("document.querySelector('#form button').click()")
        row = json.loads(page.wait("document.querySelector('#changes td.new')?.textContent"))
        assert row == {"content": HOSTILE, "time": "2023-05-09 18:00:00", "username": "paulin"}
        assert json.loads(page.run("document.getElementById('result').textContent"))["output"] == "success"
        assert json.dumps(HOSTILE) in page.run("document.getElementById('calls').textContent")
        assert page.run("[document.images.length, document.title]") == [0, "API-Bank by hand"]
        page.run("document.getElementById('reset').click()")
        page.wait("document.getElementById('notice').textContent.includes('as they were')")
        assert page.run("document.getElementById('calls').children.length") == 0
        page.run("document.getElementById('pool').value = 'level-3'")
        page.run("document.getElementById('pool').dispatchEvent(new Event('change'))")
        page.wait("document.querySelectorAll('#apis button').length === 22")

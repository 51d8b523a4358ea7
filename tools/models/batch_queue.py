"""A batch queue of one's own: the requests that a command wrote into a `batch/FOLDER` go to a server, one by one.

    .venv/bin/python -m tools.models.batch_queue queue/qwen http://127.0.0.1:8080 [--anthropic]

What comes back is written as the provider's batch would give it, into `output-NNN.jsonl` of the same folder.
"""

import argparse
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apigap.models.batch.folder import BatchFolder
from apigap.records.store import write_text

_SECONDS = 600.0


def answer_folder(folder: Path, server: str, anthropic: bool = False) -> int:
    """Answer all open requests of `folder`, in OpenAI's or Anthropic's form; their number."""
    waiting = {line["custom_id"]: line["body"] for line in BatchFolder(f"batch/{folder}").open_requests()}
    if not waiting:
        return 0
    lines = _anthropic(folder, waiting.keys(), server) if anthropic else _openai(waiting, server)
    number = 1 + len(list(folder.glob("output-*.jsonl")))
    write_text(folder / f"output-{number:03}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    return len(waiting)


def _openai(waiting: dict[str, Any], server: str) -> Iterator[dict[str, Any]]:
    for name, body in waiting.items():
        status, answer = post(f"{server}/v1/chat/completions", body)
        yield {"custom_id": name, "response": {"status_code": status, "body": answer}, "error": None}


def _anthropic(folder: Path, names: Any, server: str) -> Iterator[dict[str, Any]]:
    files = sorted(folder.glob("requests-*.anthropic.json"))
    known = {one["custom_id"]: one["params"] for path in files for one in json.loads(path.read_text())["requests"]}
    for name in names:
        status, answer = post(f"{server}/v1/messages", known[name])
        failed = {"type": "errored", "error": answer}
        yield {"custom_id": name, "result": {"type": "succeeded", "message": answer} if status == 200 else failed}


def post(address: str, body: Any) -> tuple[int, Any]:
    """The status and the body of a server's reply to `body`."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310  the caller's own server
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("server", help="the server's address, without /v1")
    parser.add_argument("--anthropic", action="store_true", help="in Anthropic's form, at /v1/messages")
    given = parser.parse_args()
    print(answer_folder(given.folder, given.server, given.anthropic), "requests were answered")

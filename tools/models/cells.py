"""A cell of the table: one role's command through one door, in a folder of its own, with what came out."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Literal

from apigap.models.batch.folder import BatchFolder
from apigap.records.base import Record
from tools.models.batch_queue import answer_folder
from tools.models.door_list import Door
from tools.models.inputs import program
from tools.models.llama_server import ROOT
from tools.models.role_list import Role

_MOST_ROUNDS = 40
_SECONDS = 900
_SAID = 300
_LATE = 124
_INTERRUPTED = "Task interrupted"
_REFUSALS = re.compile(
    r"ModelUnavailable: [^\n]+(?:\n\w[^\n]*)?|ValueError: Model API \S+ of model \S+\s+not recognized"
    r"|ConnectionError: HTTPSConnectionPool\(host='openaipublic[^)]*\)"
)
"""The last one: Inspect counts the tokens of its own mock with a vocabulary from the internet."""
Kind = Literal["ran", "refused", "failed"]


class Cell(Record):
    """The outcome of a command: `ran` with exit code 0, `refused` with one sentence (`said`), or `failed`.

    `rounds` counts the runs of the command: through files it stops and goes on.
    """

    role: str
    door: str
    command: str
    kind: Kind
    exit_code: int
    came_out: str
    said: str = ""
    rounds: int = 1
    seconds: float


def run_cell(role: Role, door: Door, folder: Path, server: str) -> Cell:
    """Run the command until it asks for no more answers; the folder is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "inputs").symlink_to(os.path.relpath(folder.parents[1] / "inputs", folder))
    words = door.words(role.words)
    paths = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **door.environment(server), "PYTHONPATH": paths}
    began = time.monotonic()
    rounds, is_done = 0, False
    code, told = 0, ""
    while not is_done and rounds < _MOST_ROUNDS:
        code, told = _run(words, folder, environment)
        rounds += 1
        is_done = code != 0 or not (door.is_files and _is_answered(door, folder, server))
    seconds = time.monotonic() - began
    return Cell(
        role=role.name, door=door.name, command=" ".join(words), kind=kind_of(role, code, told), exit_code=code,
        came_out=role.count(folder), rounds=rounds, seconds=round(seconds, 1),
        said=sentence(told) if code or _INTERRUPTED in told else "",
    )  # fmt: skip


def _run(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    with (folder / "output.txt").open("a+", encoding="utf-8") as output:
        output.write(f"$ {' '.join(words)}\n")
        output.flush()
        start = output.tell()
        command = [program(words[0]), *words[1:]]
        try:
            code = subprocess.run(
                command, cwd=folder, env=environment, timeout=_SECONDS, stdout=output, stderr=subprocess.STDOUT
            ).returncode
        except subprocess.TimeoutExpired:
            return _LATE, f"it took longer than {_SECONDS} s"
        output.seek(start)
        return code, output.read()


def _is_answered(door: Door, folder: Path, server: str) -> bool:
    """Answer what waits in the folder of files; false where nothing did."""
    queue = BatchFolder(f"batch/{folder / door.model.removeprefix('batch/')}").path
    return queue.is_dir() and answer_folder(queue, server) > 0


def kind_of(role: Role, code: int, told: str) -> Kind:
    """The kind of a command's end: a refusal is a sentence of ours with the exit code of its kind.

    `inspect eval` ends with 0 whatever came of it: there a refusal is an error of a model that cannot be asked so.
    """
    if role.words[0] == "inspect":
        ended = code == 0 and _INTERRUPTED not in told
        return "ran" if ended else "refused" if _refusal(told) else "failed"
    if code == 0 or (code == 1 and role.is_short_of_work and "Traceback" not in told):
        return "ran"
    return "refused" if code in (2, 3) and "Traceback" not in told else "failed"


def _refusal(told: str) -> str:
    """The error by which Inspect, or our provider within it, says that it cannot ask a model; empty without one."""
    found = list(_REFUSALS.finditer(told))
    return " ".join(found[-1][0].split()) if found else ""


def sentence(told: str) -> str:
    """The last line that a command said: its error."""
    if refusal := _refusal(told):
        return refusal[:_SAID]
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith(("apigap: error", "Error", "error"))]
    return (ours or lines or [""])[-1][:_SAID]

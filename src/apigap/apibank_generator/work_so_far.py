"""How far a run is: on the screen while it works, and at any time from the folder."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from apigap.apibank_generator.budgeted_client import BudgetedClient
from apigap.apibank_generator.folder import Folder
from apigap.apibank_generator.generator import GeneratedData
from apigap.apibank_generator.records import Agent
from apigap.apibank_generator.statistics import acceptance
from apigap.records.errors import UsageError
from apigap.records.progress import Advance, Progress
from apigap.records.store import read_bytes, write_text

_BETWEEN_WRITES = 1.0


class WorkSoFar:
    """Tells how many of an agent's calls are answered, and keeps `progress.json` while a run works.

    The file has what is `ordered`, the accepted `dialogues`, the calls that are `waiting` per agent, and the
    `acceptance` and `account` of `summary.json` as they are so far.
    """

    def __init__(self, path: Path, ordered: int, progress: Progress) -> None:
        self._path = path
        self._ordered = ordered
        self._progress = progress
        self._bars: dict[Agent, Advance] = {}
        self._before: dict[Agent, int] = {}
        self._waiting: dict[str, int] = {}
        self._written = float("-inf")
        self._look: Callable[[], tuple[GeneratedData, dict[str, Any]]] | None = None

    def watch(self, client: BudgetedClient, data: Callable[[], GeneratedData]) -> None:
        """Look at `data` from now on, whenever `client` asks."""
        self._look = lambda: _looked_at(data(), client)
        client.watch = self._asked

    def _asked(self, agent: Agent, done: int, of: int) -> None:
        bar = self._bars.get(agent) or self._bars.setdefault(agent, self._progress.step(agent))
        before = self._before.setdefault(agent, 0)
        bar(before + done, before + of)
        self._waiting = {agent: of - done} if done < of else {}
        if done == of:
            self._before[agent] = before + of
        if done == 0 or time.monotonic() - self._written > _BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Keep the state of this moment."""
        if self._look is None:
            return
        data, account = self._look()
        shares = acceptance(data.domains, data.tools, data.rejections, data.dialogues)
        state = {
            "ordered": self._ordered,
            "dialogues": len(data.accepted),
            "waiting": self._waiting,
            "acceptance": {agent: share.model_dump(mode="json") for agent, share in shares.items()},
            "account": account,
        }
        write_text(self._path, json.dumps(state, indent=2, ensure_ascii=False) + "\n", sync=False)
        self._written = time.monotonic()

    def end(self) -> None:
        """Leave it to the summary."""
        self._path.unlink(missing_ok=True)


def _looked_at(data: GeneratedData, client: BudgetedClient) -> tuple[GeneratedData, dict[str, Any]]:
    return data, client.account(len(data.accepted))


def work_so_far(path: Path) -> dict[str, Any]:
    """What has been made and taken in the folder of a run, while it works, waits for answers, or after its end.

    Returns:
        See `WorkSoFar`; `finished` is true once there is a summary.

    Raises:
        UsageError: when the folder holds no run that has begun to ask.
    """
    folder = Folder(path)
    if folder.progress.exists():
        return {**json.loads(read_bytes(folder.progress)), "finished": False}
    if not folder.summary.exists():
        raise UsageError(f"{path} holds no run that has begun; give the --out folder of `apigap apibank generate`")
    summary: dict[str, Any] = json.loads(read_bytes(folder.summary))
    told = {key: summary[key] for key in ("ordered", "acceptance", "account")}
    return {**told, "dialogues": summary["statistics"]["dialogues"], "waiting": {}, "finished": True}

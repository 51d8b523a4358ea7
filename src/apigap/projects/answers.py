"""Answers on the project in a folder: what changed in a library since the release that whoever asks knows."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from apigap.projects.changes import Changes, known_release
from apigap.projects.project import InUse, Project
from apigap.projects.told import summary
from apigap.records.errors import UsageError

Compare = Callable[[str, str, str], Changes]
"""Compares two releases of a library: its name, the old one, the new one."""
_NOT_YET = (
    "{library} {old} and {new} are being compared for the first time on this machine (both are installed, and examples "
    "are run): ask the same again in a minute."
)


@dataclass(frozen=True)
class Asked:
    """The releases of a question, and what told them."""

    library: str
    old: str
    new: str
    known_by: str
    told_by: str


def asked_of(used: InUse, known: str | None, day: date | None, question: str) -> Asked:
    """The releases that a question is about: `known`, else the newest one from before `day`.

    Raises:
        UsageError: with the `question`, in which `{name}` is the library, where neither is given; see `known_release`.
    """
    if known:
        return Asked(used.name, known, used.version, "as you say", used.told_by)
    if day is None:
        raise UsageError(question.format(name=used.name))
    old = known_release(used.name, used.version, day)
    return Asked(used.name, old, used.version, f"the newest one before {day}", used.told_by)


@dataclass
class ProjectAnswers:
    """Answers about the project in `folder`; without a known release the newest one from before `cutoff` counts.

    A comparison runs aside, one at a time: whoever asks waits at most `wait` seconds for it.
    """

    folder: Path
    compare: Compare
    cutoff: date | None = None
    wait: float = 45.0
    _pool: ThreadPoolExecutor = field(init=False, default_factory=lambda: ThreadPoolExecutor(1))
    _begun: dict[tuple[str, str, str], Future[Changes]] = field(
        init=False, default_factory=dict[tuple[str, str, str], "Future[Changes]"]
    )
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def releases(self) -> list[InUse]:
        """The releases that the project uses; its files are read anew."""
        return Project(self.folder).releases()

    def what_changed(self, library: str, known: str | None, until: str | None, about: str = "") -> str:
        """The changes as Markdown, the most important first; with `about` only names that hold one of its words.

        Raises:
            UsageError: when a release cannot be told; the message says what to give.
            InfrastructureError: when the releases cannot be compared here.
        """
        asked = self.asked(library, known, until)
        changes = self._changes(asked)
        return summary(changes, asked.known_by, asked.told_by, about) if changes else _wait_for(asked)

    def read_change(self, library: str, name: str, known: str | None, until: str | None) -> str:
        """All on one API that is new, changed or gone; see `what_changed`."""
        asked = self.asked(library, known, until)
        changes = self._changes(asked)
        return changes.page(name) if changes else _wait_for(asked)

    def asked(self, library: str, known: str | None, until: str | None) -> Asked:
        """The releases that a question is about.

        Raises:
            UsageError: when the project does not say which one it uses, or nothing tells which one is known.
        """
        day = None if known else _day(until) if until else self.cutoff
        return asked_of(
            Project(self.folder).release_of(library), known, day,
            "which release of {name} do you know? Give known_version, or known_until, the day until which your "
            "training data goes (YYYY-MM or YYYY-MM-DD)",
        )  # fmt: skip

    def _changes(self, asked: Asked) -> Changes | None:
        """The comparison; None while it is not done. One that failed is tried again by the next question."""
        key = (asked.library, asked.old, asked.new)
        with self._lock:
            begun = self._begun.get(key) or self._begun.setdefault(key, self._pool.submit(self.compare, *key))
        if not wait([begun], self.wait).done:
            return None
        try:
            return begun.result()
        except BaseException:
            with self._lock:
                if self._begun.get(key) is begun:  # else whoever waited for it too has told it
                    del self._begun[key]
            raise


def _wait_for(asked: Asked) -> str:
    return _NOT_YET.format(library=asked.library, old=asked.old, new=asked.new)


def _day(text: str) -> date:
    for form in ("%Y-%m-%d", "%Y-%m"):
        try:
            return datetime.strptime(text.strip(), form).date()
        except ValueError:
            continue
    raise UsageError(f"{text!r} is no day; give it as 2025-10-07 or 2025-10")

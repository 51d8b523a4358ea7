"""The interpreter for a release: the newest at hand that it, and what it needs, can be installed on as wheels.

A release is not tried first on a Python that it could not know: those that were there when it appeared come before
younger ones. What uv has said of a release is kept, so that it is asked once and the choice stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from packaging.utils import canonicalize_name
from pydantic import ValidationError

from apigap.packages.index import Release, index_url, release
from apigap.packages.installer import why_not
from apigap.packages.interpreters import (
    MINORS,
    Interpreter,
    at_hand,
    how_to_install,
    named,
    running,
    told_at_hand,
)
from apigap.packages.uv_command import run_uv
from apigap.packages.wheelhouse import named_exactly
from apigap.records.base import Record, content_hash
from apigap.records.errors import EnvironmentFailure
from apigap.records.paths import exclusive
from apigap.records.store import write_text

NEWEST, RUNNING = "newest", "running"
"""Ways to choose, beside naming a version: see the module, and the interpreter that runs apigap."""
PYTHON_RELEASED = {
    9: "2020-10-05",
    10: "2021-10-04",
    11: "2022-10-24",
    12: "2023-10-02",
    13: "2024-10-07",
    14: "2025-10-07",
}
"""The day on which each Python 3.x appeared (PEPs 596, 619, 664, 693, 719, 745)."""
WHEELS_AFTER = timedelta(days=180)
"""By then the packages that others build on had wheels for a new Python."""
_INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Wanted:
    """A release that is to be installed, with further requirements; `version` as the index has it."""

    library: str
    version: str
    extras: tuple[str, ...] = ()

    @property
    def requirements(self) -> list[str]:
        """All that is to be installed, as requirements."""
        return [f"{self.library}=={self.version}", *self.extras]


class _Answers(Record):
    """uv's answers on one release: per interpreter the reason against it, empty where there is none."""

    uploaded: datetime | None
    against: dict[str, str] = {}


@dataclass(frozen=True)
class InterpreterChoice:
    """Chooses by a `policy`: `newest`, `running` or a version (`3.12`); answers are kept in `folder`.

    With `downloads` uv may fetch an interpreter where none at hand fits; with `builds` wheels may be built.
    """

    folder: Path
    policy: str = RUNNING
    downloads: bool = False
    builds: bool = False

    def one_for(self, wanted: Wanted) -> Interpreter:
        """The interpreter for one release.

        Raises:
            UsageError: when the release, or the version of Python that is asked for, does not exist.
            EnvironmentFailure: when no interpreter fits; says which would and how to get it.
            InfrastructureError: when the index cannot be reached.
        """
        fixed = self._fixed()
        if fixed is not None:
            return fixed
        return self._shared([wanted]) or self._without_wheels(wanted)

    def shared_by(self, wanted: Sequence[Wanted]) -> Interpreter | None:
        """The interpreter on which all of these can be installed; None where there is none.

        Raises:
            UsageError, InfrastructureError: see `one_for`.
        """
        return self._fixed() or self._shared(wanted)

    def suits(self, wanted: Wanted, interpreter: Interpreter) -> bool:
        """Tell whether a release can be installed on an interpreter, as wheels."""
        return self._why_not(wanted, interpreter) == ""

    def _fixed(self) -> Interpreter | None:
        if self.policy == RUNNING:
            return running()
        return None if self.policy == NEWEST else self._named(self.policy)

    def _named(self, minor: str) -> Interpreter:
        """The interpreter of a minor version, downloaded where that is allowed and it is not at hand."""
        is_missing = all(one.minor != minor for one in at_hand())
        if self.downloads and is_missing and minor in (f"3.{number}" for number in MINORS):
            failure = install(minor)
            if failure:
                raise EnvironmentFailure(
                    f"Python {minor} is not at hand ({told_at_hand()}), and uv cannot download it: {failure}; "
                    f"{how_to_install(minor)}"
                )
        return named(minor)

    def _shared(self, wanted: Sequence[Wanted]) -> Interpreter | None:
        days = [day for one in wanted if (day := self._answers(one).uploaded) is not None]
        for interpreter in in_order(min(days, default=None)):
            if all(self.suits(one, interpreter) for one in wanted):
                return interpreter
        return None

    def _without_wheels(self, wanted: Wanted) -> Interpreter:
        """One on which something may be built, or whose installer says best what is missing."""
        found = release(wanted.library, wanted.version)
        order = in_order(found.uploaded)
        own = [one for one in order if found.has_wheel(one.version)]
        others = [f"3.{number}" for number in reversed(MINORS) if found.has_wheel(f"3.{number}.0")]
        failure = ""
        if not own and self.downloads:
            for minor in others:
                failure = install(minor)
                if not failure:
                    return self._shared([wanted]) or named(minor)
        allowed = own or ([] if others and not self.builds else [one for one in order if found.fits(one.version)])
        if not allowed:
            raise EnvironmentFailure(_none_fits(found, others, failure))
        return allowed[0]

    def _why_not(self, wanted: Wanted, interpreter: Interpreter) -> str:
        """The reason against an interpreter; empty where there is none."""
        key = f"{interpreter.version} at {interpreter.prefix}"
        answers = self._answers(wanted)
        if key not in answers.against:
            found = release(wanted.library, wanted.version)
            reason = "no wheel of its own" if not found.has_wheel(interpreter.version) else None
            until = resolution_day(found.uploaded, interpreter.version) if found.uploaded else None
            reason = reason or why_not(found, wanted.requirements, until, interpreter) or ""
            with exclusive(self._path(wanted).with_suffix(".lock")):
                now = self._answers(wanted)
                answers = now.model_copy(update={"against": {**now.against, key: reason}})
                write_text(self._path(wanted), answers.to_line() + "\n")
        return answers.against[key]

    def _answers(self, wanted: Wanted) -> _Answers:
        try:
            return _Answers.model_validate_json(self._path(wanted).read_bytes())
        except (FileNotFoundError, ValidationError):
            return _Answers(uploaded=release(wanted.library, wanted.version).uploaded)

    def _path(self, wanted: Wanted) -> Path:
        local = sorted(wheel.sha256 for wheel in named_exactly(wanted.requirements))
        key = content_hash([sorted(wanted.extras), index_url(), *([{"wheels": local}] if local else [])], length=8)
        return self.folder / f"{canonicalize_name(wanted.library)}-{wanted.version}-{key}.json"


def in_order(uploaded: datetime | None) -> list[Interpreter]:
    """The interpreters at hand as a release of that day is tried on them.

    Those that were there on the day, newest first; then younger ones, oldest first. Python 3.10 comes last: there not
    every call can be watched.
    """
    there = [one for one in at_hand() if one.number > MINORS[0]]
    last = [one for one in at_hand() if one not in there]
    if uploaded is None:
        return there + last
    known = [one for one in there if (day := _appeared(one.version)) is not None and day <= uploaded]
    return known + [one for one in reversed(there) if one not in known] + last


def resolution_day(uploaded: datetime, python: str) -> datetime:
    """The moment whose packages an environment of a version of Python holds; see `EnvironmentStore.get`."""
    appeared = _appeared(python)
    day_after = uploaded + timedelta(days=1)
    return day_after if appeared is None else max(day_after, appeared + WHEELS_AFTER)


def _appeared(python: str) -> datetime | None:
    """The day on which a version of Python appeared, where it is known."""
    day = PYTHON_RELEASED.get(int(python.split(".")[1]))
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None


def install(minor: str) -> str:
    """Let uv download a version of Python, which is at hand then; gives the reason where it cannot, else nothing."""
    done = run_uv(f"Python {minor}", "python", "install", minor, downloads=True, seconds=_INSTALL_SECONDS)
    at_hand.cache_clear()
    if any(one.minor == minor for one in at_hand()):
        return ""
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return said[-1].rpartition("ause: ")[2].removeprefix("Caused by: ") if said else f"it ended with {done.returncode}"


def _none_fits(found: Release, others: Sequence[str], failure: str) -> str:
    told = next((file.requires_python for file in found.files if file.requires_python), None)
    needs = f"it needs Python {told}" if told else "it has no wheels for these"
    head = f"{found.library} {found.version} cannot be installed on any Python of this machine ({told_at_hand()})"
    if others:
        tried = f", which uv cannot download ({failure})" if failure else ""
        return f"{head}: {needs}{tried}; {how_to_install(others[0])}"
    return f"{head}: {needs}, and nothing in it is for Python 3.{MINORS[0]} to 3.{MINORS[-1]}; choose another version"

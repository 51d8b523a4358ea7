"""Nothing runs on a kernel or distribution that allows no sandbox, and the message says what to do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.records.errors import IsolationMissing
from apigap.records.store import write_records
from apigap.sandbox.engine import Engine
from tests.records.test_task import make_task

REFUSALS = {
    "no user namespaces": "bwrap: No permissions to create new namespace, likely because the kernel does not allow "
    "non-privileged user namespaces.",
    "a maximum of none": "bwrap: Creating new namespace failed: No space left on device",
    "AppArmor": "bwrap: setting up uid map: Permission denied",
}


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bwrap of our own, first on the path, for a user who is not root."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    _forget()
    yield tmp_path / "bwrap"
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    """Isolation is tried once per process; let it be tried again."""
    for name, module in list(sys.modules.items()):
        if name.startswith("apigap.sandbox."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear") and "isol" in f"{name}{getattr(value, '__name__', '')}".lower():
                    value.cache_clear()


@pytest.mark.parametrize("name", REFUSALS)
def test_a_kernel_that_refuses_is_named_with_its_cure(fake: Path, name: str) -> None:
    fake.write_text(f"#!/bin/sh\necho '{REFUSALS[name]}' >&2\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(IsolationMissing) as caught:
        Engine()
    message = str(caught.value)
    assert REFUSALS[name][:60] in message
    assert "user.max_user_namespaces" in message
    assert "kernel.apparmor_restrict_unprivileged_userns" in message
    assert "--unsafe-local" in message


def test_a_bwrap_that_cannot_be_started_is_named(fake: Path) -> None:
    fake.write_text("#!/no/such/interpreter\n")
    fake.chmod(0o755)
    with pytest.raises(IsolationMissing, match=r"--unsafe-local"):
        Engine()


def test_the_command_line_says_it_in_one_line_and_exits_with_3(tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'no namespaces here' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    tasks = tmp_path / "tasks.jsonl"
    write_records(tasks, [make_task()])
    command = [sys.executable, "-m", "apigap.cli.main", "calibrate", "novelapi", "--tasks", str(tasks)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin"}, timeout=60
    )
    assert done.returncode == 3, done.stderr
    assert "bwrap" in done.stderr
    assert "Traceback" not in done.stderr

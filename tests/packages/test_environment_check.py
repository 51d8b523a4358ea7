"""Findings of an environment's check, against the hashes that wheels have of their files."""

import base64
import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.packages.environment_check import damage
from apigap.records.errors import CheckFailed
from apigap.sandbox.environment import Environment

FILES = {"lib/__init__.py": "x = 1\n", "lib/data.txt": "of it\n"}


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """One with a library of two files and a script, as an installer leaves it."""
    root = tmp_path / "environments" / "lib-1.0-0"
    site = root / "lib" / "python3.11" / "site-packages"
    lines = ["lib-1.0.dist-info/RECORD,,", "lib/__pycache__/__init__.cpython-311.pyc,,"]
    for name, text in (*FILES.items(), ("../../../bin/tool", "#!python\n")):
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(text)}")
    (site / "lib-1.0.dist-info").mkdir()
    (site / "lib-1.0.dist-info" / "RECORD").write_text("\n".join(lines) + "\n")
    (site / "lib" / "__pycache__").mkdir()
    (site / "lib" / "__pycache__" / "other.pyc").touch()
    found = Environment(
        library="lib", version="1.0", root=root, python=Path(sys.executable), base_prefix=Path(sys.base_prefix),
        site_packages=site, packages=("lib==1.0",), lock="l",
    )  # fmt: skip
    (root / ".apigap-ready").write_text(found.to_line())
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    return found


def remove(site: Path) -> None:
    for name in ("lib", "lib-1.0.dist-info"):
        shutil.rmtree(site / name)


CHANGES: list[tuple[Callable[[Path], object], str]] = [
    (lambda site: (site / "lib" / "__init__.py").write_text("x = 2\n"), "__init__.py is not what was installed"),
    (lambda site: (site / "lib" / "data.txt").unlink(), "data.txt is gone"),
    (remove, "lib==1.0 is gone"),
    (lambda site: (site / "other-2.dist-info").mkdir(), "other==2 was added"),
    (lambda site: (site / "sitecustomize.py").touch(), "sitecustomize.py is of no package"),
    (lambda site: (site / "more.pth").write_text("import os"), "more.pth is of no package"),
    (lambda site: (site / ".." / ".." / ".." / "bin" / "tool").write_text("#!sh"), "bin/tool is not what was"),
]


@pytest.mark.parametrize(("change", "told"), CHANGES, ids=[row[1] for row in CHANGES])
def test_every_kind_of_damage_is_found(change: Callable[[Path], object], told: str, environment: Environment) -> None:
    assert list(damage(environment)) == []
    change(environment.site_packages)
    (found,) = damage(environment)
    assert told in found


def test_the_command_checks_all_that_were_made(environment: Environment) -> None:
    done = CliRunner().invoke(application(VERBS), ["envs", "check"])
    assert (done.exit_code, done.stdout) == (0, "1 of 1 environments are as they were installed\n")
    (environment.site_packages / "lib" / "data.txt").unlink()
    done = CliRunner().invoke(application(VERBS), ["envs", "check", "--json"])
    assert isinstance(done.exception, CheckFailed) and f"remove {environment.root}" in str(done.exception)
    assert json.loads(done.stdout)["damaged"][str(environment.root)][0].endswith("data.txt is gone")

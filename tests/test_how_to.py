"""Pages of how-to and tutorials, followed to the letter: files are made, code is changed, commands give what is shown.

A page is read from top to bottom. A block of code belongs to the file that the paragraph before it names last; `diff`
blocks change it, all others are its whole text. Lines of a `console` block that begin with `$` are run, and what stands
below them must be in what they print. All of it happens in a copy of `src` and `tests`, with an environment of its own.
Pages that need the package index or a model are run by `make slow`.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import uv

ROOT = Path(__file__).parents[1]
_SLOW = (pytest.mark.slow, pytest.mark.sandbox, pytest.mark.network)
MARKS = {
    "add-an-isolation-backend": [pytest.mark.sandbox],
    "add-your-library": _SLOW,
    "audit-a-release": _SLOW,
    "close-a-gap": _SLOW,
    "start": _SLOW,
    "test-your-mcp-server": (pytest.mark.slow, pytest.mark.model),
}
"""The needs of a page beside this machine's own tools."""
_DOCS = ROOT / "docs"
PAGES = [
    pytest.param(path, id=path.stem, marks=MARKS.get(path.stem, ()))
    for path in (*sorted(_DOCS.glob("how-to/*.md")), *sorted(_DOCS.glob("tutorials/*.md")), _DOCS / "start.md")
]
_FENCE = re.compile(r"^```(\w*)\n", re.MULTILINE)
_FILE = re.compile(r"`([\w./-]+\.\w+)`")
_COMMANDS = {
    "apigap": "from apigap.cli.main import main; main()",
    "pytest": "import sys, pytest; sys.exit(pytest.main())",
}


@dataclass(frozen=True)
class Step:
    """A block of code: its language, its text, and the file that is named before it."""

    language: str
    text: str
    file: str


def steps_of(page: str) -> list[Step]:
    """The blocks of a page, in their order; `text` blocks are for reading alone."""
    pieces = _FENCE.split(page)  # prose, language, block, nothing, and so on
    found: list[Step] = []
    for prose, language, text in zip(pieces[::4], pieces[1::4], pieces[2::4], strict=False):
        names = _FILE.findall(prose.strip().rpartition("\n\n")[2])
        if language != "text":
            found.append(Step(language, text, names[-1] if names else ""))
    return found


def changed(text: str, diff: str) -> str:
    """`text` with the lines of a diff changed, which must stand in it exactly once."""
    lines = [line or " " for line in diff.splitlines()]
    assert all(line[0] in " +-" for line in lines), f"a line of a diff begins with another sign:\n{diff}"
    old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] != sign) for sign in "+-")
    assert f"\n{text}".count(f"\n{old}") == 1, f"these lines do not stand there once:\n{old}"
    return f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]


@dataclass(frozen=True)
class Workspace:
    """A folder as a contributor has it, with apigap and pytest on the path."""

    root: Path
    online: bool = False

    def follow(self, step: Step) -> None:
        if step.language == "console":
            for part in re.split(r"^\$ ", step.text, flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                self.run(command, expected)
            return
        assert step.file, f"no file is named before:\n{step.text}"
        path = self.root / step.file
        if step.language == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), step.text), encoding="utf-8")
        else:
            assert not path.exists(), f"{step.file} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")

    def run(self, command: str, expected: str) -> None:
        folder = self.root / "environment"
        variables = {
            **os.environ,
            "PATH": f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": f"{self.root / 'src'}:{self.root}",
            "STATE": str(folder),
            "UV_OFFLINE": "0" if self.online else "1",
            "VIRTUAL_ENV": str(folder),
        }
        ended = subprocess.run(
            command, shell=True, cwd=self.root, env=variables, capture_output=True, text=True, check=False
        )
        said = ended.stdout + ended.stderr
        assert ended.returncode == 0, f"$ {command}\n{said}"
        for line in expected.splitlines():
            assert line in said, f"$ {command}\nprints no {line!r}:\n{said}"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "studies").symlink_to(ROOT / "studies")
    folder = tmp_path / "environment"
    subprocess.run([uv.find_uv_bin(), "venv", "--quiet", "--python", sys.executable, folder], check=True)
    (site,) = (folder / "lib").glob("python3*/site-packages")
    own = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "around.pth").write_text(f"import site; site.addsitedir({own!r})\n")
    for name, code in _COMMANDS.items():
        install(folder / "bin" / name, f"#!{folder}/bin/python\n{code}\n")
    engine = ROOT / "tests" / "sandbox" / "container_engine.py"
    install(folder / "bin" / "nerdctl", f'#!/bin/sh\nexec {sys.executable} -I -S {engine} "$@"\n')
    return Workspace(tmp_path)


def install(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_followed(page: Path, workspace: Workspace) -> None:
    steps = steps_of(page.read_text(encoding="utf-8"))
    assert any(step.language == "console" for step in steps), "the page runs nothing"
    online = any(mark.name == "network" for mark in MARKS.get(page.stem, ()))
    for step in steps:
        replace(workspace, online=online).follow(step)


def test_a_change_must_fit() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+B\n") == "a\nB\nc\n"
    for diff in (" a\n-c\n", "-d\n+e\n"):
        with pytest.raises(AssertionError, match="do not stand there once"):
            changed("a\nb\nc\n", diff)


def test_a_command_must_print_what_the_page_shows(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.follow(Step("console", "$ echo one\none\n", ""))
    with pytest.raises(AssertionError, match="prints no 'two'"):
        workspace.follow(Step("console", "$ echo one\ntwo\n", ""))
    with pytest.raises(AssertionError, match=r"\$ false"):
        workspace.follow(Step("console", "$ false\n", ""))

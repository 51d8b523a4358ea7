"""The wheel alone in a fresh environment: it starts, knows its benchmark, and makes an audit to its end."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import uv

ALONE = (["--version"], ["doctor"], ["starter", "show"], ["evaluator", "novelapi"], ["predict", "novelapi", "--help"])
"""Commands that need no extra; `doctor` ends with 1 without them, since an audit needs them, and names them."""
AUDIT = ["audit", "flask", "--from", "3.0.0", "--to", "3.1.3", "--mock-llm", "--limit", "4", "--ladder", "3"]
AUDIT += ["--cutoff", "2024-01-01", "--set", "selection.per_library=6", "--markdown", "comment.md", "--data", "audit"]


def problems_when_installed(wheel: Path, *, extras: bool) -> list[str]:
    """Faults of a wheel in an environment of its own, with the extra `all` or without any."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own = folder / "environment"
        subprocess.run([uv.find_uv_bin(), "venv", "--quiet", "--python", sys.executable, own], check=True)
        wanted = f"{wheel.resolve()}[all]" if extras else str(wheel.resolve())
        python = own / "bin" / "python"
        subprocess.run([uv.find_uv_bin(), "pip", "install", "--quiet", "--python", python, wanted], check=True)
        commands = [*ALONE, *([AUDIT] if extras else [])]
        codes = [int(words == ["doctor"] and not extras) for words in commands]
        return [
            text for words, code in zip(commands, codes, strict=True) for text in _problems(own, folder, words, code)
        ]


def _problems(own: Path, folder: Path, words: Sequence[str], code: int) -> list[str]:
    """The message of a command that ends with another code; it sees nothing of this checkout."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    path = f"{own / 'bin'}:{clean['PATH']}"
    done = subprocess.run(
        [own / "bin" / "apigap", *words],
        cwd=folder,
        env={**clean, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    print(
        f"apigap {' '.join(words)}: exit {done.returncode}, last line: {(done.stdout.strip() or '-').splitlines()[-1]}"
    )
    return [f"apigap {' '.join(words)}: {done.stdout[-500:]}{done.stderr[-1500:]}"] if done.returncode != code else []

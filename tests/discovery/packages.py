"""Tiny packages written into a folder and read by the real walk, in an interpreter of its own."""

import functools
import json
import subprocess
import sys
from pathlib import Path

from apigap.discovery import walk
from apigap.discovery.diff import candidates_of, classify, second_names
from apigap.discovery.distribution import modules_in
from apigap.discovery.run_time import runtime_surface
from apigap.discovery.static.griffe_surface import supplement
from apigap.discovery.static.listed import is_listed
from apigap.discovery.surface import Surface
from apigap.records.candidate import Candidate

_RUN = """
import json, sys
sys.path.insert(0, sys.argv[2])
import walk
sys.path[0] = sys.argv[1]
print(json.dumps(walk.main(json.loads(sys.argv[3]))))
"""


def surface_of(
    folder: Path, files: dict[str, str] | str, version: str = "1", seconds: int = 30, prepare: str = ""
) -> Surface:
    """The surface of the package `lib` with these files; one text is the package's `__init__.py`.

    `seconds` is how long one import may take, `prepare` Python to run before.
    """
    texts = {"lib/__init__.py": files} if isinstance(files, str) else files
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    modules = modules_in([name for name in texts if name.startswith("lib/")])  # the rest is another library
    walked = {"tops": modules.tops, "modules": modules.public, "seconds": seconds, "prepare": prepare}
    argument = json.dumps(walked)
    command = [sys.executable, "-I", "-B", "-c", _RUN, str(folder), str(Path(walk.__file__).parents[1]), argument]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return supplement(runtime_surface("lib", version, json.loads(done.stdout)), folder)


def diff(
    old: Surface, new: Surface, library: str, old_version: str | None, new_version: str, root: Path | None = None
) -> list[Candidate]:
    """The candidates of `new` against `old`, sorted by name; without a folder no `__all__` is looked into."""
    listed = functools.partial(is_listed, root) if root else lambda path: False
    return candidates_of([*classify(old, new), *second_names(old, new, listed)], library, old_version, new_version)

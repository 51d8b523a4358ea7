"""The task files of the starter benchmark, and their short names."""

from pathlib import Path

from packaging.utils import canonicalize_name

from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean
from apigap.records.paths import cache_home
from apigap.records.store import existing_file, write_text

STARTER = Path(__file__).parents[1] / "starter"


def starter_files() -> list[Path]:
    """The task files of the starter benchmark, by library."""
    return sorted(STARTER.glob("*.jsonl"))


def library_path(library: str) -> Path:
    """The tasks file of one library, however its name is spelt.

    Raises:
        UsageError: for a library that the starter benchmark does not have; the message has the nearest ones.
    """
    files = {path.stem: path for path in starter_files()}
    wanted = str(canonicalize_name(library))
    if wanted not in files:
        hint = did_you_mean(wanted, files, f"it has them for {', '.join(files)}")
        raise UsageError(f"the starter benchmark has no tasks for {library}; {hint}")
    return files[wanted]


def tasks_path(name: Path) -> Path:
    """The tasks file that `name` means: `starter` and `starter/LIBRARY` are this package's, all else is a path.

    The whole benchmark is put together in the cache, under the hash of what it holds.

    Raises:
        UsageError: for a library that the starter benchmark does not have, or a path that is no file.
    """
    if name.parts[:1] != (STARTER.name,) or len(name.parts) > 2 or name.is_file():
        return existing_file(name, "a tasks file, `starter` or `starter/LIBRARY` with --tasks")
    if len(name.parts) == 2:
        return library_path(name.parts[1])
    text = "".join(path.read_text(encoding="utf-8") for path in starter_files())
    whole = cache_home() / "starter" / f"starter-{content_hash(text)}.jsonl"
    if not whole.exists():
        write_text(whole, text)
    return whole

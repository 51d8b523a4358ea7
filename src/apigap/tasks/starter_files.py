"""The task files of the starter benchmark, which has editions, and their short names."""

from collections.abc import Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean
from apigap.records.paths import cache_home
from apigap.records.store import existing_file, write_text

STARTER = Path(__file__).parents[1] / "starter"


def editions() -> list[str]:
    """The parts of the starter benchmark: first the dated ones, the newest last, then those of another kind of task.

    A dated one has tasks on what the releases until its month brought; `compose` has tasks that need several of these
    APIs, `migrate` code that a release broke.
    """
    names = [folder.name for folder in STARTER.iterdir() if any(folder.glob("*.jsonl"))]
    return sorted(names, key=lambda name: (not _is_dated(name), name))


def newest() -> str:
    """The newest of the dated editions."""
    return [name for name in editions() if _is_dated(name)][-1]


def _is_dated(name: str) -> bool:
    return name[:1].isdigit()


def starter_files(edition: str | None = None) -> list[Path]:
    """The task files of one edition by library, or those of all editions, in their order."""
    return [path for name in editions() if edition in (None, name) for path in sorted((STARTER / name).glob("*.jsonl"))]


def library_path(library: str, edition: str | None = None) -> Path:
    """The tasks file of one library, however its name is spelt: of an edition, else of the newest that has it.

    Raises:
        UsageError: for a library that the starter benchmark does not have; the message has the nearest ones.
    """
    dated = [path for path in starter_files() if _is_dated(path.parent.name)]
    files = {path.stem: path for path in (starter_files(edition) if edition else dated)}
    wanted = str(canonicalize_name(library))
    if wanted not in files:
        hint = did_you_mean(wanted, files, f"it has them for {', '.join(files)}")
        raise UsageError(f"the starter benchmark has no tasks for {library}; {hint}")
    return files[wanted]


def chosen_files(libraries: Sequence[str], edition: str | None = None) -> list[Path]:
    """The task files of `libraries`, else of a whole edition, by default the newest.

    Raises:
        UsageError: for a library or an edition that the starter benchmark does not have.
    """
    if edition is not None:
        _known(edition)
    if libraries:
        return [library_path(library, edition) for library in libraries]
    return starter_files(edition or newest())


def tasks_path(name: Path) -> Path:
    """The tasks file that `name` means: a path, or a name of the starter benchmark.

    `starter` is its newest edition, `starter/EDITION` another one, `starter/LIBRARY` and `starter/EDITION/LIBRARY` are
    the tasks of one library. A whole edition is put together in the cache, under the hash of what it holds.

    Raises:
        UsageError: for a library that the starter benchmark does not have, or a path that is no file.
    """
    if name.parts[:1] != (STARTER.name,) or len(name.parts) > 3 or name.is_file():
        return existing_file(name, "a tasks file, `starter`, `starter/EDITION` or `starter/LIBRARY` with --tasks")
    edition, library = _meant(name.parts[1:])
    if library is not None:
        return library_path(library, edition)
    text = "".join(path.read_text(encoding="utf-8") for path in starter_files(edition))
    whole = cache_home() / "starter" / f"starter-{content_hash(text)}.jsonl"
    if not whole.exists():
        write_text(whole, text)
    return whole


def _meant(parts: tuple[str, ...]) -> tuple[str | None, str | None]:
    """(edition, library) of what follows `starter/`."""
    if not parts:
        return newest(), None
    if len(parts) == 1:
        return (parts[0], None) if parts[0] in editions() else (None, parts[0])
    return _known(parts[0]), parts[1]


def _known(edition: str) -> str:
    known = editions()
    if edition not in known:
        raise UsageError(f"the starter benchmark has no edition {edition}; it has {', '.join(known)}")
    return edition

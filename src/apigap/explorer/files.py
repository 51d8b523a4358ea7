"""The files of a folder by what they hold: results, answers, tasks, items and candidates."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from apigap.records.errors import UsageError
from apigap.records.parsing.json_shapes import is_object
from apigap.records.store import first_line

Kind = Literal["results", "answers", "items", "tasks", "candidates"]
_SIGNS: Mapping[Kind, frozenset[str]] = {
    "results": frozenset({"task_id", "sample", "outcome", "evaluator"}),
    "items": frozenset({"rung", "form", "question", "pair"}),
    "tasks": frozenset({"task_id", "api_name", "harness", "masked_region"}),
    "candidates": frozenset({"api_name", "change", "import_module", "new_version"}),
    "answers": frozenset({"task_id", "samples"}),
}
"""The keys by which the first line of a file tells its kind."""


@dataclass(frozen=True)
class FoundFiles:
    """The JSONL files of some folders, by kind, each once and in the order of their paths."""

    by_kind: Mapping[Kind, Sequence[Path]]

    def __getitem__(self, kind: Kind) -> Sequence[Path]:
        """The files of one kind."""
        return self.by_kind[kind]


def find_files(folders: Sequence[Path], beside: Sequence[Path] = ()) -> FoundFiles:
    """The files in `folders`, and the results, answers, tasks, items or candidates that are named themselves.

    Of a folder within a data folder (DATA/results/...) the tasks, items and candidates of DATA/raw belong to it. Files
    in `beside` count too; they hold tasks or items that lie elsewhere.

    Raises:
        UsageError: when a path is not there, or nothing in it is judged.
    """
    found: dict[Kind, list[Path]] = {kind: [] for kind in _SIGNS}
    seen: set[Path] = set()
    for path in _every_file([*folders, *beside]):
        kind = kind_of(path) if path.resolve() not in seen else None
        seen.add(path.resolve())
        if kind is not None:
            found[kind].append(path)
    for raw in sorted({raw for folder in folders for raw in _raw_of(folder)}):
        for path in _every_file([raw]):
            kind = kind_of(path) if path.resolve() not in seen else None
            seen.add(path.resolve())
            if kind in ("items", "tasks", "candidates"):
                found[kind].append(path)
    if not found["results"]:
        raise UsageError(_no_results(folders, found))
    return FoundFiles(found)


def _no_results(folders: Sequence[Path], found: Mapping[Kind, Sequence[Path]]) -> str:
    places = ", ".join(map(str, folders))
    if answers := found["answers"]:
        return (
            f"{places} holds answers but no verdicts: judge them with `apigap run --steps eval` (of an experiment), or "
            f"with apigap score BENCHMARK --predictions {answers[0]} --out RESULTS.jsonl"
        )
    packed = next((path for folder in folders for path in sorted(folder.rglob("*.tar.xz"))), None)
    if packed is not None:
        return f"{places} holds no results but an archive: mkdir -p DIR && tar -xf {packed} -C DIR, and give DIR"
    if (single := next((one for folder in folders for one in sorted(folder.rglob("*.jsonl.xz"))), None)) is not None:
        return f"{places} holds no results but a packed file: unpack it with xz -dk {single}, and give the same again"
    others = list(_every_file(folders))
    some = f" ({len(others)} of other kinds, first {others[0]})" if others else ""
    return (
        f"{places} holds no results{some}: give the data folder of `apigap audit`, `run` or `grid`, or a folder with "
        "what `apigap score BENCHMARK --out RESULTS.jsonl` wrote"
    )


def kind_of(path: Path) -> Kind | None:
    """The kind of a JSONL file by its first line; None for an empty file and for all else."""
    try:
        first = json.loads(first_line(path))
    except (ValueError, RecursionError):
        return None
    keys = frozenset(first) if is_object(first) else frozenset[str]()
    return next((kind for kind, signs in _SIGNS.items() if signs <= keys), None)


def _is_of_closing(folder: Path, file: Path) -> bool:
    """True for what `apigap close` asked again below a data folder: the same model under ways of its own report."""
    parents = [folder, *(folder / part for part in file.relative_to(folder).parents)]
    return any((parent / "results").is_dir() and (parent / "closing") in file.parents for parent in parents)


def _every_file(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = (one for one in path.rglob("*.jsonl") if one.is_file() and not one.name.startswith("."))
            yield from sorted(one for one in found if not _is_of_closing(path, one))
        elif path.is_file():
            yield path
        else:
            raise UsageError(f"{path} does not exist; give a folder of runs, or a results file")


def _raw_of(folder: Path) -> Iterator[Path]:
    """The folder of tasks beside the `results` that `folder` lies in."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        if parent.name == "results" and (parent.parent / "raw").is_dir():
            yield parent.parent / "raw"

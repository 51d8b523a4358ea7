"""A submitted run as it lies on disk: answers, verdicts, their manifests and the summary."""

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from apigap.analysis.compare import CELL, benchmark_of_stage
from apigap.benchmarks.novelapi.cells import PREDICTIONS, RESULTS
from apigap.evaluation.paths import manifest_path, summary_path
from apigap.models.adapted import IN_PROCESS
from apigap.models.model_facts import LOCAL
from apigap.models.registry import model_names
from apigap.records.base import content_hash
from apigap.records.errors import CorruptRecord, InfrastructureError, UsageError
from apigap.records.manifest import Manifest, file_hash, read_manifest
from apigap.records.parsing.json_shapes import is_object
from apigap.records.result import Prediction, Result
from apigap.records.store import existing_file, load_records

R = TypeVar("R", Result, Prediction)
T = TypeVar("T")
_MOST_BYTES = 512 << 20


@dataclass(frozen=True)
class Submission:
    """One run: the cell of an experiment, or results of `apigap score` with the answers beside them.

    `answers` is None where no file beside the results holds the answers that the manifest names. `faults` are files
    that cannot be read, in words.
    """

    path: Path
    answers: Path | None
    manifest: Manifest | None
    asked: Manifest | None
    results: tuple[Result, ...]
    predictions: tuple[Prediction, ...]
    faults: tuple[str, ...]

    @property
    def is_cell(self) -> bool:
        """True of a cell of an experiment."""
        return self.manifest is not None and self.manifest.stage == CELL

    @property
    def benchmark(self) -> str:
        """The benchmark of the verdicts, as their manifest says."""
        return benchmark_of_stage(self.manifest.stage if self.manifest else CELL)

    @property
    def summary(self) -> Path:
        """The file of the figures."""
        return summary_path(self.path)

    @property
    def model(self) -> str | None:
        """The model that was asked; None where the manifest of the answers does not name it."""
        name = entries(made_from(self.asked).get("model")).get("model")
        return name if isinstance(name, str) and name else None

    @property
    def condition(self) -> str:
        """The knowledge that prompts showed, by the keys of the answers; `retrieved` where it was searched for."""
        names = sorted({key.partition("/")[2] for key in map(key_of, self.predictions)})
        return " ".join(
            [", ".join(names) or "unknown", *(["retrieved"] if "retrieval" in made_from(self.asked) else [])]
        )

    @cached_property
    def digest(self) -> str:
        """The hash of the run, which chooses the answers that are judged again: of answers, and verdicts on them."""
        verdicts = [[row.task_id, row.sample, row.outcome, row.label] for row in self.results]
        return content_hash([[row.to_line() for row in self.predictions], verdicts])


def key_of(prediction: Prediction) -> str:
    """The key of the request that was answered: TASK/CONDITION."""
    return str((prediction.model_extra or {}).get("key", prediction.task_id))


def names_a_file(model: str) -> bool:
    """True of a model that is told by a path: what is known of it would be read from there, as somebody wrote it."""
    name = model.removeprefix(IN_PROCESS).removeprefix(LOCAL)
    return name.endswith(".gguf") or (model.startswith(IN_PROCESS) and name not in model_names())


def made_from(manifest: Manifest | None) -> Mapping[str, Any]:
    """The entries of a manifest; none where there is none."""
    return manifest.made_from if manifest else {}


def entries(told: Any) -> Mapping[str, Any]:
    """The entries of a value that should have some; none of any other: whoever hands in a run writes what he likes."""
    return told if is_object(told) else {}


def submitted(paths: Sequence[Path]) -> list[Path]:
    """The results files of the runs that are named: files, and every `results.jsonl` and `*.results.jsonl` in a folder.

    Raises:
        UsageError: when a file is not there, or a folder holds none.
    """
    found: list[Path] = []
    for path in paths:
        files = _results_in(path) if path.is_dir() else [existing_file(path, "a results file or a cell")]
        if not files:
            raise UsageError(
                f"{path} holds no {RESULTS}; name the folder of a cell, or the results file of `apigap score`"
            )
        found += files
    return list(dict.fromkeys(found))


def _results_in(folder: Path) -> list[Path]:
    return sorted(path for name in (RESULTS, f"*.{RESULTS}") for path in folder.rglob(name))


def read_submission(path: Path) -> Submission:
    """The run whose verdicts are in the results file `path`; what cannot be read is among its faults."""
    reading = _Reading()
    manifest = reading.manifest(manifest_path(path))
    results = reading.records(path, Result)
    answers = _answers_of(path, manifest)
    predictions = reading.records(answers, Prediction) if answers else ()
    asked = reading.manifest(manifest_path(answers)) if answers else None
    return Submission(path, answers, manifest, asked, results, predictions, tuple(reading.faults))


class _Reading:
    """Files that are read as far as they can be."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def manifest(self, path: Path) -> Manifest | None:
        """The manifest; None where there is none, or it is none."""
        return self._read(path, read_manifest) if path.exists() or path.is_symlink() else None

    def records(self, path: Path, kind: type[R]) -> tuple[R, ...]:
        """The records; none where a line is no record."""
        return tuple(self._read(path, lambda plain: load_records(plain, kind)) or ())

    def _read(self, path: Path, read: Callable[[Path], T]) -> T | None:
        try:
            demand_plain(path)
            return read(path)
        except (CorruptRecord, InfrastructureError, OSError) as error:
            self.faults.append(str(error))
            return None


def demand_plain(path: Path) -> None:
    """Nothing where a file may be read: a pipe waits for ever, a link leads to what nobody has handed in.

    Raises:
        CorruptRecord: where it may not.
        OSError: when it is not there.
    """
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise CorruptRecord(f"{path} is no plain file but a link, a folder or a pipe; hand in the file itself")
    if found.st_size > _MOST_BYTES:
        raise CorruptRecord(f"{path} has {found.st_size} bytes; a file of a run may have {_MOST_BYTES}")


def hash_of(path: Path) -> str | None:
    """The hash of a file; None where it cannot be read."""
    try:
        demand_plain(path)
        return file_hash(path)
    except (CorruptRecord, InfrastructureError, OSError):
        return None


def _answers_of(results: Path, manifest: Manifest | None) -> Path | None:
    """The answers of a cell, else the file beside the results that has the hash which their manifest names."""
    if manifest is None or manifest.stage == CELL:
        path = results.with_name(PREDICTIONS)
        return path if path.is_file() else None
    wanted = manifest.made_from.get("predictions")
    beside = (path for path in sorted(results.parent.glob("*.jsonl")) if path != results)
    return next((path for path in beside if wanted and hash_of(path) == wanted), None)

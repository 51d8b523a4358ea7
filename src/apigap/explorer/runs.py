"""The runs that lie in folders: each the verdicts of one model under one condition, with answers, tasks and items."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from apigap.analysis.cell_words import cell_named
from apigap.analysis.compare import SCORE
from apigap.evaluation.paths import manifest_path
from apigap.explorer.files import FoundFiles, find_files
from apigap.records.base import Json
from apigap.records.candidate import Candidate
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.experiment import BASELINE, Cell
from apigap.records.manifest import file_hash, read_manifest
from apigap.records.parsing.json_shapes import is_object
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files

TASKS = "novelapi"
"""The benchmark of tasks, which are the cells of experiments too."""

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Run:
    """The results of a file. `subject` is what a column of the explorer is called: the model, and the run where needed.

    `condition` is the name of a cell (`baseline`, `oracle.s`), `facts` what the manifest of the answers says of the
    model. `answers` are by task; without a file of them there are none.
    """

    path: Path
    benchmark: str
    experiment: str
    condition: str
    model: str
    facts: Mapping[str, Json]
    results: Sequence[Result]
    answers: Mapping[str, Prediction]
    subject: str = ""

    @property
    def evaluators(self) -> frozenset[str]:
        """The hashes of the code that judged."""
        return frozenset(result.evaluator for result in self.results)


@dataclass(frozen=True)
class Runs:
    """All runs, and what they are about; `missing` says in words what could not be found."""

    runs: Sequence[Run]
    tasks: Mapping[str, Task]
    items: Mapping[str, LadderItem]
    candidates: Mapping[tuple[str, str], Candidate]
    missing: Sequence[str] = field(default_factory=tuple)


def read_runs(folders: Sequence[Path], beside: Sequence[Path] = (), force: bool = False) -> Runs:
    """The runs in `folders`; `beside` are files of tasks or items that lie elsewhere.

    Raises:
        UsageError: when there is none, or (without `force`) one column has verdicts of different evaluators.
        CorruptRecord: for a line that is not what its file holds, or two verdicts on one sample.
    """
    files = find_files(folders, beside)
    answers = _Answers(files["answers"])
    runs = _named([run for path in files["results"] if (run := _read(path, answers)) is not None])
    if not force:
        _check_evaluators(runs)
    asked = {result.task_id for run in runs for result in run.results}
    items = {item.task_id: item for path in files["items"] for item in load_records(path, LadderItem)}
    tasks = _tasks(files, asked - items.keys())
    return Runs(
        runs=runs,
        tasks=tasks,
        items={key: item for key, item in items.items() if key in asked},
        candidates=_candidates(files),
        missing=(*answers.missing, *_unknown(runs, {*tasks, *items})),
    )


class _Answers:
    """The files of answers, by folder and by hash."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._hashes: dict[str, Path] = {}
        self.missing: list[str] = []

    def of(self, results: Path, made_from: Mapping[str, Json]) -> Path | None:
        """The file that the results were made from: by its hash, or the one that an experiment has beside them."""
        if not self._hashes:
            self._hashes = {file_hash(path): path for path in self._files}
        found = self._hashes.get(str(made_from.get("predictions")))
        if found is None:
            beside = results.with_name("predictions.jsonl")
            found = beside if beside in self._files and results.stem == "results" else None
        if found is None:
            self.missing.append(
                f"{shown_path(results)}: the answers are not at hand, so what was judged is shown in their place"
            )
        return found


def _read(path: Path, answers: _Answers) -> Run | None:
    results = load_records(path, Result)
    if not results:
        return None
    (task_id, sample), count = Counter((one.task_id, one.sample) for one in results).most_common(1)[0]
    if count > 1:
        raise CorruptRecord(f"{path} has two verdicts on task {task_id}, sample {sample}; remove one of them")
    made_from, benchmark = _made_from(path)
    found = answers.of(path, made_from)
    asked = _made_from(found)[0] if found else _NOTHING
    model: Any = asked.get("model", made_from.get("model"))
    facts = model if is_object(model) else _NOTHING
    experiment = path.parent.parent.name if _is_cell(path) else path.parent.name
    unnamed = experiment if path.stem == "results" else path.name.split(".")[0]
    return Run(
        path=path,
        benchmark=benchmark,
        experiment=experiment,
        condition=_condition(path, {**asked, **made_from}),
        model=str(facts.get("model") or unnamed),
        facts=facts,
        results=results,
        answers={one.task_id: one for one in load_records(found, Prediction)} if found else {},
    )


def shown_path(path: Path) -> str:
    """A path as pages show it, which may be published: as it was given, of an absolute one the last parts."""
    return "/".join(path.parts[-5:] if path.is_absolute() else path.parts)


def _made_from(path: Path) -> tuple[Mapping[str, Any], str]:
    """The origin of a file by the manifest beside it, and the benchmark that this names."""
    manifest = manifest_path(path)
    if not manifest.exists():
        return _NOTHING, TASKS
    found = read_manifest(manifest)
    name = found.stage.removeprefix(SCORE).replace(" ", "-") if found.stage.startswith(SCORE) else TASKS
    return found.made_from, name


def _condition(path: Path, made_from: Mapping[str, Any]) -> str:
    """The cell that an experiment's folder names, else the oracle's of the condition that a manifest tells."""
    told = str(made_from.get("condition") or "")
    if told:
        return BASELINE.name if told == BASELINE.name else Cell(delivery="oracle", condition=told).name
    return path.parent.name if _is_cell(path) else BASELINE.name


def _is_cell(path: Path) -> bool:
    """True for results in the folder of an experiment's cell."""
    return path.stem == "results" and cell_named(path.parent.name) is not None


def _named(runs: Sequence[Run]) -> list[Run]:
    """The runs with their columns: a model is one, and where two runs ask it the same, each is one of its own."""
    asked: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for run in runs:
        asked[run.model].update({(run.condition, result.task_id) for result in run.results})
    twice = {model for model, counts in asked.items() if any(count > 1 for count in counts.values())}
    return [
        replace(run, subject=f"{run.model} ({run.experiment})" if run.model in twice else run.model) for run in runs
    ]


def _check_evaluators(runs: Sequence[Run]) -> None:
    found: dict[tuple[str, str], dict[str, Path]] = defaultdict(dict)
    for run in runs:
        found[run.subject, run.benchmark].update(dict.fromkeys(run.evaluators, run.path))
    for (subject, _), evaluators in found.items():
        if len(evaluators) > 1:
            where = ", ".join(f"{name} in {path}" for name, path in sorted(evaluators.items()))
            raise UsageError(
                f"the verdicts on {subject} are of different evaluators ({where}); judge the answers again with one "
                "version, or give --force to show them all the same"
            )


def _tasks(files: FoundFiles, wanted: set[str]) -> dict[str, Task]:
    found: dict[str, Task] = {}
    for path in (*files["tasks"], *starter_files()):
        if wanted <= found.keys():
            break
        found.update({task.task_id: task for task in load_records(path, Task) if task.task_id in wanted})
    return found


def _candidates(files: FoundFiles) -> dict[tuple[str, str], Candidate]:
    found = (one for path in files["candidates"] for one in load_records(path, Candidate))
    return {(one.library, one.api_name): one for one in found}


def _unknown(runs: Sequence[Run], known: set[str]) -> list[str]:
    """A line per run whose results say neither by a task nor themselves what they are about."""
    lines: list[str] = []
    for run in runs:
        lost = {one.task_id for one in run.results if one.task_id not in known and not one.about}
        if lost:
            lines.append(
                f"{shown_path(run.path)}: {len(lost)} of its tasks are in no file at hand and are left out (first "
                f"{min(lost)}); give the file that was answered with --tasks or --items"
            )
    return lines

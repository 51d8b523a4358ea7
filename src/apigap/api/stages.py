"""`apigap.generate`, and stage 2 alone: tasks on the new APIs of a library, and the bundles that they are made from."""

from pathlib import Path

from apigap.api import DEFAULT_MODEL
from apigap.api.session import Display, FilePath, in_force, shown
from apigap.cluster.engines import engine_of
from apigap.records.configuration import Settings
from apigap.stages.authorship import Authors
from apigap.stages.single import StageRequest, StageRun, run_stage


def generate(
    library: str | Path,
    *,
    old: str | None = None,
    new: str | None = None,
    model: str = DEFAULT_MODEL,
    author: str | None = None,
    rewrite: str | None = None,
    recorded: FilePath | None = None,
    knowledge: FilePath | None = None,
    data: FilePath = "data",
    out: FilePath | None = None,
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> StageRun:
    """Write executable tasks on what a release brought: stages 1 to 3; what is done already is not done again.

    Args:
        library: Its name on the package index, or the path (a `Path`) of the candidates of `apigap discover --out`.
        old: The release to compare with; by default the newest one before the training cutoff of `model`.
        new: The release to read; by default the one that the library's configuration pins, or the newest stable one.
        model: A model whose cutoff picks `old`; it is not asked.
        author: A model that writes the tasks, in the place of the synthesiser, which needs none.
        rewrite: A model that puts the prose of the bundles in its own words.
        recorded: Transcripts of an earlier run: the calls of `author` and `rewrite` are replayed.
        knowledge: With a path of candidates: the file of bundles that `apigap extract` wrote.
        data: The folder for the files of all stages.
        out: A JSONL file for the tasks instead, with the other files beside it.
        settings: See `load_settings`; `selection`, `knowledge` and `tasks` bound what is made.
        unsafe_local: Run the library's code WITHOUT isolation.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The candidates, the bundles (none where they came from a file), the tasks, and the path of the tasks' file.

    Raises:
        UsageError: When it cannot be told what to work on, or a file was made from something else.
        InfrastructureError: When a version cannot be installed, or nothing can be isolated here.
    """
    request = StageRequest(library, model, old, new, _path(knowledge), Path(data), _path(out))
    return _run(3, request, Authors(author, rewrite, _path(recorded)), settings, unsafe_local, progress)


def extract(
    library: str | Path,
    *,
    old: str | None = None,
    new: str | None = None,
    model: str = DEFAULT_MODEL,
    rewrite: str | None = None,
    recorded: FilePath | None = None,
    data: FilePath = "data",
    out: FilePath | None = None,
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> StageRun:
    """Make a knowledge bundle of each new API: stages 1 and 2 of `generate`, whose arguments it has."""
    request = StageRequest(library, model, old, new, None, Path(data), _path(out))
    return _run(2, request, Authors(None, rewrite, _path(recorded)), settings, unsafe_local, progress)


def _run(
    stage: int,
    request: StageRequest,
    authors: Authors,
    settings: Settings | None,
    unsafe_local: bool,
    progress: Display,
) -> StageRun:
    terms = in_force(settings)
    with shown(progress) as display, engine_of(terms.execution, unsafe_local, packages=terms.packages) as engine:
        return run_stage(stage, request, terms, engine, display, authors)


def _path(path: FilePath | None) -> Path | None:
    return None if path is None else Path(path)

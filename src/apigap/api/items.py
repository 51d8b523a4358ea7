"""`apigap items`: the questions of the ladder on what a release brought."""

from collections.abc import Collection, Sequence
from pathlib import Path

from apigap.api.session import Display, FilePath, in_force, shown
from apigap.cluster.engines import engine_of
from apigap.ladder.kept import kept_items
from apigap.ladder.make import ItemsReport
from apigap.ladder.release import ItemsRun
from apigap.packages.workshop import environment_store
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.questions.ladder import RUNGS, Rung
from apigap.stages.versions import resolve_versions


def items(
    library: str,
    *,
    out: FilePath,
    old: str | None = None,
    new: str | None = None,
    model: str | None = None,
    most: int = 40,
    seed: int = 0,
    rungs: Sequence[str] = RUNGS,
    static: bool = False,
    only: Collection[str] = (),
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> ItemsReport:
    """Write items on the new APIs of a library that matter most, and on a matched control of each.

    What `out` holds of the same releases, made in the same way, is taken as it is.

    Args:
        library: Its name on the package index.
        out: A JSONL file for the items; the report and what they are made of are put beside it: the bundles of new
            APIs and controls in `NAME.knowledge.jsonl`, what was run in `NAME.executed.jsonl`.
        old: The release to compare with; by default the newest one before the training cutoff of `model`.
        new: The release to ask about; by default the newest stable one.
        model: A model whose cutoff picks `old`; it is not asked.
        most: The number of new APIs to ask about at most (0: all).
        seed: Of every draw: the same one gives the same items.
        rungs: The rungs to make items of, by default all that can be made.
        static: Read both versions as text; nothing is installed or run, and there is neither `effect` nor `call`.
        only: APIs to ask about, and no others, whatever they matter; by default all.
        settings: See `load_settings`; `gates.cutoff`, `packages`, `execution`, `knowledge` and `tasks` matter here.
        unsafe_local: Import the library WITHOUT isolation.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        What was made, how alike new APIs and controls are, and what was left out, with the reason.

    Raises:
        UsageError: When there is nothing to ask about, a rung is unknown, or the releases cannot be told.
        InfrastructureError: When the index cannot be reached, a version cannot be installed, or isolation is missing.
    """
    unknown = [name for name in rungs if name not in RUNGS]
    if unknown or not rungs or isinstance(rungs, str):
        raise UsageError(f"no rung is named {', '.join(unknown) or rungs!r}; the rungs are {', '.join(RUNGS)}")
    wanted: list[Rung] = [rung for rung in RUNGS if rung in rungs]
    terms, path = in_force(settings), Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    with shown(progress) as display, engine_of(terms.execution, unsafe_local, packages=terms.packages) as engine:
        target = resolve_versions(library, old, new, model, cutoff=terms.gates.cutoff, to_run=False)
        store = environment_store(engine, terms.packages)
        run = ItemsRun(engine, store, display, most, seed, terms, wanted, static, frozenset(only))
        kept = kept_items(run, target, path)
    if kept.report is None:
        raise UsageError(kept.nothing)
    return kept.report

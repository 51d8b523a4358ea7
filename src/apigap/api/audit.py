"""`apigap.audit`: from the releases of a library to a report."""

from collections.abc import Sequence
from pathlib import Path

from apigap.api import DEFAULT_MODEL
from apigap.api.session import Display, FilePath, in_force, shown
from apigap.auditing.driver import Audit, Outcome
from apigap.cluster.engines import engine_of
from apigap.records.configuration import Settings
from apigap.records.target import Target
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.versions import resolve_versions


def audit(
    library: str,
    *,
    old: str | None = None,
    new: str | None = None,
    model: str = DEFAULT_MODEL,
    mock_llm: bool = False,
    author: str | None = None,
    rewrite: str | None = None,
    data: FilePath | None = None,
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> Outcome:
    """Find which new APIs of a library a model cannot use, why, and which knowledge cures it.

    It takes minutes to hours, may be ended anywhere, and goes on from there when it is called again.

    Args:
        library: Its name on the package index.
        old: The release to compare with; by default the newest one before the model's training cutoff.
        new: The release to audit; by default the newest stable one.
        model: A local model (`gguf/NAME`) or any Inspect model (`openai/...`); by default a small local one.
        mock_llm: Ask nobody: answers are made up, right where documentation is shown, to try the chain.
        author: A model that writes the tasks, in the place of the synthesiser.
        rewrite: A model that puts the prose of the bundles in its own words.
        data: The folder for all files; by default `data/audits/LIBRARY-OLD-NEW`.
        settings: See `load_settings`; `audit.max_tasks` bounds how many tasks are asked, `audit.items` the new APIs
            that single questions are put about (0: none).
        unsafe_local: Run generated code WITHOUT isolation; every result is marked.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The report as a record, with the paths of its page and of what closes the gap.

    Raises:
        UsageError: For an unknown library, or a model without a known cutoff where `old` is left open.
        InfrastructureError: When a version cannot be installed, the model cannot be reached, generated code cannot be
            isolated, or a task could not be judged; what is done so far is kept.
    """
    terms = in_force(settings)
    target = resolve_versions(library, old, new, model, cutoff=terms.gates.cutoff)
    folder = Path("data") / "audits" / f"{target.library}-{target.old or 'none'}-{target.new}" if data is None else data
    return audit_releases(
        [target],
        folder,
        model=None if mock_llm else model,
        settings=terms,
        authors=Authors(author, rewrite),
        unsafe_local=unsafe_local,
        progress=progress,
    )


def audit_releases(
    targets: Sequence[Target],
    data: FilePath,
    *,
    model: str | None,
    settings: Settings,
    authors: Authors = NOBODY,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> Outcome:
    """One audit of several libraries, whose releases are settled; see `audit`. Without a model answers are made up."""
    with shown(progress) as display, engine_of(settings.execution, unsafe_local, packages=settings.packages) as engine:
        return Audit(targets, model, settings, Path(data), engine, display, authors=authors).run()

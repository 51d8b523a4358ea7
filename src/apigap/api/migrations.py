"""Code that a release broke, as tasks: `apigap generate --retired`."""

from pathlib import Path

from apigap.api.session import Display, FilePath, in_force, shown
from apigap.cluster.engines import engine_of
from apigap.records.configuration import Settings
from apigap.starter.migrations import Migrations
from apigap.starter.migrations import migrations as make


def migrations(
    retired: FilePath,
    *,
    out: FilePath,
    settings: Settings | None = None,
    unsafe_local: bool = False,
    progress: Display = "stderr",
) -> Migrations:
    """Make tasks of code that a release broke: wanted is what it gave in the old release, from code for the new one.

    Args:
        retired: What `apigap discover LIBRARY --out F.jsonl` found taken away, which it puts into `F.retired.jsonl`.
        out: The JSONL file for the tasks.
        settings: See `load_settings`; `tasks` and `execution` matter here.
        unsafe_local: Run the library's code WITHOUT isolation.
        progress: `stderr`, None for silence, or an object with `step` and `note`.

    Returns:
        The tasks that hold, how many habits there are, and why each of the others gives none.

    Raises:
        UsageError: When the file is of several pairs of releases, or names no old one.
        InfrastructureError: When a version cannot be installed, or nothing can be isolated here.
    """
    terms = in_force(settings)
    with shown(progress) as display, engine_of(terms.execution, unsafe_local, packages=terms.packages) as engine:
        return make(Path(retired), terms.tasks, engine, display, Path(out))

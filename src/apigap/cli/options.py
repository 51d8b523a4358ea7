"""Options that several commands share."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.api import DEFAULT_MODEL as DEFAULT_MODEL

if TYPE_CHECKING:
    from apigap.records.configuration import Settings

ModelOption = Annotated[
    str,
    typer.Option(
        "--model", "-m", help="A local model (gguf/NAME) or any Inspect model (openai/..., hf/..., ollama/...)."
    ),
]
DataOption = Annotated[Path | None, typer.Option("--data", help="Folder for all files of the run.")]
ConfigOption = Annotated[list[Path] | None, typer.Option("--config", help="YAML file over the default settings.")]
SetOption = Annotated[list[str] | None, typer.Option("--set", help="One setting, as key=value; may be repeated.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON on standard output.")]
CutoffOption = Annotated[
    datetime | None,
    typer.Option(
        "--cutoff", formats=["%Y-%m-%d"], help="The model's training cutoff; default: what is known of the model."
    ),
]
UnsafeOption = Annotated[
    bool,
    typer.Option("--unsafe-local", help="Run generated code WITHOUT isolation; every result is marked."),
]
BuildOption = Annotated[
    bool,
    typer.Option("--build-sdists", help="Build packages without wheels, inside the sandbox; default: refuse them."),
]


def settings_of(
    config: list[Path] | None,
    given: list[str] | None,
    *,
    cutoff: datetime | None = None,
    layout: str | None = None,
    max_tasks: int | None = None,
    workers: int | None = None,
    build_sdists: bool = False,
) -> "Settings":
    """The settings of a run: those of its files, of key=value, and of the options that are short for one of them.

    Raises:
        UsageError: see `load_settings`.
    """
    from apigap.records.configuration import load_settings

    short = {
        "gates.cutoff": f"{cutoff:%Y-%m-%d}" if cutoff else None,
        "generation.layout": layout,
        "audit.max_tasks": max_tasks,
        "execution.workers": workers,
        "execution.build_sdists": "true" if build_sdists else None,
    }
    named = [f"{key}={value}" for key, value in short.items() if value is not None]
    return load_settings(config or (), [*(given or ()), *named])


AuthorOption = Annotated[
    str | None, typer.Option("--author", help="A model that writes the tasks, in the place of the synthesiser.")
]
RewriteOption = Annotated[
    str | None, typer.Option("--rewrite", help="A model that puts the prose of the bundles in its own words.")
]
WorkersOption = Annotated[int | None, typer.Option("--workers", min=1, help="Programs at a time; default: 2.")]


def _named(tasks: Path | None) -> Path | None:
    """A callback, so that every command knows the starter benchmark by name."""
    from apigap.tasks.starter_files import tasks_path

    return tasks_path(tasks) if tasks is not None else None


TasksOption = Annotated[
    Path,
    typer.Option(
        "--tasks", callback=_named,
        help="A tasks file (stages 3 and 4); `starter` or `starter/LIBRARY`; or the NovelAPIBench release's tasks.",
    ),
]  # fmt: skip
OwnTasksOption = Annotated[
    Path | None,
    typer.Option(
        "--tasks", callback=_named, help="A tasks file, `starter` or `starter/LIBRARY`; default: the group's."
    ),
]
KnowledgeOption = Annotated[
    list[Path] | None,
    typer.Option("--knowledge", help="With --tasks: files of bundles (stage 2); default: the starter's."),
]

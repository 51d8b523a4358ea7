"""Options that several commands share: a name means the same in each of them."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.api import DEFAULT_MODEL as DEFAULT_MODEL
from apigap.cli.completion import values
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.records.configuration import Settings

DATA = Path("data")
"""The folder of a run's files where none is named."""
WHOLE = "all"
"""The name of the analysis of a whole grid."""
OWN = Path("own")
"""The data that comes with apigap, of a benchmark that has data elsewhere too."""


def tasks_file(path: Path | None) -> Path | None:
    """A callback, so that every command knows the starter benchmark by name."""
    from apigap.tasks.starter_files import tasks_path

    return tasks_path(path) if path is not None else None


def _tasks_files(paths: list[Path] | None) -> list[Path]:
    return [path for given in paths or () if (path := tasks_file(given))]


def _knowledge_files(paths: list[Path] | None) -> list[Path]:
    from apigap.records.store import existing_file

    return [existing_file(path, "a file of bundles (`apigap extract` writes one)") for path in paths or ()]


def _replayed_file(path: Path | None) -> Path | None:
    from apigap.records.store import existing_file

    return existing_file(path, "the transcripts that an earlier run left") if path is not None else None


_MODEL = "The model: a local one (gguf/NAME), any of Inspect's (openai/..., ollama/...), or batch/FOLDER"
ModelOption = Annotated[str, typer.Option("--model", "-m", autocompletion=values.models, help=f"{_MODEL}.")]
ChosenModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", autocompletion=values.models, help=f"{_MODEL}; default: chosen by what is asked."),
]
TaughtModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        autocompletion=values.models,
        help="The model that learns: a local one (gguf/NAME), a folder with its weights, or ORGANISATION/NAME on the "
        "hub.",
    ),
]
GroupModelOption = Annotated[
    str, typer.Option("--model", "-m", autocompletion=values.models, help="The model that the group was built for.")
]
CutoffModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", autocompletion=values.models, help="The model whose cutoff picks the release, without --old."
    ),
]
CutoffOption = Annotated[
    datetime | None,
    typer.Option(
        "--cutoff", formats=["%Y-%m-%d"], help="The model's training cutoff; default: what is known of the model."
    ),
]
AuthorOption = Annotated[
    str | None,
    typer.Option(
        "--author", autocompletion=values.models, help="A model that writes the tasks, in the place of the synthesiser."
    ),
]
RewriteOption = Annotated[
    str | None,
    typer.Option(
        "--rewrite", autocompletion=values.models, help="A model that puts the prose of the bundles in its own words."
    ),
]
MockOption = Annotated[bool, typer.Option("--mock-llm", help="Made-up answers in the place of a model's.")]
ReplayOption = Annotated[
    Path | None,
    typer.Option(
        "--replay",
        callback=_replayed_file,
        help="Transcripts of an earlier run, which are replayed: no model is asked.",
    ),
]
ConnectionsOption = Annotated[
    int | None, typer.Option("--connections", min=1, help="Requests at a time; servers of a local model.")
]

MaxDollarsOption = Annotated[
    float | None, typer.Option("--max-dollars", min=0, help="End cleanly once models have cost so much.")
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option("--max-tokens", min=0, help="End cleanly once models have read and written so many tokens."),
]
MaxMinutesOption = Annotated[
    float | None, typer.Option("--max-minutes", min=0, help="Ask no model any more after so many minutes.")
]
PriceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--price", help="Dollars per million tokens, IN/OUT or MODEL=IN/OUT; default: a table of list prices."
    ),
]

LibraryArgument = Annotated[
    str, typer.Argument(autocompletion=values.libraries, help="A library by its name on the package index.")
]
MaybeLibraryArgument = Annotated[
    str | None, typer.Argument(autocompletion=values.libraries, help="A library by its name on the package index.")
]
LibrariesOption = Annotated[
    list[str] | None, typer.Option("--library", autocompletion=values.libraries, help="A library; may be repeated.")
]
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition", autocompletion=values.editions, help="An edition of the starter benchmark; default: the newest."
    ),
]
OldOption = Annotated[
    str | None,
    typer.Option("--old", "--from", help="Release to compare with; default: the newest before the model's cutoff."),
]
NewOption = Annotated[
    str | None, typer.Option("--new", "--to", help="Release to look at; default: the pinned or the newest stable one.")
]
AllLibrariesOption = Annotated[
    bool, typer.Option("--all-libraries", help="All of `apigap library list`, one after the other, into --data.")
]

TasksOption = Annotated[
    Path,
    typer.Option(
        "--tasks", autocompletion=values.tasks, callback=tasks_file,
        help="A tasks file (stages 3 and 4); `starter`, `starter/EDITION` or `starter/LIBRARY`; or the NovelAPIBench "
        "release's tasks.",
    ),
]  # fmt: skip
OwnTasksOption = Annotated[
    Path | None,
    typer.Option(
        "--tasks", autocompletion=values.tasks, callback=tasks_file,
        help="A tasks file (stages 3 and 4); `starter`, `starter/EDITION` or `starter/LIBRARY`; default: the group's.",
    ),
]  # fmt: skip
AnsweredTasksOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--tasks", autocompletion=values.tasks, callback=_tasks_files,
        help="A tasks file that was answered; may be repeated; default: those of the data folder and the starter's.",
    ),
]  # fmt: skip
KnowledgeOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--knowledge", callback=_knowledge_files,
        help="Files of bundles (stage 2); may be repeated; default: the group's, else the starter's.",
    ),
]  # fmt: skip
_LIMIT = "At most so many tasks, spread over libraries (0: all)"
LimitOption = Annotated[int, typer.Option("--limit", min=0, help=f"{_LIMIT}.")]
OptionalLimitOption = Annotated[
    int | None, typer.Option("--limit", min=0, help=f"{_LIMIT}; default: the settings' audit.max_tasks.")
]
LadderOption = Annotated[
    int | None,
    typer.Option(
        "--ladder", min=0,
        help="New APIs of each library to put single questions about (0: none); default: the settings' audit.items.",
    ),
]  # fmt: skip
SinceOption = Annotated[
    str | None, typer.Option("--since", help="A day (YYYY-MM-DD): only tasks on what first appeared then or later.")
]
DebugOption = Annotated[bool, typer.Option("--debug", help="A few tasks only.")]
FEW = 4
"""The number of tasks that are a few."""
CellsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--cells",
        autocompletion=values.several(values.cells),
        help="Cells such as baseline, oracle.s_e, rag.full, agent.all; a delivery is all its conditions.",
    ),
]
STEPS = ("run", "eval", "analysis")
StepsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--steps",
        autocompletion=values.several(values.one_of(STEPS)),
        help="run (answers, the default), eval (verdicts), analysis (table).",
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only estimate what it will take.")]
ConditionOption = Annotated[
    str,
    typer.Option(
        "--condition",
        autocompletion=values.conditions,
        help="Knowledge that prompts show: baseline (none), s_name, s, e, ..., full.",
    ),
]
LayoutOption = Annotated[
    str | None,
    typer.Option(
        "--layout",
        autocompletion=values.layouts,
        help="The prompt's: instructed, published, chat, tools, or a template file.",
    ),
]
SearchersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--searcher",
        autocompletion=values.several(values.searchers),
        help="dense, bm25, hybrid; default: all; may be repeated.",
    ),
]
ExperimentOption = Annotated[
    str | None, typer.Option("--experiment", help="An experiment by its name; an audit's is audit-MODEL.")
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Go on although verdicts are of different evaluators, or on different tasks.")
]
DrawsOption = Annotated[int, typer.Option("--draws", min=1, help="Bootstrap draws.")]

DataOption = Annotated[Path, typer.Option("--data", help="Folder for all files of the run.")]
OwnDataOption = Annotated[
    Path | None, typer.Option("--data", help="Folder for all files of the run; default: one for each run, in data.")
]
ConfigOption = Annotated[list[Path] | None, typer.Option("--config", help="YAML file over the default settings.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="One setting, as key=value, or a group by a preset's name, as knowledge=published."),
]
MethodSetOption = Annotated[
    list[str] | None, typer.Option("--set", help="One setting of the method, as key=value; may be repeated.")
]
WorkersOption = Annotated[int | None, typer.Option("--workers", min=1, help="Programs at a time; default: 2.")]
EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        autocompletion=values.engines,
        help="Where programs and local models run: local (the default), or ray: a Ray cluster.",
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", help="The Ray cluster's HOST:PORT; default: the one that Ray finds, else this machine."),
]
BuildOption = Annotated[
    bool,
    typer.Option("--build-sdists", help="Build packages without wheels, inside the sandbox; default: refuse them."),
]
PythonOption = Annotated[
    str | None,
    typer.Option(
        "--python",
        autocompletion=values.one_of(("newest", "running")),
        help="Python of the environments: newest (the default), running, or a version as 3.12.",
    ),
]
UnsafeOption = Annotated[
    bool, typer.Option("--unsafe-local", help="Run generated code WITHOUT isolation; every result is marked.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON on standard output.")]


def limit_spending(
    dollars: float | None, tokens: int | None, minutes: float | None, prices: Sequence[str] | None
) -> None:
    """Put limits on what this command spends on models; what it is about to spend is told on standard error."""
    import sys

    from apigap.models.spending.budget import Limits, use

    limits = Limits(dollars, tokens, minutes, tuple(prices or ()))
    use(limits, lambda text: print(f"apigap: {text}", file=sys.stderr))


def settings_of(
    config: Sequence[str | Path] | None,
    given: Sequence[str] | None,
    *,
    cutoff: datetime | None = None,
    layout: str | None = None,
    max_tasks: int | None = None,
    items: int | None = None,
    workers: int | None = None,
    build_sdists: bool = False,
    python: str | None = None,
    engine: str | None = None,
    address: str | None = None,
) -> "Settings":
    """The settings of a run: those of its files, of key=value, and of the options that are short for one of them.

    Raises:
        UsageError: see `load_settings`.
    """
    from apigap.api.session import in_force
    from apigap.records.configuration import load_settings

    short = {
        "gates.cutoff": f"{cutoff:%Y-%m-%d}" if cutoff else None,
        "generation.layout": layout,
        "audit.max_tasks": max_tasks,
        "audit.items": items,
        "execution.workers": workers,
        "execution.engine": engine,
        "execution.address": address,
        "execution.build_sdists": "true" if build_sdists else None,
        "packages.python": python,
    }
    named = [f"{key}={value}" for key, value in short.items() if value is not None]
    return in_force(load_settings(config or (), [*(given or ()), *named]))


def steps_of(values: Sequence[str] | None) -> list[str]:
    """The steps that are named, the answers where none is."""
    names = words_of(values)
    for name in names:
        if name not in STEPS:
            raise UsageError(f"no step is named {name!r}; the steps are {', '.join(STEPS)}")
    return names or ["run"]


def words_of(values: Sequence[str] | None) -> list[str]:
    """The words of an option that takes several, with commas or repeated."""
    return [word for value in values or () for word in value.split(",") if word]

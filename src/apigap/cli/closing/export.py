"""Exports for others, and for closing a gap: `apigap export`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import next_command, print_result
from apigap.cli.option_groups import commands, group

LeaveOption = Annotated[
    bool,
    typer.Option(
        "--leave-excerpts-out", help="Without exemplars, prose and code that are copyleft or of unknown licence."
    ),
]


def bundles(
    knowledge: Annotated[Path, typer.Option("--knowledge", help="File of bundles (stage 2).")],
    out: Annotated[
        Path,
        typer.Option("--out", help="JSONL file with the paper's fields; as published, the folder for bundles.jsonl."),
    ],
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            autocompletion=values.one_of(("paper", "published")),
            help="paper (S_name, S_param, E, M_prose, M_code), or published: the release's.",
        ),
    ] = "paper",
    leave_excerpts_out: LeaveOption = False,
    json_: opt.JsonOption = False,
) -> None:
    """Write bundles under NovelAPIBench's field names; exit 2 where a licence keeps excerpts on this machine."""
    from apigap.exports.publishable import export_bundles
    from apigap.records.store import existing_file

    found = existing_file(knowledge, "a file of bundles (`apigap extract` writes one)")
    counts = export_bundles(found, out, leave_excerpts_out, format_)
    told = f"{out}: {counts['bundles']} bundles, {counts['without_their_excerpts']} of them without excerpts"
    print_result(json_, counts, told)


def tasks(
    tasks: opt.TasksOption,
    out: Annotated[Path, typer.Option("--out", help="Folder for tasks.jsonl in the release's fields.")],
    knowledge: opt.KnowledgeOption = None,
    leave_excerpts_out: LeaveOption = False,
    json_: opt.JsonOption = False,
) -> None:
    """Write tasks as NovelAPIBench publishes them, with their test as text; exit 2 where a licence keeps some here."""
    from apigap.exports.publishable import export_tasks

    counts = export_tasks(tasks, knowledge or (), out, leave_excerpts_out)
    told = f"{out / 'tasks.jsonl'}: {counts['tasks']} tasks, {counts['left_out']} left out"
    print_result(json_, counts, told, next_command("calibrate", "novelapi", "--tasks", out / "tasks.jsonl"))


def llms_txt(
    out: Annotated[Path, typer.Option("--out", help="Folder for llms.txt, llms-full.txt and the pages in apis/.")],
    experiment: opt.ExperimentOption = None,
    knowledge: opt.KnowledgeOption = None,
    tasks: opt.AnsweredTasksOption = None,
    data: opt.DataOption = opt.DATA,
    leave_excerpts_out: LeaveOption = False,
    json_: opt.JsonOption = False,
) -> None:
    """Write pages that close the gap, for tools that write code: one per new API, what the model lacks first."""
    from apigap.exports.gap_export import read_gap, write_llms
    from apigap.exports.publishable import passed_on

    gap = read_gap(data, experiment, knowledge or (), tasks or ())
    counts = write_llms(out, passed_on(gap.bundles, leave_excerpts_out), gap.report)
    words = {"cured": "that a page cures", "open": "that nothing cured", "known": "optional", "unknown": "not asked"}
    needs = ", ".join(f"{counts[need]} {what}" for need, what in words.items() if counts.get(need))
    print_result(json_, counts, f"{out / 'llms.txt'}: {counts['apis']} APIs ({needs})", next_command("mcp", out))


def sft(
    out: Annotated[Path, typer.Option("--out", help="JSONL file: one conversation per line, under `messages`.")],
    experiment: opt.ExperimentOption = None,
    knowledge: opt.KnowledgeOption = None,
    tasks: opt.AnsweredTasksOption = None,
    condition: opt.ConditionOption = "baseline",
    data: opt.DataOption = opt.DATA,
    config: opt.ConfigOption = None,
    set_: opt.SetOption = None,
    leave_excerpts_out: LeaveOption = False,
    json_: opt.JsonOption = False,
) -> None:
    """Write a tuning set that closes the gap: a task of each API that the model lacks, answered by its reference."""
    from apigap.exports.gap_export import read_gap, write_tuning_set
    from apigap.exports.publishable import tasks_passed_on

    gap = read_gap(data, experiment, knowledge or (), tasks or ())
    settings = opt.settings_of(config, set_)
    tasks_given = tasks_passed_on(gap.tasks, gap.bundles, condition, leave_excerpts_out)
    counts = write_tuning_set(out, tasks_given, gap.bundles, condition, settings.generation)
    print_result(
        json_,
        counts,
        f"{out}: {counts['examples']} conversations on {counts['apis']} APIs",
        "These tasks are no test any more of a model that has seen them; `apigap adapt split` keeps others for that.",
    )


def results(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files, or folders that hold them.")],
    json_: opt.JsonOption = False,
) -> None:
    """Write results as columns: a Parquet file beside each, with a row per sample, which other tools read too."""
    from apigap.records.columns import result_files, write_columns

    written = [write_columns(path) for path in result_files(files)]
    print_result(json_, {"written": written}, *(f"{path}" for path in written))


register = commands(
    group("export", "Write what was made in a form for others.", bundles, tasks, llms_txt, sft, results)
)

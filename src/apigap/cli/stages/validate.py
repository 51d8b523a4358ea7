"""`apigap validate novelapi`: a check that tasks are sound and cannot be cheated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import Console, demand_verdicts, print_json, print_table
from apigap.cli.option_groups import EngineOptions, with_options
from apigap.cli.options import JsonOption, TasksOption
from apigap.records.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from apigap.gates.validation import Validation

_SHOWN = 10


@with_options
def validate(
    tasks: TasksOption,
    cheats: Annotated[
        bool, typer.Option("--cheats", help="Also run the battery of cheats and unusual forms (docs/battery.md).")
    ] = False,
    family: Annotated[
        list[int] | None,
        typer.Option("--family", min=1, help="With --cheats these families of the battery alone; may be repeated."),
    ] = None,
    forms: Annotated[
        bool, typer.Option("--forms", help="Also try each result in other containers: open ones pass, others fail.")
    ] = False,
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", help="Answers that are kept with their verdicts, judged again; may be repeated."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="At most so many tasks, spread over libraries and APIs (0: all).")
    ] = 0,
    skip_old: Annotated[
        bool, typer.Option("--skip-old", help="Do not run the references in the versions before, nor install these.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder that keeps what is found; the same command goes on from there.")
    ] = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Check that references pass every time, in the new version alone; no-op, mutants and (--cheats) cheats fail."""
    from apigap.gates.kept_answers import KeptAnswer
    from apigap.gates.validate import Wanted, validate_file
    from apigap.records.store import existing_file, load_records

    if family and not cheats:
        raise UsageError("--family names families of the battery, which --cheats runs: give both")
    settings = machine.settings()
    files = [existing_file(path, "a file of kept answers") for path in answers or ()]
    kept = [answer for path in files for answer in load_records(path, KeptAnswer)]
    with Console() as console:
        wanted = Wanted(cheats, family or (), forms, kept, old=not skip_old, most=limit)
        found = validate_file(
            tasks, console, settings.execution, wanted, out=out, unsafe_local=machine.unsafe_local,
            packages=settings.packages,
        )  # fmt: skip
    problems = found.problems
    if json_:
        print_json(found.as_json())
    else:
        _show(found)
        print("\n".join(problems[:_SHOWN]))
    no_verdict = found.no_verdict
    if len(problems) > sum(no_verdict.values()):
        raise CheckFailed(f"{len(problems)} checks failed, first: {problems[0]}")
    demand_verdicts(no_verdict, found.tasks + len(found.checks), "tasks and cases")


def _show(found: "Validation") -> None:
    from apigap.gates.kept_answers import counted

    valid = sum(record.status == "passed" for record in found.gates)
    print(f"{valid} of {found.tasks} tasks hold; {found.killed} of {found.mutants} mutants of their references fail")
    print(f"{found.kept_from_old} references were run in the version before as well")
    if found.forms:
        accepted = len(found.accepted_forms)
        print(
            f"{accepted} results in containers that are left open and {len(found.forms) - accepted} in others were run"
        )
    for name, outcomes in counted(found.replayed).items():
        print(f"answers of {name}: {', '.join(f'{count} {outcome}' for outcome, count in outcomes.items())}")
    if found.answers_left:
        print(f"{found.answers_left} kept answers were not judged: their tasks are not among those that were checked")
    if not found.checks:
        return
    rows = [
        [
            str(row.family), str(row.cases), str(row.not_applicable),
            *(str(row.outcomes.get(outcome, 0)) for outcome in ("pass", "fail", "suspect", "infra")),
            str(row.problems),
        ]
        for row in found.families
    ]  # fmt: skip
    title = f"{len(found.checks)} cases in {len(rows)} families"
    print_table(title, ("family", "cases", "not applicable", "pass", "fail", "suspect", "infra", "problems"), rows)

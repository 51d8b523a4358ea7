"""The machine: `apigap envs`, `apigap doctor`."""

from typing import Annotated

import typer

from apigap.cli.options import ConfigOption, JsonOption, SetOption, settings_of


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    envs = typer.Typer(help="Library environments.", no_args_is_help=True)
    envs.command("create")(create)
    app.add_typer(envs, name="envs")
    app.command()(doctor)


def create(requirement: Annotated[list[str], typer.Argument(help="NAME==VERSION, one or more.")]) -> None:
    """Make the environments of library versions, resolved as of their release dates."""
    from apigap.cli.console import Console
    from apigap.execution.environments import EnvironmentStore
    from apigap.records.errors import UsageError

    store = EnvironmentStore()
    with Console() as console:
        for text in requirement:
            name, separator, version = text.partition("==")
            if not separator:
                raise UsageError(f"{text!r} is not NAME==VERSION")
            environment = store.get(name, version)
            console.note(f"{name} {version}: {len(environment.packages)} packages, lock {environment.lock}")


def doctor(config: ConfigOption = None, set_: SetOption = None, json_: JsonOption = False) -> None:
    """Show what works on this machine, and what to do about the rest."""
    from apigap.cli.console import print_json, print_table
    from apigap.pipeline.doctor import examine
    from apigap.records.errors import CheckFailed

    checks = examine(settings_of(config, set_).execution.backend)
    if json_:
        print_json([check.model_dump(mode="json") for check in checks])
    else:
        rows = [[check.name, "yes" if check.works else "NO", check.detail] for check in checks]
        print_table("This machine", ("what", "works", "detail"), rows)
    broken = [check for check in checks if check.needed and not check.works]
    if broken:
        raise CheckFailed(f"{broken[0].name} does not work: {broken[0].detail}")

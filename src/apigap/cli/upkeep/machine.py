"""`apigap envs` and `apigap doctor`: the environments of libraries, and what works on this machine."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import Console, print_json, print_result, print_rows
from apigap.cli.option_groups import commands, group
from apigap.cli.options import (
    AddressOption,
    BuildOption,
    ConfigOption,
    EngineOption,
    JsonOption,
    PythonOption,
    SetOption,
    settings_of,
)
from apigap.records.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apigap.cluster.doctor import NodeCheck
    from apigap.packages.environments import EnvironmentStore
    from apigap.records.configuration import ExecutionSettings
    from apigap.sandbox.environment import Environment


def create(
    requirement: Annotated[list[str], typer.Argument(help="NAME==VERSION, one or more.")],
    build_sdists: BuildOption = False,
    python: PythonOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
) -> None:
    """Make the environments of library versions, resolved as of their release dates; nothing of them is run.

    They are compiled when they are first used.
    """
    from apigap.packages.environments import EnvironmentStore
    from apigap.packages.workshop import environment_store
    from apigap.sandbox.engine import Engine

    settings = settings_of(config, set_, build_sdists=build_sdists, python=python)
    made: list[Environment] = []
    with Console() as console, ExitStack() as opened:
        # Without anything to build no sandbox is needed, so it works where none can be made.
        store = EnvironmentStore(packages=settings.packages)
        if settings.execution.build_sdists:
            engine = opened.enter_context(Engine.of(settings.execution, packages=settings.packages))
            store = environment_store(engine, settings.packages)
        for environment in _environments(requirement, store):
            summary = f"{len(environment.packages)} packages, lock {environment.lock}"
            console.note(f"{_name(environment)}: {summary}")
            made.append(environment)
    if json_:
        print_json([_facts(environment) for environment in made])


def check(
    requirement: Annotated[list[str] | None, typer.Argument(help="NAME==VERSION; default: all that were made.")] = None,
    python: PythonOption = None,
    json_: JsonOption = False,
) -> None:
    """Compare every installed file with the hash that its wheel has of it; exit 1 where one differs."""
    from apigap.packages.environment_check import damage
    from apigap.packages.environments import EnvironmentStore

    damaged: dict[str, list[str]] = {}
    store = EnvironmentStore(packages=settings_of(None, None, python=python).packages)
    environments = list(_environments(requirement, store) if requirement else store.made())
    with Console() as console:
        step = console.step("environments")
        for number, environment in enumerate(environments, 1):
            found = list(damage(environment))
            if found:
                damaged[str(environment.root)] = found
                console.note(f"{environment.library} {environment.version}: " + "; ".join(found[:5]))
            step(number, len(environments))
    summary = f"{len(environments) - len(damaged)} of {len(environments)} environments are as they were installed"
    print_result(json_, {"checked": len(environments), "damaged": damaged}, summary)
    if damaged:
        raise CheckFailed(f"remove {' '.join(damaged)}; what needs them makes them anew")


def lock(
    requirement: Annotated[list[str], typer.Argument(help="NAME==VERSION, one or more.")],
    python: PythonOption = None,
    json_: JsonOption = False,
) -> None:
    """Print what is installed with library versions, as a file of requirements."""
    from apigap.packages.environments import EnvironmentStore

    store = EnvironmentStore(packages=settings_of(None, None, python=python).packages)
    found = list(_environments(requirement, store))
    lines = [line for environment in found for line in _locked(environment)]
    print_result(json_, [_facts(environment) for environment in found], *lines)


def _locked(environment: "Environment") -> "Iterator[str]":
    yield f"# {_name(environment)}, lock {environment.lock}"
    for name, digest in environment.wheels.items():
        yield f"# from a folder of this machine: {name}, sha256 {digest}"
    yield from environment.packages


def _name(environment: "Environment") -> str:
    return f"{environment.library} {environment.version}, Python {environment.python_version}"


def _facts(environment: "Environment") -> dict[str, object]:
    return {
        "library": environment.library,
        "version": environment.version,
        "python": environment.python_version,
        "lock": environment.lock,
        "packages": list(environment.packages),
        "wheels": environment.wheels,
    }


def _environments(requirements: list[str], store: "EnvironmentStore") -> "Iterator[Environment]":
    """The environment of each NAME==VERSION, by the configuration of its library; made where it is not there yet."""
    from apigap.discovery.discover import environment_at

    for text in requirements:
        name, separator, version = text.partition("==")
        if not separator:
            raise UsageError(f"{text!r} is not NAME==VERSION, such as flask==3.1.3")
        yield environment_at(name, version, store)


def doctor(
    engine: EngineOption = None,
    address: AddressOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
) -> None:
    """Show what works on this machine, or on every node of a cluster, and what to do about the rest."""
    settings = settings_of(config, set_, engine=engine, address=address)
    if settings.execution.engine == "ray":
        _doctor_of_nodes(settings.execution, json_)
        return
    from apigap.packages.doctor import examine

    checks = examine(settings.execution.backend)
    rows = [[check.name, "yes" if check.works else "NO", check.detail] for check in checks]
    told = [check.model_dump(mode="json") for check in checks]
    print_rows(json_, told, "This machine", ("what", "works", "detail"), rows)
    broken = [check for check in checks if check.needed and not check.works]
    if broken:
        raise CheckFailed(f"{broken[0].name} does not work: {broken[0].detail}")


def _doctor_of_nodes(execution: "ExecutionSettings", json_: bool) -> None:
    from apigap.cluster.doctor import examine_nodes

    checks = examine_nodes(execution)
    told = [check.model_dump(mode="json") for check in checks]
    columns = ("node", "judges", "isolation", "processors", "memory", "disk", "Python", "apigap", "evaluator", "reason")
    print_rows(json_, told, "Nodes", columns, [_row(check) for check in checks])
    refused = [check for check in checks if not check.works]
    if refused:
        raise CheckFailed(
            f"{len(refused)} of {len(checks)} nodes cannot judge, first: {refused[0].name}: {refused[0].reason}"
        )


def _row(check: "NodeCheck") -> list[str]:
    facts = check.facts
    if facts is None:
        return [check.name, "NO", *("?" for _ in range(7)), check.reason]
    return [
        check.name, "yes" if check.works else "NO", facts.profile.name if facts.profile else "none",
        str(facts.processors), f"{facts.memory / 1e9:.1f} GB", f"{facts.disk / 1e9:.1f} GB",
        facts.identity.python, facts.identity.version, facts.identity.evaluator[:8], check.reason,
    ]  # fmt: skip


register = commands(group("envs", "Library environments.", create, check, lock), doctor)

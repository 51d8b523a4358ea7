"""The libraries that are known by name: `apigap library`."""

from typing import Annotated

import typer

from apigap.cli.completion import values
from apigap.cli.console import next_command, print_result, print_rows
from apigap.cli.option_groups import commands, group
from apigap.cli.options import JsonOption, LibraryArgument
from apigap.records.errors import UsageError


def add(
    name: LibraryArgument,
    domain: Annotated[
        str | None,
        typer.Option("--domain", help="Its field, such as swe or dl; default: guessed from its classifiers."),
    ] = None,
    new: Annotated[str | None, typer.Option("--new", help="Release to look at, pinned; default: the newest.")] = None,
    json_: JsonOption = False,
) -> None:
    """Write configs/libraries/NAME.yaml in the working directory from what the index says of NAME."""
    from apigap.discovery.describe_library import describe_library
    from apigap.discovery.library import DOMAINS, write_library

    if domain is not None and domain not in DOMAINS:
        raise UsageError(f"--domain {domain} is not one of {', '.join(DOMAINS)}")
    config = describe_library(name, new)
    config = config.model_copy(update={"domain": domain}) if domain else config
    path = write_library(config)
    told = f"{path}: {config.name}, domain {config.domain}, read: {config.read}"
    hint = f"where that says `not read` for want of packages, name them in {path}, as in `beside: [PACKAGE, PACKAGE]`"
    go_on = [next_command("discover", config.name, "--old", "VERSION"), hint]
    print_result(json_, {"file": str(path), **config.model_dump(mode="json")}, told, *go_on)


def list_(json_: JsonOption = False) -> None:
    """Show the libraries that `--all-libraries` stands for."""
    from apigap.discovery.library import known_libraries

    found = known_libraries()
    told = [config.model_dump(mode="json") for config in found]
    rows = [[c.name, c.domain, c.new or "newest", c.read, ", ".join(c.companions), ", ".join(c.groups)] for c in found]
    print_rows(json_, told, "Libraries", ("library", "domain", "new", "read", "with", "groups"), rows)


def licences(
    names: Annotated[
        list[str] | None,
        typer.Argument(autocompletion=values.libraries, help="Libraries; default: all of `apigap library list`."),
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Show which licence each library is under, and whether bundles with its source may be passed on."""
    from apigap.discovery.library import find_library, known_libraries
    from apigap.knowledge.licence_matrix import licence_matrix

    found = list(licence_matrix([find_library(name) for name in names] if names else known_libraries()))
    told = [{**row.model_dump(mode="json"), "shared": row.shared} for row in found]
    goes = {True: "may be passed on", False: "stays on this machine"}
    rows = [[r.library, r.version, r.licence.text or "not told", r.licence.kind, goes[r.shared]] for r in found]
    print_rows(json_, told, "Licences", ("library", "version", "licence", "kind", "source in bundles"), rows)


register = commands(group("library", "Libraries known by name.", add, list_, licences))

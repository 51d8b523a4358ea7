"""The reference of the Python interface: pages that mkdocstrings fills from the code's own docstrings."""

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import apigap

RECORDS = {
    "candidate": "Discovery: what a release brought",
    "retired": "Discovery: what a release took away",
    "knowledge": "Knowledge: bundles",
    "task": "Tasks",
    "questions.ladder": "Single questions",
    "questions.probe": "Questions of the novelty probe",
    "result": "Answers and verdicts",
    "experiment": "Cells of an experiment",
    "manifest": "Manifests",
    "configuration": "Settings",
    "errors": "Errors",
}
"""The modules of records that files on disk are made of, and the title of each."""
_WITHOUT_HEADING = "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"


def python_pages() -> dict[str, str]:
    """The pages by name: what `import apigap` offers, and the records that it takes and gives."""
    return {"python": "\n".join(_interface()), "records": "\n".join(_records())}


def _interface() -> Iterator[str]:
    yield "# Python interface\n"
    yield "What `import apigap` offers; [apigap from Python](../python-api.md) shows it at work.\n"
    offered: list[Any] = [getattr(apigap, name) for name in apigap.__all__]
    functions = [one for one in offered if inspect.isfunction(one)]
    types = [one for one in offered if one not in functions]
    for title, members in (("Functions", functions), ("Types", types), ("Results", returned(functions, types))):
        yield f"## {title}\n"
        for one in sorted(members, key=lambda member: member.__name__):
            yield f"::: {one.__module__}.{one.__name__}\n"


def returned(functions: list[Any], known: list[Any]) -> list[Any]:
    """The types of this package that `functions` return, without those that are `known`."""
    found = {get_type_hints(function)["return"] for function in functions} - {*known}
    return [one for one in found if getattr(one, "__module__", "").startswith("apigap.") and inspect.isclass(one)]


def _records() -> Iterator[str]:
    yield "# Records\n"
    yield "A file of a run holds records, a JSON object on each line. `CLASS.from_line(line)` reads and checks one.\n"
    for module, title in RECORDS.items():
        yield f"## {title}\n\n`apigap.records.{module}`\n"
        yield f"::: apigap.records.{module}\n{_WITHOUT_HEADING}"

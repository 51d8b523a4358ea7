"""The reference of the Python interface: pages that mkdocstrings fills from the code's own docstrings."""

import inspect
from collections.abc import Iterator

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
    functions = [name for name in apigap.__all__ if inspect.isfunction(getattr(apigap, name))]
    for title, names in (("Functions", functions), ("Types", sorted({*apigap.__all__} - {*functions}))):
        yield f"## {title}\n"
        for name in names:
            yield f"::: {getattr(apigap, name).__module__}.{name}\n"


def _records() -> Iterator[str]:
    yield "# Records\n"
    yield "A file of a run holds records, a JSON object on each line. `CLASS.from_line(line)` reads and checks one.\n"
    for module, title in RECORDS.items():
        yield f"## {title}\n\n`apigap.records.{module}`\n"
        yield f"::: apigap.records.{module}\n{_WITHOUT_HEADING}"

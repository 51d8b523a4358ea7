"""Variants: right answers to tasks of the starter benchmark in forms that are unusual, one file per library.

A careful reviewer would accept each from the task's description alone: it uses the target on the task's data and its
values are right in every scenario.

    [[variant]]
    task = "the task's id"
    api = "numpy.unstack"
    form = "short name of the form"
    leniency = true        # where only the kind of a number or container differs, and the description leaves it open
    open = "why the judge still refuses it"
    other = true           # another API of the library, which calls the target: WrongAPISelection by definition
    code = '''what stands in the place of the masked region'''
"""

import tomllib
from pathlib import Path

from apigap.records.base import Record

FOLDER = Path(__file__).parent


class Variant(Record):
    """One right answer; its fields are those of the files, see above."""

    task: str
    api: str
    form: str
    code: str
    leniency: bool = False
    open: str | None = None
    other: bool = False


def libraries() -> list[str]:
    """The libraries that have a file of variants."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def variants_of(library: str) -> list[Variant]:
    """The variants of one library, in the order of its file."""
    text = (FOLDER / f"{library}.toml").read_text(encoding="utf-8")
    return [Variant.model_validate(entry) for entry in tomllib.loads(text)["variant"]]

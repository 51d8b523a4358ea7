"""The page's one script: the front-end library as it was published, and our own files after it.

A page that is opened as a file may load no modules, so each module of the library becomes a value of this script.
"""

import hashlib
import re
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from apigap.records.base import Record
from apigap.records.errors import CorruptRecord

FOLDER = files("apigap.explorer")
OWN = (
    "state.js", "words.js", "parts.js", "charts.js", "table.js", "overview.js", "apis.js", "answers.js", "api.js",
    "models.js", "compare.js", "app.js",
)  # fmt: skip
"""Our own files, in the order in which they use each other."""
_IMPORT = re.compile(r'import\{(?P<names>[^}]*)\}from"preact";')
_EXPORT = re.compile(r"export\{(?P<names>[^}]*)\};?")
_MAP = re.compile(r"\n//# sourceMappingURL=.*")


class Vendored(Record):
    """A file of a package of the npm registry, as it is there; `path` is its place in the package."""

    file: str
    package: str
    version: str
    licence: str
    path: str
    sha256: str


@cache
def vendored() -> tuple[Vendored, ...]:
    """The files of the front-end library that come with apigap."""
    listed = (FOLDER / "vendor" / "vendored.json").read_bytes()
    return tuple(TypeAdapter(list[Vendored]).validate_json(listed))


def page_script() -> str:
    """The script, which is the same on every page.

    Raises:
        CorruptRecord: when a file of the library is not the one that was published.
    """
    library = "\n".join(f"const {one.file.partition('.')[0]} = {as_value(_published(one))};" for one in vendored())
    licences = "; ".join(sorted({f"{one.package} {one.version} ({one.licence})" for one in vendored()}))
    own = "\n".join((FOLDER / "page" / name).read_text(encoding="utf-8") for name in OWN)
    return f'/* With {licences}: see LICENSES.txt. */\n"use strict";\n(() => {{\n{library}\n{own}}})();\n'


def licences() -> str:
    """The texts of the licences of the library."""
    names = sorted({one.package for one in vendored()})
    texts = [(FOLDER / "vendor" / f"LICENSE-{name}.txt").read_text(encoding="utf-8") for name in names]
    return "\n\n".join(f"{name}\n\n{text.strip()}\n" for name, text in zip(names, texts, strict=True))


def as_value(module: str) -> str:
    """An expression for what a module exports: an object of names, or its only value."""
    text = _MAP.sub("", module).strip()
    text = _IMPORT.sub(lambda found: f"const {{{_renamed(found['names'])}}}=preact;", text)
    text = _EXPORT.sub(lambda found: f"return {{{_exported(found['names'])}}};", text)
    return f"(() => {{{text.replace('export default function', 'return function')}}})()"


def _published(one: Vendored) -> str:
    data = (FOLDER / "vendor" / one.file).read_bytes()
    if hashlib.sha256(data).hexdigest() != one.sha256:
        raise CorruptRecord(f"{one.file} is not that of {one.package} {one.version}; install apigap again")
    return data.decode()


def _renamed(names: str) -> str:
    """`options as n` of an import as it is written where an object is taken apart."""
    return ",".join(name.replace(" as ", ":") for name in names.split(","))


def _exported(names: str) -> str:
    """`k as h` of an export as it is written in an object."""
    pairs = (name.partition(" as ") for name in names.split(","))
    return ",".join(f"{outside or inside}:{inside}" for inside, _, outside in pairs)

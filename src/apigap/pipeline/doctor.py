"""What works on this machine."""

import sys
from importlib.util import find_spec

from apigap.execution.index import releases
from apigap.execution.isolation import require_isolation
from apigap.records.base import Record
from apigap.records.errors import ApigapError

_EXTRAS = {
    "inspect_ai": ("eval", "model providers"),
    "xllamacpp": ("local", "local models"),
    "matplotlib": ("report", "the report's figures"),
}


class Check(Record):
    """One thing that was tried; `needed` ones must work for an audit."""

    name: str
    works: bool
    detail: str
    needed: bool = True


def examine() -> list[Check]:
    """Try the interpreter, isolation, the package index and the optional parts."""
    return [_interpreter(), _isolation(), _index(), *(_extra(module) for module in _EXTRAS)]


def _interpreter() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check(name="Python", works=sys.version_info >= (3, 11), detail=version)


def _isolation() -> Check:
    try:
        require_isolation()
    except ApigapError as error:
        return Check(name="isolation", works=False, detail=str(error))
    return Check(name="isolation", works=True, detail="bubblewrap")


def _index() -> Check:
    try:
        count = len(releases("pip"))
    except ApigapError as error:
        return Check(name="package index", works=False, detail=str(error))
    return Check(name="package index", works=True, detail=f"reached ({count} releases of pip)")


def _extra(module: str) -> Check:
    extra, purpose = _EXTRAS[module]
    works = find_spec(module) is not None
    detail = purpose if works else f'{purpose}: install with pip install "apigap[{extra}]"'
    return Check(name=module, works=works, detail=detail)

"""Checks of this machine: the parts that an audit needs, and those that it can do without."""

import sys
from importlib.util import find_spec

from apigap.packages.index import releases
from apigap.packages.interpreters import at_hand
from apigap.packages.wheelhouse import VARIABLE, count_wheels, wheel_folders
from apigap.records.base import Record
from apigap.records.configuration import Backend
from apigap.records.errors import ApigapError
from apigap.records.extras import install_command, is_installed
from apigap.records.model_providers import ACCESS, SHOWN
from apigap.sandbox.isolation.availability import make_profile, require_isolation
from apigap.sandbox.limits import Limits

_NEEDED = {
    "inspect_ai": ("eval", "model providers"),
    "xllamacpp": ("local", "local models"),
    "matplotlib": ("report", "the report's figures"),
}
_OPTIONAL = {
    "polars": ("report", "the tables of an analysis"),
    "bm25s": ("rag", "retrieval by words"),
    "faiss": ("rag", "retrieval by vectors"),
    "ray": ("ray", "more than one machine"),
    "fastmcp": ("mcp", "MCP: servers of yours, and those of apigap"),
    "torch": ("adapt", "tuning and editing models"),
}


class Check(Record):
    """One thing that was tried; `needed` ones must work for an audit."""

    name: str
    works: bool
    detail: str
    needed: bool = True


def examine(backend: Backend = "bubblewrap") -> list[Check]:
    """Try the interpreter, isolation by `backend`, the package index, folders of wheels and the optional parts."""
    machine = [_interpreter(), _interpreters(), _isolation(backend), *_second_walls(backend), _index(), _wheelhouse()]
    needed = [_extra(module, *told, needed=True) for module, told in _NEEDED.items()]
    optional = [_extra(module, *told, needed=False) for module, told in _OPTIONAL.items()]
    return machine + needed + optional + [_provider(name) for name in SHOWN]


def _interpreter() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check(name="Python", works=sys.version_info >= (3, 11), detail=version)


def _interpreters() -> Check:
    """The interpreters that environments can be made with."""
    return Check(name="interpreters", works=True, detail=", ".join(map(str, at_hand())), needed=False)


def _isolation(backend: Backend) -> Check:
    try:
        require_isolation(backend)
    except ApigapError as error:
        return Check(name="isolation", works=False, detail=str(error))
    return Check(name="isolation", works=True, detail=backend)


def _second_walls(backend: Backend) -> list[Check]:
    """The second wall behind the namespaces, where the machine has it; an audit works without.

    It is tried inside a sandbox, so nothing is said where none can be made.
    """
    if not _isolation(backend).works:
        return []
    profile = make_profile(Limits(), None, False, backend)
    seccomp = f"filter {profile.seccomp}" if profile.seccomp else "no filter for this architecture"
    landlock = (
        f"version {profile.landlock} in force"
        if profile.landlock
        else "not in this kernel: needs Linux 5.19 or newer with landlock among its security modules (boot with lsm=)"
    )
    return [
        Check(name="system-call filter", works=profile.seccomp is not None, detail=seccomp, needed=False),
        Check(name="landlock", works=profile.landlock is not None, detail=landlock, needed=False),
    ]


def _index() -> Check:
    try:
        count = len(releases("pip"))
    except ApigapError as error:
        return Check(name="package index", works=False, detail=str(error))
    return Check(name="package index", works=True, detail=f"reached ({count} releases of pip)")


def _wheelhouse() -> Check:
    """The wheels of this machine that stand beside the index."""
    folders = wheel_folders()
    lost = [str(folder) for folder in folders if not folder.is_dir()]
    found = ", ".join(f"{folder} (wheels: {count_wheels(folder)})" for folder in folders if folder.is_dir())
    missing = f"no such folder: {', '.join(lost)}" if lost else ""
    detail = "; ".join(part for part in (found, missing) if part) or f"none ({VARIABLE} names one)"
    return Check(name="wheel folders", works=not lost, detail=detail, needed=False)


def _provider(name: str) -> Check:
    """The client of a provider of models, and whether one of the variables of its key is set; a key is never shown."""
    access = ACCESS[name]
    if not is_installed(access.module):
        return Check(name=name, works=False, detail=f"models of {name}: install with {access.install}", needed=False)
    key = " or ".join(access.keys)
    told = f"the key is set ({key})" if access.key_is_set() else f"no key: set {key}"
    servers = "; own servers: set SERVICE_BASE_URL and SERVICE_API_KEY" if name == "openai" else ""
    return Check(name=name, works=access.key_is_set(), detail=f"models of {name}: {told}{servers}", needed=False)


def _extra(module: str, extra: str, purpose: str, needed: bool) -> Check:
    works = find_spec(module) is not None
    detail = purpose if works else f"{purpose}: install with {install_command(extra)}"
    return Check(name=module, works=works, detail=detail, needed=needed)

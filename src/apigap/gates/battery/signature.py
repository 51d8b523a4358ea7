"""Signatures of the targets of tasks, read in the library's own environment."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from apigap.records.candidate import ApiKind, Candidate
from apigap.records.errors import InfrastructureError
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_SCRIPT = Path(__file__).with_name("signature_script.py")
_KINDS: dict[str, ApiKind] = {
    "function": "function", "class": "class", "method": "method", "classmethod": "classmethod",
    "staticmethod": "staticmethod", "property": "property",
}  # fmt: skip


@dataclass(frozen=True)
class Signature:
    """The parameters that a caller may give.

    `positional` are the parameters that can be given by position, in order, without self; of these `positional_only`
    cannot be given by name, and `named` are all that can. `defaults` maps those of them that are plain values to their
    source. `neighbours` are names beside the target that are other things of the same kind.
    """

    kind: str
    positional: tuple[str, ...] = ()
    positional_only: frozenset[str] = frozenset()
    defaults: tuple[tuple[str, str], ...] = ()
    neighbours: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """True where any parameter is known."""
        return bool(self.positional or self.defaults)


def read_signatures(engine: Engine, environment: Environment, names: Sequence[str]) -> dict[str, Signature]:
    """The signatures of the qualified `names`; those that cannot be found are left out.

    Raises:
        InfrastructureError: when the environment's interpreter cannot be started.
    """
    found = engine.script(environment, _SCRIPT, sorted(set(names)))
    if not isinstance(found, dict):
        raise InfrastructureError(f"{_SCRIPT.name} gave {type(found).__name__} instead of signatures; run again")
    described = cast("dict[str, Any]", found)
    return {name: _signature(form) for name, form in described.items() if form is not None}


def _signature(form: dict[str, Any]) -> Signature:
    rows: list[tuple[str, str, str | None]] = [(name, kind, default) for name, kind, default in form["parameters"]]
    only = frozenset(name for name, kind, _ in rows if kind == "POSITIONAL_ONLY")
    return Signature(
        kind=form["kind"],
        positional=tuple(name for name, kind, _ in rows if kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")),
        positional_only=only,
        defaults=tuple((name, default) for name, _, default in rows if default is not None and name not in only),
        neighbours=tuple(form["neighbours"]),
        named=tuple(name for name, kind, _ in rows if kind in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")),
    )


def neighbours(library: str, version: str, signatures: dict[str, Signature]) -> list[Candidate]:
    """The targets and their neighbours as candidates: where wrong APIs are taken from."""
    found: dict[str, Candidate] = {}
    for name, signature in signatures.items():
        kind = _KINDS.get(signature.kind)
        if kind is None:
            continue
        parent = name.rpartition(".")[0]
        for path in (name, *(f"{parent}.{neighbour}" for neighbour in signature.neighbours)):
            found[path] = Candidate(
                api_name=path, kind=kind, library=library, old_version=None, new_version=version, change="added",
                signature=None, import_module=parent,
            )  # fmt: skip
    return list(found.values())

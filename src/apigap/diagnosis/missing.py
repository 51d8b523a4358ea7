"""Rules for names that are not there: ImportError, NameError, AttributeError."""

import re
import sys
from dataclasses import dataclass

from apigap.diagnosis.events import Events, in_callback, innermost_owner, is_a
from apigap.diagnosis.finding import Finding, exception_text
from apigap.diagnosis.sketch import Sketch
from apigap.diagnosis.target import Target
from apigap.records.run import ExceptionRecord

_CANNOT_IMPORT = re.compile(r"cannot import name '([^']+)'(?: from (?:partially initialized module )?'([^']+)')?")
_NO_MODULE = re.compile(r"No module named '([^']+)'")
_NO_ATTRIBUTE = re.compile(r"(?:(module|type object) )?'?([\w.]+)'? (?:object )?has no attribute '([^']+)'")
_MODULES = sys.stdlib_module_names | {"np", "nx", "pa", "pd", "pl", "plt", "sa", "sp", "xr"}
"""Modules of Python, and the names under which everybody imports others."""
_NOT_DEFINED = re.compile(r"name '([^']+)' is not defined|local variable '([^']+)' where")


def diagnose_missing(events: Events, target: Target, text: Sketch, reference: Sketch) -> Finding | None:
    """The finding for a name that does not exist, or None when the exception is of another kind.

    `reference` is the sketch of the task's reference solution: it says which other names the library gives.
    """
    exception = events.exception
    if exception is None or events.failing_call is not None:
        return None
    if is_a(exception, "ImportError"):
        return _import_error(exception, events, target, text)
    if is_a(exception, "NameError") and innermost_owner(exception) != "library":
        return _name_error(exception, events, target, text, reference)
    if is_a(exception, "AttributeError") and innermost_owner(exception) != "library" and not in_callback(exception):
        return _attribute_error(exception, events, target, text)
    if is_a(exception, "AttributeError") and _on_module(exception):
        return _attribute_error(exception, events, target, text)
    return None


def _import_error(exception: ExceptionRecord, events: Events, target: Target, text: Sketch) -> Finding | None:
    wanted = _failed_import(exception, text)
    if any(target.below_package(name) for name in wanted.names):
        return Finding("WrongImport", f"{target.path} is meant, but its import fails: {exception_text(exception)}")
    if wanted.whole_module and f"{target.path}.".startswith(f"{wanted.module}."):
        return Finding("WrongImport", f"the module of {target.path} cannot be imported: {exception_text(exception)}")
    if events.reached != "never":
        return None
    if wanted.whole_module and target.leaf in text.names and wanted.module.partition(".")[0] == target.package:
        return Finding("WrongImport", f"the import before {target.leaf} fails: {exception_text(exception)}")
    return Finding("WrongAPISelection", f"imports something else than {target.path}: {exception_text(exception)}")


@dataclass(frozen=True)
class _FailedImport:
    """The target of a failed import: the module, and the names that the text takes from it.

    `whole_module` says that the module itself is missing, not a name in it.
    """

    module: str
    names: frozenset[str]
    whole_module: bool


def _failed_import(exception: ExceptionRecord, text: Sketch) -> _FailedImport:
    if found := _CANNOT_IMPORT.search(exception.message):
        return _FailedImport(found[2] or "", frozenset({found[1]}), whole_module=False)
    module = found[1] if (found := _NO_MODULE.search(exception.message)) else exception.name or ""
    below = {name for origin, name in text.imports if f"{origin}.".startswith(f"{module}.")}
    reached = {part for chain in text.chains if chain.startswith(f"{module}.") for part in chain.split(".")}
    whole = is_a(exception, "ModuleNotFoundError")
    return _FailedImport(module, frozenset({*below, *reached, module.rpartition(".")[2]}), whole_module=whole)


def _name_error(
    exception: ExceptionRecord, events: Events, target: Target, text: Sketch, reference: Sketch
) -> Finding | None:
    found = _NOT_DEFINED.search(exception.message)
    name = exception.name or (found and (found[1] or found[2])) or ""
    if name == target.package or target.below_package(name):
        return Finding("WrongImport", f"{name} is used without an import: {exception_text(exception)}")
    if any(chain.split(".")[0] == name and target.leaf in chain.split(".")[1:] for chain in text.chains):
        return Finding("WrongImport", f"{target.leaf} is reached through {name}, which is not imported")
    offered = {imported or module for module, imported in reference.imports}
    if name in offered | _MODULES:
        return Finding("WrongImport", f"{name} is used without an import: {exception_text(exception)}")
    if events.reached != "never":
        return None
    return Finding("WrongAPISelection", f"stops before any call of {target.path}: {exception_text(exception)}")


def _attribute_error(exception: ExceptionRecord, events: Events, target: Target, text: Sketch) -> Finding | None:
    found = _NO_ATTRIBUTE.search(exception.message)
    name = exception.name or (found[3] if found else "")
    if _on_module(exception) and _intended_name(name, target, text):
        return Finding("WrongImport", f"{target.path} is looked for in the wrong place: {exception_text(exception)}")
    if events.reached == "completed":
        return None
    return Finding("WrongAPISelection", f"asks for an attribute that does not exist: {exception_text(exception)}")


def _on_module(exception: ExceptionRecord) -> bool:
    found = _NO_ATTRIBUTE.search(exception.message)
    return bool(found and found[1] == "module")


def _intended_name(name: str, target: Target, text: Sketch) -> bool:
    if target.below_package(name):
        return True
    chains = (chain.split(".") for chain in text.chains)
    return any(name in chain and target.leaf in chain[chain.index(name) + 1 :] for chain in chains)

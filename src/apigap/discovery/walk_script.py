"""Walks the public surface of an installed distribution; runs inside the sandbox, with the standard library only.

`main` is given {"tops", "modules"} (see `distribution.py`) and returns {"tops", "modules", "failures", "variables",
"entries"}. The walk happens in a forked child, because importing a library may end its interpreter: the module that
did so is then left out, with the reason, and the walk starts again.
"""

# Whatever a library raises is a fact about it, so everything is caught; there are no files here to handle.
# ruff: noqa: BLE001, S112, PTH109, PTH111
from __future__ import annotations

import builtins
import enum
import functools
import importlib
import inspect
import json
import os
import re
import signal
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

IMPORT_SECONDS = 60
MAX_DEATHS = 20
MAX_TEXT = 20_000
MAX_DEFAULT = 300
_CACHED = type(functools.lru_cache(len))
# packages that collect helpers: what they hold is public only where they say so in `__all__`
INTERNAL = {"compat", "core", "impl", "internals", "testing", "util", "utils", "vendor", "vendored"}
_MANGLED = re.compile(r"^_[A-Za-z]\w*?__(?=[A-Za-z])")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Slow(BaseException):
    """An import took longer than IMPORT_SECONDS."""


def main(argument: dict[str, Any]) -> dict[str, Any]:
    """The surface of argument["modules"]; see the module's own words."""
    tops = argument["tops"]
    skipped: dict[str, str] = {}
    while True:
        result, current, end = _in_child(tops, [name for name in argument["modules"] if name not in skipped])
        if result is not None:
            result["failures"].update(skipped)
            return result
        if current is None or len(skipped) >= MAX_DEATHS:
            raise RuntimeError(f"the walk of {tops} ended early ({end}) at {current}")
        skipped[current] = f"importing it ends the interpreter ({end})"


def _in_child(tops: list[str], modules: list[str]) -> tuple[Any, str | None, str]:
    """(result, module being imported, how the child ended); the result is None where the child died."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _child(tops, modules, writer)
    os.close(writer)
    result = current = None
    with os.fdopen(reader, "rb") as lines:
        for line in lines:
            if line.startswith(b"@"):
                current = line[1:].decode().strip()
            elif line.endswith(b"\n"):
                result = json.loads(line)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return result, current, f"signal {-code}" if code < 0 else f"exit status {code}"


def _child(tops: list[str], modules: list[str], writer: int) -> NoReturn:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.closerange(3, writer)  # no other way out than the pipe
    os.closerange(writer + 1, 1024)
    code = 70
    try:
        sys.argv = [tops[0] if tops else "walk"]
        sys.setrecursionlimit(5000)
        warnings.simplefilter("ignore")
        result = Walk(tops, lambda name: os.write(writer, f"@{name}\n".encode())).run(modules)
        with os.fdopen(writer, "w", encoding="ascii", closefd=False) as out:
            out.write(json.dumps(result) + "\n")
        code = 0
    finally:
        os._exit(code)  # threads that the library started must not hold the walk


class Found:
    """One object and the public paths that lead to it; `paths` maps each to its evidence or None."""

    def __init__(self, value: Any, kind: str, owner: type | None = None) -> None:
        self.value = value
        self.kind = kind
        self.owner = owner
        self.paths: dict[str, list[str] | None] = {}

    @property
    def evident(self) -> bool:
        """Whether any path is marked as public by the library."""
        return any(self.paths.values())

    def canonical(self) -> str:
        """The best path: with evidence, under the object's own name, short; without any, where the code is."""
        own = getattr(self.value, "__name__", None)
        home = None if self.evident else home_of(self.value)

        def rank(path: str) -> tuple[bool, bool, bool, int, int, str]:
            module, _, leaf = path.rpartition(".")
            unmarked, elsewhere = self.paths[path] is None, home is not None and module != home
            return (unmarked, leaf != own, elsewhere, path.count("."), len(path), path)

        return min(self.paths, key=rank)


class Walk:
    """Collects what the modules hold; every object is kept, so that an id stays its own."""

    def __init__(self, tops: list[str], tell: Callable[[str], object]) -> None:
        self.tops = set(tops)
        self.tell = tell
        self.found: dict[int, Found] = {}
        self.members: dict[int, Found] = {}
        self.variables: set[str] = set()
        self.failures: dict[str, str] = {}

    def run(self, modules: list[str]) -> dict[str, Any]:
        """Import all modules, look at them, and give the result as JSON."""
        imported = self._import_all(modules)
        for name, module in imported.items():
            self.tell(name)
            self._module(name, module)
        classes = [found for found in self.found.values() if found.kind == "class"]
        relations = {id(found.value): self._class(found) for found in sorted(classes, key=Found.canonical)}
        entries = [
            describe(found, self.tops, relations.get(id(found.value)))
            for found in (*self.found.values(), *self.members.values())
        ]
        return {
            "tops": sorted(self.tops),
            "modules": sorted(imported),
            "failures": self.failures,
            "variables": sorted(self.variables),
            "entries": sorted(entries, key=lambda entry: entry["name"]),
        }

    def _import_all(self, modules: list[str]) -> dict[str, Any]:
        """Import in order, and once more what failed: the second time a circular import may be closed."""
        imported: dict[str, Any] = {}
        waiting = list(modules)
        while waiting:
            self.failures = {}
            before = len(imported)
            for name in waiting:
                self.tell(name)
                try:
                    imported[name] = limited(importlib.import_module, name)
                except BaseException as error:
                    self.failures[name] = f"{type(error).__name__}: {text_of(error, 200)}"
            waiting = list(self.failures)
            if len(imported) == before:
                break
        return dict(sorted(imported.items()))

    def _module(self, name: str, module: Any) -> None:
        exported = getattr(module, "__all__", None)
        listed = names_in(exported) if isinstance(exported, (list, tuple, set)) else None
        for leaf in sorted({*dir(module), *(listed or ())}):
            if leaf.startswith("_"):
                continue
            try:
                value = limited(getattr, module, leaf)
                kind = kind_of(value, leaf)
            except BaseException:
                continue  # a lazy attribute that needs something not installed
            explicit = listed is not None and leaf in listed
            if kind and self._belongs(value, explicit):
                found = self.found.setdefault(id(value), Found(value, kind))
                found.paths[f"{name}.{leaf}"] = self._evidence(name, leaf, module, value, listed)
            elif not isinstance(value, types.ModuleType):
                self.variables.add(f"{name}.{leaf}")

    def _belongs(self, value: Any, explicit: bool) -> bool:
        home = getattr(value, "__module__", None)
        if not isinstance(home, str) or home.partition(".")[0] not in self.tops:
            top = home.partition(".")[0] if isinstance(home, str) else ""
            is_builtin = getattr(builtins, getattr(value, "__name__", ""), None) is value
            return explicit and top not in sys.stdlib_module_names and not is_builtin
        return True

    def _evidence(self, name: str, leaf: str, module: Any, value: Any, listed: set[str] | None) -> list[str] | None:
        if listed is not None:
            return ["__all__", name] if leaf in listed else None
        segments = name.split(".")
        if len(segments) > 1 and (not hasattr(module, "__path__") or INTERNAL.intersection(segments)):
            return None
        if f"{home_of(value)}.".startswith(f"{name}.") and (home_of(value) != name or "." not in name):
            return ["re-export", name]
        return None

    def _class(self, found: Found) -> dict[str, list[str]]:
        """Record the methods reported under this class; give its public bases, and its names that are no entries."""
        path = found.canonical()
        cls: Any = found.value
        bases: list[str] = []
        others: set[str] = set()
        seen: set[str] = set()
        mro: tuple[type, ...] = cls.__mro__
        for base in mro[:-1]:
            names = [name for name in vars(base) if not name.startswith("_") and name not in seen]
            seen.update(names)
            known = self.found.get(id(base))
            if base is not cls and known is not None and known.evident:
                bases.append(known.canonical())
            elif base is cls or self._belongs(base, False):
                others.update(self._own(path, cls, base, names))
                if base is not cls and known is not None:
                    bases.append(known.canonical())
            else:
                others.update(names)
        return {"bases": bases, "others": sorted(others)}

    def _own(self, path: str, cls: type, base: type, names: list[str]) -> set[str]:
        evidence = self.found[id(cls)].paths[path]
        data = {name for name in vars(base).get("__annotations__", ()) if not name.startswith("_")}
        for name in names:
            raw = vars(base)[name]
            try:
                kind = member_kind(raw, cls)
            except BaseException:
                kind = None
            if kind:
                found = self.members.setdefault(id(raw), Found(raw, kind, owner=cls))
                found.paths[f"{path}.{name}"] = evidence
            else:
                data.add(name)
        return data


def names_in(exported: Any) -> set[str]:
    """The strings of an `__all__`."""
    return {name for name in exported if isinstance(name, str)}


def limited(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call, but for no longer than IMPORT_SECONDS."""

    def late(*_: object) -> NoReturn:
        raise Slow(f"took more than {IMPORT_SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(IMPORT_SECONDS)
    try:
        return function(*arguments)
    finally:
        signal.alarm(0)


def class_of(value: Any) -> Any:
    """The true class, which no property called `__class__` can hide."""
    return type.__call__(type, value)


def kind_of(value: Any, leaf: str) -> str | None:
    """`class`, `function`, or None for what is a variable, a module or a typing form."""
    kind = class_of(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, types.ModuleType) or kind.__module__ in ("typing", "typing_extensions", "types"):
        return None
    if inspect.isroutine(value) or kind is _CACHED:
        return "function"
    # ufuncs, compiled functions, dispatchers: callables that know their own name
    is_named = callable(value) and getattr(value, "__name__", None) == leaf
    return "function" if is_named and isinstance(getattr(value, "__doc__", None), str) else None


def member_kind(raw: Any, cls: type) -> str | None:
    """The kind of what a class keeps under a public name, or None for data."""
    kind = class_of(raw)
    if issubclass(kind, (property, functools.cached_property)) or kind is types.GetSetDescriptorType:
        return "property"
    if issubclass(kind, classmethod) or kind is types.ClassMethodDescriptorType:
        return "classmethod"
    if issubclass(kind, staticmethod):
        return "staticmethod"
    if issubclass(kind, (type, types.MemberDescriptorType, types.ModuleType)) or not hasattr(kind, "__get__"):
        return None
    if callable(raw) or issubclass(kind, (functools.partialmethod, functools.singledispatchmethod)):
        return "method"
    # a descriptor of the library's own: a method where it binds, a property where it keeps to itself
    if isinstance(limited(raw.__get__, None, cls), (types.FunctionType, types.MethodType)):
        return "method"
    return "property" if inspect.isfunction(inner_of(raw)) else None


def inner_of(raw: Any) -> Any:
    """The function inside a descriptor, or the object itself."""
    for attribute in ("__func__", "fget", "func", "__wrapped__"):
        inner = inspect.getattr_static(raw, attribute, None)
        if inner is not None:
            return getattr(raw, attribute)
    return raw


def home_of(value: Any) -> Any:
    """The module that holds the code; libraries overwrite `__module__`, globals they do not."""
    named = getattr(value, "__module__", None)
    if isinstance(value, type):
        prefix = getattr(value, "__qualname__", "") + "."
        for member in vars(value).values():
            if isinstance(member, types.FunctionType) and member.__qualname__.startswith(prefix):
                found = member.__globals__.get("__name__")
                # methods made by exec (dataclasses, named tuples) live nowhere
                return found if isinstance(found, str) and found.partition(".")[0] == top_of(named) else named
        return named
    function = unwrapped(inner_of(value))
    found = getattr(function, "__globals__", {}).get("__name__")
    return found if isinstance(found, str) and isinstance(named, str) else named


def top_of(module: Any) -> str | None:
    """The first segment of a module's name."""
    return module.partition(".")[0] if isinstance(module, str) else None


def unwrapped(function: Any) -> Any:
    """What decorators that say so wrapped."""
    try:
        return inspect.unwrap(function)
    except BaseException:
        return function


def describe(found: Found, tops: set[str], relations: dict[str, list[str]] | None) -> dict[str, Any]:
    """One entry of the surface."""
    value = found.value
    function = inner_of(value) if found.owner else value
    parameters, returns = signature_of(found)
    home = home_of(value if not found.owner else function)
    return {
        "name": found.canonical(),
        "kind": found.kind,
        "paths": sorted(found.paths),
        "evidence": sorted({tuple(evidence) for evidence in found.paths.values() if evidence}),
        "defined_in": home if isinstance(home, str) else None,
        "qualname": text_or_none(getattr(function, "__qualname__", None)),
        "parameters": parameters,
        "borrowed": is_borrowed(found, tops),
        "return_type": returns,
        "docstring": docstring_of(found, function),
        "deprecated": any("__deprecated__" in vars_of(marked) for marked in (value, function)),  # PEP 702
        **(relations or {"bases": [], "others": []}),
    }


def is_borrowed(found: Found, tops: set[str]) -> bool:
    """Whether the signature is another library's: a method from there, or a class that builds its instances there."""
    if found.kind != "class":
        return top_of(home_of(inner_of(found.value) if found.owner else found.value)) not in tops
    bases: tuple[type, ...] = found.value.__mro__[:-1]
    makers = [base for base in bases if {"__init__", "__new__"} & set(vars(base))]
    own_fields = model_fields_of(found.value) or hasattr(found.value, "__required_keys__")
    return bool(makers) and top_of(makers[0].__module__) not in tops and not own_fields


def docstring_of(found: Found, function: Any) -> str | None:
    """The object's own docstring; what `object` or the dataclass machinery lends is none."""
    value = found.value
    own = vars_of(value).get("__doc__") if found.kind == "class" else getattr(value, "__doc__", None)
    if not isinstance(own, str) and found.owner:
        own = getattr(function, "__doc__", None)
    if not isinstance(own, str) or not own.strip():
        return None
    if found.kind == "class" and own.startswith(f"{value.__name__}("):
        return None
    return inspect.cleandoc(own)[:MAX_TEXT]


def vars_of(value: Any) -> dict[str, Any]:
    """An object's own attributes, also of one that has none."""
    own: Any = getattr(value, "__dict__", {})
    return own


def signature_of(found: Found) -> tuple[list[dict[str, Any]] | None, str | None]:
    """(parameters, return annotation); parameters are None where nothing is known."""
    value = found.value
    if found.kind == "property":
        return [], annotation_of(getattr(inner_of(value), "__annotations__", {}).get("return", inspect.Signature.empty))
    if found.kind == "class":
        if hasattr(value, "__required_keys__"):
            return typed_dict_parameters(value), None
        if issubclass(value, enum.Enum) or getattr(value, "_is_protocol", False):
            return None, None
    try:
        target = inner_of(value) if found.owner else value
        signature = limited(inspect.signature, target)
        parameters = list(signature.parameters.values())
        if found.kind in ("method", "classmethod") and not inspect.ismethod(target):
            parameters = parameters[1:] if parameters and parameters[0].kind in (0, 1) else parameters
        known = [parameter_of(parameter) for parameter in parameters]
        if found.kind == "class":
            add_model_fields(value, known)
            return known, None
        return known, annotation_of(signature.return_annotation)
    except BaseException:
        return None, None


def parameter_of(parameter: inspect.Parameter) -> dict[str, Any]:
    """A parameter as JSON."""
    variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    required = parameter.default is parameter.empty and not variable
    default = None if required or variable else default_of(parameter.default)
    return described(
        _MANGLED.sub("__", parameter.name), parameter.kind.name.lower(), parameter.annotation, default, required
    )


def described(name: str, kind: str, annotation: Any, default: str | None, required: bool) -> dict[str, Any]:
    """The form that a parameter has on disk."""
    texts = {"annotation": annotation_of(annotation), "default": default, "description": None}
    return {"name": name, "kind": kind, "required": required, **texts}


def annotation_of(annotation: Any) -> str | None:
    """An annotation as text."""
    if annotation is inspect.Signature.empty:
        return None
    annotation = getattr(annotation, "__forward_arg__", annotation)
    return clean(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def typed_dict_parameters(value: Any) -> list[dict[str, Any]]:
    """The keys of a TypedDict as keyword parameters."""
    keys = value.__annotations__.items()
    return [described(key, "keyword_only", form, None, key in value.__required_keys__) for key, form in keys]


def add_model_fields(value: Any, parameters: list[dict[str, Any]]) -> None:
    """Complete the parameters of a pydantic model from its fields: factories, requiredness, descriptions."""
    fields = model_fields_of(value)
    by_name = {alias: field for name, field in fields.items() for alias in (name, getattr(field, "alias", None))}
    for parameter in parameters:
        field = by_name.get(parameter["name"])
        if field is None or not hasattr(field, "is_required"):
            continue
        parameter["required"] = bool(field.is_required())
        factory = getattr(field, "default_factory", None)
        if factory is not None:
            parameter["default"] = f"<factory {default_of(factory)}>"
        parameter["description"] = text_or_none(getattr(field, "description", None))


def model_fields_of(value: Any) -> dict[str, Any]:
    """The fields of a pydantic model; none of anything else."""
    fields: dict[str, Any] = vars_of(value).get("__pydantic_fields__") or getattr(value, "model_fields", None) or {}
    return fields if type(fields) is dict else {}


def default_of(default: Any) -> str:
    """A default as text that is the same on every machine and in every run."""
    if isinstance(default, enum.Enum):
        return f"{type(default).__name__}.{default.name}"
    if isinstance(default, type) or inspect.isroutine(default):
        module, name = getattr(default, "__module__", None), getattr(default, "__qualname__", None)
        return clean(f"{module}.{name}" if module and module != "builtins" else str(name))
    if type(default) in (set, frozenset):
        return "{" + ", ".join(sorted(default_of(item) for item in default)) + "}"
    return clean(text_of(default, MAX_DEFAULT, repr))


def clean(text: str) -> str:
    """Without addresses and the folders of this machine."""
    text = _ADDRESS.sub("", text)
    for folder in sorted({sys.prefix, sys.base_prefix, os.getcwd(), os.path.expanduser("~")}, key=len, reverse=True):
        if len(folder) > 1:
            text = text.replace(folder, "<folder>")
    return text


def text_of(value: Any, length: int, how: Callable[[Any], str] = str) -> str:
    """`how(value)`, cut; never an error."""
    try:
        text = how(value)
        return text if len(text) <= length else text[:length] + "..."
    except BaseException:
        return f"<{type(value).__name__}>"


def text_or_none(value: Any) -> str | None:
    """A string as it is, anything else as None."""
    return value if isinstance(value, str) else None

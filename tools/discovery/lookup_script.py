"""Looks names up in an installed library; runs inside the sandbox, with the standard library only.

It shares nothing with the walk that discovery uses: it starts from the names and asks Python for them. `main` is given
{"asked": [{"name", "keywords"}], "prepare": Python to run first} and returns one fact for each name, see `fact_of`.
"""

# Whatever a library raises is a fact about it, so everything is caught.
# ruff: noqa: BLE001, S112
from __future__ import annotations

import enum
import importlib
import inspect
import re
import signal
import sys
import types
import warnings
from typing import Any, NoReturn

SECONDS = 60
CALL_SECONDS = 5
INVENTED = "no_such_keyword_exists"
DOC_CHARACTERS = 400
ENOUGH_WORDS = 40  # a shorter docstring is no sign that two objects are the same
_FORMS = "did not match C++ signature:"  # after it Boost's refusal has one line for each form that it was compiled with
_MANGLED = re.compile(r"^_[A-Za-z]\w*?__(?=[A-Za-z])")  # what a class makes of a parameter `__x`
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_REFUSED = re.compile(r"unexpected keyword|invalid keyword|no keyword arguments|unrecognized keyword|unknown keyword")


def main(argument: dict[str, Any]) -> list[dict[str, Any]]:
    """The facts about every name asked for, in their order."""
    warnings.simplefilter("ignore")
    exec(argument.get("prepare", ""), {"__name__": "prepare"})  # noqa: S102  as before the walk, in the sandbox
    asked = argument["asked"]
    return [fact_of(question["name"], question.get("keywords", ()), question.get("doc")) for question in asked]


def fact_of(name: str, keywords: Any, doc: str | None) -> dict[str, Any]:
    """Tell whether `name` can be reached, what it is, and how it can be called.

    `accepts` says of each of `keywords` whether it may be given by name: true, false, or null where calling does not
    tell. `elsewhere` is another name under which a loaded module of the library has an object with the docstring `doc`.
    """
    fact: dict[str, Any] = {"name": name, "found": False, "kind": None, "parameters": None, "returns": None}
    fact |= {"doc": None, "fields": [], "accepts": {}, "elsewhere": None, "reason": None, "overloads": 0}
    try:
        value, owner, raw = limited(SECONDS, reach, name)
    except BaseException as error:
        fact["reason"] = f"{type(error).__name__}: {error}"[:300]
        if doc:
            fact["elsewhere"] = elsewhere(name, doc)
        return fact
    function = value if owner is None else callable_of(raw, value)
    fact.update(found=True, kind=kind_of(value, owner, raw), doc=doc_of(value))
    fact["fields"] = sorted(fields_of(value)) if isinstance(value, type) else []
    fact["parameters"], fact["returns"] = signature_of(function, owner, raw)
    if fact["parameters"] is None and callable(function):
        forms = forms_of(function)
        fact["overloads"] = len(forms)
        fact["accepts"] = {keyword: accepts(function, keyword, forms) for keyword in keywords}
    return fact


def reach(name: str) -> tuple[Any, type | None, Any]:
    """(value, class that holds it, what the class keeps under the name); imports what must be imported.

    Raises:
        AttributeError, ImportError: when there is nothing of that name.
    """
    segments = name.split(".")
    value: Any = importlib.import_module(segments[0])
    owner: type | None = None
    raw: Any = None
    for place, segment in enumerate(segments[1:], start=1):
        owner = value if isinstance(value, type) else None
        if owner is not None:
            value, raw = member_of(owner, segment)
            continue
        try:
            value = getattr(value, segment)
        except AttributeError:
            if not isinstance(value, types.ModuleType):
                raise
            value = importlib.import_module(".".join(segments[: place + 1]))
    return value, owner, raw


def member_of(owner: type, name: str) -> tuple[Any, Any]:
    """An attribute of a class, or a field that only its instances have."""
    try:
        raw = inspect.getattr_static(owner, name)
    except AttributeError:
        if name in fields_of(owner):
            return ..., ...
        value = getattr(owner, name)  # a metaclass may know it
        return value, value
    try:
        return getattr(owner, name), raw
    except AttributeError:  # a descriptor that only instances may ask
        return raw, raw


def fields_of(owner: type) -> set[str]:
    """Names that a class declares for its instances: annotations, fields of models and dataclasses, enum members."""
    found: set[Any] = set()
    for base in owner.__mro__:
        own = vars(base)
        found.update(own.get("__annotations__", ()))
        for table in ("__dataclass_fields__", "__pydantic_fields__", "model_fields", "_fields", "__members__"):
            try:
                found.update(getattr(base, table, None) or ())
            except BaseException:
                continue
    return {name for name in found if isinstance(name, str)}


def kind_of(value: Any, owner: type | None, raw: Any) -> str:
    """class, function, method, property, enum_member, field, module or data."""
    if value is ...:
        return "field"
    if isinstance(value, type):
        return "class"
    if isinstance(value, types.ModuleType):
        return "module"
    if owner is not None and isinstance(value, enum.Enum):
        return "enum_member"
    if owner is not None and callable(callable_of(raw, value)) and not isinstance(raw, property):
        return "method"
    if owner is not None:
        return "property" if hasattr(raw, "__get__") else "field"
    return "function" if callable(value) else "data"


def callable_of(raw: Any, value: Any) -> Any:
    """What is called by `instance.name(...)`: the bound class or static method, else the function."""
    if isinstance(raw, property):
        return None
    return value if callable(value) else getattr(raw, "__func__", None)


def signature_of(function: Any, owner: type | None, raw: Any) -> tuple[list[dict[str, Any]] | None, str | None]:
    """(parameters as a caller sees them, return annotation); None where Python cannot tell."""
    try:
        signature = limited(CALL_SECONDS, inspect.signature, function)
    except BaseException:
        return None, None
    parameters = as_it_takes_them(list(signature.parameters.values()), function)
    is_plain = owner is not None and not isinstance(raw, (staticmethod, classmethod)) and not inspect.ismethod(function)
    if is_plain and not isinstance(function, type) and parameters and parameters[0].kind.value < 2:
        parameters = parameters[1:]
    returns = signature.return_annotation
    return [parameter_of(p) for p in parameters], None if returns is inspect.Signature.empty else text_of(returns)


def as_it_takes_them(parameters: list[inspect.Parameter], function: Any) -> list[inspect.Parameter]:
    """As the wrapped function declares them where a wrapper only says that they will be keyword-only one day."""
    try:
        inner = list(inspect.signature(inspect.unwrap(function)).parameters.values())
    except BaseException:
        return parameters
    return inner if [p.name for p in inner] == [p.name for p in parameters] else parameters


def parameter_of(parameter: inspect.Parameter) -> dict[str, Any]:
    """A parameter as JSON; two leading underscores were the sign of positional-only before there was a `/`."""
    variable = parameter.kind.value in (2, 4)
    has_default = parameter.default is not parameter.empty
    default = text_of(parameter.default) if has_default else None
    required = not has_default and not variable
    name = _MANGLED.sub("__", parameter.name)
    kind = "positional_only" if name.startswith("__") else parameter.kind.name.lower()
    annotation = None if parameter.annotation is parameter.empty else text_of(parameter.annotation)
    return {"name": name, "kind": kind, "required": required, "default": default, "annotation": annotation}


def accepts(function: Any, keyword: str, forms: list[str]) -> bool | None:
    """Tell whether a function without a signature knows a keyword, by giving it to a call that cannot succeed.

    A function of Boost names the keywords of all its `forms` when it refuses. None where an invented keyword is not
    refused either, as where the number of arguments is looked at first.
    """
    if forms:
        return any(re.search(rf"\b{re.escape(keyword)}\b", form) for form in forms)
    if _REFUSED.search(refusal(function, keyword)):
        return False
    return True if _REFUSED.search(refusal(function, INVENTED)) else None


def forms_of(function: Any) -> list[str]:
    """The forms that a function of Boost tells when it refuses a call; none for others."""
    return [line for line in refusal(function, INVENTED).partition(_FORMS)[2].splitlines() if line.strip()]


def refusal(function: Any, keyword: str) -> str:
    """What the function says of a call with this keyword alone that it refuses for its arguments."""
    try:
        limited(CALL_SECONDS, lambda: function(**{keyword: object()}))
    except TypeError as error:
        return str(error)
    except BaseException:
        return ""
    return ""


def elsewhere(name: str, doc: str) -> str | None:
    """Another loaded name for an object with the same last name and docstring."""
    top, leaf = name.partition(".")[0], name.rpartition(".")[2]
    if len(doc) < ENOUGH_WORDS:
        return None
    for module_name in sorted(sys.modules):
        if module_name.partition(".")[0] == top:
            try:
                found = vars(sys.modules[module_name]).get(leaf)
            except BaseException:
                continue
            if found is not None and doc_of(found) == doc:
                return f"{module_name}.{leaf}"
    return None


def doc_of(value: Any) -> str | None:
    """The beginning of a docstring."""
    try:
        doc = value.__doc__
    except BaseException:
        return None
    return inspect.cleandoc(doc)[:DOC_CHARACTERS] if isinstance(doc, str) and not isinstance(value, str) else None


def text_of(value: Any) -> str:
    """A value as text without addresses; never an error."""
    try:
        if isinstance(value, str):
            return repr(value)
        if isinstance(value, type):
            return f"{value.__module__}.{value.__qualname__}"
        return _ADDRESS.sub("", repr(value))[:300]
    except BaseException:
        return f"<{type(value).__name__}>"


def limited(seconds: int, function: Any, *arguments: Any) -> Any:
    """Call, but for no longer than `seconds`."""

    def late(*_: object) -> NoReturn:
        raise TimeoutError(f"took more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        return function(*arguments)
    finally:
        signal.alarm(0)

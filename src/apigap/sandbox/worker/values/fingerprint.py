"""A value as canonical JSON, made without running anything that the value's own class could have overridden.

The forms (every tagged form is an object, so none can be mistaken for another):

    null, booleans, integers, finite floats, strings    themselves
    list                                                a JSON array
    tuple, set, frozenset                               {"tuple": [...]}, sets sorted by canonical form
    dict                                                {"dict": [[key, value], ...]} in insertion order
    nan and infinities, huge integers                   {"float": "nan"}, {"int": "0x.."}
    complex, bytes                                      {"complex": [real, imaginary]}, {"bytes": hex}
    long strings and bytes                              {"str": head, "length": n, "sha256": digest}
    numpy arrays and scalars                            {"array": {dtype, shape, values}}, {"numpy": dtype, "value": v}
    subclasses of arrays                                {"type": T, "base": array} and "mask" or "fields"
    pandas objects                                      {"type": T, "frame": {...}}
    an observed lazy iterator                           {"type": T, "iterator": [...], "more": bool}
    classes, functions, modules                         {"class": name}, {"function": name}, {"module": name}
    enum members                                        {"type": T, "enum": name, "value": v}
    exceptions                                          {"type": T, "args": [...], "fields": [[name, value], ...]}
    a subclass of a builtin                             {"type": T, "base": form, "fields": [...]}
    dates, decimals, paths and other plain values       {"type": T, "text": str}
    anything else                                       {"type": T, "fields": [...]} and "text" where all state is in C,
                                                        or not all of the fields is kept
    what the bounds leave out                           {"cut": true}
    a reference back to an open container               {"cycle": levels up}

Types are told apart by identity of `type(value)`, values are read through slots of the base class: an overridden
`__eq__`, `__class__`, `__len__`, `__repr__` or `__iter__` is never called. No address and no id enters the form.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import hashlib
import sys
import types
from typing import Any, NamedTuple

from ..protocol import dumps
from .lazy import Unrolled
from .names import base_values, instance_dict, own_name, type_mro, type_name
from .opaque import describe_opaque, own_fields
from .plain import plain_text
from .tables import describe_array

_ids = id
_type = type
_sha256 = hashlib.sha256
_HUGE = 1 << 63


class Bounds(NamedTuple):
    """Bounds on the part of a value that is kept.

    `asks` says whether an object of which not all is kept is asked for its text, too. That runs code of the library,
    which may keep what it has found in the object: no argument of a call is asked while the answer still runs.
    """

    depth: int = 12
    nodes: int = 20_000
    text: int = 20_000
    asks: bool = True


BOUNDS = Bounds()
ARGUMENT_BOUNDS = Bounds(depth=4, nodes=300, text=500, asks=False)


def fingerprint(value: Any, bounds: Bounds = BOUNDS) -> Any:
    """The canonical JSON form of `value`; never raises for a value that misbehaves, it is cut instead."""
    return Printer(bounds).of(value)


class Printer:
    """One fingerprint in the making: the budget that is left and the containers that are open."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.nodes = bounds.nodes
        self.cuts = 0
        self.open: list[int] = []

    def of(self, value: Any) -> Any:
        """The form of one value."""
        self.nodes -= 1
        cls = _type(value)
        if cls is Unrolled:
            return {"type": type_name(value.cls), "iterator": self.items(value.items), "more": value.more}
        if value is None or cls is bool:
            return value
        if cls is str or cls is int or cls is float:
            return self._scalar(cls, value)
        identity = _ids(value)
        for up, known in enumerate(reversed(self.open), start=1):
            if known == identity:
                return {"cycle": up}
        if self.nodes <= 0 or len(self.open) >= self.bounds.depth:
            return self.cut()
        self.open.append(identity)
        try:
            return self._compound(cls, value)
        except Exception:
            return {"type": type_name(cls), "cut": True}
        finally:
            self.open.pop()

    def cut(self) -> dict[str, bool]:
        """The mark in the place of what the bounds leave out."""
        self.cuts += 1
        return {"cut": True}

    def items(self, values: Any) -> list[Any]:
        """The forms of several values, in order; what exceeds the budget is left out."""
        forms: list[Any] = []
        for value in values:
            if self.nodes <= 0:
                forms.append(self.cut())
                break
            forms.append(self.of(value))
        return forms

    def fields(self, pairs: Any) -> list[list[Any]]:
        """Named values as [[name, form], ...], sorted by name."""
        known = [(str.__str__(name), value) for name, value in pairs if issubclass(_type(name), str)]
        known.sort(key=_first)
        forms: list[list[Any]] = []
        for name, value in known:
            if self.nodes <= 0:
                forms.append(["...", self.cut()])
                break
            forms.append([name, self.of(value)])
        return forms

    def _scalar(self, cls: type, value: Any) -> Any:
        if cls is str:
            return self._text(value)
        if cls is int:
            return value if -_HUGE <= value < _HUGE else {"int": hex(value)}
        if value != value:
            return {"float": "nan"}
        if value in (_INFINITY, -_INFINITY):
            return {"float": "inf" if value > 0 else "-inf"}
        return value

    def _text(self, value: str) -> Any:
        limit = self.bounds.text
        if len(value) <= limit:
            return value
        digest = _sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
        return {"str": value[: limit // 10], "length": len(value), "sha256": digest}

    def long_bytes(self, value: bytes) -> Any:
        """Bytes in hex, or their head and digest."""
        limit = self.bounds.text
        if len(value) <= limit:
            return {"bytes": value.hex()}
        return {"bytes": value[: limit // 10].hex(), "length": len(value), "sha256": _sha256(value).hexdigest()}

    def _compound(self, cls: type, value: Any) -> Any:
        exact = _EXACT.get(_ids(cls))
        if exact is not None:
            return exact(self, value)
        mro = type_mro(cls)
        for special in (_of_class_or_function, describe_array, plain_text, _of_enum, _of_exception):
            form = special(self, cls, mro, value)
            if form is not None:
                return form
        for base in mro[1:]:
            reader = _EXACT.get(_ids(base))
            if reader is not None:
                return self._subclass(cls, reader(self, value), value)
            if base is str or base is int or base is float:
                return self._subclass(cls, self._scalar(base, base_values[base](value)), value)
        return describe_opaque(self, cls, mro, value)

    def _subclass(self, cls: type, base: Any, value: Any) -> Any:
        form = {"type": type_name(cls), "base": base}
        fields = own_fields(self, value)
        if fields:
            form["fields"] = fields
        return form


_INFINITY = float("inf")


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]


def _list(printer: Printer, value: Any) -> Any:
    return printer.items(list.__iter__(value))


def _tuple(printer: Printer, value: Any) -> Any:
    return {"tuple": printer.items(tuple.__iter__(value))}


def _set(printer: Printer, value: Any) -> Any:
    return {"set": sorted(printer.items(set.__iter__(value)), key=dumps)}


def _frozenset(printer: Printer, value: Any) -> Any:
    return {"frozenset": sorted(printer.items(frozenset.__iter__(value)), key=dumps)}


def _dict(printer: Printer, value: Any) -> Any:
    return {"dict": _pairs(printer, dict.items(value))}


def _pairs(printer: Printer, items: Any) -> list[Any]:
    pairs: list[Any] = []
    for key, item in items:
        if printer.nodes <= 0:
            pairs.append([printer.cut(), printer.cut()])
            break
        pairs.append([printer.of(key), printer.of(item)])
    return pairs


def _mapping_proxy(printer: Printer, value: Any) -> Any:
    # A copy calls the methods of the mapping behind it; only a plain dictionary there is known to be harmless.
    return {"mappingproxy": _pairs(printer, dict.items(types.MappingProxyType.copy(value)))}


def _complex(printer: Printer, value: Any) -> Any:
    real, imag = base_values[complex](value)
    return {"complex": [printer.of(real), printer.of(imag)]}


def _bytes(printer: Printer, value: Any) -> Any:
    return printer.long_bytes(bytes.__getitem__(value, slice(None)))


def _bytearray(printer: Printer, value: Any) -> Any:
    whole = bytes(bytearray.__getitem__(value, slice(None)))
    return {"bytearray": printer.long_bytes(whole)}


def _range(printer: Printer, value: Any) -> Any:
    return {"range": [printer.of(value.start), printer.of(value.stop), printer.of(value.step)]}


def _slice(printer: Printer, value: Any) -> Any:
    return {"slice": [printer.of(value.start), printer.of(value.stop), printer.of(value.step)]}


def _view(printer: Printer, value: Any) -> Any:
    return {"view": printer.items(value)}


def _module(printer: Printer, value: Any) -> Any:
    name = types.ModuleType.__getattribute__(value, "__dict__").get("__name__")
    return {"module": name if _type(name) is str else "?"}


def _singleton(printer: Printer, value: Any) -> Any:
    return {"type": type_name(_type(value))}


_EXACT: dict[int, Any] = {
    _ids(list): _list,
    _ids(tuple): _tuple,
    _ids(set): _set,
    _ids(frozenset): _frozenset,
    _ids(dict): _dict,
    _ids(complex): _complex,
    _ids(bytes): _bytes,
    _ids(bytearray): _bytearray,
    _ids(range): _range,
    _ids(slice): _slice,
    _ids(types.ModuleType): _module,
    _ids(types.MappingProxyType): _mapping_proxy,
    _ids(_type({}.keys())): _view,
    _ids(_type({}.values())): _view,
    _ids(_type({}.items())): _view,
    _ids(_type(...)): _singleton,
    _ids(_type(NotImplemented)): _singleton,
}

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.WrapperDescriptorType, types.MethodDescriptorType)


def _of_class_or_function(printer: Printer, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    if any(base is _type for base in mro):
        return {"class": type_name(value)}
    if cls is types.MethodType:
        return {"method": _function_name(value.__func__)}
    if any(cls is known for known in _FUNCTIONS):
        return {"function": _function_name(value)}
    return None


def _function_name(function: Any) -> str:
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None)
    if not isinstance(name, str):
        return str.__str__(module) if isinstance(module, str) else "?"
    if not isinstance(module, str):
        return str.__str__(name)
    return f"{str.__str__(module)}.{own_name(module, str.__str__(name))}"


def _of_enum(printer: Printer, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    enum = sys.modules.get("enum")
    base = getattr(enum, "Enum", None)
    if base is None or not any(known is base for known in mro):
        return None
    state = dict(instance_dict(value) or {})
    return {"type": type_name(cls), "enum": printer.of(state.get("_name_")), "value": printer.of(state.get("_value_"))}


_args = BaseException.__dict__["args"].__get__


def _of_exception(printer: Printer, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    if not any(base is BaseException for base in mro):
        return None
    args = _args(value)
    if not args:  # all that it says may be state in C, as in pydantic_core's ValidationError
        return {**describe_opaque(printer, cls, mro, value), "args": []}
    form: dict[str, Any] = {"type": type_name(cls), "args": printer.items(tuple.__iter__(args))}
    fields = own_fields(printer, value)
    return {**form, "fields": fields} if fields else form

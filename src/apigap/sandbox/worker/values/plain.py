"""Plain value types whose text says everything: dates, decimals, paths, addresses."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import datetime
import decimal
import fractions
import functools
import ipaddress
import pathlib
import re
import types
import uuid
from typing import Any

from .names import type_module, type_name

_TEXT: dict[int, Any] = {
    id(datetime.datetime): datetime.datetime.isoformat,
    id(datetime.date): datetime.date.isoformat,
    id(datetime.time): datetime.time.isoformat,
    id(datetime.timedelta): datetime.timedelta.__repr__,
    id(datetime.timezone): datetime.timezone.__repr__,
    id(decimal.Decimal): decimal.Decimal.__str__,
    id(fractions.Fraction): fractions.Fraction.__str__,
    id(uuid.UUID): uuid.UUID.__str__,
    id(pathlib.PurePosixPath): pathlib.PurePath.__str__,
    id(pathlib.PosixPath): pathlib.PurePath.__str__,
    id(pathlib.PureWindowsPath): pathlib.PurePath.__str__,
    id(ipaddress.IPv4Address): ipaddress.IPv4Address.__str__,
    id(ipaddress.IPv6Address): ipaddress.IPv6Address.__str__,
    id(ipaddress.IPv4Network): ipaddress.IPv4Network.__str__,
    id(ipaddress.IPv6Network): ipaddress.IPv6Network.__str__,
    id(ipaddress.IPv4Interface): ipaddress.IPv4Interface.__str__,
    id(ipaddress.IPv6Interface): ipaddress.IPv6Interface.__str__,
    id(types.GenericAlias): types.GenericAlias.__repr__,
}
_UNION = getattr(types, "UnionType", None)


def plain_text(printer: Any, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    """{"type", "text"} for the exact plain types, patterns and partials; None for anything else."""
    text = _TEXT.get(id(cls))
    if text is not None:
        return {"type": type_name(cls), "text": text(value)}
    if cls is re.Pattern:
        return {"type": "re.Pattern", "text": printer.of(value.pattern), "flags": value.flags}
    if cls is functools.partial:
        parts = (value.func, value.args, value.keywords)
        return {"type": "functools.partial", "partial": printer.items(parts)}
    if cls is _UNION or type_module(cls) == "typing":
        return {"type": type_name(cls), "text": repr(value)}
    return None

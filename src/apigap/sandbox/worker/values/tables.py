"""numpy arrays and scalars, tables of pandas and polars, tensors: type, shape and values, or samples of large ones.

numpy's classes are recognised by being compiled in, which no Python code can imitate, and are read through
the methods of those classes. pandas and torch are written in Python: their classes are looked up where the
library keeps them.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import hashlib
import sys
from typing import Any

from .many import many
from .names import first_namespace, instance_dict, is_static, type_module, type_mro, type_name
from .opaque import own_fields, own_text

_WHOLE = 1_000
_SAMPLES = 100
_BLOCKS = 64
_ODD = 10_000
_IN_MEMORY = "biufcmM"
"""Kinds of dtypes whose elements are the memory that they lie in."""
_PASSING = ("info",)  # what astropy makes of an array when somebody asks for it


def describe_array(printer: Any, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    """The form of an array, an array scalar, a frame or a tensor; None for anything else."""
    for base in mro:
        module = type_module(base)
        if module == "numpy" and is_static(base):
            form = _numpy(printer, base, value)
            if form is not None:
                return form if base is cls or base.__name__ == "generic" else _subclass(printer, cls, mro, value, form)
        elif module.startswith("pandas."):
            form = _pandas(printer, mro, value)
            if form is not None:
                return {"type": _own_name(cls), "frame": form}
        elif module == "torch" and base.__name__ == "Tensor":
            return {"type": type_name(cls), "tensor": _torch(printer, value)}
        elif module.startswith("polars.") and base is cls:
            return _polars(printer, cls, value)
    return None


def _subclass(printer: Any, cls: type, mro: tuple[type, ...], value: Any, array: Any) -> dict[str, Any]:
    """An array of a class of its own, with its mask, or what else it keeps: a unit, the name of a column."""
    form = {"type": type_name(cls), "base": array}
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    if any(base is masked for base in mro):
        mask = (instance_dict(value) or {}).get("_mask")
        form["mask"] = printer.of(mask) if getattr(mask, "shape", ()) or mask else None
    elif type_module(cls).partition(".")[0] != "numpy":
        fields = own_fields(_ByText(printer), value)
        if fields:
            form["fields"] = fields
    return form


class _ByText:
    """Writes down what belongs to an array: objects of Python classes by their text, which holds no caches."""

    def __init__(self, printer: Any) -> None:
        self.printer = printer

    def fields(self, pairs: Any) -> list[list[Any]]:
        """Named values as [[name, form], ...], sorted by name."""
        known = [(name, value) for name, value in pairs if type(name) is str and name not in _PASSING]
        return [[name, self._of(value)] for name, value in sorted(known, key=lambda pair: pair[0])]

    def _of(self, value: Any) -> Any:
        cls = type(value)
        text = None if is_static(cls) else own_text(type_mro(cls), value)
        return self.printer.of(value) if text is None else {"type": type_name(cls), "text": text}


def _own_name(cls: type) -> str:
    """The class's name; one that only says that it is of pandas, and is not to be found there, is not that class."""
    name, module = type_name(cls), type_module(cls)
    if module.partition(".")[0] != "pandas":
        return name
    return name if getattr(sys.modules.get(module), name.rpartition(".")[2], None) is cls else f"not {name}"


def _numpy(printer: Any, base: type, value: Any) -> Any:
    name = base.__name__
    space = first_namespace(base)
    if name == "ndarray":
        return {"array": _array(printer, space, value)}
    if name == "generic":
        plain = space["item"](value)
        text = type_module(type(plain)) == "numpy"
        return {"numpy": type(value).__name__, "value": str(plain) if text else printer.of(plain)}
    return None


def _array(printer: Any, space: Any, value: Any) -> Any:
    dtype, shape = space["dtype"].__get__(value), space["shape"].__get__(value)
    form: dict[str, Any] = {"dtype": str(dtype), "shape": [int(size) for size in shape]}
    flat = space["reshape"](value, -1)
    count = space["size"].__get__(value)
    if count <= _WHOLE:
        form["values"] = printer.items(space["tolist"](flat))
        return form
    step = count // _SAMPLES
    form["samples"] = printer.items(space["tolist"](flat[:: step or 1][:_SAMPLES]))
    if dtype.kind in "fc":
        form.update(_blocks(printer, space, space["astype"](flat, "complex128"), count))
    elif dtype.kind in "OT":
        form.update(many(printer, space["tolist"](flat)))
    else:
        form["sha256"] = hashlib.sha256(space["tobytes"](value)).hexdigest()
    return form


def _blocks(printer: Any, space: Any, flat: Any, count: int) -> dict[str, Any]:
    """Sums over parts of a large array of floats, plain and weighted by place.

    A digest would make the last bit of a float decide. The sums keep every element and its place in play, within
    tolerance. What is not finite would hide all else in a sum, so it is taken out and digested with its places.
    """
    odd = space["__ne__"](flat, flat) | (abs(flat) > sys.float_info.max)
    digest = hashlib.sha256(space["tobytes"](odd))
    digest.update(repr(space["tolist"](flat[odd])[:_ODD]).encode())
    space["__setitem__"](flat, odd, 0)
    size = -(-count // _BLOCKS)
    parts = [flat[start : start + size] for start in range(0, count, size)]
    sums = [[complex(part.sum()), complex(part.cumsum().sum())] for part in parts]
    plain = [[number.real if not number.imag else [number.real, number.imag] for number in pair] for pair in sums]
    return {"blocks": printer.items(plain), "odd": digest.hexdigest(), "spread": printer.of(float(abs(flat).sum()))}


def _pandas(printer: Any, mro: tuple[type, ...], value: Any) -> Any:
    pandas: Any = sys.modules.get("pandas")
    if pandas is None:
        return None
    if any(base is pandas.DataFrame for base in mro):
        return {
            "columns": _index(printer, value.columns),
            "index": _index(printer, value.index),
            "dtypes": [str(dtype) for dtype in value.dtypes],
            "values": [_values(printer, value.iloc[:, at]) for at in range(value.shape[1])],
            **_beside(printer, pandas, value, list(value.dtypes)),
        }
    if any(base is pandas.Series for base in mro):
        return {
            "name": printer.of(value.name),
            "dtype": str(value.dtype),
            "index": _index(printer, value.index),
            "values": _values(printer, value),
            **_beside(printer, pandas, value, [value.dtype]),
        }
    if any(base is pandas.Index for base in mro):
        return {**_index(printer, value), **_beside(printer, pandas, value, [value.dtype])}
    return None


def _beside(printer: Any, pandas: Any, value: Any, dtypes: list[Any]) -> dict[str, Any]:
    """The categories of columns that have them, and the reference system of places: no name of a dtype tells either."""
    form: dict[str, Any] = {}
    kinds = [dtype for dtype in dtypes if isinstance(dtype, pandas.CategoricalDtype)]
    if kinds:
        form["categories"] = [[_values(printer, kind.categories), bool(kind.ordered)] for kind in kinds]
    if any(type_module(base).partition(".")[0] == "geopandas" for base in type_mro(type(value))):
        form["crs"] = str(getattr(value, "crs", None))
    return form


def _index(printer: Any, index: Any) -> Any:
    return {"names": printer.items(index.names), "dtype": str(index.dtype), "values": _values(printer, index)}


def _values(printer: Any, series: Any) -> Any:
    count = len(series)
    if count <= _WHOLE:
        return printer.items(series.tolist())
    step = count // _SAMPLES
    form = {"length": count, "samples": printer.items(series[:: step or 1].tolist()[:_SAMPLES])}
    numpy: Any = sys.modules["numpy"]
    if not isinstance(series.dtype, numpy.dtype) or series.dtype.kind not in _IN_MEMORY:
        return {**form, **many(printer, series.tolist())}
    whole = _array(printer, first_namespace(numpy.ndarray), series.to_numpy())
    return {**form, **{key: part for key, part in whole.items() if key not in ("dtype", "shape", "samples")}}


def _polars(printer: Any, cls: type, value: Any) -> Any:
    """A table or column of polars, as an object with its parts; None for anything else of polars."""
    polars: Any = sys.modules.get("polars")
    if cls is getattr(polars, "Series", None):
        parts = _polars_column(printer, value)
    elif cls is getattr(polars, "DataFrame", None):
        parts = {"columns": [_polars_column(printer, column) for column in value.get_columns()]}
    else:
        return None
    return {"type": type_name(cls), "fields": [[name, form] for name, form in parts.items()]}


def _polars_column(printer: Any, column: Any) -> dict[str, Any]:
    values = column.to_list()
    short = len(values) <= _WHOLE
    return {
        "dtype": str(column.dtype), "name": printer.of(column.name),
        "values": printer.items(values) if short else many(printer, values),
    }  # fmt: skip


def _torch(printer: Any, value: Any) -> Any:
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    form = {"dtype": str(value.dtype), "shape": [int(size) for size in value.shape]}
    if str(value.dtype) == "torch.bfloat16":
        plain = plain.float()
    array = plain.numpy()
    for base in type_mro(type(array)):
        if base.__name__ == "ndarray":
            return {**form, "array": _array(printer, first_namespace(base), array)}
    return form

"""numpy arrays and scalars, pandas objects, torch tensors: type, shape and values, or samples of large ones.

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

from .names import is_static, type_module, type_mro, type_name, type_namespace

_WHOLE = 1_000
_SAMPLES = 100
_BLOCKS = 64
_ODD = 10_000


def describe_array(printer: Any, cls: type, mro: tuple[type, ...], value: Any) -> Any:
    """The form of an array, an array scalar, a frame or a tensor; None for anything else."""
    for base in mro:
        module = type_module(base)
        if module == "numpy" and is_static(base):
            form = _numpy(printer, base, value)
            if form is not None:
                return form if base is cls or base.__name__ == "generic" else {"type": type_name(cls), "base": form}
        elif module.startswith("pandas."):
            form = _pandas(printer, mro, value)
            if form is not None:
                return {"type": _own_name(cls), "frame": form}
        elif module == "torch" and base.__name__ == "Tensor":
            return {"type": type_name(cls), "tensor": _torch(printer, value)}
    return None


def _own_name(cls: type) -> str:
    """The class's name; one that only says that it is of pandas, and is not to be found there, is not that class."""
    name, module = type_name(cls), type_module(cls)
    if module.partition(".")[0] != "pandas":
        return name
    return name if getattr(sys.modules.get(module), name.rpartition(".")[2], None) is cls else f"not {name}"


def _numpy(printer: Any, base: type, value: Any) -> Any:
    name = base.__name__
    space = type_namespace(base)
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
    elif dtype.kind != "O":
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
        }
    if any(base is pandas.Series for base in mro):
        return {
            "name": printer.of(value.name),
            "dtype": str(value.dtype),
            "index": _index(printer, value.index),
            "values": _values(printer, value),
        }
    if any(base is pandas.Index for base in mro):
        return _index(printer, value)
    return None


def _index(printer: Any, index: Any) -> Any:
    return {"names": printer.items(index.names), "dtype": str(index.dtype), "values": _values(printer, index)}


def _values(printer: Any, series: Any) -> Any:
    count = len(series)
    if count <= _WHOLE:
        return printer.items(series.tolist())
    step = count // _SAMPLES
    return {"length": count, "samples": printer.items(series[:: step or 1].tolist()[:_SAMPLES])}


def _torch(printer: Any, value: Any) -> Any:
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    form = {"dtype": str(value.dtype), "shape": [int(size) for size in value.shape]}
    if str(value.dtype) == "torch.bfloat16":
        plain = plain.float()
    array = plain.numpy()
    for base in type_mro(type(array)):
        if base.__name__ == "ndarray":
            return {**form, "array": _array(printer, type_namespace(base), array)}
    return form

"""Annotations compared by meaning: whether two name the same types, and whether one accepts more than another did."""

import ast
import builtins
import collections
import collections.abc
import functools
import re
import types
import typing
from collections.abc import Callable
from typing import NamedTuple

from apigap.discovery.values import NOT_GIVEN
from apigap.records.parsing.syntax import expression_tree, literal_value

_MAX_TEXT = 4000
_PRIVATE_NAME = re.compile(r"\b_[A-Za-z]\w*")
_TYPE_VARIABLE = re.compile(r"[~+-]\w+|[A-Z]|[A-Z]\w*_(?:co|contra)|AnyStr")
_RESPELT = {
    **{name: kind.__name__ for name, kind in vars(types).items() if isinstance(kind, type)},
    "List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Type": "type",
    "Deque": "deque", "DefaultDict": "defaultdict", "Text": "str", "NoneType": "None",
}  # fmt: skip
_TRANSPARENT = {"Annotated", "Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "InitVar"}
_ANYTHING = {"Any", "object", "Incomplete"}
_CONTAINERS: dict[str, type] = {
    **{kind.__name__: kind for kind in (list, tuple, dict, set, frozenset)},
    **{name: getattr(collections, name) for name in ("deque", "defaultdict", "OrderedDict", "Counter", "ChainMap")},
    **{
        name: getattr(collections.abc, name)
        for name in (
            "Iterable", "Iterator", "Generator", "Reversible", "Collection", "Container", "Sequence", "MutableSequence",
            "MutableSet", "Mapping", "MutableMapping", "KeysView", "ValuesView", "ItemsView",
        )
    },
    "AbstractSet": collections.abc.Set,
}  # fmt: skip
_INCLUDED = {"bool": "int", "int": "float", "float": "complex", "Path": "PathLike"}
"""Types that a type accepts beside its own instances (PEP 484), so that naming it as well is only spelling."""
_STANDARD = {*dir(builtins), *dir(typing), *dir(collections.abc), "..."}


class _Type(NamedTuple):
    """A name with what stands in its brackets; each argument is a union of types."""

    name: str
    arguments: tuple["_Union", ...] = ()


_Union = frozenset[_Type]
_Unknown = Callable[[str], bool]


def _nothing(_name: str) -> bool:
    return False


def same_annotation(old: str, new: str) -> bool:
    """Check that two annotations name the same types, however imported, quoted or written as a union.

    `floating[Any]` says no more than `floating`. What a private name (`_ArrayT`) stands for is not known, so nothing
    is known to differ from it.
    """
    if old == new or _PRIVATE_NAME.search(old) or _PRIVATE_NAME.search(new):
        return True
    one, other = _union_of(old), _union_of(new)
    return one is not None and one == other


def is_widened(old: str, new: str, *, to_none: bool = True, unknown: _Unknown = _nothing) -> bool:
    """Check that `new` accepts all that `old` accepted, and more.

    It does where a union has gained members, or a container has become one of its abstract bases (`list[str]`,
    `Iterable[str]`), also inside the brackets of another container. Nothing is gained by another spelling, by a name
    for what the old one accepted as well (`float | int`), by `Any` and `object`, which only say less, by a private
    name, whose meaning is not known, nor by a sentinel for "not given". Without `to_none` None is no gain either.
    `unknown` tells names that stand for something the text does not say, such as type variables.
    """
    before, after = _union_of(old), _union_of(new)
    if before is None or after is None or before == after:
        return False
    if not all(any(_accepts(wide, narrow, unknown) for wide in after) for narrow in before):
        return False
    gained = [
        one for one in after if not any(_accepts(known, one, unknown) or _includes(known, one) for known in before)
    ]
    return any(_tells(one) and (to_none or one.name != "None") for one in gained)


def _accepts(wide: _Type, narrow: _Type, unknown: _Unknown) -> bool:
    """Check that `wide` takes every value of `narrow`; what is not known in brackets, or not there, speaks for it."""
    if wide == narrow:
        return True
    if wide.name != narrow.name and not _is_base(wide.name, narrow.name):
        return False
    if not wide.arguments or not narrow.arguments:
        return True
    if wide.name == "Callable":
        return False
    inner = narrow.arguments
    if narrow.name == "tuple" and wide.name != "tuple":
        inner = (_Union().union(*inner) - {_Type("...")},)
    elif wide.name == narrow.name and len(wide.arguments) != len(inner):
        return False
    return all(_all_accepted(w, n, unknown) for w, n in zip(wide.arguments, inner, strict=False))


def _all_accepted(wide: _Union, narrow: _Union, unknown: _Unknown) -> bool:
    if any(_is_unknown(one.name, unknown) for one in wide | narrow):
        return True
    return all(any(_accepts(one, other, unknown) for one in wide) for other in narrow)


def _is_base(wide: str, narrow: str) -> bool:
    return wide in _CONTAINERS and narrow in _CONTAINERS and issubclass(_CONTAINERS[narrow], _CONTAINERS[wide])


def _is_unknown(name: str, unknown: _Unknown) -> bool:
    is_hidden = _PRIVATE_NAME.match(name) or _TYPE_VARIABLE.fullmatch(name)
    return bool(is_hidden) or (unknown(name) and name not in _STANDARD)


def _includes(known: _Type, one: _Type) -> bool:
    """Check that `one` is a special case of what was accepted before."""
    if known.name in _ANYTHING:
        return True
    if one.name.startswith("Literal "):
        return known.name == _type_of_literal(one.name)
    name = one.name
    while name in _INCLUDED:
        name = _INCLUDED[name]
        if name == known.name:
            return True
    return False


def _type_of_literal(name: str) -> str:
    try:
        return type(literal_value(name.removeprefix("Literal "))).__name__
    except (ValueError, SyntaxError):
        return ""


def _tells(one: _Type) -> bool:
    """Check that it is known what a caller may give now."""
    is_said = one.name not in _ANYTHING and not _is_unknown(one.name, _nothing)
    return is_said and not NOT_GIVEN.search(one.name.removesuffix("T"))


@functools.cache
def _union_of(text: str) -> _Union | None:
    """The types that an annotation names; None where it is no Python that says so."""
    if len(text) > _MAX_TEXT:
        return None
    try:
        return _union(expression_tree(text.strip()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _union(node: ast.expr) -> _Union:
    match node:
        case ast.Constant(value=str() as quoted):
            return _union(expression_tree(quoted.strip()))
        case ast.Constant():
            return _Union({_Type("..." if node.value is ... else repr(node.value))})
        case ast.BinOp(op=ast.BitOr()):
            return _union(node.left) | _union(node.right)
        case ast.Call(func=ast.Name(id="ForwardRef"), args=[first, *_]):
            return _union(first)
        case ast.List():
            return _Union({_Type("[]", tuple(map(_union, node.elts)))})
        case ast.Subscript():
            return _subscript(node)
        case ast.Name() | ast.Attribute():
            return _Union({_Type(_name(node))})
        case _:
            return _Union({_Type(ast.unparse(node))})  # `~T`, `*Ts`


def _subscript(node: ast.Subscript) -> _Union:
    name = _name(node.value)
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name in ("Union", "Optional"):
        return _Union().union(*map(_union, inner), {_Type("None")} if name == "Optional" else ())
    if name in _TRANSPARENT and inner:
        return _union(inner[0])
    if name == "Literal":
        return _Union(_Type("None" if ast.unparse(one) == "None" else f"Literal {ast.unparse(one)}") for one in inner)
    arguments = tuple(map(_union, inner))
    of_anything = all(argument <= {_Type("Any"), _Type("...")} for argument in arguments)
    return _Union({_Type(name, () if of_anything else arguments)})


def _name(node: ast.expr) -> str:
    """The last name: by which module it is reached is spelling, but for the two types called `Set`."""
    if isinstance(node, ast.Attribute):
        if node.attr == "Set" and ast.unparse(node.value).endswith("abc"):
            return "AbstractSet"
        return _RESPELT.get(node.attr, node.attr)
    return _RESPELT.get(node.id, node.id) if isinstance(node, ast.Name) else ast.unparse(node)

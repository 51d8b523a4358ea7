"""Finding the API that a qualified name means, and which code objects run when it is called."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import builtins
import importlib
import sys
import types
from typing import Any

from ..values.names import is_static, type_mro, type_namespace
from .c_call_tracer import can_watch
from .opaque_call import forwarding

_BUILTINS = (types.BuiltinFunctionType, types.MethodDescriptorType, types.ClassMethodDescriptorType)
_HOLDERS = ("fget", "fset", "func", "__func__", "wrapper")


class Unresolved(Exception):
    """The qualified name leads nowhere in this environment, or to something whose calls leave no trace."""


def _imported(module: str) -> types.ModuleType | None:
    """The module, or None where there is none of that name.

    Raises:
        Unresolved: where there is one that does not import.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            return None
        raise Unresolved(f"importing {module}: {error}") from None
    except Exception as error:
        raise Unresolved(f"importing {module}: {type(error).__name__}: {error}") from None


class Target:
    """A resolved target.

    `value` is what the name means, `owner` the class it was found on (or None), `cls` the target itself where it
    is a class. `codes` are the code objects that a call runs, `wrappers` those of decorators around it, `layers` the
    functions from the outermost decorator's to the innermost, `builtin` the C function that it is. `binds_first`
    tells that the first parameter (self, cls) is not the caller's, `hides_first` the same of the frame of the call
    (an object with `__call__` hides its self as well).

    Raises:
        Unresolved: with the reason.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.owner: type | None = None
        self.value = self._resolve(name)
        self.codes: set[types.CodeType] = set()
        self.functions: list[types.FunctionType] = []
        self.wrappers: set[types.CodeType] = set()
        self.layers: list[types.FunctionType] = []
        self.builtin: Any = None
        self.cls = self.value if isinstance(self.value, type) else None
        self.binds_first = self.cls is not None or (self.owner is not None and not isinstance(self.value, staticmethod))
        self.instance: Any = None
        if self.cls is not None:
            self._collect_class(self.cls)
        else:
            self._collect(self.value)
        # What neither runs Python code nor is a C function has to be watched at the place of the call.
        self.silent = not self.codes and self.builtin is None
        if self.silent and not (callable(self.value) and can_watch()):
            what = f"a {type(self.value).__name__} made in C" if callable(self.value) else "nothing that can be called"
            raise Unresolved(f"it is {what}, whose calls leave no trace in Python {sys.version.split()[0]}")
        self.hides_first = self.binds_first or self.instance is not None

    def takes(self, first: Any) -> bool:
        """Tell whether a call with this first argument is one of this target (always so outside classes)."""
        if self.instance is not None:
            return first is self.instance
        wanted = self.cls or (self.owner if self.binds_first else None)
        if wanted is None:
            return True
        kind = type(first)
        own = type_mro(first) if any(base is type for base in type_mro(kind)) else ()
        return any(base is wanted for base in (*type_mro(kind), *own))

    def is_builtin(self, function: Any) -> bool:
        """Tell whether a C function that is being called is this target."""
        if function is self.builtin:
            return True
        if type(function) not in _BUILTINS or function.__name__ != self.builtin.__name__:
            return False
        if self.owner is None:  # a method of one object (`ufunc.reduce`) is made anew each time it is named
            holder = getattr(self.builtin, "__self__", None)
            return (
                not isinstance(holder, (types.ModuleType, type(None))) and getattr(function, "__self__", None) is holder
            )
        return self.takes(getattr(function, "__self__", None))

    def _resolve(self, name: str) -> Any:
        """As `from a.b import c` has it: an attribute hides the submodule of its name."""
        parts = name.split(".")
        for length in range(max(len(parts) - 1, 1), 0, -1):
            module = _imported(".".join(parts[:length]))
            if module is not None:
                return self._descend(module, parts[length:])
        if hasattr(builtins, parts[0]):
            return self._descend(getattr(builtins, parts[0]), parts[1:])
        raise Unresolved("no module of that name can be imported")

    def _descend(self, value: Any, parts: list[str]) -> Any:
        for part in parts:
            value = self._attribute(value, part)
        return value

    def _attribute(self, value: Any, part: str) -> Any:
        """One attribute, as it stands in the class that defines it (descriptors are not asked)."""
        if isinstance(value, type):
            for cls in type_mro(value):
                if part in type_namespace(cls):
                    self.owner = value
                    return type_namespace(cls)[part]
        self.owner = None
        try:
            return getattr(value, part)
        except AttributeError:
            raise Unresolved(f"{part} is not there") from None

    def _collect_class(self, cls: type) -> None:
        for base in type_mro(type(cls)):
            self._collect(type_namespace(base).get("__call__"))
        for base in type_mro(cls):
            self._collect(type_namespace(base).get("__init__"))
            self._collect(type_namespace(base).get("__new__"))
        self.builtin = None  # object.__init__ and its like are no evidence
        if not self.codes and not is_static(cls):
            self._give_constructor(cls)

    def _give_constructor(self, cls: type) -> None:
        own = type_namespace(cls).get("__init__")

        def construct(self: Any, *args: Any, **kwargs: Any) -> None:
            if own is not None:
                own.__get__(self, cls)(*args, **kwargs)  # made in C, so that its class is not
            elif _takes_all_in_new(type(self), cls):
                return
            else:
                super(cls, self).__init__(*args, **kwargs)

        constructor = forwarding(construct, "__init__", is_method=True)
        try:
            cls.__init__ = constructor
        except TypeError:
            return
        self.codes.add(constructor.__code__)

    def _collect(self, value: Any) -> None:
        """The code of a function under descriptors and decorators; the innermost function is what counts."""
        if type(value) in _BUILTINS:  # not isinstance: what Boost.Python makes says that it is a builtin
            self.builtin = value
            return
        if not isinstance(value, (types.FunctionType, type)):
            for holder in _HOLDERS:
                inner = getattr(value, holder, None)
                if inner is not None:
                    self._collect(inner)
        chain: list[types.CodeType] = []
        innermost: Any = None
        for _ in range(20):
            if type(value) is types.FunctionType:  # what Cython makes has a `__code__` as well, but runs none
                chain.append(value.__code__)
                self.layers.append(value)
                innermost = value
            inner = getattr(value, "__wrapped__", None)
            if type(inner) in _BUILTINS and chain:  # an object made in C calls it without an event
                self.builtin = inner
            if inner is None or type(inner) in _BUILTINS:
                break
            value = inner
        if chain and self.builtin is None:
            self.codes.add(chain.pop())
            self.functions.append(innermost)
        self.wrappers.update(chain)
        call = type_namespace(type(value)).get("__call__")
        if not self.codes and self.builtin is None and isinstance(call, types.FunctionType):
            self.codes.add(call.__code__)
            self.functions.append(call)
            self.instance = value


def _takes_all_in_new(kind: type, cls: type) -> bool:
    """Tell whether after `cls` only `object` has an `__init__`, and a `__new__` of the library takes the arguments."""
    mro = type_mro(kind)
    after = mro[mro.index(cls) + 1 :]
    initiates = next((base for base in after if "__init__" in type_namespace(base)), object)
    return initiates is object and any("__new__" in type_namespace(base) for base in mro[:-1])

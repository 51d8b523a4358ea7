"""The search: everyday expressions, old functions and old members, tried one by one; standard library only."""

# Whatever a tried function does or raises says only that it is no answer.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import importlib
import re
import sys
import time
import types
from collections.abc import Iterator
from typing import Any

from .arguments import argument_lists, flags, text_of
from .everyday import expressions, functions
from .trials import Trials, silent

_FOUND = 12
_TOTAL = 4.0
"""Seconds of processor time for one program of the search."""
_PLAIN = (str, bytes, int, float, complex, bool, type(None))
_LOUD = re.compile(
    r"(?:write|save|dump|show|plot|draw|sleep|input|system|popen|fork|spawn|exec|exit|kill|open|download|fetch|serve|"
    r"install|test|main|run|breakpoint|help|to_file|to_csv|to_json|to_parquet|to_excel|to_sql|set_|option)",
    re.IGNORECASE,
)


class Search(Trials):
    """The search in one place of an answer."""

    def run(self) -> list[dict[str, Any]]:
        """The expressions that leave the same, those of the library first, with the import that they need."""
        until = time.process_time() + _TOTAL
        for make, lines in self.candidates():
            for text in make:
                if len(self.found) >= _FOUND or time.process_time() > until:
                    return self.found
                self.attempt(text, lines)
        return self.found

    def candidates(self) -> Iterator[tuple[Iterator[str], str]]:
        """Streams of expressions, each with the line that imports what they name."""
        job = self.job
        if job["only"] is not None:
            for text, line in job["only"]:
                exec(line, self.space)
                yield iter([text]), line
            return
        for paths, parameters in job["functions"]:
            place = next(filter(None, map(self.place, paths)), None)
            if place is not None:
                yield self.calls(place[0], job["atoms"], parameters), place[1]
        if job["members"] is not None:
            for atom in job["atoms"]:
                yield self.members(atom), ""
            yield expressions(job["atoms"]), ""
            yield (text for name in functions() for text in self.calls(name, job["atoms"], None)), ""
            for package in self.packages():
                line = f"import {package}"
                exec(line, self.space)
                yield (text for name in _public(package) for text in self.calls(name, job["atoms"], None)), line
            for atom in job["atoms"]:
                yield self.further(atom), ""

    def place(self, path: str) -> tuple[str, str] | None:
        """(path, import) of a function that is still there and is not the one that changed; None otherwise."""
        names = path.split(".")
        if any(_LOUD.match(name) for name in names[1:]):
            return None
        for length in range(len(names) - 1, 0, -1):
            module = ".".join(names[:length])
            with silent():
                try:
                    found: Any = importlib.import_module(module)
                    for name in names[length:]:
                        found = getattr(found, name)
                except BaseException:
                    continue
                line = f"import {module}"
                exec(line, self.space)
            return (path, line) if callable(found) and not self.is_target(found) else None
        return None

    def is_target(self, found: Any) -> bool:
        """Check for the API itself, where it was there before: what it takes now is what is new."""
        target = self.job["target"]
        named = getattr(found, "__qualname__", None)
        same = found is _at(target) or (isinstance(named, str) and named == target.split(".", 1)[-1])
        return self.job["modified"] and same

    def calls(self, path: str, atoms: list[str], parameters: Any) -> Iterator[str]:
        """Calls of a function with the atoms; where one runs, with its switches turned over too."""
        for placed, named in argument_lists(atoms, self.job["keywords"], parameters):
            text = f"{path}({text_of(placed, named)})"
            yield text
            if text in self.ran:
                for name, value in flags(parameters, named, len(placed)):
                    yield f"{path}({text_of(placed, {**named, name: value})})"

    def members(self, atom: str) -> Iterator[str]:
        """Methods and attributes of an input that are not new, with the other inputs."""
        value = eval(atom, self.space)
        if isinstance(value, (types.ModuleType, type)):
            return
        rest = [one for one in self.job["atoms"] if one != atom]
        kind = _kind_of(value)
        for name in dir(kind):
            parameters = self.known(kind, name)
            if name.startswith("_") or _LOUD.match(name) or parameters is False:
                continue
            if callable(getattr(kind, name, None)):
                yield from self.calls(f"{_held(atom)}.{name}", rest, parameters)
            else:
                yield f"{_held(atom)}.{name}"

    def further(self, atom: str) -> Iterator[str]:
        """Expressions one step beyond the members of an input: their length, an item, a member without arguments."""
        for text, value in self.steps(atom):
            if hasattr(type(value), "__len__") and not isinstance(value, (str, bytes)):
                yield f"len({text})"
                yield from (f"{text}[{one}]" for one in self.job["atoms"] if one != atom)
            elif not isinstance(value, (type, types.ModuleType, *_PLAIN)):
                yield from self.bare_members(text, type(value))

    def steps(self, atom: str) -> Iterator[tuple[str, Any]]:
        """Members of an input that need no argument, and what they give on fresh inputs."""
        value = eval(atom, self.space)
        if isinstance(value, (types.ModuleType, type, *_PLAIN)):
            return
        for text in self.bare_members(_held(atom), _kind_of(value)):
            given = self.value_of(text)
            if given is not None:
                yield text, given

    def bare_members(self, text: str, kind: type) -> Iterator[str]:
        """The members of a class that are not new, read or called without arguments."""
        for name in dir(kind):
            if not (name.startswith("_") or _LOUD.match(name) or self.known(kind, name) is False):
                yield f"{text}.{name}()" if callable(getattr(kind, name, None)) else f"{text}.{name}"

    def reached(self) -> list[str]:
        """The names of the classes that are one step from an input."""
        found = {base.__name__ for atom in self.job["atoms"] for _, value in self.steps(atom)
                 for base in type(value).__mro__}  # fmt: skip
        return sorted(found)

    def known(self, kind: type, name: str) -> Any:
        """The parameters of a member that the older release has; None where they are not known; False for a new one."""
        if self.job["modified"] and name == self.job["target"].rpartition(".")[2]:
            return False
        for base in kind.__mro__:
            if name in vars(base) and base.__module__.partition(".")[0] not in self.job["tops"]:
                return None
        had = [self.job["members"].get(base.__name__, {}) for base in kind.__mro__]
        return next((one[name] for one in had if name in one), False)

    def packages(self) -> list[str]:
        """Other packages that the inputs come from: their functions are at hand."""
        tops = {type(eval(atom, self.space)).__module__.partition(".")[0] for atom in self.job["atoms"]}
        tops |= {self.kind.__module__.partition(".")[0]}
        return sorted(tops - {*self.job["tops"], "builtins", "__main__"} - sys.stdlib_module_names)


def kinds(job: dict[str, Any]) -> dict[str, Any]:
    """The names of the classes of each input, and whether the answer runs there."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("\n".join((job["context"], *job["before"])), space)
    given: list[str] = []
    names: set[str] = set()
    for text in job["atoms"]:
        value: Any = eval(text, space)
        if isinstance(value, types.ModuleType) or (isinstance(value, type) and text == job["receiver"]):
            continue
        given.append(text)
        names.update(base.__name__ for base in _kind_of(value).__mro__)
    return {"atoms": given, "classes": sorted(names)}


def _kind_of(value: object) -> type:
    return type(value)


def _held(atom: str) -> str:
    return atom if atom.replace("_", "a").isalnum() else f"({atom})"


def _public(package: str) -> list[str]:
    module = sys.modules.get(package) or importlib.import_module(package)
    names = [name for name in dir(module) if not name.startswith("_") and not _LOUD.match(name)]
    able = [name for name in names if callable(getattr(module, name, None))]
    return [f"{package}.{name}" for name in able if not isinstance(getattr(module, name), type)]


def _at(path: str) -> Any:
    """The object at a dotted path; None where there is none."""
    names = path.split(".")
    for length in range(len(names) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(names[:length]))
            for name in names[length:]:
                found = getattr(found, name)
        except Exception:
            continue
        return found
    return None

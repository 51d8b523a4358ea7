"""The search: expressions are tried one by one, each on fresh inputs, and those kept that leave what the answer does."""

# Whatever a tried function does or raises says only that it is no answer.
# ruff: noqa: BLE001
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import importlib
import io
import itertools
import random
import re
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from .arguments import argument_lists, flags, text_of
from .everyday import expressions, functions, modules
from .forms import MOST, form, is_lazy, parts

HOLE = "hole_"
FOUND = 12
_SECONDS = 0.5
_TOTAL = 7.0
_LOUD = re.compile(
    r"(?:write|save|dump|show|plot|draw|sleep|input|system|popen|fork|spawn|exec|exit|kill|open|download|fetch|serve|"
    r"install|test|main|run|breakpoint|help|to_file|to_csv|to_json|to_parquet|to_excel|to_sql|set_|option)",
    re.IGNORECASE,
)


class TooLong(BaseException):
    """A call took too long."""


class Search:
    """The search of one place of an answer; `job` is what the host sends, see `search.py` there."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.context = compile(job["context"], "<context>", "exec")
        self.before = compile("\n".join(job["before"]), "<before>", "exec")
        self.hole = compile(job["hole"], "<hole>", "exec")
        self.after = compile("\n".join(job["after"]), "<after>", "exec")
        self.observe = [compile(text, "<observe>", "eval") for text in job["observe"]]
        self.found: list[dict[str, Any]] = []
        self.ran: set[str] = set()
        self.until = time.process_time() + _TOTAL
        signal.signal(signal.SIGALRM, _too_long)
        space = self.fresh()
        self.inputs = [form(eval(text, space)) for text in job["atoms"]]
        self.lasting = all(_is_lasting(eval(text, space)) for text in job["atoms"])
        self.space = self.fresh()
        exec(job["reference"], space)
        self.kind = type(eval(job["name"], space)) if job["name"] else type(None)
        self.wanted_parts = parts(eval(job["name"], space)) if job["name"] in job["observe"] else None
        exec(self.after, space)
        self.wanted = self.observed(space)

    def fresh(self) -> dict[str, Any]:
        """A new space with the context's names, as it is before the place."""
        random.seed(1)
        space: dict[str, Any] = {"__name__": "__main__", **modules()}
        exec(self.context, space)
        exec(self.before, space)
        return space

    def observed(self, space: dict[str, Any]) -> list[Any]:
        """The forms of the observed expressions."""
        return [form(eval(code, space)) for code in self.observe]

    def run(self) -> list[dict[str, Any]]:
        """The expressions that leave the same, those of the library first, with the import that they need."""
        for make, lines in self.candidates():
            for text in make:
                if len(self.found) >= FOUND or time.process_time() > self.until:
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

    def place(self, path: str) -> tuple[str, str] | None:
        """(path, import) of a function that is still there and is not the one that changed; None otherwise."""
        names = path.split(".")
        if any(_LOUD.match(name) for name in names[1:]):
            return None
        for length in range(len(names) - 1, 0, -1):
            module = ".".join(names[:length])
            with _silent():
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
        for name in dir(type(value)):
            parameters = self.known(type(value), name)
            if name.startswith("_") or _LOUD.match(name) or parameters is False:
                continue
            if callable(getattr(type(value), name, None)):
                yield from self.calls(f"{_held(atom)}.{name}", rest, parameters)
            else:
                yield f"{_held(atom)}.{name}"

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

    def attempt(self, text: str, line: str) -> None:
        """Evaluate an expression; where it runs, see whether it leaves what the answer does."""
        try:
            with _silent():
                code = compile(text, "<tried>", "eval")
        except SyntaxError:
            return
        with _silent(), _limited():
            try:
                value = eval(code, self.space)
                self.ran.add(text)
                self.compare(text, line, value)
            except BaseException:
                value = None
        if not self.lasting and (text in self.ran or self.is_changed()):
            with _silent():
                packages = {name: one for name, one in self.space.items() if isinstance(one, types.ModuleType)}
                self.space = {**packages, **self.fresh()}

    def is_changed(self) -> bool:
        """Check for inputs that a failed call has changed."""
        try:
            return [form(eval(text, self.space)) for text in self.job["atoms"]] != self.inputs
        except BaseException:
            return True

    def compare(self, text: str, line: str, value: Any) -> None:
        """Keep the ways in which the value leaves what the answer does: in the place of the call, or of the line."""
        lazy = is_lazy(value)
        items: Any = list(itertools.islice(value, MOST)) if lazy else value
        written = f"list({text})" if lazy else text
        if not self.job["trivial"]:
            self.keep_if_same(text, self.job["hole"].replace(HOLE, text), line, self.hole, iter(items) if lazy else items)
        if self.job["binds"] is None:
            return
        bind = compile(f"{self.job['binds']} = {HOLE}", "<bind>", "exec")
        for wrapped, given in _wrapped(written, items, self.kind):
            self.keep_if_same(wrapped, f"{self.job['binds']} = {wrapped}", line, bind, given)
        if self.wanted_parts is not None and parts(items) == self.wanted_parts:
            self.keep(text, f"{self.job['binds']} = {text}", line, parted=True)

    def keep_if_same(self, text: str, statement: str, line: str, code: types.CodeType, value: Any) -> None:
        """Keep the expression where the observed values are the same with its value."""
        space = {**self.space, HOLE: value}
        with contextlib.suppress(Exception):
            exec(code, space)
            exec(self.after, space)
            if self.observed(space) == self.wanted:
                self.keep(text, statement, line)

    def keep(self, text: str, statement: str, line: str, *, parted: bool = False) -> None:
        """Keep an expression once."""
        if all(one["text"] != text for one in self.found):
            self.found.append({"text": text, "statement": statement, "import": line, "parted": parted})


def kinds(job: dict[str, Any]) -> dict[str, Any]:
    """The names of the classes of each input, and whether the answer runs there."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("\n".join((job["context"], *job["before"])), space)
    given: list[str] = []
    names: set[str] = set()
    for text in job["atoms"]:
        value = eval(text, space)
        if isinstance(value, types.ModuleType) or (isinstance(value, type) and text == job["receiver"]):
            continue
        given.append(text)
        names.update(base.__name__ for base in type(value).__mro__)
    return {"atoms": given, "classes": sorted(names)}


def _wrapped(text: str, value: Any, kind: type) -> Iterator[tuple[str, Any]]:
    """The value as it is, and as what the answer gives where a builtin makes that of it."""
    yield text, value
    makers: tuple[Callable[[Any], Any], ...] = (kind,) if kind in (list, tuple, str, set, frozenset, dict) else ()
    for make in (*makers, *((sorted,) if kind is list else ())):
        if type(value) is not make or make is sorted:
            with contextlib.suppress(Exception):
                yield f"{make.__name__}({text})", make(value)


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


def _is_lasting(value: Any) -> bool:
    """Check for a value that no call can change."""
    plain = (int, float, complex, str, bytes, bool, type(None), type, range)
    return isinstance(value, plain) or (isinstance(value, tuple) and all(map(_is_lasting, value)))


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(number: int, frame: object) -> None:
    raise TooLong

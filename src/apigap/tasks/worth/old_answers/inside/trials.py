"""Trials of expressions: each on fresh inputs, and kept where it leaves what the answer does."""

# Whatever a tried function does or raises says only that it is no answer.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import io
import itertools
import random
import signal
import types
import warnings
from collections.abc import Callable, Generator, Iterator
from typing import Any

from .everyday import modules
from .forms import MOST, form, is_lazy, parts

HOLE = "hole_"
_SECONDS = 0.2


class TooLong(BaseException):
    """A call took too long."""


class Trials:
    """Trials in one place of an answer; `job` is what the host sends, see `_first` there.

    `space` has the context's names as the next expression is to find them, `found` what was kept.
    """

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.context = compile(job["context"], "<context>", "exec")
        self.before = compile("\n".join(job["before"]), "<before>", "exec")
        self.hole = compile(job["hole"], "<hole>", "exec")
        self.after = compile("\n".join(job["after"]), "<after>", "exec")
        self.observe = [compile(text, "<observe>", "eval") for text in job["observe"]]
        self.found: list[dict[str, Any]] = []
        self.ran: set[str] = set()
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

    def attempt(self, text: str, line: str) -> None:
        """Evaluate an expression; where it runs, see whether it leaves what the answer does."""
        try:
            with silent():
                code = compile(text, "<tried>", "eval")
        except SyntaxError:
            return
        with silent(), _limited():
            try:
                value = eval(code, self.space)
                self.ran.add(text)
                self.compare(text, line, value)
            except BaseException:
                value = None
        if not self.lasting and (text in self.ran or self.is_changed()):
            with silent():
                packages = {name: one for name, one in self.space.items() if isinstance(one, types.ModuleType)}
                self.space = {**packages, **self.fresh()}

    def value_of(self, text: str) -> Any:
        """The value of an expression on fresh inputs; None where it does not run."""
        with silent(), _limited():
            try:
                return eval(text, self.space if self.lasting else {**self.space, **self.fresh()})
            except BaseException:
                return None

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
            self.keep_if_same(
                text, self.job["hole"].replace(HOLE, text), line, self.hole, iter(items) if lazy else items
            )
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


def _wrapped(text: str, value: Any, kind: type) -> Iterator[tuple[str, Any]]:
    """The value as it is, and as what the answer gives where a builtin makes that of it."""
    yield text, value
    makers: tuple[Callable[[Any], Any], ...] = (kind,) if kind in (list, tuple, str, set, frozenset, dict) else ()
    for make in (*makers, *((sorted,) if kind is list else ())):
        if type(value) is not make or make is sorted:
            with contextlib.suppress(Exception):
                yield f"{make.__name__}({text})", make(value)


def _is_lasting(value: Any) -> bool:
    """Check for a value that no call can change."""
    plain = (int, float, complex, str, bytes, bool, type(None), type, range)
    return isinstance(value, plain) or (isinstance(value, tuple) and all(map(_is_lasting, value)))


@contextlib.contextmanager
def silent() -> Generator[None]:
    """Nothing that is written or warned is seen."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _limited() -> Generator[None]:
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(number: int, frame: object) -> None:
    raise TooLong

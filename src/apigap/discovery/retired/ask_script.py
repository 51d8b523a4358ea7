"""The answer of a release to a list of dotted names. Runs in its environment, in the sandbox; standard library only."""

import importlib
import inspect
import json
import os
import signal
import types
import warnings
from typing import Any

_SECONDS = 20
_MAX_TEXT = 600
_MAX_DEATHS = 20
_IN_PLACE = ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning")


class _Slow(BaseException):
    """An import or an attribute took too long."""


class _Unread(Exception):
    """A module that is there cannot be imported, so nothing can be said of its names."""


def main(argument: Any) -> Any:
    """For each of `argument["names"]` a list: `there`, `warns`, `gone`, or `unread` where a module cannot be imported
    here; the words that go with it; and the kind of what is there.

    Those in `argument["modules"]` are there only as modules.

    Of what is there the words are `open` where it takes keywords that its signature does not show, as a decorator's
    wrapper does. `argument["prepare"]` is Python that runs first, as for the walk of the surface. A name at which the
    interpreter ends is left out, and those after it are asked in another one.
    """
    answers: dict[str, list[str]] = {}
    waiting = list(argument["names"])
    for _ in range(_MAX_DEATHS):
        if not waiting:
            break
        answered = _in_child(waiting, set(argument["modules"]), argument["prepare"])
        answers.update(answered)
        waiting = waiting[len(answered) + 1 :]
    return answers


def _in_child(names: list[str], modules: set[str], prepare: str) -> dict[str, list[str]]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w", encoding="utf-8") as out:
            signal.signal(signal.SIGALRM, _late)
            exec(prepare, {"__name__": "prepare"})  # noqa: S102  the library's own configuration
            for name in names:
                print(json.dumps([name, *_answer(name.split("."), name in modules)]), file=out, flush=True)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
        rows = [json.loads(line) for line in lines if line.endswith("\n")]
    os.waitpid(child, 0)
    return {name: answer for name, *answer in rows}


def _late(*_: object) -> None:
    raise _Slow


def _answer(parts: list[str], as_module: bool) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        signal.alarm(_SECONDS)
        try:
            found = _reach(parts)
            if as_module and not isinstance(found, types.ModuleType):
                found = importlib.import_module(".".join(parts))
        except (_Slow, _Unread) as error:
            return ["unread", _text(error), ""]
        except BaseException as error:  # noqa: BLE001  a library may raise anything
            is_of_another = isinstance(error, ModuleNotFoundError) and _top(error.name) != parts[0]
            return ["unread" if is_of_another else "gone", f"{type(error).__name__}: {_text(error)}", ""]
        finally:
            signal.alarm(0)
    told = [f"{w.category.__name__}: {_text(w.message)}" for w in caught if _is_deprecation(w.category)]
    about = [text for text in told if parts[-1] in text]
    state = ["warns", about[0]] if about else ["there", "open" if _is_open(found) else ""]
    return [*state, _kind(found)]


def _kind(found: object) -> str:
    if isinstance(found, type):
        return "class"
    return "module" if isinstance(found, types.ModuleType) else "function" if callable(found) else "data"


def _is_open(found: object) -> bool:
    """Check for a function around another one that takes any keyword."""
    made = vars(found).get("__init__") if isinstance(found, type) else found
    function = getattr(made, "__func__", made)
    takes_any = isinstance(function, types.FunctionType) and bool(function.__code__.co_flags & inspect.CO_VARKEYWORDS)
    return takes_any and "__wrapped__" in vars(function)


def _reach(parts: list[str]) -> object:
    """The object at the end of the path: as far as it goes by imports, then by attributes."""
    found: Any = importlib.import_module(parts[0])
    for place in range(1, len(parts)):
        name = ".".join(parts[: place + 1])
        try:
            found = getattr(found, parts[place])
        except AttributeError as missing:
            if not isinstance(found, types.ModuleType):
                raise
            try:
                found = importlib.import_module(name)
            except Exception as error:  # a library may raise anything
                if not isinstance(error, ModuleNotFoundError) or not name.startswith(error.name or "?"):
                    raise _Unread(f"{type(error).__name__}: {_text(error)}") from error
                raise missing from None  # the attribute's error may say more than that there is no such module
    return found


def _top(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _is_deprecation(category: type) -> bool:
    return any(base.__name__ in _IN_PLACE or "deprecat" in base.__name__.lower() for base in category.__mro__)


def _text(value: object) -> str:
    try:
        return " ".join(str(value).split())[:_MAX_TEXT]
    except BaseException:  # noqa: BLE001
        return ""

"""Keys and passwords of this process's environment, and texts without them.

Keys come in by variables alone. What others write may give them back: a server that quotes a key in an error, an
address with `user:password@` in a message. So every error and every note goes through `hidden`.
"""

import base64
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar
from urllib.parse import unquote

Failure = TypeVar("Failure", bound=BaseException)
HIDDEN = "[hidden]"
_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)([^/@\s:]*:)?([^/@\s]+)@")
_LEAST, _SURE = 8, 16
"""Characters of a value that is taken for a key: in errors, and in answers, where a word may mean something else."""


def hidden(text: str) -> str:
    """`text` without the values of keys, tokens and passwords in the environment, and without those in addresses."""
    text = without(text, keys_here(_LEAST))
    return _USERINFO.sub(f"{HIDDEN}@", text) if "@" in text else text


def keys_here(least: int = _SURE) -> tuple[str, ...]:
    """The values of keys in the environment, of addresses too, that have `least` characters; longest first."""
    return tuple(sorted({key for key in _secrets(os.environ) if len(key) >= least}, key=lambda key: (-len(key), key)))


def without(text: str, keys: Iterable[str]) -> str:
    """`text` with none of `keys` in it; all else stays, addresses too."""
    for key in keys:
        text = text.replace(key, HIDDEN)
    return text


def hide_in(error: Failure) -> Failure:
    """The error, with the same done to its texts and to those that it came from: a traceback shows them all."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.args = tuple(hidden(given) if isinstance(given, str) else given for given in one.args)
        for name, value in list(vars(one).items()):
            if isinstance(value, str):
                setattr(one, name, hidden(value))
        waiting += [one.__cause__, one.__context__]
    return error


def _secrets(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        if _NAMES.search(name) and value.strip():
            yield value.strip()
        for user, password in _USERINFO.findall(value):
            yield from (password, unquote(password))
            yield base64.b64encode(unquote(f"{user}{password}").encode()).decode()

"""The programs of the battery as text files: each begins with `=== FAMILY NAME`; words between `@` are filled in."""

import functools
import re
from importlib.resources import files
from typing import NamedTuple

_HEAD = re.compile(r"^=== (\d+) (.+)$", re.MULTILINE)


class Program(NamedTuple):
    """One program: the number of its family, its name and its text."""

    family: int
    name: str
    code: str

    def filled(self, **words: str) -> str:
        """The text with each `@WORD@` replaced."""
        code = self.code
        for word, value in words.items():
            code = code.replace(f"@{word}@", value)
        return code


@functools.cache
def programs(file: str) -> tuple[Program, ...]:
    """The programs of `file` (without `.txt`), in their order."""
    text = files(__name__).joinpath(f"{file}.txt").read_text("utf-8")
    _, *parts = _HEAD.split(text)
    return tuple(
        Program(int(family), name, code.strip("\n"))
        for family, name, code in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )

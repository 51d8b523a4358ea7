"""Errors in a library's own words, which no neighbour can have brought about, apart from those of the system."""

import pytest

from apigap.records.run import Program
from apigap.sandbox import engine as engine_module
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.live_sandbox import Sandbox
from apigap.sandbox.worker.own_words import in_own_words
from tests.sandbox.conftest import TIGHT

IN_OWN_WORDS = {
    "a sentence": "raise OSError('there is no such model')",
    "no word at all": "raise OSError",
    "after an error of another kind": "try: {}['a']\nexcept KeyError as error: raise OSError('no a') from error",
    "after a file that is not there": "try: open('/no/such')\nexcept OSError: raise OSError('no such model')",
    "after another sentence": "try: raise OSError('a')\nexcept OSError: raise OSError('b')",
    "from another function": "def deep(): raise OSError('no such model')\n[deep() for _ in 'a']",
}
OF_THE_SYSTEM = {
    "a number": "import errno\nraise OSError(errno.EMFILE, 'too many open files')",
    "a call of the system": "import os\nos.listdir(99)",
    "a sentence from C": "import ctypes\nctypes.CDLL('/no/such.so')",
    "a sentence from C, kept and raised": "import ctypes\ntry: ctypes.CDLL('/no/such.so')\n"
    "except OSError as error: kept = error\nraise kept",
    "before a sentence": "try: raise OSError(28, 'no space left')\nexcept OSError: raise OSError('cannot save')",
    "hidden by a sentence": "try: raise OSError(28, 'full')\nexcept OSError: raise OSError('cannot save') from None",
    "far behind": "try:\n  try: raise OSError(28, 'full')\n  except OSError: raise ValueError('a')\n"
    "except ValueError: raise OSError('cannot save')",
    "want of memory": "try: raise MemoryError\nexcept MemoryError: raise OSError('cannot load')",
    "want of a process": "try: raise BlockingIOError\nexcept OSError: raise OSError('cannot start')",
    "an error that was never raised": "raise OSError('cannot save') from OSError('a')",
    "another kind": "raise ValueError('a')",
    "a class of that name": "class OSError(Exception): pass\nraise OSError('a')",
}


def _raised(code: str) -> BaseException:
    with pytest.raises(BaseException) as caught:
        exec(code, {})
    return caught.value


@pytest.mark.parametrize("code", IN_OWN_WORDS.values(), ids=IN_OWN_WORDS)
def test_a_sentence_of_python_code_is_its_own(code: str) -> None:
    assert in_own_words(_raised(code))


@pytest.mark.parametrize("code", OF_THE_SYSTEM.values(), ids=OF_THE_SYSTEM)
def test_what_the_system_said_is_not(code: str) -> None:
    assert not in_own_words(_raised(code))


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(("code", "sandboxes"), [("a sentence", 1), ("a number", 3)])
def test_only_what_the_system_said_is_asked_again_in_another_sandbox(
    code: str, sandboxes: int, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first program of a sandbox had no neighbour; after an error of the system each one has its own."""
    made: list[Sandbox] = []

    class Counted(Sandbox):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # pyright: ignore[reportArgumentType]
            made.append(self)

    monkeypatch.setattr(engine_module, "Sandbox", Counted)
    program = Program(context="", completion={**IN_OWN_WORDS, **OF_THE_SYSTEM}[code])
    with Engine(workers=1, limits=TIGHT) as engine:
        records = engine.run(environment, [program] * 3)
    assert [(r.exception and r.exception.type) for r in records] == ["OSError"] * 3
    assert len(made) == sandboxes

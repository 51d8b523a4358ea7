"""Reading a wheel's text by ranges, from a real server on this machine."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.packages import transfer
from apigap.packages.index import Release, release
from apigap.packages.remote_wheel import fetch_wheel_text, wheel_to_read
from apigap.packages.transfer import metered
from apigap.records.errors import InfrastructureError
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import wheel

BINARY = os.urandom(2 << 20)
FILES: dict[str, str | bytes] = {
    "lib/__init__.py": "from .a import f\n",
    "lib/core.so": BINARY,
    "lib/a.py": "def f(): ...\n",
    "lib/stub.pyi": "def g() -> int: ...\n",
    "lib/tests/test_a.py": "assert True\n",
    "lib/conftest.py": "",
    "../escape.py": "",
    "/absolute.py": "",
    "lib/more.so": BINARY,
    "lib/last.py": "x = 1\n",
}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(transfer.time, "sleep", lambda seconds: None)
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        yield server


def served(index: IndexServer, content: bytes, name: str = "lib-1.0-py3-none-any.whl") -> Release:
    index.add_project("lib", [index.add_file(name, content, size=len(content))])
    return release("lib", "1.0")


def text_of(found: Release) -> Path:
    file = wheel_to_read(found)
    assert file is not None
    return fetch_wheel_text("lib", "1.0", file)


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


TEXT = {"lib/__init__.py", "lib/a.py", "lib/stub.pyi", "lib/last.py", "lib-1.0.dist-info/RECORD"}


def test_only_the_text_is_fetched_in_few_requests(index: IndexServer) -> None:
    found = served(index, wheel(FILES, stored=True))
    index.requests.clear()
    with metered() as meter:
        root = text_of(found)
    assert names(root) == TEXT
    assert (root / "lib/a.py").read_text() == "def f(): ...\n"
    assert meter.bytes < 200_000  # of 4 MiB
    assert len(index.requests) <= 4
    with metered() as again:
        assert text_of(found) == root
    assert again.bytes == 0


def test_members_that_cannot_stand_side_by_side_are_named(index: IndexServer) -> None:
    found = served(index, wheel({"lib/a.py": "x = 1\n", "lib/a.py/b.py": "y = 1\n"}))
    with pytest.raises(InfrastructureError, match=r"cannot be read as a wheel.*side by side.*a\.py"):
        text_of(found)


def test_a_server_without_ranges_gives_the_same(index: IndexServer) -> None:
    index.ranges = False
    assert names(text_of(served(index, wheel(FILES)))) == TEXT


def test_nothing_is_written_outside(index: IndexServer, tmp_path: Path) -> None:
    text_of(served(index, wheel(FILES)))
    assert not list(tmp_path.rglob("escape.py"))


@pytest.mark.parametrize("content", [b"", b"no zip at all" * 1000, wheel({"a.py": "x = 1\n" * 9999})[:-40]])
def test_what_is_no_wheel_is_told(index: IndexServer, content: bytes) -> None:
    found = served(index, content)
    with pytest.raises(InfrastructureError):
        text_of(found)


def test_a_damaged_member_is_told(index: IndexServer) -> None:
    content = wheel({"lib/__init__.py": "value = 'unchanged'\n" * 9}, stored=True).replace(
        b"unchanged", b"unchanxed", 1
    )
    with pytest.raises(InfrastructureError, match="cannot be read as a wheel"):
        text_of(served(index, content))


def test_which_wheel_is_read(index: IndexServer) -> None:
    wheels = ["lib-1.0-cp39-cp39-win_amd64.whl", "lib-1.0-cp39-cp39-manylinux1_x86_64.whl", "lib-1.0.tar.gz"]
    index.add_project("lib", [index.add_file(name, b"x" * size, size=size) for size, name in enumerate(wheels, 1)])
    found = wheel_to_read(release("lib", "1.0"))  # none of them fits this Python; Linux stands nearest
    assert found is not None
    assert found.filename == wheels[1]

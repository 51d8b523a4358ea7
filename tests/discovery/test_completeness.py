"""Readings that miss something: from an index on this machine, as text, to the error or the note."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.discovery.discover import Discovery, discover
from apigap.packages.environments import EnvironmentStore
from apigap.records.errors import InfrastructureError
from apigap.sandbox.engine import Engine
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import sdist, whole_wheel

DAYS = {"1.0": "2024-01-01T00:00:00Z", "2.0": "2025-01-01T00:00:00Z"}
OLD = {"lib/__init__.py": "def f(a): 'Do.'\ndef g(): 'Do.'\ndef h(): 'Do.'\n"}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        yield server


def publish(index: IndexServer, name: str, releases: dict[str, tuple[dict[str, str], list[str]]]) -> None:
    entries: list[dict[str, object]] = []
    for version, (files, requires) in releases.items():
        more = {"upload-time": DAYS[version]}
        made, file = whole_wheel(name, version, {**files}, requires), name.replace("-", "_")
        entries.append(index.add_file(f"{file}-{version}-py3-none-any.whl", made, **more))
        entries.append(index.add_file(f"{file}-{version}.tar.gz", sdist(name, version, files), **more))
    index.add_project(name, entries)


def found(old: str | None = "1.0") -> Discovery:
    return discover("lib", old, "2.0", engine=Engine.__new__(Engine), store=EnvironmentStore(), static=True)


def test_a_release_that_stands_for_another_is_read_there_and_says_so(index: IndexServer) -> None:
    new = {"lib/__init__.py": f"{OLD['lib/__init__.py']}def new(): 'Do.'\n"}
    publish(index, "lib", {"1.0": (OLD, []), "2.0": ({}, ["lib-slim==2.0"])})
    publish(index, "lib-slim", {"2.0": (new, [])})
    discovery = found()
    assert [(c.api_name, c.change, c.library) for c in discovery.candidates] == [("lib.new", "added", "lib")]
    assert discovery.counts["unchanged"] == 3
    (note,) = discovery.notes
    assert note == "lib 2.0 holds no modules itself: they are those of lib-slim 2.0, which it requires"


NOTHING = [
    (({}, []), "it holds no modules; check the name"),
    (({}, ["other", "third>1"]), "it holds no modules and requires other and third; give the name of the one that"),
    (({"lib/__init__.py": "x = 1\n"}, []), "its 1 modules hold no class or function of its own"),
    (({"lib/__init__.py": "def f(:\n"}, []), "none of its modules can be read, as lib: LoadingError"),
]


@pytest.mark.parametrize(("release", "reason"), NOTHING)
def test_a_release_without_objects_is_refused(
    release: tuple[dict[str, str], list[str]], reason: str, index: IndexServer
) -> None:
    publish(index, "lib", {"1.0": (OLD, []), "2.0": release})
    with pytest.raises(InfrastructureError, match=rf"lib 2.0 has no public objects: {reason}") as failure:
        found()
    assert failure.value.exit_code == 3


@pytest.mark.parametrize(("left", "told"), [(("f",), True), (("f", "g"), False)])
def test_a_surface_that_lost_more_than_half_says_so(left: tuple[str, ...], told: bool, index: IndexServer) -> None:
    new = {"lib/__init__.py": "".join(f"def {name}(a): 'Do.'\n" for name in left)}
    publish(index, "lib", {"1.0": (OLD, []), "2.0": (new, [])})
    notes = [note for note in found().notes if "more than half" in note]
    assert bool(notes) is told
    if told:
        assert notes[0].startswith("lib 2.0 lacks 2 of the 3 public objects of 1.0, more than half")


def test_what_is_new_since_an_empty_release_says_so(index: IndexServer) -> None:
    publish(index, "lib", {"1.0": ({}, []), "2.0": (OLD, [])})
    assert [c.change for c in found().candidates] == ["added"] * 3
    assert found().notes == ("lib 1.0 has no public objects, so that all is new: it holds no modules; check the name",)
    assert found(None).notes == ()

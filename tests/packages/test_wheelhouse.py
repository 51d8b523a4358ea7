"""Wheels of this machine: where they are looked for, what they are beside the index, and what an environment tells."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.packages.environments import EnvironmentStore, wanted
from apigap.packages.index import release, releases
from apigap.packages.interpreters import running
from apigap.packages.remote_wheel import fetch_wheel_text, wheel_to_read
from apigap.packages.wheelhouse import link_of, local_wheels, named_exactly, use, wheel_folders
from apigap.records.configuration import PackageSettings, load_settings
from apigap.records.errors import EnvironmentFailure, UsageError
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import whole_wheel

DAY = {"upload-time": "2026-01-01T00:00:00Z"}


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    for name in ("UV_FIND_LINKS", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    place = tmp_path / "wheels"
    place.mkdir()
    monkeypatch.setenv("APIGAP_WHEELHOUSE", str(place))
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    yield place
    use(())


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[IndexServer]:
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        yield server


def put(folder: Path, name: str, version: str, text: str = "x = 1", tag: str = "py3-none-any") -> Path:
    path = folder / f"{name}-{version}-{tag}.whl"
    path.write_bytes(whole_wheel(name, version, {f"{name}.py": text}))
    return path


def on_index(index: IndexServer, name: str, *versions: str, requires: tuple[str, ...] = ()) -> None:
    entries = [
        index.add_file(
            f"{name}-{version}-py3-none-any.whl", whole_wheel(name, version, {f"{name}.py": "x = 2"}, requires), **DAY
        )
        for version in versions
    ]
    index.add_project(name, entries)


PLACES = [
    ({"APIGAP_WHEELHOUSE": f"/a{os.pathsep}/b"}, ["/a", "/b"]),
    ({"UV_FIND_LINKS": "/a,file:///b%20c https://x/y"}, ["/a", "/b c"]),
    ({"PIP_FIND_LINKS": "/a /b", "UV_FIND_LINKS": "/b"}, ["/b", "/a"]),
    ({"PIP_FIND_LINKS": "/a", "APIGAP_WHEELHOUSE": "/b"}, ["/b"]),
    ({}, []),
]


@pytest.mark.parametrize(("variables", "expected"), PLACES)
def test_where_they_are_looked_for(
    variables: dict[str, str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("APIGAP_WHEELHOUSE")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert list(map(str, wheel_folders())) == expected
    use(load_settings((), ["packages.wheelhouse=[/of/settings]"]).packages.wheelhouse)
    assert list(map(str, wheel_folders())) == ["/of/settings"]


def test_what_is_no_wheel_of_the_name_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, "lib", "1.0+cpu")
    put(folder, "other", "1.0")
    (folder / "lib-broken.whl").write_bytes(b"x")
    (folder / "lib-2.0.tar.gz").write_bytes(b"x")
    (folder / "lib-3.0-py3-none-any.whl").mkdir()
    monkeypatch.setenv("APIGAP_WHEELHOUSE", os.pathsep.join([str(folder / "none"), str(folder)]))
    (found,) = local_wheels("Lib")
    assert (str(found.version), found.sha256) == ("1.0+cpu", hashlib.sha256(found.path.read_bytes()).hexdigest())
    assert named_exactly(["lib>=1", "lib", "lib==1.0", "lib==1.*", "lib @ file:///x", "no name ="]) == []
    assert named_exactly(["lib==1.0+cpu"]) == [found]


def test_a_release_beside_those_of_the_index(index: IndexServer, folder: Path) -> None:
    on_index(index, "lib", "1.0", "2.0")
    own, alike = put(folder, "lib", "2.0+cpu"), put(folder, "lib", "1.0")
    found = {one.version: one for one in releases("lib")}
    assert list(found) == ["1.0", "2.0", "2.0+cpu"]
    assert found["2.0+cpu"].uploaded == found["2.0"].uploaded is not None
    assert [one.is_stable for one in found.values()] == [True, True, False]
    assert [file.place for file in found["1.0"].files] == [alike]
    wheel = wheel_to_read(found["2.0+cpu"])
    assert wheel is not None and wheel.place == own
    assert (fetch_wheel_text("lib", "2.0+cpu", wheel) / "lib.py").read_text() == "x = 1"


def test_what_the_index_does_not_have(index: IndexServer, folder: Path) -> None:
    put(folder, "lib", "1.0")
    assert release("lib", "1.0").uploaded is None
    with pytest.raises(UsageError, match="no library named 'elsewhere'"):
        releases("elsewhere")


def test_an_environment_tells_its_own_wheels_and_sees_no_others(index: IndexServer, folder: Path) -> None:
    on_index(index, "lib", "1.0", requires=("needed",))
    on_index(index, "needed", "1.0")
    store = EnvironmentStore(packages=PackageSettings())
    plain = store.get("lib", "1.0")
    own = put(folder, "needed", "2.0+cpu")
    assert store.get("lib", "1.0") == plain  # it is not named
    assert plain.packages == ("lib==1.0", "needed==1.0")
    assert "wheels" not in plain.model_dump()
    built = store.get("lib", "1.0", ["needed==2.0+cpu"])
    sha256 = hashlib.sha256(own.read_bytes()).hexdigest()
    assert built.packages == ("lib==1.0", "needed==2.0+cpu")
    assert built.wheels == {own.name: sha256}
    put(folder, "needed", "2.0+cpu", text="x = 3")
    other = store.get("lib", "1.0", ["needed==2.0+cpu"])
    assert (other.packages, other.root == built.root, other.lock == built.lock) == (built.packages, False, False)
    assert (other.site_packages / "needed.py").read_text() == "x = 3"


def test_what_its_own_wheel_needs_may_be_as_young_as_that(index: IndexServer, folder: Path) -> None:
    for name, days in {"lib": ["2025-01-01"], "own": ["2026-01-01"], "base": ["2025-01-01", "2026-01-01", "2026-06-01"],
                       "other": ["2025-01-01", "2026-01-01"]}.items():  # fmt: skip
        needs = ("base", "other") if name == "lib" else ()
        index.add_project(name, [
            index.add_file(f"{name}-{number}.0-py3-none-any.whl", whole_wheel(name, f"{number}.0", {}, needs),
                           **{"upload-time": f"{day}T00:00:00Z"}) for number, day in enumerate(days, 1)
        ])  # fmt: skip
    path = folder / "own-1.0+cpu-py3-none-any.whl"
    path.write_bytes(whole_wheel("own", "1.0+cpu", {}, ("base>=2",)))
    built = EnvironmentStore().get("lib", "1.0", ["own==1.0+cpu"])
    assert built.packages == ("base==2.0", "lib==1.0", "other==1.0", "own==1.0+cpu")
    assert built.resolved == "release"


def test_its_interpreter_is_one_that_the_wheel_is_for(index: IndexServer, folder: Path) -> None:
    on_index(index, "lib", "1.0")
    put(folder, "lib", "1.0+here", tag=f"cp3{running().number}-none-any")
    put(folder, "lib", "1.0+never", tag="cp38-none-any")
    store = EnvironmentStore(packages=PackageSettings())
    assert store.python_of(wanted("lib", "1.0+here")) == running().minor
    assert store.get("lib", "1.0+here").python_version == running().version
    with pytest.raises(EnvironmentFailure, match=r"lib 1\.0\+never"):
        store.get("lib", "1.0+never")


def test_a_link_follows_the_wheel_to_its_new_place(folder: Path) -> None:
    own = put(folder, "lib", "1.0")
    (wheel,) = local_wheels("lib")
    first = link_of(wheel)
    moved = folder.parent / "moved"
    moved.mkdir()
    own.rename(moved / own.name)
    use([moved])
    assert [link_of(one) for one in local_wheels("lib")] == [first]
    assert first.readlink() == moved / own.name


def test_the_local_wheel_is_the_one_that_is_installed(index: IndexServer, folder: Path) -> None:
    """The index has one of the same version whose tags an installer prefers."""
    tag = f"cp3{running().number}-none-any"
    wheel = whole_wheel("lib", "1.0", {"lib.py": "x = 'index'"})
    file = index.add_file(f"lib-1.0-{tag}.whl", wheel, **{"upload-time": "2025-01-01T00:00:00Z"})
    index.add_project("lib", [file])
    own = put(folder, "lib", "1.0", text="x = 'local'")
    built = EnvironmentStore().get("lib", "1.0")
    assert (built.site_packages / "lib.py").read_text() == "x = 'local'"
    assert list(built.wheels) == [own.name]
    read = wheel_to_read(release("lib", "1.0"))
    assert read is not None
    assert read.place == own


def test_a_copy_says_of_itself_what_the_index_says(index: IndexServer, folder: Path) -> None:
    put(folder, "lib", "2.0")
    name = "lib-2.0-py3-none-any.whl"
    index.add_project(
        "lib", [index.add_file(name, whole_wheel("lib", "2.0", {}), yanked=True, **{"requires-python": ">=3.99"})]
    )
    found = release("lib", "2.0")
    assert not found.is_stable
    assert not any(file.fits_here for file in found.files)

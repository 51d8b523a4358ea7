"""An environment of another machine, made again from its lock: the same packages, or a reason."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apigap.packages.environments import EnvironmentStore
from apigap.packages.wheelhouse import use
from apigap.records.errors import EnvironmentFailure
from apigap.sandbox.environment import Environment
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import whole_wheel

DAYS = {"1.0": "2026-01-01T00:00:00Z", "2.0": "2026-02-01T00:00:00Z", "3.0": "2026-03-01T00:00:00Z"}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    """`top` needs `below`, whose later versions are younger than the release."""
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("APIGAP_WHEELHOUSE", str(tmp_path / "wheels"))
    (tmp_path / "wheels").mkdir()
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        add(server, "below", dict.fromkeys(DAYS, ()))
        add(server, "top", {"1.0": ("below",)})
        yield server
    use(())


def add(server: IndexServer, name: str, versions: dict[str, tuple[str, ...]]) -> None:
    entries = [
        server.add_file(
            f"{name}-{version}-py3-none-any.whl", whole_wheel(name, version, {f"{name}.py": "x = 1"}, requires),
            **{"upload-time": DAYS[version]},
        )
        for version, requires in versions.items()
    ]  # fmt: skip
    server.add_project(name, entries)


def elsewhere(tmp_path: Path) -> EnvironmentStore:
    return EnvironmentStore(tmp_path / "another machine" / "environments")


def test_a_copy_has_the_same_packages_and_lock(index: IndexServer, tmp_path: Path) -> None:
    here = EnvironmentStore().get("top", "1.0")
    assert here.packages == ("below==1.0", "top==1.0")
    there = elsewhere(tmp_path).like(here)
    assert (there.packages, there.lock) == (here.packages, here.lock)
    assert there.root != here.root and (there.site_packages / "below.py").is_file()
    assert elsewhere(tmp_path).like(here) == there


def test_one_that_is_here_is_taken_whatever_it_was_made_for(index: IndexServer) -> None:
    here = EnvironmentStore().get("top", "1.0")
    assert EnvironmentStore().like(here) == here


def test_a_copy_of_one_with_wheels_of_a_folder(index: IndexServer, tmp_path: Path) -> None:
    wheel = tmp_path / "wheels" / "below-9.0+own-py3-none-any.whl"
    wheel.write_bytes(whole_wheel("below", "9.0+own", {"below.py": "x = 9"}))
    here = EnvironmentStore().get("top", "1.0", ["below==9.0+own"])
    assert [*here.wheels] == [wheel.name]
    there = elsewhere(tmp_path).like(here)
    assert (there.wheels, there.lock) == (here.wheels, here.lock)
    wheel.write_bytes(whole_wheel("below", "9.0+own", {"below.py": "x = 'of the same name, and another'"}))
    with pytest.raises(EnvironmentFailure, match="sha256"):
        EnvironmentStore(tmp_path / "third machine" / "environments").like(here)


WRONG: dict[str, Callable[[str], tuple[dict[str, object], str]]] = {
    "another interpreter": lambda minor: ({"python_version": f"{minor}.99"}, "install the same one on every machine"),
    "a package that is nowhere": lambda minor: ({"packages": ("below==7.0", "top==1.0")}, "below"),
    "a lock of something else": lambda minor: ({"lock": "0" * 16}, "cannot be made here"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_the_same_is_refused(index: IndexServer, tmp_path: Path, name: str) -> None:
    here = EnvironmentStore().get("top", "1.0")
    update, said = WRONG[name](here.minor)
    changed = {
        key: value.format(minor=here.minor) if isinstance(value, str) else value for key, value in update.items()
    }
    wanted: Environment = here.model_copy(update={"lock": "f" * 16, **changed})
    store = elsewhere(tmp_path)
    with pytest.raises(EnvironmentFailure, match=said):
        store.like(wanted)
    assert store.made() == []

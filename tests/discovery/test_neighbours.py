"""Distributions beside a library: of a large distribution a wheel of this machine, others as of the release."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.discovery.discover import environment_at
from apigap.discovery.library import LibraryConfig
from apigap.discovery.neighbours import check_size, is_too_large, requirements_beside, why_too_large
from apigap.packages.environments import EnvironmentStore
from apigap.packages.wheelhouse import use
from apigap.records.errors import ApigapWarning, EnvironmentFailure
from tests.packages.index_server import index_server
from tests.packages.wheels import whole_wheel

HEAVY = LibraryConfig(name="heavy", distribution="heavy", large=True)
LIGHT = LibraryConfig(name="light", distribution="light", beside=("heavy", "small"))


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of wheels; the libraries `heavy`, which is large, and `light`, which wants it beside it."""
    place = tmp_path / "wheels"
    place.mkdir()
    configs = tmp_path / "configs"
    configs.mkdir()
    (configs / "heavy.yaml").write_text("large: true\n")
    (configs / "light.yaml").write_text("beside: [heavy]\n")
    monkeypatch.setenv("APIGAP_LIBRARIES", str(configs))
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    use([place])
    yield place
    use(())


def put(folder: Path, name: str, version: str, requires: tuple[str, ...] = ()) -> None:
    content = whole_wheel(name, version, {f"{name}.py": "x = 1"}, requires)
    (folder / f"{name}-{version}-py3-none-any.whl").write_bytes(content)


def test_a_large_one_is_the_newest_wheel_of_this_machine(folder: Path) -> None:
    with pytest.warns(ApigapWarning, match=r"light is run without heavy.*takes gigabytes: put a wheel.*APIGAP_WHEELH"):
        assert requirements_beside(LIGHT) == ["small"]
    put(folder, "heavy", "1.0+cpu")
    put(folder, "heavy", "2.0+cpu")
    assert requirements_beside(LIGHT) == ["heavy==2.0+cpu", "small"]


def test_nothing_large_is_installed_unless_it_is_here(folder: Path) -> None:
    assert is_too_large(HEAVY, "2.0")
    assert "put a wheel of it into a folder" in why_too_large(HEAVY, "2.0")
    put(folder, "heavy", "2.0+cpu")
    assert (is_too_large(HEAVY, "2.0"), is_too_large(HEAVY, "2.0+cpu"), is_too_large(LIGHT, "9")) == (
        True,
        False,
        False,
    )
    with pytest.raises(EnvironmentFailure, match=r"heavy 2\.0 takes gigabytes.*--new 2\.0\+cpu;.*large: false"):
        check_size(HEAVY, "2.0")
    check_size(HEAVY, "2.0+cpu")


def test_a_release_that_cannot_have_it_is_run_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, "heavy", "2.0+cpu", requires=("base>=2",))
    day = {"upload-time": "2026-01-01T00:00:00Z"}
    with index_server() as index:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{index.url}/simple")
        wheels = {"light": {"1.0": ("base<2",), "2.0": ("base",)}, "base": {"1.0": (), "2.0": ()}}
        for name, versions in wheels.items():
            entries = [
                index.add_file(f"{name}-{version}-py3-none-any.whl", whole_wheel(name, version, {}, needs), **day)
                for version, needs in versions.items()
            ]
            index.add_project(name, entries)
        store = EnvironmentStore()
        assert "heavy==2.0+cpu" in environment_at("light", "2.0", store).packages
        with pytest.warns(ApigapWarning, match=r"light 1\.0 is run without heavy==2\.0\+cpu"):
            assert environment_at("light", "1.0", store).packages == ("base==1.0", "light==1.0")
        assert "base==2.0" in environment_at("light", "2.0", store, beside=("base", "heavy")).packages
        with (
            pytest.warns(ApigapWarning, match=r"light 1\.0 is run without"),
            pytest.raises(EnvironmentFailure, match=r"light 1\.0 cannot be installed beside heavy .*make them anew"),
        ):
            environment_at("light", "1.0", store, beside=("heavy",))

"""Installing a library runs nothing of it on the host: startup files, build back ends, compiled sources."""

import json
import os
import py_compile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version

from apigap.discovery.discover import discover
from apigap.packages import bytecode
from apigap.packages.archives import check_wheel
from apigap.packages.bytecode import sources_of
from apigap.packages.environment_check import damage
from apigap.packages.environments import UNCOMPILED, EnvironmentStore, environment_in
from apigap.packages.installer import package_of
from apigap.packages.interpreters import running
from apigap.packages.source_builds import BuildSystem, build_system
from apigap.packages.uv_command import variables_for_uv
from apigap.packages.workshop import environment_store
from apigap.records.candidate import Candidate
from apigap.records.errors import ApigapWarning, EnvironmentFailure
from apigap.sandbox.engine import Engine
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import sdist, wheel, whole_wheel

KEY = "planted-key-5ba1"
DAY = {"upload-time": "2024-01-01T00:00:00Z"}
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
BACKEND = """
import glob, json, os, socket, zipfile

def seen():
    try:
        socket.create_connection(("127.0.0.1", {port}), 2).close()
        network = True
    except OSError:
        network = False
    files = [path for path in {files!r} if os.path.exists(path)]
    return {{"key": os.environ.get("FAKE_API_KEY"), "network": network, "files": files, "uid": os.getuid()}}

{spy}

def build_wheel(folder, settings=None, metadata=None):
    name = "{name}-{version}-py3-none-any.whl"
    info = "{name}-{version}.dist-info/"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as made:
        made.writestr("{name}.py", "SEEN = " + repr(seen()))
        made.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: {told}\\nVersion: {version}\\n")
        made.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        made.writestr(info + "RECORD", "")
    return name
"""


class Trap:
    """An index whose packages write to `mark` what they see, wherever their code runs."""

    def __init__(self, index: IndexServer, folder: Path) -> None:
        self.index = index
        self.mark = folder / "ran"
        self.home = folder / "home"
        self.spy = f"import os; open({str(self.mark)!r}, 'a').write(str(os.environ.get('FAKE_API_KEY')))"
        guarded = f"try:\n    {self.spy}\nexcept OSError: pass"
        self.add_wheel("startup", {"startup.py": "def f(x): ...\n", "startup.pth": f"{self.spy}\n"})
        self.add_wheel("needy", {"needy.py": "import source_only\n"}, ["source-only>=0.5,<3"])
        own = f"#!/bin/sh\necho $FAKE_API_KEY > {self.mark}\n"
        self.add_wheel("scripts", {"a.py": "", "scripts-1.0.data/scripts/python": own})
        self.add_wheel("data", {"a.py": "", "data-1.0.data/data/bin/python3": own})
        entry = "[console_scripts]\npython = plain:f\n"
        self.add_wheel("entry", {"a.py": "", "entry-1.0.dist-info/entry_points.txt": entry})
        self.add_wheel("plain", {"plain.py": "def f(): ...\n"})
        for name, version in (("source_only", "1.0"), ("source_only", "2.0"), ("source_only", "3.0")):
            self.add_sdist(name, version, self._backend(name, version, guarded), PROJECT)
        self.add_sdist("liar", "1.0", self._backend("liar", "1.0", "", told="plain"), PROJECT)
        broken = "def build_wheel(*given):\n    print('no compiler was found')\n    raise SystemExit(1)\n"
        self.add_sdist("broken", "1.0", broken, PROJECT)
        self.add_sdist("legacy", "1.0", guarded, '[build-system]\nrequires = ["source-only"]\n')

    def _backend(self, name: str, version: str, spy: str, told: str | None = None) -> str:
        files = [str(self.home / ".secret"), str(self.mark)]
        port = int(self.index.url.rpartition(":")[2])
        return BACKEND.format(name=name, version=version, told=told or name, port=port, files=files, spy=spy)

    def add_wheel(self, name: str, files: dict[str, str | bytes], requires: list[str] | None = None) -> None:
        made = whole_wheel(name, "1.0", files, requires or [])
        self.index.add_project(name, [self.index.add_file(f"{name}-1.0-py3-none-any.whl", made, **DAY)])

    def add_sdist(self, name: str, version: str, backend: str, project: str) -> None:
        made = sdist(name, version, {"pyproject.toml": project, "backend.py": backend, "setup.py": self.spy})
        entry = self.index.add_file(f"{name}-{version}.tar.gz", made, **DAY)
        page = name.replace("_", "-")
        known = self.index.files.get(f"/simple/{page}/")
        self.index.add_project(page, [*(json.loads(known[1])["files"] if known else []), entry])


@pytest.fixture
def trap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Trap]:
    with index_server() as index:
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / ".secret").write_text("secret")
        (tmp_path / "home" / "uv.toml").write_text("no-build = false\ncompile-bytecode = true\n")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "home" / "cache"))
        monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{index.url}/simple/")
        monkeypatch.setenv("UV_COMPILE_BYTECODE", "1")
        monkeypatch.setenv("FAKE_API_KEY", KEY)
        yield Trap(index, tmp_path)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def builder() -> Iterator[Engine]:
    with Engine(build_sdists=True) as engine:
        yield engine


IMPORTS = """
import importlib, sys

def main(names):
    made = []
    sys.addaudithook(lambda event, given: made.append(str(given[1])) if event == "compile" else None)
    for name in names:
        importlib.import_module(name)
    return [path for path in made if path.startswith("/environment")]
"""


@pytest.mark.sandbox
def test_a_startup_file_is_not_run_on_the_host(trap: Trap, engine: Engine) -> None:
    environment = environment_store(engine).get("startup", "1.0")
    assert (environment.site_packages / "startup.pth").exists()
    assert list(damage(environment)) == []
    assert environment_store(engine).get("startup", "1.0") == environment
    assert [c.api_name for c in _discovered(engine, "startup")] == ["startup.f"]
    assert not trap.mark.exists()


@pytest.mark.sandbox
@pytest.mark.parametrize("library", ["scripts", "data", "entry"])
def test_no_package_takes_the_place_of_the_interpreter(trap: Trap, engine: Engine, library: str) -> None:
    """A sandbox is started with the program to which this name points."""
    with pytest.raises(EnvironmentFailure, match="reserved name `python"):
        environment_store(engine).get(library, "1.0")
    assert not trap.mark.exists()


def _discovered(engine: Engine, library: str) -> tuple[Candidate, ...]:
    with pytest.warns(ApigapWarning, match="no source distribution"):
        return discover(library, None, "1.0", engine=engine, store=environment_store(engine)).candidates


@pytest.mark.sandbox
@pytest.mark.parametrize("unsafe_local", [False, True])
@pytest.mark.parametrize("library", ["source-only", "needy"])
def test_what_would_have_to_be_built_is_refused(trap: Trap, library: str, unsafe_local: bool) -> None:
    with Engine(unsafe_local=unsafe_local) as engine, pytest.raises(EnvironmentFailure) as failure:
        environment_store(engine).get(library, "1.0")
    assert "source-only has no wheels" in str(failure.value)
    assert "--set execution.build_sdists=true" in str(failure.value)
    assert not trap.mark.exists()


@pytest.mark.sandbox
def test_discovery_without_wheels_reads_text(trap: Trap, engine: Engine) -> None:
    with pytest.warns(ApigapWarning, match="read as text"):
        found = discover("source-only", None, "1.0", engine=engine, store=environment_store(engine))
    assert found.reading == "static"
    assert not trap.mark.exists()


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("library", "packages"),
    [("source-only", ("source-only==1.0",)), ("needy", ("needy==1.0", "source-only==2.0"))],
)
def test_a_build_sees_nothing_of_the_host(trap: Trap, builder: Engine, library: str, packages: tuple[str]) -> None:
    environment = environment_store(builder).get(library, "1.0")
    assert environment.packages == packages
    assert not trap.mark.exists()
    seen = (environment.site_packages / "source_only.py").read_text()
    assert eval(seen.removeprefix("SEEN = ")) == {"key": None, "network": False, "files": [], "uid": 65534}
    assert list(damage(environment)) == []
    assert not list(environment.root.parent.glob(".*"))
    assert list((environment.root.parents[1] / "builds").iterdir()) == []


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("library", "reason"),
    [
        ("liar", "says that it is plain 1.0"),
        ("legacy", "source-only, which its build needs, would have to be built"),
        ("broken", "no compiler was found"),
    ],
)
def test_a_build_that_cannot_be_used(trap: Trap, builder: Engine, library: str, reason: str) -> None:
    with pytest.raises(EnvironmentFailure, match=f"{library} 1.0 cannot be built from source: .*{reason}"):
        environment_store(builder).get(library, "1.0")
    assert not trap.mark.exists()


@pytest.mark.sandbox
def test_nothing_is_built_without_isolation(trap: Trap) -> None:
    refused = pytest.raises(EnvironmentFailure, match="with --unsafe-local nothing is built")
    with Engine(unsafe_local=True, build_sdists=True) as engine, refused:
        environment_store(engine).get("source-only", "1.0")
    assert not trap.mark.exists()


@pytest.mark.sandbox
def test_sources_are_compiled_in_the_sandbox(trap: Trap, engine: Engine) -> None:
    files: dict[str, str | bytes] = {
        "lib/__init__.py": "from lib.more import X\n",
        "lib/more.py": "X = 1\n",
        "lib/wrong.py": "print 'no'\n",
        "single.py": "import os\n",
    }
    trap.add_wheel("lib", files)
    bare = EnvironmentStore().get("lib", "1.0")
    site = bare.site_packages
    assert _compiled(site) == set()
    assert (bare.root / UNCOMPILED).exists()
    assert environment_store(engine).get("lib", "1.0") == bare
    assert not (bare.root / UNCOMPILED).exists()
    assert _compiled(site) == {"lib/__init__", "lib/more", "single"}
    (trap.home / "imports.py").write_text(IMPORTS)
    assert engine.script(bare, trap.home / "imports.py", ["lib", "single"]) == []
    (made,) = site.glob("__pycache__/single.*.pyc")
    expected = py_compile.compile(str(site / "single.py"), str(trap.home / "single.pyc"))
    assert made.read_bytes()[:16] == Path(str(expected)).read_bytes()[:16]


@pytest.mark.sandbox
def test_what_is_not_compiled_in_time_is_left(trap: Trap, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "COMPILE_SECONDS", 0.0)
    with pytest.warns(ApigapWarning, match=r"1 of 1 parts of plain 1\.0 are not compiled, so importing"):
        environment = environment_store(engine).get("plain", "1.0")
    assert _compiled(environment.site_packages) == set()
    assert environment_store(engine).get("plain", "1.0") == environment


@pytest.mark.sandbox
def test_without_isolation_nothing_is_compiled(trap: Trap, engine: Engine) -> None:
    with Engine(unsafe_local=True) as local:
        environment = environment_store(local).get("plain", "1.0")
    assert _compiled(environment.site_packages) == set()
    environment_store(engine).get("plain", "1.0")
    assert "plain" in _compiled(environment.site_packages)


@pytest.mark.sandbox
def test_links_are_neither_compiled_nor_written_through(trap: Trap, engine: Engine) -> None:
    environment = EnvironmentStore().get("plain", "1.0")
    site, outside = environment.site_packages, trap.home / "outside"
    outside.mkdir()
    (outside / "far.py").write_text("x = 1")
    (site / "link.py").symlink_to(outside / "far.py")
    (site / "linked").symlink_to(outside)
    (site / "package").mkdir()
    (site / "package" / "own.py").write_text("x = 1")
    (site / "package" / "__pycache__").symlink_to(outside)
    os.mkfifo(site / "pipe.py")
    found = {source.path.name for source in sources_of(site)}
    assert found == {"plain.py", "own.py"}
    environment_store(engine).get("plain", "1.0")
    assert [path.name for path in outside.iterdir()] == ["far.py"]
    assert "plain" in _compiled(site)


def _compiled(site: Path) -> set[str]:
    made = (path.relative_to(site) for path in site.rglob("__pycache__/*.pyc"))
    return {str(path.parent.parent / path.name.partition(".")[0]) for path in made}


def test_uv_sees_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "FAKE_API_KEY": KEY, "AWS_SECRET_ACCESS_KEY": KEY, "UV_PUBLISH_TOKEN": KEY, "PYTHONPATH": "/x",
        "UV_COMPILE_BYTECODE": "1", "UV_NO_BUILD_ISOLATION": "1", "UV_CONFIG_FILE": "/x", "VIRTUAL_ENV": "/x",
        "https_proxy": "http://proxy", "UV_INDEX_INNER_PASSWORD": "p", "UV_CACHE_DIR": "/c", "SSL_CERT_FILE": "/s",
        "UV_DEFAULT_INDEX": "https://inner/simple", "LC_ALL": "C",
    }  # fmt: skip
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert variables_for_uv() == {
        "https_proxy": "http://proxy", "UV_INDEX_INNER_PASSWORD": "p", "UV_CACHE_DIR": "/c", "SSL_CERT_FILE": "/s",
        "UV_DEFAULT_INDEX": "https://inner/simple/", "LC_ALL": "C", "UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("folder", "package"),
    [
        ("Flask-3.0.0.dist-info", "flask==3.0.0"),
        ("ruamel.yaml.clib-0.2.8.dist-info", "ruamel-yaml-clib==0.2.8"),
        ("typing_extensions-4.15.0rc1.dist-info", "typing-extensions==4.15.0rc1"),
        ("torch-2.8.0+cpu.dist-info", "torch==2.8.0+cpu"),
        ("certifi-2024.02.02.dist-info", "certifi==2024.2.2"),
    ],
)
def test_the_name_of_a_package(folder: str, package: str) -> None:
    assert package_of(Path(folder)) == package


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, BuildSystem()),
        ("[project]\nname = 'x'", BuildSystem()),
        ("[build-system]\nrequires = ['hatchling>=1']\nbuild-backend = 'hatchling.build'",
         BuildSystem(("hatchling>=1",), "hatchling.build")),
        (PROJECT, BuildSystem((), "backend", (".",))),
        ("[build-system]\nrequires = ['x @ https://host/x.tar.gz']", "not on the index"),
        ("[build-system]\nrequires = ['--index-url=x']", "cannot be understood"),
        ("[build-system]\nrequires = 'x'", "no list"),
        ("[build-system", "cannot be read"),
    ],
)  # fmt: skip
def test_what_builds_a_project(text: str | None, expected: BuildSystem | str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    if isinstance(expected, BuildSystem):
        assert build_system(tmp_path) == expected
    else:
        with pytest.raises(EnvironmentFailure, match=expected):
            build_system(tmp_path)


_GOOD = whole_wheel("lib", "1.0", {"lib.py": ""})


@pytest.mark.parametrize(
    ("filename", "data", "reason"),
    [
        ("lib-1.0-py3-none-any.whl", _GOOD, None),
        ("lib-2.0-py3-none-any.whl", _GOOD, "no name for a wheel of lib 1.0"),
        ("other-1.0-py3-none-any.whl", _GOOD, "no name for a wheel of lib 1.0"),
        ("../lib-1.0-py3-none-any.whl", _GOOD, "no name for a wheel"),
        ("lib.txt", _GOOD, "is no wheel"),
        ("lib-1.0-py3-none-any.whl", b"PK", "is no wheel"),
        ("lib-1.0-py3-none-any.whl", wheel({"lib.py": ""}), "METADATA"),
        ("lib-1.0-py3-none-any.whl", whole_wheel("lib", "1.0", {"../x.py": ""}), "members outside"),
        ("lib-1.0-py3-none-any.whl", whole_wheel("lib", "1.0", {"b-1.dist-info/METADATA": ""}), "not one .dist-info"),
        ("lib-1.0-py3-none-any.whl", whole_wheel("lib", "1.1", {}), "says that it is lib 1.1"),
    ],
)
def test_a_wheel_is_checked(filename: str, data: bytes, reason: str | None) -> None:
    if reason is None:
        check_wheel(filename, data, canonicalize_name("lib"), Version("1.0"))
        return
    with pytest.raises(EnvironmentFailure, match=reason):
        check_wheel(filename, data, canonicalize_name("lib"), Version("1.0"))


@pytest.mark.parametrize(
    ("days", "resolved"),
    [(["2024-01-01"], "release"), (["2030-01-01"], "today"), (["2024-01-01", "2030-01-01"], "release")],
)
def test_what_cannot_be_solved_as_of_its_time_has_the_packages_of_today(
    trap: Trap, days: list[str], resolved: str
) -> None:
    trap.add_wheel("late", {"late.py": "import dep\n"}, ["dep"])
    wheels = {f"1.{number}": day for number, day in enumerate(days)}
    trap.index.add_project("dep", [_dependency(trap, version, day) for version, day in wheels.items()])
    with warnings.catch_warnings(record=True, action="always", category=ApigapWarning) as told:
        environment = EnvironmentStore().get("late", "1.0")
    assert environment.packages == ("dep==1.0", "late==1.0")
    assert environment.resolved == resolved
    warned = "late 1.0: nothing of 2024-01-01 satisfies its requirements"
    assert [str(one.message).partition(",")[0] for one in told] == ([warned] if resolved == "today" else [])
    assert EnvironmentStore().get("late", "1.0") == environment
    plain = environment_in(environment.root, "late", "1.0", running())
    assert (environment.lock == plain.lock) == (resolved == "release")


def test_the_reason_is_that_of_the_release_s_time(trap: Trap) -> None:
    trap.add_wheel("late", {"late.py": ""}, ["dep>=2"])
    trap.index.add_project("dep", [_dependency(trap, "1.0", "2030-01-01")])
    with pytest.raises(EnvironmentFailure, match="as of its release on 2024-01-01"):
        EnvironmentStore().get("late", "1.0")


def _dependency(trap: Trap, version: str, day: str) -> dict[str, object]:
    made = whole_wheel("dep", version, {"dep.py": ""})
    return trap.index.add_file(f"dep-{version}-py3-none-any.whl", made, **{"upload-time": f"{day}T00:00:00Z"})

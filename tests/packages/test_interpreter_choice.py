"""Which interpreter a release gets: the newest at hand that it can be installed on, and one for both of a pair."""

import ast
import importlib.util
import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import apigap
from apigap.packages import interpreter_choice
from apigap.packages.environments import EnvironmentStore, wanted
from apigap.packages.interpreter_choice import Wanted, in_order
from apigap.packages.interpreters import MINORS, Interpreter, at_hand, running
from apigap.packages.workshop import environment_store
from apigap.records.configuration import PackageSettings, load_settings
from apigap.records.errors import EnvironmentFailure, UsageError
from apigap.sandbox.engine import Engine
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import sdist, whole_wheel

DAY = {"upload-time": "2026-01-01T00:00:00Z"}
NEWEST = PackageSettings()


def _interpreter(minor: int) -> Interpreter:
    return Interpreter(version=f"3.{minor}.1", executable=Path("/x"), prefix=f"/{minor}", magic="00")


@pytest.mark.parametrize(
    ("uploaded", "expected"),
    [
        (None, [14, 13, 12, 11, 10]),
        ("2026-01-01", [14, 13, 12, 11, 10]),
        ("2025-01-01", [13, 12, 11, 14, 10]),  # what it could not know comes after what it could
        ("2023-01-01", [11, 12, 13, 14, 10]),
        ("2020-01-01", [11, 12, 13, 14, 10]),
    ],
)
def test_the_order(uploaded: str | None, expected: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter_choice, "at_hand", lambda: tuple(map(_interpreter, (14, 13, 12, 11, 10))))
    moment = datetime.fromisoformat(uploaded).replace(tzinfo=UTC) if uploaded else None
    assert [one.number for one in in_order(moment)] == expected


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
        yield server


def _add(index: IndexServer, name: str, *files: tuple[str, str, str | None], requires: tuple[str, ...] = ()) -> None:
    """A project; `files` are (version, tag of the wheel or `sdist`, requires-python)."""
    entries: list[dict[str, object]] = []
    for version, tag, python in files:
        more = {**DAY, **({"requires-python": python} if python else {})}
        if tag == "sdist":
            entries.append(index.add_file(f"{name}-{version}.tar.gz", sdist(name, version, {"x.py": ""}), **more))
        else:
            content = whole_wheel(name, version, {f"{name}.py": f"x = {version}"}, requires)
            entries.append(index.add_file(f"{name}-{version}-{tag}.whl", content, **more))
    index.add_project(name, entries)


def _tag(one: Interpreter) -> str:
    return f"cp3{one.number}-none-any"


def test_the_newest_that_it_and_what_it_needs_have_wheels_for(index: IndexServer) -> None:
    oldest = at_hand()[-1]
    _add(index, "anywhere", ("1.0", "py3-none-any", None))
    _add(index, "own", *((f"{number}.0", _tag(one), None) for number, one in enumerate(at_hand())))
    _add(index, "needed", ("1.0", _tag(oldest), None), ("2.0", "sdist", None))
    _add(index, "needing", ("1.0", "py3-none-any", None), requires=("needed",))
    _add(index, "told", ("1.0", "py3-none-any", f"=={oldest.minor}.*"))
    store = EnvironmentStore(packages=NEWEST)
    chosen = {name: store.python_of(wanted(name, "1.0")) for name in ("anywhere", "needing", "told")}
    newest = in_order(datetime(2026, 1, 1, tzinfo=UTC))[0].minor
    assert chosen == {"anywhere": newest, "needing": oldest.minor, "told": oldest.minor}
    for number, one in enumerate(at_hand()):
        assert store.python_of(wanted("own", f"{number}.0")) == one.minor


def test_a_pair_has_one_where_both_can(index: IndexServer) -> None:
    first, last = at_hand()[0], at_hand()[-1]
    _add(index, "lib", ("1.0", _tag(last), None), ("2.0", "py3-none-any", None), ("3.0", _tag(first), None))
    store = EnvironmentStore(packages=NEWEST)
    assert store.python_of(wanted("lib", "1.0"), wanted("lib", "2.0")) == last.minor
    shared = store.python_of(wanted("lib", "1.0"), wanted("lib", "3.0"))
    assert shared == (first.minor if first == last else None)


def test_the_environment_is_of_it_and_uv_is_not_asked_again(
    index: IndexServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add(index, "anywhere", ("1.0", "py3-none-any", None))
    with Engine(workers=1) as engine:
        made = environment_store(engine, NEWEST).get("anywhere", "1.0")
    one = in_order(datetime(2026, 1, 1, tzinfo=UTC))[0]
    assert (made.python_version, str(made.base_prefix)) == (one.version, str(Path(one.prefix).resolve()))
    compiled = made.site_packages / "__pycache__" / f"anywhere.cpython-3{one.number}.pyc"
    assert compiled.read_bytes()[:4].hex() == one.magic
    if one != running():
        assert one.magic != importlib.util.MAGIC_NUMBER.hex()
    index.files.clear()
    monkeypatch.setattr(interpreter_choice, "why_not", None)
    assert EnvironmentStore(packages=NEWEST).get("anywhere", "1.0") == made


def test_without_settings_it_is_the_running_one_as_it_always_was(index: IndexServer) -> None:
    _add(index, "anywhere", ("1.0", "py3-none-any", None))
    made = EnvironmentStore().get("anywhere", "1.0")
    assert made.python_version == running().version
    assert "python_version" not in json.loads((made.root / ".apigap-ready").read_bytes())
    assert EnvironmentStore(packages=NEWEST).get("anywhere", "1.0", python="running") == made
    assert EnvironmentStore(packages=PackageSettings(python=running().minor)).get("anywhere", "1.0") == made


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A minor version that is not at hand, and that uv cannot reach: all but the running one are out of sight."""
    path = tmp_path / "path"
    path.mkdir()
    if isolator := shutil.which("bwrap"):
        (path / "bwrap").symlink_to(isolator)
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path))
    monkeypatch.setenv("UV_PYTHON_INSTALL_MIRROR", "http://127.0.0.1:9")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    at_hand.cache_clear()
    (only,) = at_hand()
    yield next(f"3.{number}" for number in reversed(MINORS) if f"3.{number}" != only.minor)
    at_hand.cache_clear()


CANNOT = "uv cannot download.*; install it with `uv python install 3"


def test_a_download_that_fails_is_told_with_its_reason(index: IndexServer, missing: str) -> None:
    _add(index, "only", ("1.0", "py3-none-any", f"=={missing}.*"))
    for python in (missing, "newest"):
        store = EnvironmentStore(packages=PackageSettings(python=python, python_downloads=True))
        with pytest.raises(EnvironmentFailure, match=CANNOT) as raised:
            store.get("only", "1.0")
        assert "onnect" in str(raised.value), raised.value


def test_the_engine_hands_its_settings_to_environments_of_tasks(index: IndexServer, missing: str) -> None:
    """A task says which Python it is of, and one that does not is of that of apigap; downloads are as anywhere."""
    _add(index, "anywhere", ("1.0", "py3-none-any", None))
    with Engine(workers=1, packages=PackageSettings(python="newest", python_downloads=True)) as engine:
        store = environment_store(engine)
        assert store.get("anywhere", "1.0").python_version == running().version
        with pytest.raises(EnvironmentFailure, match=CANNOT):
            store.get("anywhere", "1.0", python=missing)


def test_every_command_hands_its_settings_to_the_engine() -> None:
    made = 0
    for path in sorted(Path(apigap.__file__).parent.rglob("*.py")):
        if "engine_of(" in path.read_text():
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "engine_of":
                    made += 1
                    assert len(call.args) > 3 or "packages" in {one.arg for one in call.keywords}, path
    assert made > 5


def test_what_fits_none_says_what_would_help(index: IndexServer) -> None:
    missing = [f"3.{number}" for number in MINORS if f"3.{number}" not in {one.minor for one in at_hand()}]
    store = EnvironmentStore(packages=NEWEST)
    for minor in missing:
        _add(index, f"only{minor[2:]}", ("1.0", "py3-none-any", f"=={minor}.*"))
        with pytest.raises(EnvironmentFailure, match=rf"it needs Python =={minor}.*`uv python install {minor}`"):
            store.get(f"only{minor[2:]}", "1.0")
    _add(index, "never", ("1.0", "py3-none-any", "<3.5"))
    with pytest.raises(EnvironmentFailure, match=r"never 1.0 .*it needs Python <3.5.*choose another version"):
        store.get("never", "1.0")
    _add(index, "source", ("1.0", "sdist", None))
    with pytest.raises(EnvironmentFailure, match=r"--set execution\.build_sdists=true"):
        store.get("source", "1.0")


def test_a_broken_index_is_no_verdict_on_an_interpreter(index: IndexServer) -> None:
    from apigap.records.errors import InfrastructureError

    _add(index, "needing", ("1.0", "py3-none-any", None), requires=("needed",))
    store = EnvironmentStore(packages=NEWEST)
    del index.files["/files/needing-1.0-py3-none-any.whl"]
    with pytest.raises(InfrastructureError):
        store.python_of(wanted("needing", "1.0"))
    assert not list(store.root.parent.glob("*-pythons/*.json"))


@pytest.mark.parametrize(
    ("given", "expected"), [("3.10", "3.10"), ("3.12", "3.12"), ("newest", "newest"), ("running", "running")]
)
def test_the_setting(given: str, expected: str) -> None:
    assert load_settings((), [f"packages.python={given}"]).packages.python == expected


@pytest.mark.parametrize("given", ["4", "2.7", "3", "system"])
def test_a_setting_that_is_none(given: str) -> None:
    with pytest.raises(UsageError, match="it is newest, running, or a version"):
        load_settings((), [f"packages.python={given}"])


def test_a_wanted_release_tells_its_requirements() -> None:
    assert Wanted("lib", "1.0", ("other==2",)).requirements == ["lib==1.0", "other==2"]

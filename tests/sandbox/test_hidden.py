"""Installations of this machine inside a sandbox: packages, sources, and so apigap's own references, are hidden."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.records.errors import IsolationMissing
from apigap.records.run import Program
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation import layout
from apigap.sandbox.isolation.layout import hidden_folders


@pytest.fixture
def prefixed(environment: Environment, tmp_path: Path) -> Environment:
    """The environment, as if its interpreter lay in an installation of its own."""
    for folder in ("lib/python3.11/site-packages/apigap/starter", "lib/python3/dist-packages", "envs/other"):
        (tmp_path / "prefix" / folder).mkdir(parents=True)
    (tmp_path / "prefix/lib/python3.11/site-packages/apigap/starter/numpy.jsonl").write_text("{}")
    return environment.model_copy(update={"base_prefix": tmp_path / "prefix"})


@pytest.mark.network
@pytest.mark.sandbox
def test_packages_of_the_interpreter_are_hidden(prefixed: Environment) -> None:
    hidden = hidden_folders(prefixed)
    for folder in ("lib/python3.11/site-packages", "lib/python3/dist-packages", "envs"):
        assert str(prefixed.base_prefix / folder) in hidden


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize("place", ["share/apigap", "lib/apigap/sandbox/worker"])
def test_a_start_is_refused_while_apigap_can_be_seen(
    prefixed: Environment, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    where = prefixed.base_prefix / place
    where.mkdir(parents=True)
    if place.startswith("share"):
        monkeypatch.setenv("APIGAP_CACHE", str(where))
    else:
        monkeypatch.setattr(layout, "WORKER_FOLDER", where)
    with pytest.raises(IsolationMissing, match="would be readable inside the sandbox"):
        hidden_folders(prefixed)


@pytest.mark.network
@pytest.mark.sandbox
def test_an_interpreter_in_a_folder_that_is_replaced_is_named(prefixed: Environment) -> None:
    with pytest.raises(IsolationMissing, match=r"the interpreter /tmp/.* is another one inside the sandbox"):
        layout.readable_binds(prefixed)


LOOK = """
import glob, sys
found = []
for root in {sys.base_prefix, sys.prefix, "/usr", "/usr/local"} - {"/environment"}:
    for kind in ("site-packages", "dist-packages"):
        found += glob.glob(f"{root}/lib*/python*/{kind}/*") + glob.glob(f"{root}/local/lib*/python*/{kind}/*")
"""


@pytest.mark.network
@pytest.mark.sandbox
def test_nothing_of_them_can_be_read_inside(engine: Engine, environment: Environment) -> None:
    (record,) = engine.run(environment, [Program(context=LOOK, completion="pass", observe=("found",))])
    assert record.observations == {"found": []}, record


@pytest.mark.network
@pytest.mark.sandbox
def test_the_kernels_settings_cannot_be_written(engine: Engine, environment: Environment) -> None:
    code = (
        "import os\nwritable = [os.path.join(f, n) for f, _, names in os.walk('/proc/sys') for n in names\n"
        "            if os.access(os.path.join(f, n), os.W_OK)]"
    )
    (record,) = engine.run(environment, [Program(context="", completion=code, observe=("writable",))])
    assert record.observations == {"writable": []}, record


@pytest.fixture
def installed() -> Iterator[Path]:
    """A prefix that holds apigap and its references, in a folder that a sandbox does not replace."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        references = Path(folder, "lib/python3.11/site-packages/apigap/starter/numpy.jsonl")
        references.parent.mkdir(parents=True)
        references.write_text("a reference")
        Path(folder, "lib/python3.11/os.py").write_text("of the standard library")
        yield Path(folder)


@pytest.mark.network
@pytest.mark.sandbox
def test_references_in_the_prefix_of_the_interpreter_cannot_be_read(
    engine: Engine, environment: Environment, installed: Path
) -> None:
    code = (
        f"import os\nlib = '{installed}/lib/python3.11'\n"
        "seen = [open(lib + '/os.py').read(), os.listdir(lib + '/site-packages'), sorted(os.listdir(lib))]\n"
    )
    prefixed = environment.model_copy(update={"base_prefix": installed, "lock": str(installed)})
    (record,) = engine.run(prefixed, [Program(context="", completion=code, observe=("seen",))])
    assert record.observations == {"seen": ["of the standard library", [], ["os.py", "site-packages"]]}, record

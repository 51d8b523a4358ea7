"""The command that adds what is missing is the one that works for this installation."""

from pathlib import Path
from typing import Any

import pytest

from apigap.records.errors import InfrastructureError
from apigap.records.extras import command_for, from_extra, install_command

WHEEL = {"url": "https://example.org/apigap-0.2.0-py3-none-any.whl", "archive_info": {}}


def _directory(folder: Path, editable: bool) -> dict[str, Any]:
    return {"url": folder.as_uri(), "dir_info": {"editable": True} if editable else {}}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a checkout"
    (folder / ".venv").mkdir(parents=True)
    (folder / "uv.lock").touch()
    return folder


def test_what_came_from_an_index_or_an_address_comes_from_there_again(tmp_path: Path) -> None:
    assert command_for("mcp", None, tmp_path, tmp_path).startswith("pip install 'apigap[mcp] @ file:")
    assert command_for("mcp", WHEEL, tmp_path, tmp_path) == f"pip install 'apigap[mcp] @ {WHEEL['url']}'"


def test_a_checkout_has_its_locked_versions_and_its_way_to_torch(checkout: Path) -> None:
    origin, prefix = _directory(checkout, editable=True), checkout / ".venv"
    assert command_for("mcp", origin, prefix, checkout) == ".venv/bin/uv sync --locked --inexact --extra mcp"
    assert command_for("adapt", origin, prefix, checkout) == "make install-adapt"
    elsewhere = command_for("mcp", origin, prefix, checkout.parent)
    assert elsewhere == (f"'{checkout}/.venv/bin/uv' sync --project '{checkout}' --locked --inexact --extra mcp")
    assert command_for("adapt", origin, prefix, checkout.parent) == f"make -C '{checkout}' install-adapt"


@pytest.mark.parametrize(("editable", "option"), [(True, "--editable "), (False, "")])
def test_a_folder_in_another_environment_is_named(checkout: Path, editable: bool, option: str) -> None:
    found = command_for("mcp", _directory(checkout, editable), checkout.parent, checkout)
    assert found == f"pip install {option}'{checkout}[mcp]'"


def test_an_import_that_fails_names_the_command() -> None:
    with pytest.raises(InfrastructureError) as raised, from_extra("mcp", "a tea party"):
        import no_such_module  # pyright: ignore[reportMissingImports, reportUnusedImport]  # noqa: F401
    told = str(raised.value)
    assert told.startswith("a tea party needs no_such_module,") and told.endswith(install_command("mcp"))

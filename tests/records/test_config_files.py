"""One YAML file per configuration: where they are looked for, and a file that describes none."""

from pathlib import Path

import pytest

from apigap.records.base import Record
from apigap.records.errors import CorruptRecord
from apigap.records.yaml_settings.config_files import config_files, read_config


class Thing(Record):
    name: str
    size: int = 1


def test_the_users_files_come_after_those_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, own = tmp_path / "named", tmp_path / "own"
    for folder in (named, own):
        folder.mkdir()
        (folder / "swe.yaml").write_text("libraries: [lib]\n")
    (named / "notes.txt").write_text("no configuration")
    monkeypatch.setenv("APIGAP_GROUPS", str(named))
    found = [file for name, file in config_files("groups", own, tmp_path / "none") if name == "swe"]
    assert [str(file) for file in found[1:]] == [str(named / "swe.yaml"), str(own / "swe.yaml")]
    assert "notes.txt" not in dict(config_files("groups", own))


@pytest.mark.parametrize(("text", "thing"), [("size: 3", Thing(name="a", size=3)), ("", Thing(name="a"))])
def test_what_a_file_leaves_out_has_its_default(text: str, thing: Thing, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert read_config(tmp_path / "a.yaml", Thing, "a thing", name="a") == thing


@pytest.mark.parametrize("text", ["size: [", "size: much", "colour: red", "- a"])
def test_a_file_that_describes_none_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(CorruptRecord, match=r"(?s)a\.yaml does not describe a thing: .*repair or remove it"):
        read_config(tmp_path / "a.yaml", Thing, "a thing", name="a")

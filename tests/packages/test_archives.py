"""Archives that try to write where they must not."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from apigap.packages import archives
from apigap.packages.archives import unpack
from apigap.records.errors import InfrastructureError


def tar(path: Path, members: list[tuple[str, bytes, str]]) -> Path:
    kinds = {"": tarfile.REGTYPE, "link": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "device": tarfile.CHRTYPE}
    with tarfile.open(path, "w:gz") as archive:
        for name, content, kind in members:
            member = tarfile.TarInfo(name)
            member.type = kinds[kind]
            if kind in ("link", "hard"):
                member.linkname = content.decode()
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    "evil",
    [
        ("../outside.txt", b"x", ""),
        ("lib/../../outside.txt", b"x", ""),
        ("lib/link", b"/etc/passwd", "link"),
        ("lib/link", b"../../outside.txt", "link"),
        ("lib/hard", b"../outside.txt", "hard"),
        ("lib/device", b"", "device"),
    ],
)
def test_a_member_that_would_leave_the_folder_is_left_out(evil: tuple[str, bytes, str], tmp_path: Path) -> None:
    archive = tar(tmp_path / "lib.tar.gz", [evil, ("lib/good.txt", b"good", "")])
    (tmp_path / "deep").mkdir()
    unpack(archive, tmp_path / "deep" / "into")
    assert [path.name for path in (tmp_path / "deep").rglob("*") if path.is_file() or path.is_symlink()] == ["good.txt"]
    assert {path.name for path in tmp_path.iterdir()} == {"deep", "lib.tar.gz"}


def test_an_absolute_name_lands_inside_or_nowhere(tmp_path: Path) -> None:
    target = tmp_path / "absolute.txt"
    unpack(tar(tmp_path / "lib.tar.gz", [(str(target), b"x", "")]), tmp_path / "into")
    assert not target.exists()


def test_a_zip_that_would_leave_the_folder(tmp_path: Path) -> None:
    archive = tmp_path / "lib.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("../outside.txt", "x")
        zipped.writestr("/outside.txt", "x")
        zipped.writestr("lib/good.txt", "good")
    unpack(archive, tmp_path / "into")
    assert [path.name for path in (tmp_path / "into").rglob("*") if path.is_file()] == ["good.txt"]
    assert not (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("name", ["lib.tar.gz", "lib.zip"])
def test_an_archive_larger_than_it_may_be(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 1000)
    path = tmp_path / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr("lib/zeros", bytes(10_000))
    else:
        tar(path, [("lib/zeros", bytes(10_000), "")])
    with pytest.raises(InfrastructureError, match="it is not unpacked"):
        unpack(path, tmp_path / "into")
    assert not list((tmp_path / "into").iterdir())


@pytest.mark.parametrize("name", ["lib.tar.gz", "lib.zip"])
def test_a_damaged_archive(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"not an archive")
    with pytest.raises(InfrastructureError, match=f"cannot unpack {name}"):
        unpack(tmp_path / name, tmp_path / "into")

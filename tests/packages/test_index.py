"""The package index against a real server on this machine, and once against the public one."""

import base64
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.packages import transfer
from apigap.packages.index import PUBLIC_INDEX, fetch_sdist, index_url, parse_page, release, releases
from apigap.packages.transfer import download
from apigap.records.errors import ApigapWarning, InfrastructureError, UsageError
from apigap.records.paths import cache_home
from tests.packages.index_server import IndexServer, index_server


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(transfer.time, "sleep", lambda seconds: None)
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        yield server


def file(name: str, **more: object) -> dict[str, object]:
    return {"filename": name, "url": f"files/{name}", "hashes": {"sha256": "00"}, **more}


def test_a_page_becomes_releases_in_the_order_of_versions() -> None:
    page = {
        "files": [
            file("lib-1.10.tar.gz", **{"upload-time": "2024-03-02T10:00:00Z"}),
            file("lib-1.10-py3-none-any.whl", **{"upload-time": "2024-03-01T10:00:00.123456Z"}),
            file("lib-1.9.zip", yanked="broken"),
            file("lib-2.0rc1.tar.gz"),
            file("lib-1.0.win32.exe"),
            file("lib-1.0-py2.7.egg"),
            file("lib-latest.tar.gz"),
        ]
    }
    found = parse_page("lib", page, "https://example.org/simple/lib/")
    assert [(r.version, r.is_stable, r.yanked) for r in found] == [
        ("1.9", False, True),
        ("1.10", True, False),
        ("2.0rc1", False, False),
    ]
    assert str(found[1].uploaded) == "2024-03-01 10:00:00.123456+00:00"
    assert found[0].uploaded is None
    assert found[1].files[0].url == "https://example.org/simple/lib/files/lib-1.10.tar.gz"
    assert [f.is_sdist for f in found[1].files] == [True, False]


@pytest.mark.parametrize(
    ("variables", "url"),
    [
        ({}, PUBLIC_INDEX),
        ({"PIP_INDEX_URL": "https://a/simple"}, "https://a/simple/"),
        ({"UV_INDEX_URL": "https://b/simple/", "PIP_INDEX_URL": "https://a/simple"}, "https://b/simple/"),
        ({"UV_DEFAULT_INDEX": "https://c", "UV_INDEX_URL": "https://b"}, "https://c/"),
        ({"UV_DEFAULT_INDEX": "mine=https://c/simple?x=1"}, "https://c/simple?x=1/"),
        ({"UV_DEFAULT_INDEX": "https://c/a=b"}, "https://c/a=b/"),
        ({"UV_DEFAULT_INDEX": " "}, PUBLIC_INDEX),
    ],
)
def test_which_index(variables: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert index_url() == url


def test_names_and_versions_are_found_in_any_spelling(index: IndexServer) -> None:
    index.add_project("my-lib", [file("my_lib-1.0.tar.gz")])
    assert release("My_Lib", "1.0.0").version == "1.0"


@pytest.mark.parametrize(
    ("library", "version", "message"),
    [
        ("pydantc", "1.0", "no library named 'pydantc'; did you mean pydantic"),
        ("qqqqqqqqqq", "1.0", "no library named 'qqqqqqqqqq'; check the spelling"),
        ("lib", "1.11", "lib has no version '1.11'; the latest is 2.0, similar ones are 1.1"),
        ("lib", "newest", "lib has no version 'newest'; the latest is 2.0"),
        ("empty", "1.0", "empty has no releases"),
    ],
)
def test_what_does_not_exist_is_named_with_what_does(
    library: str, version: str, message: str, index: IndexServer
) -> None:
    index.add_project("lib", [file(f"lib-{v}.tar.gz") for v in ("1.1", "1.2", "2.0", "3.0a1")])
    index.add_project("empty", [])
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        release(library, version)


@pytest.mark.parametrize("kept", ["", '{"url": "https://x', "[]", '{"url": 1}', "null"])
def test_a_page_that_was_cut_is_asked_for_again(index: IndexServer, kept: str) -> None:
    index.add_project("lib", [file("lib-1.0.tar.gz")])
    releases("lib")
    (page,) = cache_home().glob("index/*/lib.json")
    page.write_text(kept)
    assert [found.version for found in releases("lib")] == ["1.0"]
    assert len(index.requests) == 2
    page.write_text(kept)
    index.failures = [503] * transfer.ATTEMPTS
    with pytest.raises(InfrastructureError, match="503"):
        releases("lib")


def test_a_page_is_asked_for_once_and_serves_when_the_index_is_gone(index: IndexServer) -> None:
    index.add_project("lib", [file("lib-1.0.tar.gz")])
    releases("lib")
    releases("lib")
    assert len(index.requests) == 1
    (kept,) = cache_home().glob("index/*/lib.json")
    os.utime(kept, (time.time() - 7200, time.time() - 7200))
    index.failures = [503] * transfer.ATTEMPTS
    with pytest.warns(ApigapWarning, match="503.*using what it said about lib 2 hours ago"):
        assert [r.version for r in releases("lib")] == ["1.0"]
    index.add_project("lib", [file("lib-1.0.tar.gz"), file("lib-1.1.tar.gz")])
    assert [r.version for r in releases("lib")] == ["1.0", "1.1"]


def test_without_a_network_the_message_says_what_to_do(index: IndexServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://user:secret@127.0.0.1:9/simple")
    with pytest.raises(InfrastructureError, match=r"cannot reach 127.0.0.1 .* set UV_DEFAULT_INDEX") as raised:
        releases("lib")
    assert "secret" not in str(raised.value)


def test_an_index_that_speaks_html_only_is_refused(index: IndexServer) -> None:
    index.files["/simple/lib/"] = ("text/html", b"<html>")
    with pytest.raises(InfrastructureError, match="answers text/html, not JSON"):
        releases("lib")


def test_a_password_is_sent_but_not_shown(index: IndexServer, monkeypatch: pytest.MonkeyPatch) -> None:
    index.add_project("lib", [])
    monkeypatch.setenv("UV_DEFAULT_INDEX", index.url.replace("http://", "http://me:p%40ss@") + "/simple/")
    releases("lib")
    assert index.requests[0][1]["Authorization"] == "Basic " + base64.b64encode(b"me:p@ss").decode()


def test_a_password_stays_with_its_host(index: IndexServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with index_server() as other:
        other.add_project("lib", [file("lib-1.0.tar.gz")])
        index.moved["/simple/lib/"] = f"{other.url}/simple/lib/"
        monkeypatch.setenv("UV_DEFAULT_INDEX", index.url.replace("http://", "http://me:secret@") + "/simple/")
        (found,) = releases("lib")
    assert found.files[0].url == f"{other.url}/simple/lib/files/lib-1.0.tar.gz"
    assert "Authorization" in index.requests[0][1] and "Authorization" not in other.requests[0][1]


def test_a_redirect_that_leaves_http_is_refused(index: IndexServer) -> None:
    index.moved["/simple/lib/"] = "file:///etc/passwd"
    with pytest.raises(InfrastructureError, match=r"cannot reach 127\.0\.0\.1"):
        releases("lib")


def asked_through(proxies: dict[str, str], url: str) -> subprocess.CompletedProcess[str]:
    """A page asked for in a process of its own, whose environment names `proxies`."""
    script = f"from apigap.packages.transfer import get\nprint(get({url!r}, '*/*').body.decode())"
    names = {name for name in os.environ if name.lower().endswith("_proxy")}
    own = {name: value for name, value in os.environ.items() if name not in names} | proxies
    return subprocess.run([sys.executable, "-c", script], env=own, capture_output=True, text=True, check=False)


def test_a_proxy_is_asked_where_the_environment_names_one(index: IndexServer) -> None:
    url = "http://no-such-host.invalid/page"
    index.files[url] = ("text/plain", b"by the proxy")
    assert asked_through({"HTTP_PROXY": index.url}, url).stdout == "by the proxy\n"
    index.files["/page"] = ("text/plain", b"directly")
    assert asked_through({"HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}, f"{index.url}/page").stdout == (
        "directly\n"
    )


def test_a_proxy_that_cannot_be_used_is_told(index: IndexServer) -> None:
    done = asked_through({"ALL_PROXY": "socks5://127.0.0.1:9"}, f"{index.url}/page")
    assert "InfrastructureError: the proxy of this environment cannot be used" in done.stderr
    assert "pip install 'httpx2[socks]'" in done.stderr


def test_a_process_that_asks_for_nothing_loads_no_client() -> None:
    script = (
        "import sys, apigap, apigap.cli.main, apigap.packages.index\n"
        "print([name for name in ('httpx2', 'starlette', 'uvicorn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_compressed_page_is_read_and_counted_as_it_came(index: IndexServer) -> None:
    body = gzip.compress(b'{"files": []}' + b" " * 100_000)
    index.files["/simple/lib/"] = ("application/vnd.pypi.simple.v1+json", body)
    index.encodings["/simple/lib/"] = "gzip"
    with transfer.metered() as meter:
        assert releases("lib") == []
    assert meter.bytes == len(body)


def test_a_broken_download_is_continued(index: IndexServer, tmp_path: Path) -> None:
    content = os.urandom(700_000)
    index.add_file("w.whl", content)
    index.cut_after = 300_000
    seen: list[tuple[int, int | None]] = []
    url, digest = f"{index.url}/files/w.whl", hashlib.sha256(content).hexdigest()
    to = download(url, digest, tmp_path / "w.whl", lambda done, total: seen.append((done, total)))
    assert to.read_bytes() == content
    assert [headers.get("Range") for _, headers in index.requests] == [None, "bytes=300000-"]
    assert seen[-1] == (700_000, 700_000)
    assert all(total == 700_000 for _, total in seen)
    download(url, digest, to)
    assert len(index.requests) == 2


def test_a_download_left_by_a_killed_run_is_continued(index: IndexServer, tmp_path: Path) -> None:
    content = b"abcdef" * 1000
    index.add_file("w.whl", content)
    (tmp_path / "w.whl.part").write_bytes(content[:5000])
    digest = hashlib.sha256(content).hexdigest()
    assert download(f"{index.url}/files/w.whl", digest, tmp_path / "w.whl").read_bytes() == content
    assert index.requests[0][1]["Range"] == "bytes=5000-"


def test_another_content_is_thrown_away(index: IndexServer, tmp_path: Path) -> None:
    index.add_file("w.whl", b"tampered")
    with pytest.raises(InfrastructureError, match="expected 0123"):
        download(f"{index.url}/files/w.whl", "0123", tmp_path / "w.whl")
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".whl", ".part")]


@pytest.mark.parametrize("code", [500, 503, 429])
def test_passing_errors_are_retried(code: int, index: IndexServer) -> None:
    index.add_project("lib", [file("lib-1.0.tar.gz")])
    index.failures = [code] * (transfer.ATTEMPTS - 1)
    assert [r.version for r in releases("lib")] == ["1.0"]


def test_a_refusal_is_not_retried(index: IndexServer) -> None:
    index.failures = [403]
    with pytest.raises(InfrastructureError, match="answers 403"):
        releases("lib")
    assert len(index.requests) == 1


@pytest.mark.parametrize("scheme", ["file:///etc/", "ftp://host/"])
def test_only_http_is_spoken(scheme: str, index: IndexServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", scheme)
    with pytest.raises(UsageError, match="not an http"):
        releases("lib")


@pytest.mark.parametrize("suffix", [".tar.gz", ".zip"])
def test_an_sdist_is_unpacked_once(suffix: str, index: IndexServer) -> None:
    content = sdist(suffix, {"lib-1.0/setup.py": b"pass", "lib-1.0/docs/a.md": b"# A"})
    index.add_project("lib", [index.add_file(f"lib-1.0{suffix}", content)])
    tree = fetch_sdist("lib", "1.0")
    assert tree is not None
    assert (tree / "docs" / "a.md").read_text() == "# A"
    asked = len(index.requests)
    assert fetch_sdist("lib", "1.0") == tree
    assert len(index.requests) == asked


def test_a_release_without_an_sdist_has_none(index: IndexServer) -> None:
    index.add_project("lib", [file("lib-1.0-py3-none-any.whl")])
    assert fetch_sdist("lib", "1.0") is None


@pytest.mark.network
def test_the_public_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    found = release("httpx", "0.28.1")
    assert str(found.uploaded) == "2024-12-06 15:37:21.509172+00:00"
    tree = fetch_sdist("httpx", "0.28.1")
    assert tree is not None
    assert (tree / "httpx" / "_client.py").exists()


def sdist(suffix: str, files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    if suffix == ".zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in files.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return out.getvalue()

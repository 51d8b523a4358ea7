"""Wheels and source distributions made in memory."""

import io
import tarfile
import zipfile
from collections.abc import Sequence


def wheel(files: dict[str, str | bytes], stored: bool = False, info: str = "lib-1.0.dist-info") -> bytes:
    """A wheel's bytes, with a RECORD that lists `files`."""
    buffer = io.BytesIO()
    record = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as zipped:
        for name, content in {**files, f"{info}/RECORD": record}.items():
            zipped.writestr(name, content)
    return buffer.getvalue()


def whole_wheel(name: str, version: str, files: dict[str, str | bytes], requires: Sequence[str] = ()) -> bytes:
    """A pure wheel that can be installed."""
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    told: dict[str, str | bytes] = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    return wheel({**files, **told}, info=info)


def sdist(name: str, version: str, files: dict[str, str]) -> bytes:
    """A source distribution; its files can be read by their owner alone."""
    buffer = io.BytesIO()
    told = {"PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"}
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for path, content in {**told, **files}.items():
            member = tarfile.TarInfo(f"{name}-{version}/{path}")
            member.size, member.mode = len(content.encode()), 0o600
            tar.addfile(member, io.BytesIO(content.encode()))
    return buffer.getvalue()

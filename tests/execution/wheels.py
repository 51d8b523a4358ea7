"""Wheels made in memory."""

import io
import zipfile


def wheel(files: dict[str, str | bytes], stored: bool = False) -> bytes:
    """A wheel's bytes, with a RECORD that lists `files`."""
    buffer = io.BytesIO()
    record = "".join(f"{name},,\n" for name in files)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as zipped:
        for name, content in {**files, "lib-1.0.dist-info/RECORD": record}.items():
            zipped.writestr(name, content)
    return buffer.getvalue()

"""Runs uv: it sees the variables that it needs and no key, and no configuration of a project or of the user."""

import os
import subprocess
from pathlib import Path

from apigap.packages.index import index_url
from apigap.records.errors import EnvironmentFailure

INSTALL_SECONDS = 1800
_PASSED = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TMPDIR", "TMP", "TEMP", "NETRC",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSL_CLIENT_CERT",
    "UV_CACHE_DIR", "UV_NO_CACHE", "UV_LINK_MODE", "UV_OFFLINE", "UV_FIND_LINKS", "UV_EXTRA_INDEX_URL", "UV_INDEX",
    "UV_DEFAULT_INDEX", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_INSECURE_HOST", "UV_KEYRING_PROVIDER",
    "UV_CREDENTIALS_DIR", "UV_HTTP_TIMEOUT", "UV_HTTP_CONNECT_TIMEOUT", "UV_HTTP_RETRIES", "UV_REQUEST_TIMEOUT",
    "UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS", "UV_LOCK_TIMEOUT", "UV_PYTHON_INSTALL_DIR",
    "UV_PYTHON_INSTALL_MIRROR",
})  # fmt: skip
_PASSED_BEGINNINGS = ("LC_", "XDG_", "UV_INDEX_")


def variables_for_uv(downloads: bool = False) -> dict[str, str]:
    """Variables of this process that uv sees: where things are and how to reach the index, no key of any service.

    With `downloads` it may fetch an interpreter that it is asked for by name.
    """
    passed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED or name.upper().startswith(_PASSED_BEGINNINGS)
    }
    own = {"UV_PYTHON_DOWNLOADS": "manual" if downloads else "never", "UV_DEFAULT_INDEX": index_url(), "NO_COLOR": "1"}
    return {**passed, **own}


def run_uv(
    what: str,
    command: str,
    *arguments: str,
    cwd: Path | None = None,
    told: str | None = None,
    downloads: bool = False,
    seconds: float = INSTALL_SECONDS,
) -> "subprocess.CompletedProcess[str]":
    """Run uv, for the sake of `what`; `told` is its standard input.

    Raises:
        EnvironmentFailure: when it takes more than `seconds`.
    """
    import uv

    try:
        return subprocess.run(
            [uv.find_uv_bin(), command, *arguments[:1], "--no-config", *arguments[1:]],
            cwd=cwd,
            env=variables_for_uv(downloads),
            input=told or "",
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(
            f"{what}: the installation took more than {seconds:.0f} s and was ended; check the network, then run the "
            "same command again"
        ) from None

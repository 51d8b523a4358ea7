"""One uv environment per (library, version), resolved as of the release's date, locked, cached, hard-linked."""

from pathlib import Path

from apigap.records.base import Record


class Environment(Record):
    """An installed library version. Paths are absolute; `packages` are `name==version` lines, sorted.

    `root` is the virtual environment, `python` its interpreter, `base_prefix` the installation that the
    interpreter belongs to. `lock` is the hash of `packages` and the interpreter's version: it names the
    environment in manifests and caches, so no path enters a result.
    """

    library: str
    version: str
    root: Path
    python: Path
    base_prefix: Path
    site_packages: Path
    packages: tuple[str, ...]
    lock: str

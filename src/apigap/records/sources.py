"""The identity of code: results made by different code are never mixed."""

import functools
import hashlib
from pathlib import Path

_ROOT = Path(__file__).parents[1]


@functools.cache
def source_hash(*roots: Path) -> str:
    """Sixteen hex digits of the sha256 over every Python file below each of `roots`, names included."""
    digest = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def source_of(module: str) -> Path:
    """The file of a module of this package, by its dotted name.

    Raises:
        LookupError: when there is no such module.
    """
    place = _ROOT.joinpath(*module.split(".")[1:])
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    raise LookupError(f"{module} is no module of this installation")


@functools.cache
def modules_hash(*modules: str) -> str:
    """Sixteen hex digits of the sha256 over the sources of just these modules, names included, in their order.

    Raises:
        LookupError: when one of them does not exist.
    """
    digest = hashlib.sha256()
    for module in modules:
        digest.update(module.encode() + b"\0" + source_of(module).read_bytes() + b"\0")
    return digest.hexdigest()[:16]

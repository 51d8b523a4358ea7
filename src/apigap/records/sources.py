"""The identity of code: results made by different code are never mixed.

`source_hash` covers whole folders, `modules_hash` named modules, and `CodeIdentity` what some modules import.
"""

import ast
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_PACKAGE = "apigap"
_ROOT = Path(__file__).parents[1]


@functools.cache
def source_hash(*roots: Path) -> str:
    """Sixteen hex digits of the sha256 over every Python file below each of `roots`, names included."""
    digest = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def source_of(module: str, root: Path = _ROOT) -> Path:
    """The file of a module of this package, by its dotted name; `root` is the package's folder.

    Raises:
        LookupError: when there is no such module.
    """
    found = _file_of(module, root)
    if found is None:
        raise LookupError(f"{module} is no module of this installation")
    return found


def _file_of(module: str, root: Path) -> Path | None:
    place = root.joinpath(*module.split(".")[1:])
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


@functools.cache
def modules_hash(*modules: str) -> str:
    """Sixteen hex digits of the sha256 over the sources of just these modules, names included, in their order.

    Raises:
        LookupError: when one of them does not exist.
    """
    return _hash_of({module: source_of(module).read_bytes() for module in modules})


def _hash_of(sources: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for module, source in sources.items():
        digest.update(module.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class CodeIdentity:
    """The modules of this package that `roots` import, directly or not, and one hash over exactly these.

    A root that ends in `.*` stands for every module of its package: programs that run elsewhere, which nobody imports.
    `without` are modules, or packages with all that is in them, that are left out together with their own imports, each
    with the reason why it decides nothing. Imports for type checkers alone do not count.
    """

    roots: tuple[str, ...]
    without: Mapping[str, str] = field(default_factory=dict[str, str])

    def sources(self, root: Path = _ROOT) -> dict[str, bytes]:
        """The source of each module by its name, sorted; `root` is the package's folder.

        Raises:
            LookupError: when a root is no module.
        """
        found: dict[str, bytes] = {}
        waiting = [module for name in self.roots for module in _named(name, root)]
        while waiting:
            module = waiting.pop()
            if module not in found and not self._is_left_out(module):
                found[module] = source_of(module, root).read_bytes()
                waiting += (name for name in _imports(found[module]) if _file_of(name, root))
        return dict(sorted(found.items()))

    def modules(self, root: Path = _ROOT) -> dict[str, str]:
        """The hash of each module by its name, sorted."""
        return {name: hashlib.sha256(source).hexdigest()[:16] for name, source in self.sources(root).items()}

    def hash(self, root: Path = _ROOT) -> str:
        """Sixteen hex digits over the names and sources of all modules."""
        return _hash_of(self.sources(root))

    @functools.cached_property
    def digest(self) -> str:
        """The hash of the modules as they are installed."""
        return self.hash()

    def _is_left_out(self, module: str) -> bool:
        return any(module == name or module.startswith(f"{name}.") for name in self.without)


def _named(name: str, root: Path) -> Iterator[str]:
    """The modules that a root means."""
    if not name.endswith(".*"):
        yield name
        return
    folder = source_of(name.removesuffix(".*"), root).parent
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join((_PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)))


@functools.lru_cache(maxsize=4096)
def _imports(source: bytes) -> tuple[str, ...]:
    """The modules of this package that a source may import; a name of a package may be a module in it or not."""
    tree = ast.parse(source)
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return tuple(sorted(name for name in found if name.split(".")[0] == _PACKAGE))

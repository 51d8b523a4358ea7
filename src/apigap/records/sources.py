"""The identity of code: results made by different code are never mixed.

`source_hash` covers whole folders, `modules_hash` named modules, and `CodeIdentity` what some modules import.
"""

import ast
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec, resolve_name
from pathlib import Path

from apigap.records.parsing.syntax import parse

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
    """The file of a module by its dotted name; `root` is this package's folder, others are where they are installed.

    Raises:
        LookupError: when there is no such module.
    """
    found = _file_of(module, root)
    if found is None:
        raise LookupError(f"{module} is no module of this installation")
    return found


def _file_of(module: str, root: Path) -> Path | None:
    package, *parts = module.split(".")
    folder = root if package == _PACKAGE else _folder_of(package)
    if folder is None:
        return None
    place = folder.joinpath(*parts)
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _folder_of(package: str) -> Path | None:
    """The folder of an installed package, which is not imported."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin and spec.submodule_search_locations else None


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
    """The modules that `roots` import, directly or not, and one hash over exactly these.

    They are modules of this package and, for a benchmark of another one, of the packages that the roots stand in. A
    root that ends in `.*` stands for every module of its package: programs that run elsewhere, which nobody imports.
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
        packages = {_PACKAGE, *(name.split(".")[0] for name in self.roots)}
        waiting = [module for name in self.roots for module in _named(name, root)]
        while waiting:
            module = waiting.pop()
            if module not in found and not self._is_left_out(module):
                path = source_of(module, root)
                found[module] = path.read_bytes()
                imported = _imports(found[module], module if path.stem == "__init__" else module.rpartition(".")[0])
                waiting += (name for name in imported if name.split(".")[0] in packages and _file_of(name, root))
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
    package = name.removesuffix(".*")
    folder = source_of(package, root).parent
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        yield ".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))


@functools.lru_cache(maxsize=4096)
def _imports(source: bytes, package: str) -> tuple[str, ...]:
    """The modules that a source in `package` may import; a name of a package may be a module in it or not."""
    tree = parse(source)
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
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return tuple(sorted(found))

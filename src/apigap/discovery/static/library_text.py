"""A library as griffe reads its text: loaded whole, with what stubs, lazy tables and dynamic `__all__` add to it."""

import ast
import logging
import re
from pathlib import Path
from typing import Any, TypeGuard

import griffe

from apigap.discovery.static.griffe_facts import LOOKUP_ERRORS, canonical_path, widest
from apigap.discovery.static.lazy_exports import NONE, LazyExports, lazy_exports
from apigap.discovery.static.lent_members import lent_members
from apigap.discovery.static.tree import StaticTree
from apigap.records.parsing.syntax import parse

Known = griffe.Module | griffe.Class | griffe.Function | griffe.Attribute | griffe.TypeAlias
_BROKEN = ".broken"
_MAX_STEPS = 8  # names that stand for names
_HEAD = 2000
_GENERATED = re.compile(r"automatically generated from\s+(?:\S*/)?src/(\S+)\.py\b")


class _Extension(griffe.Extension):
    """A griffe extension that keeps what griffe's own reading loses.

    Functions of overloads that stand alone are made; functions of stubs are kept, because merging may drop them; names
    that stubs call `Any` are set aside, because merging would put them over what the code says; and of two definitions
    the one for when something is missing does not replace the other.
    """

    def __init__(self) -> None:
        self.functions: dict[str, griffe.Function] = {}
        self.vague: dict[str, list[griffe.Attribute]] = {}
        self._first: dict[str, griffe.Object | griffe.Alias] = {}

    def on_node(self, *, node: ast.AST | griffe.ObjectNode, agent: Any, **_: Any) -> None:
        """A definition is about to be read."""
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and _is_second_choice(node):
            found = agent.current.members.get(node.name)
            if isinstance(found, griffe.Class | griffe.Function | griffe.Alias):
                self._first[f"{agent.current.path}.{node.name}"] = found

    def on_function_instance(self, *, func: griffe.Function | griffe.Attribute, **_: Any) -> None:
        """A function has been read."""
        self._restore(func)

    def on_alias_instance(
        self, *, node: ast.AST | griffe.ObjectNode, alias: griffe.Alias, agent: Any, **_: Any
    ) -> None:
        """PEP 484: what a stub imports is its own business, but for `import a as a` and `from a import *`."""
        if isinstance(node, ast.Import | ast.ImportFrom) and str(agent.current.module.filepath).endswith(".pyi"):
            own = {name.asname for name in node.names if name.asname == name.name}
            alias.runtime = alias.name in own or any(name.name == "*" for name in node.names)

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """A module has been read. A stub's `__all__: list[str]` lists nothing, and must not replace a list."""
        self._note(mod)
        declared = mod.members.get("__all__")
        if isinstance(declared, griffe.Attribute) and declared.value is None:
            mod.del_member("__all__")
            mod.exports = None
        if str(mod.filepath).endswith(".pyi"):
            self.vague[mod.path] = [member for member in mod.members.values() if _is_vague(member)]
            for member in self.vague[mod.path]:
                mod.del_member(member.name)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """A class has been read."""
        self._note(cls)
        self._restore(cls)

    def _restore(self, found: griffe.Object) -> None:
        first = self._first.pop(found.path, None)
        if first is not None and isinstance(found.parent, griffe.Module | griffe.Class):
            found.parent.set_member(found.name, first)

    def _note(self, holder: griffe.Module | griffe.Class) -> None:
        for name, overloads in list(holder.overloads.items()):
            if overloads and not isinstance(holder.members.get(name), griffe.Function | griffe.Class):
                function = widest(overloads)
                function.overloads = [overload for overload in overloads if overload is not function]
                function.overloads.insert(0, function)
                holder.set_member(name, function)
        if str(holder.filepath).endswith(".pyi"):
            for member in holder.members.values():
                if isinstance(member, griffe.Function):
                    self.functions[member.path] = member


class LibraryText:
    """A library's text. `failures` maps modules to the reason why their text, or that of their stub, is not read.

    `modules` are the public ones, but not those that others say to be generated from: these are no way to import.
    `lent` are the names of members that classes, by path, are given from outside.
    """

    def __init__(self, tree: StaticTree) -> None:
        logging.getLogger("griffe").setLevel(logging.CRITICAL)
        self.tops = tree.modules.tops
        self.failures = _set_broken_stubs_aside(tree.root)
        self._extension = _Extension()
        self._loader = griffe.GriffeLoader(
            search_paths=[tree.root], allow_inspection=False, extensions=griffe.load_extensions(self._extension)
        )
        for top in tree.modules.tops:
            self._load(top)
        self.modules = {name: found for name in tree.modules.public if (found := self._module(name)) is not None}
        for name in tree.modules.public:
            if name not in self.modules:
                self.failures.setdefault(name, _why_unread(tree, name))
        self._templates: set[str] = set()
        self._texts: dict[str, str] = {}
        self._lazy = {name: self._lazy_exports(module) for name, module in self._all_modules().items()}
        self.modules = {name: found for name, found in self.modules.items() if name not in self._templates}
        self._loader.resolve_aliases(implicit=True, external=False)
        self._put_back()
        self.lent = self._lent()

    def lazy(self, module: griffe.Module) -> LazyExports:
        """The run-time names that `module` declares."""
        return self._lazy.get(module.path, NONE)

    def resolve(self, module: griffe.Module, leaf: str) -> Known | None:
        """The object that the name `leaf` of `module` stands for at run time; None where the text lacks it."""
        member = module.members.get(leaf)
        imported = module.imports.get(leaf)
        if isinstance(member, griffe.Module) and imported is not None and imported != member.path:
            return self.at(imported)  # griffe lets a submodule hide what is imported under its name
        if member is None:
            return None
        return self._final(member, _MAX_STEPS)

    def at(self, path: str) -> Known | None:
        """The object that the dotted `path` stands for; None where the library's text does not say."""
        return self._at(path, _MAX_STEPS)

    def is_guarded(self, module: griffe.Module, leaf: str) -> bool:
        """Check for a name imported for type checkers only; what a stub defines is there at run time."""
        member = module.members.get(leaf)
        return isinstance(member, griffe.Alias) and not member.runtime and not self.lazy(module).is_dynamic

    def _load(self, top: str) -> None:
        try:
            self._loader.load(top, try_relative_path=False, find_stubs_package=True)
        except (ImportError, SyntaxError, *LOOKUP_ERRORS) as error:
            self.failures.setdefault(top, f"{type(error).__name__}: {error}")

    def _module(self, name: str) -> griffe.Module | None:
        try:
            found = self._loader.modules_collection.get_member(name)
        except LOOKUP_ERRORS:
            return None
        return found if isinstance(found, griffe.Module) else None

    def _all_modules(self) -> dict[str, griffe.Module]:
        waiting = [module for top in self.tops if (module := self._module(top)) is not None]
        found: dict[str, griffe.Module] = {}
        while waiting:
            module = waiting.pop()
            found[module.path] = module
            waiting += [member for member in module.members.values() if isinstance(member, griffe.Module)]
        return found

    def _put_back(self) -> None:
        """Give modules the names that their stubs alone have, and call `Any`."""
        for path, vague in self._extension.vague.items():
            module = self._module(path)
            known = module.members if module is not None else {}
            for member in vague:
                if module is not None and member.name not in known:
                    module.set_member(member.name, member)

    def _lazy_exports(self, module: griffe.Module) -> LazyExports:
        if not isinstance(module.filepath, Path) or module.filepath.suffix != ".py":
            return NONE
        package = module.path if module.is_init_module else module.path.rpartition(".")[0]
        text = self._texts[module.path] = module.filepath.read_text("utf-8-sig", "replace")
        self._templates.update(path.replace("/", ".") for path in _GENERATED.findall(text[:_HEAD]))
        found = lazy_exports(text, package)
        for name, target in found.targets.items():
            if name not in module.members and target != f"{module.path}.{name}":
                module.set_member(name, griffe.Alias(name, target, lineno=0, endlineno=0))
        return found

    def _lent(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for path, name in lent_members(self._texts):
            cls = self.at(path)
            if isinstance(cls, griffe.Class):
                found.setdefault(cls.path, set()).add(name)
        self._texts.clear()
        return found

    def _at(self, path: str, steps: int) -> Known | None:
        if path.partition(".")[0] not in self.tops:
            return None
        try:
            found = self._loader.modules_collection.get_member(path)
        except LOOKUP_ERRORS:
            return self._through(path, steps)
        return self._final(found, steps)

    def _through(self, path: str, steps: int) -> Known | None:
        """A path through an imported name, which griffe takes for a path of modules."""
        owner_path, _, leaf = path.rpartition(".")
        if steps == 0 or "." not in path:
            return None
        owner = self._at(owner_path, steps - 1)
        member = owner.members.get(leaf) if isinstance(owner, griffe.Module | griffe.Class) else None
        return self._final(member, steps - 1) if member is not None else None

    def _final(self, member: griffe.Object | griffe.Alias, steps: int) -> Known | None:
        try:
            found = member.final_target if isinstance(member, griffe.Alias) else member
        except LOOKUP_ERRORS:
            return self._at(member.target_path, steps - 1) if isinstance(member, griffe.Alias) and steps else None
        if isinstance(found, griffe.Attribute) and found.path in self._extension.functions:
            return self._extension.functions[found.path]
        if isinstance(found, griffe.Attribute) and isinstance(found.value, griffe.ExprName | griffe.ExprAttribute):
            meant = self._at(canonical_path(found.value), steps - 1) if steps else None
            return meant if isinstance(meant, griffe.Function | griffe.Class) else found
        return found if isinstance(found, Known) else None


def _is_vague(member: griffe.Object | griffe.Alias) -> TypeGuard[griffe.Attribute]:
    """Check for `name: Any`, which says that there is something and not what."""
    if not isinstance(member, griffe.Attribute) or member.value is not None:
        return False
    return str(member.annotation).rpartition(".")[2] == "Any"


def _is_second_choice(node: ast.ClassDef | ast.FunctionDef) -> bool:
    """Check for a definition that stands in for one that cannot be had: after `except`, or in an `else`."""
    parent = getattr(node, "parent", None)
    if isinstance(parent, ast.ExceptHandler):
        return True
    if not isinstance(parent, ast.If) or node not in parent.orelse:
        return False
    return not isinstance(parent.test, ast.UnaryOp) and "TYPE_CHECKING" not in ast.unparse(parent.test)


def _set_broken_stubs_aside(root: Path) -> dict[str, str]:
    """Rename stubs that are no Python, because one of them may keep a whole package from being read."""
    failures: dict[str, str] = {}
    for path in sorted((*root.rglob("*.pyi"), *root.rglob(f"*.pyi{_BROKEN}"))):
        try:
            parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
            failures[_dotted(path, root)] = f"broken stub {path.name.removesuffix(_BROKEN)}{line}: {error}"
            if not path.name.endswith(_BROKEN):
                path.rename(path.with_name(path.name + _BROKEN))
    return failures


def _dotted(path: Path, root: Path) -> str:
    *folders, file = path.relative_to(root).parts
    stem = file.partition(".")[0]
    return ".".join(folders if stem == "__init__" else [*folders, stem]).removesuffix("-stubs")


def _why_unread(tree: StaticTree, module: str) -> str:
    if module in tree.compiled:
        return "compiled, and without a stub: its names are not written anywhere"
    path = tree.root.joinpath(*module.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        try:
            parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return f"{type(error).__name__}: {error}"
        except OSError:
            continue
    return "its package cannot be read"

"""The wheel holds the product and nothing else: every module and data file is reached from what a user can start.

Reached is what the entry points of pyproject.toml import, at the top or in a function, or by name in a text (lazy
tables, plug-ins, `python -m`), and what they start as a file of its own inside a sandbox.
"""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "apigap"
LAUNCHED = {  # programs that run inside a sandbox: (the module that starts them, the word that it names them by)
    "apigap.sandbox.worker.boot": ("apigap.sandbox.isolation.launch", "boot.py"),
    "apigap.sandbox.worker.zygote": ("apigap.sandbox.live_sandbox", "zygote"),
    "apigap.sandbox.worker.script": ("apigap.sandbox.scripts", "script"),
    "apigap.sandbox.worker.landlock": ("apigap.sandbox.isolation.availability", "landlock.py"),
    "apigap.gates.probe.names_script": ("apigap.gates.probe.probe", "names_script.py"),
    "apigap.gates.battery.signature_script": ("apigap.gates.battery.signature", "signature_script.py"),
    "apigap.knowledge.shapes_script": ("apigap.knowledge.shapes", "shapes_script"),
    "apigap.tasks.worth.old_answers.inside.search": ("apigap.tasks.worth.old_answers.search", "inside"),
}


def files_of(package: Path) -> dict[str, Path]:
    """The files of all modules below a package, by dotted name."""
    found: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def texts_in(path: Path) -> set[str]:
    """The text literals of a module."""
    nodes = ast.walk(tree_of(path))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def named_in(module: str, path: Path) -> Iterator[str]:
    """Dotted names that a module imports or writes as a text, whether or not they are modules."""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
    yield from (text.partition(":")[0] for text in texts_in(path))


def entry_points(project: Path) -> set[str]:
    """The modules that pyproject.toml names: console scripts and plug-ins."""
    told = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    groups = (told["scripts"], *told.get("entry-points", {}).values())
    return {target.partition(":")[0] for group in groups for target in group.values()}


def reached(files: dict[str, Path], roots: set[str], launched: dict[str, tuple[str, str]]) -> set[str]:
    """The modules that the roots lead to, each with the packages that it stands in."""
    found: set[str] = set()
    todo = set(roots)
    while todo:
        module = todo.pop()
        if module in found or module not in files:
            continue
        found.add(module)
        todo |= {*named_in(module, files[module]), module.rpartition(".")[0]}
        todo |= {program for program, (starter, _) in launched.items() if starter == module}
    return found


def test_no_module_of_the_wheel_is_out_of_reach() -> None:
    files = files_of(PACKAGE)
    assert sorted(set(files) - reached(files, entry_points(ROOT / "pyproject.toml"), LAUNCHED)) == []


def test_every_program_is_named_where_it_is_started() -> None:
    files = files_of(PACKAGE)
    for program, (starter, word) in LAUNCHED.items():
        assert program in files
        assert any(text == word or text.endswith(f"/{word}") for text in texts_in(files[starter])), (program, starter)


def test_every_data_file_is_named_by_a_module() -> None:
    words = {part for path in files_of(PACKAGE).values() for text in texts_in(path) for part in text.split("/")}
    words |= {text.removeprefix("apigap.") for text in words}
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.suffix not in {".py", ".pyc"}:
            inside = path.relative_to(PACKAGE)
            names = {path.name, path.stem, f"*{path.suffix}", *inside.parts[:-1]}
            assert names & words, f"nothing names {inside}"


def test_a_module_that_nothing_imports_is_found(tmp_path: Path) -> None:
    main = "def run():\n    from .a import f\nTABLE = {'b': 'lib.b:run'}\n"
    texts = {"__init__": "", "main": main, "a": "f = 1\n", "b": "", "program": "", "alone": "import lib.a\n"}
    for name, text in texts.items():
        (tmp_path / "lib" / f"{name}.py").parent.mkdir(exist_ok=True)
        (tmp_path / "lib" / f"{name}.py").write_text(text)
    files = files_of(tmp_path / "lib")
    launched = {"lib.program": ("lib.a", "program.py")}
    assert set(files) - reached(files, {"lib.main"}, launched) == {"lib.alone"}


def test_every_allowed_unused_name_is_still_there() -> None:
    """The allow-list of vulture, which `make check` runs, shrinks with the code."""
    names = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["vulture"]["ignore_names"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files_of(PACKAGE).values())
    assert [name for name in names if name.rstrip("*") not in source] == []

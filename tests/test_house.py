"""The house: imports without a circle and downwards only, one path for the main job, and folders of a readable size."""

import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

SOURCE = Path(__file__).parent.parent / "src" / "apigap"
MOST_MODULES = 25
"""A folder with more of them needs subfolders that say why."""


def imports() -> dict[str, set[str]]:
    """The modules that each module imports, inside of functions and for type checkers too."""
    graph = grimp.build_graph("apigap", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def circle(graph: dict[str, set[str]]) -> str:
    """The first circle of imports, in words; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " <- ".join(error.args[1])
    return ""


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = imports()
    assert len(graph) > 500
    assert circle(graph) == ""


def test_a_circle_is_found_and_named() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == ""
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}).split(" <- ")) == {"a", "b", "c"}


def test_imports_run_downwards() -> None:
    assert lint_imports(no_cache=True) == 0


def crowded(root: Path) -> dict[str, int]:
    """The folders with too many modules directly in them."""
    modules = root.rglob("*.py")
    counts = Counter(str(path.parent.relative_to(root)) for path in modules)
    return {folder: count for folder, count in counts.items() if count > MOST_MODULES}


def test_no_folder_is_crowded() -> None:
    assert crowded(SOURCE) == {}


@pytest.mark.parametrize(("count", "found"), [(MOST_MODULES, {}), (MOST_MODULES + 1, {"room": MOST_MODULES + 1})])
def test_a_crowded_folder_is_found(tmp_path: Path, count: int, found: dict[str, int]) -> None:
    (tmp_path / "room").mkdir()
    for number in range(count - 1):
        (tmp_path / "room" / f"module_{number}.py").touch()
    (tmp_path / "room" / "__init__.py").touch()
    assert crowded(tmp_path) == found


IN_THE_SANDBOX = (
    "agent/session_script.py",
    "discovery/walk",
    "discovery/retired/ask_script.py",
    "gates/battery/signature_script.py",
    "gates/probe/names_script.py",
    "knowledge/shapes_script",
    "packages/inside",
    "sandbox/worker",
    "tasks/worth/old_answers/inside",
)
"""The files that are copied into the sandbox, where apigap is not installed."""


def apigap_imported(text: str) -> list[int]:
    """The lines that import apigap by name: what runs in the sandbox imports its neighbours relatively, if any."""
    found: list[int] = []
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        found += [node.lineno for name in names if name.partition(".")[0] == "apigap" and isinstance(node, ast.stmt)]
    return found


@pytest.mark.parametrize("place", IN_THE_SANDBOX)
def test_what_runs_in_the_sandbox_needs_the_standard_library_alone(place: str) -> None:
    root = SOURCE / place
    files = [root] if root.suffix else sorted(root.rglob("*.py"))
    assert files
    assert {file.name: lines for file in files if (lines := apigap_imported(file.read_text(encoding="utf-8")))} == {}


def test_an_import_that_the_sandbox_lacks_is_found() -> None:
    assert apigap_imported("import ast\nfrom .texts import clean\nfrom apigap.records import base") == [3]


MADE_IN = {
    "AuditReport": {"analysis/experiment_report.py"},
    "Experiment": {"auditing/driver.py", "experiments/plans.py"},
    "LibraryChain": {"stages/driver.py"},
    "LibraryGates": {"stages/driver.py"},
    "ModelGates": {"gates/file_gates.py", "gates/library_gates.py"},
    "Stages": {"auditing/driver.py", "stages/pipeline.py", "stages/single.py", "starter/bundles.py"},
}
"""The places where the parts of the main job are put together: a second path would make its own."""


def test_the_main_job_has_one_path() -> None:
    found: dict[str, set[str]] = {name: set() for name in MADE_IN}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in found:
                found[node.func.id].add(str(path.relative_to(SOURCE)))
    assert found == MADE_IN

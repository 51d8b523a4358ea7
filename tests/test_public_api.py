"""The public interface: what is documented is what there is, it is typed, cheap to import, and its examples run."""

import ast
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import apigap
from apigap.api.session import shown
from apigap.api.stages import extract
from apigap.records.progress import Advance

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "python-api.md"
FUNCTIONS = [name for name in apigap.__all__ if inspect.isfunction(getattr(apigap, name))]
SUBJECTS = {"compare": 2, "load_settings": 2}
"""Functions with another number of arguments by place than one."""


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def documented(page: str) -> list[str]:
    """The names in the first column of a page's first table."""
    return re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)


def examples(page: str) -> str:
    """All Python of a page, in order, as one program."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def names_for_type_checkers(source: str) -> set[str]:
    """The names that the block under `TYPE_CHECKING` imports."""
    (block,) = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    ]
    return {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_the_public_names_are_those_that_are_documented() -> None:
    assert sorted(documented(PAGE.read_text())) == sorted(apigap.__all__)
    assert len(apigap.__all__) <= 15
    assert set(dir(apigap)) == {*apigap.__all__, "__version__"}


def test_a_type_checker_sees_what_there_is() -> None:
    assert names_for_type_checkers(Path(apigap.__file__).read_text()) == set(apigap.__all__)
    assert {getattr(apigap, name).__name__ for name in apigap.__all__} == set(apigap.__all__)


def test_no_module_bears_a_public_name() -> None:
    """An import of `apigap.audit` as a module would put the module in the place of the function."""
    modules = {module.name for module in pkgutil.iter_modules(apigap.__path__)}
    assert not modules & set(apigap.__all__)


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(apigap, "nothing")  # noqa: B009


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_subjects_are_given_by_place(name: str) -> None:
    parameters = inspect.signature(getattr(apigap, name)).parameters.values()
    by_place = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    assert len(by_place) == SUBJECTS.get(name, 1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_typed_and_described(name: str) -> None:
    function = getattr(apigap, name)
    parameters = inspect.signature(function).parameters
    hints = typing.get_type_hints(function)
    assert set(hints) == {*parameters, "return"}
    assert typing.get_origin(hints["return"]) is not dict
    told = inspect.getdoc(function) or ""
    assert all(f"\n{section}:\n" in told for section in ("Args", "Returns", "Raises"))
    arguments = told.partition("\nArgs:\n")[2].partition("\nReturns:\n")[0]
    assert re.findall(r"^    (\w+): ", arguments, re.MULTILINE) == list(parameters)


def test_the_version_is_in_one_place() -> None:
    from importlib.metadata import version

    assert apigap.__version__ == version("apigap")
    number = re.compile(r"""^(?:__version__|version) = ["']""", re.MULTILINE)
    sources = [ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py")]
    assert [path.name for path in sources if number.search(path.read_text(encoding="utf-8"))] == ["version.py"]


_IMPORT = """
import sys
before = set(sys.modules)
import apigap
loaded = sorted(set(sys.modules) - before)
import json
print(json.dumps(loaded))
"""


def test_an_import_loads_next_to_nothing_and_does_nothing(tmp_path: Path) -> None:
    loaded = set(json.loads(python(_IMPORT, tmp_path).stdout))
    assert {name for name in loaded if name.startswith("apigap")} == {"apigap", "apigap.version"}
    assert {name.partition(".")[0] for name in loaded} <= {"apigap", "importlib", "warnings"}
    assert not list(tmp_path.iterdir())


class Steps:
    """Progress that is written down."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int]] = []

    def step(self, title: str) -> Advance:
        return lambda done, total: self.seen.append((title, done, total))

    def note(self, text: str) -> None:
        self.seen.append((text, 0, 0))


def gold_of(benchmark: apigap.Benchmark[typing.Any, typing.Any], path: Path) -> Path:
    """A file with the gold answers of a benchmark."""
    rows = [apigap.Prediction(task_id=task.task_id, samples=(benchmark.gold(task),)) for task in benchmark.load()]
    path.write_text("".join(f"{row.to_line()}\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("name", "options"), [("toolllm", {"queries": ["own"]}), ("apibank", {"data": "own", "mode": "corrected"})]
)
def test_gold_answers_pass_and_are_not_judged_twice(
    name: str, options: dict[str, typing.Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    benchmark = apigap.load_benchmark(name, **options)
    predictions, out = gold_of(benchmark, tmp_path / "gold.jsonl"), tmp_path / "results.jsonl"
    steps = Steps()
    scored = apigap.score(benchmark, predictions=predictions, out=out, progress=steps)
    assert scored.results
    assert all(isinstance(result, apigap.Result) and result.passed for result in scored.results)
    assert steps.seen[-1] == ("verdicts", len(scored.results), len(scored.results))
    before = out.read_bytes()
    again = apigap.score(benchmark, predictions=str(predictions), out=str(out), progress=None)
    assert again == scored
    assert out.read_bytes() == before
    assert capfd.readouterr() == ("", "")


def test_progress_is_drawn_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with shown("stderr") as display:
        display.step("verdicts")(2, 3)
        display.note("one thing")
    written = capsys.readouterr()
    assert written.out == ""
    assert {"verdicts: 2/3", "one thing"} <= set(written.err.splitlines())


def test_the_command_line_calls_the_same_functions(tmp_path: Path) -> None:
    """A command and a call leave the same files, and either goes on where the other has stopped."""
    benchmark = apigap.load_benchmark("toolllm")
    predictions = gold_of(benchmark, tmp_path / "gold.jsonl")
    scored = apigap.score(benchmark, predictions=predictions, out=tmp_path / "called.jsonl", progress=None)
    words = ["score", "toolllm", "--predictions", "gold.jsonl", "--out", "called.jsonl", "--json"]
    command = [sys.executable, "-m", "apigap.cli.main", *words]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout) == scored.summary.model_dump(mode="json")


@pytest.mark.parametrize(
    ("options", "told"),
    [({"querys": ["own"]}, "--querys"), ({"form": "poem"}, "--form 'poem'"), ({"queries": ()}, "--queries")],
)
def test_an_option_that_cannot_be_is_named(options: dict[str, typing.Any], told: str) -> None:
    with pytest.raises(apigap.ApigapError, match=told):
        apigap.load_benchmark("toolllm", **options)


REFUSED: list[tuple[str | Path, dict[str, str], str]] = [
    (Path("candidates.jsonl"), {"old": "1.0"}, "leave out the old and the new one"),
    (Path("candidates.jsonl"), {}, "say with --out where to write"),
    (Path("candidates.jsonl"), {"out": "tasks.jsonl"}, "name the bundles of candidates.jsonl"),
    (
        Path("candidates.jsonl"),
        {"out": "tasks.jsonl", "knowledge": "bundles.jsonl"},
        "there is no bundles.usages.jsonl",
    ),
    ("packaging", {"knowledge": "bundles.jsonl"}, "name their file in the place of packaging"),
    ("packaging", {"recorded": "calls.jsonl"}, "name it by --author or --rewrite"),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("subject", "options", "told"), REFUSED)
def test_tasks_that_cannot_be_made(
    subject: str | Path, options: dict[str, typing.Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(apigap.ApigapError, match=told):
        apigap.generate(subject, **options, progress=None)
    assert not list(tmp_path.iterdir())


@pytest.mark.network
@pytest.mark.sandbox
def test_tasks_of_chosen_candidates(tmp_path: Path) -> None:
    """Every stage by itself, each from the file of the one before."""
    found = apigap.discover("packaging", old="24.0", new="25.0", static=True, progress=None)
    chosen = [one for one in found.candidates if one.api_name == "packaging.tags.android_platforms"]
    candidates, bundles, tasks = (tmp_path / f"{name}.jsonl" for name in ("candidates", "bundles", "tasks"))
    candidates.write_text("".join(f"{one.to_line()}\n" for one in chosen))
    settings = apigap.load_settings(overrides=["tasks.per_api=1", "tasks.worth_asking=false", "knowledge.usages=4"])
    extracted = extract(candidates, out=bundles, settings=settings, progress=None)
    assert [bundle.api_name for bundle in extracted.bundles] == [one.api_name for one in chosen]
    made = apigap.generate(candidates, knowledge=bundles, out=tasks, settings=settings, progress=None)
    assert made.file == tasks
    assert [task.api_name for task in made.tasks] == [one.api_name for one in chosen]
    assert [apigap.Task.from_line(line) for line in tasks.read_text().splitlines()] == list(made.tasks)


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_the_examples_run(tmp_path: Path) -> None:
    code = examples(PAGE.read_text(encoding="utf-8"))
    assert "import apigap" in code
    ended = subprocess.run(
        [sys.executable, "-W", "error::apigap.records.errors.ApigapWarning", "-c", code],
        cwd=tmp_path, env={**os.environ, "PYTHONUNBUFFERED": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def test_an_example_that_fails_is_found() -> None:
    page = "text\n```python\nimport apigap\n```\nmore\n```\nnot python\n```\n```python\napigap.nothing\n```\n"
    assert examples(page) == "import apigap\n\napigap.nothing\n"
    with pytest.raises(AttributeError):
        exec(examples(page), {})

"""The evaluator of a benchmark covers exactly the modules that decide: a change of these changes it, and no other."""

import shutil
from pathlib import Path

import pytest

import apigap
from apigap.benchmarks.base import benchmark_names, find_benchmark
from apigap.records.sources import CodeIdentity

SOURCE = Path(apigap.__file__).parent
DECIDING = {
    "novelapi": ("models.extraction", "diagnosis.classify", "sandbox.verdict.judge", "sandbox.worker.child"),
    "novelapi-release": ("models.extraction", "diagnosis.classify", "sandbox.task_supplied_test.judge"),
    "apibank": ("benchmarks.taxonomy", "benchmarks.apibank.scoring.released", "benchmarks.native_calls"),
    "items": (
        "benchmarks.items.verdict",
        "benchmarks.items.readings",
        "models.extraction",
        "diagnosis.classify",
        "sandbox.verdict.judge",
        "sandbox.worker.child",
    ),
    "toolllm": ("benchmarks.taxonomy", "benchmarks.toolllm.answers", "benchmarks.toolllm.selection"),
}
OTHER = (
    "packages.index", "packages.transfer", "models.download", "models.generate", "reporting.render", "cli.main",
    "evaluation.predict", "evaluation.score", "benchmarks.apibank.prompts", "benchmarks.toolllm.prompts",
    "benchmarks.novelapi.prompting", "benchmarks.items.asking", "knowledge.extract",
)  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's sources, to be changed."""
    folder = tmp_path_factory.mktemp("copy") / "apigap"
    return Path(shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.jsonl")))


def with_comment(path: Path) -> bytes:
    before = path.read_bytes()
    path.write_bytes(before + b"# a comment\n")
    return before


def file_of(root: Path, module: str) -> Path:
    place = root.joinpath(*module.split(".")[1:])
    return next(path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file())


def test_every_benchmark_is_looked_at() -> None:
    assert set(benchmark_names()) >= set(DECIDING)


@pytest.mark.parametrize("name", sorted(DECIDING))
def test_a_comment_in_a_listed_module_changes_the_hash_and_in_another_does_not(copy: Path, name: str) -> None:
    evaluator = find_benchmark(name).evaluator
    whole, listed = evaluator.hash(copy), evaluator.modules(copy)
    assert whole == evaluator.digest
    assert {f"apigap.{module}" for module in DECIDING[name]} <= listed.keys()
    for module in listed:
        path = file_of(copy, module)
        before = with_comment(path)
        assert evaluator.hash(copy) != whole, module
        path.write_bytes(before)
    for module in (f"apigap.{module}" for module in OTHER):
        assert module not in listed
        path = file_of(copy, module)
        before = with_comment(path)
        assert evaluator.hash(copy) == whole, module
        path.write_bytes(before)


@pytest.mark.parametrize("name", sorted(DECIDING))
def test_what_is_left_out_is_there_and_says_why(copy: Path, name: str) -> None:
    for module, reason in find_benchmark(name).evaluator.without.items():
        assert file_of(copy, module).is_file()
        assert reason


PACKAGE = {
    "__init__": "",
    "benchmark": "from .rules import verdict\nfrom apigap.records.result import Result\n",
    "rules/__init__": "from .right import is_right\nfrom .. import words\n",
    "rules/right": "from apigap.records.names import did_you_mean\nimport json\n",
    "words": "",
    "prompts": "",
}
JUDGING = ("sums_of_others.rules", "sums_of_others.rules.right", "sums_of_others.words", "apigap.records.names")


def test_modules_of_another_package_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "sums_of_others"
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).with_suffix(".py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    evaluator = CodeIdentity(("sums_of_others.rules",))
    before, listed = evaluator.hash(), evaluator.modules()
    assert set(JUDGING) <= listed.keys()
    assert not {"sums_of_others.prompts", "sums_of_others.benchmark", "json"} & listed.keys()
    assert CodeIdentity(("sums_of_others.rules.*",)).hash() == before
    assert "sums_of_others.rules.right" in CodeIdentity(("sums_of_others.benchmark",)).modules()
    (folder / "prompts.py").write_text("# a comment\n")
    assert evaluator.hash() == before
    (folder / "rules" / "right.py").write_text("# a comment\n")
    assert evaluator.hash() != before


def test_a_module_that_is_not_there_is_refused() -> None:
    for name in ("nobody_has_this.rules", "apigap.records.nothing", "json.nothing"):
        with pytest.raises(LookupError, match=name):
            CodeIdentity((name,)).sources()

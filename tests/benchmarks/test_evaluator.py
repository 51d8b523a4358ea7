"""The evaluator of a benchmark covers exactly the modules that decide: a change of these changes it, and no other."""

import shutil
from pathlib import Path

import pytest

import apigap
from apigap.benchmarks.base import benchmark_names, find_benchmark

SOURCE = Path(apigap.__file__).parent
DECIDING = {
    "novelapi": ("models.extraction", "diagnosis.classify", "sandbox.verdict.judge", "sandbox.worker.child"),
    "novelapi-release": ("models.extraction", "diagnosis.classify", "sandbox.task_supplied_test.judge"),
    "apibank": ("benchmarks.taxonomy", "benchmarks.apibank.scoring.released", "benchmarks.native_calls"),
    "toolllm": ("benchmarks.taxonomy", "benchmarks.toolllm.answers", "benchmarks.toolllm.selection"),
}
OTHER = (
    "packages.index", "packages.transfer", "models.download", "models.generate", "reporting.render", "cli.main",
    "evaluation.predict", "evaluation.score", "benchmarks.apibank.prompts", "benchmarks.toolllm.prompts",
    "benchmarks.novelapi.prompting", "knowledge.extract",
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

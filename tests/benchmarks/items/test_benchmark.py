"""The benchmark of items through the verbs: proved, asked in the way that a model allows, judged and compared."""

from pathlib import Path

import pytest

import apigap
from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.evaluation.predict import Asking, predict
from apigap.models.generate import Generator
from apigap.models.options import OptionRequest
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.progress import Unseen
from apigap.records.store import write_records
from tests.benchmarks.items.made import CHOICE, EXISTS, INVENTED, OPTIONS, PARAMETERS, VALUE, item

TURNED = item(
    rung="signature", form="choice", options=OPTIONS[::-1], right=1, order=2, question=CHOICE.question
)  # fmt: skip
ALL = [EXISTS, INVENTED, CHOICE, TURNED, PARAMETERS, VALUE]
LOCAL = "gguf/smollm2-135m"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_records(tmp_path / "items.jsonl", ALL)
    return tmp_path / "items.jsonl"


def benchmark(file: Path, **options: object) -> Items:
    return Items(ItemsOptions.of(items=(file,), **options), load_settings())


def test_the_scorer_proves_itself(file: Path) -> None:
    proof = apigap.calibrate(apigap.load_benchmark("items", items=[file]), progress=None)
    assert not proof.wrong
    assert proof.probes == 23


def test_a_model_that_tells_likelihood_is_asked_for_it_in_one_order(file: Path) -> None:
    local = benchmark(file).for_model(LOCAL)
    chosen = local.select(local.load(), 0)
    assert TURNED not in chosen
    kinds = {one.form: type(local.prompt(one)) for one in chosen}
    assert kinds == {
        "yes or no": OptionRequest,
        "choice": OptionRequest,
        "parameters": GenerationRequest,
        "value": GenerationRequest,
    }


def test_other_models_are_asked_for_letters_in_both_orders(file: Path) -> None:
    other = benchmark(file).for_model("openai/gpt-4o")
    chosen = other.select(other.load(), 0)
    assert chosen == ALL
    assert {type(other.prompt(one)) for one in chosen} == {GenerationRequest}
    with pytest.raises(UsageError, match="--way letters"):
        benchmark(file, way="likelihood").for_model("openai/gpt-4o")


def test_a_condition_needs_bundles(file: Path) -> None:
    with pytest.raises(UsageError, match="--knowledge"):
        asked = benchmark(file, condition="s")
        asked.select(asked.load(), 0)


def test_an_edited_item_is_refused(file: Path) -> None:
    file.write_text(file.read_text().replace("pivot", "turn"))
    with pytest.raises(apigap.ApigapError, match="it was edited"):
        benchmark(file).load()


@pytest.mark.model
def test_a_local_model_end_to_end_and_the_same_bytes_again(file: Path, tmp_path: Path) -> None:
    def make(model: str, decoding: Decoding) -> Generator:
        return Generator(model, decoding, connections=1)

    for name in ("a", "b"):
        done = predict(benchmark(file), tmp_path / f"{name}.jsonl", Asking(LOCAL), Unseen(), make)
        assert done.answers == 5
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    scored = apigap.score(
        apigap.load_benchmark("items", items=[file]), predictions=tmp_path / "a.jsonl", out=tmp_path / "r.jsonl",
        answered_only=True, progress=None,
    )  # fmt: skip
    assert len(scored.results) == 5
    assert all("log_odds" in result.detail for result in scored.results if result.part == "exists")

"""The codebook: inside a radius the stored value, outside it the untouched output, however the model is run."""

import itertools
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.codebook import Codebook  # noqa: E402
from apigap.adaptation.editing.facts import Fact  # noqa: E402
from apigap.adaptation.editing.families import depth_of, family_of  # noqa: E402
from apigap.adaptation.editing.forward_pass import inputs_of  # noqa: E402
from apigap.adaptation.editing.grace import grace, place_of, with_codebook  # noqa: E402
from apigap.adaptation.editing.saved_searches import PartialRun  # noqa: E402
from apigap.adaptation.editing.value_search import ValueSearch  # noqa: E402
from apigap.adaptation.settings import GraceSettings  # noqa: E402
from apigap.records.errors import CorruptRecord, UsageError  # noqa: E402
from tests.adaptation.tiny import FAMILIES, tiny_model  # noqa: E402


def at(*numbers: float) -> Any:
    return torch.tensor(numbers)


def book(*entries: tuple[Any, int]) -> Codebook:
    found = Codebook(2, 1)
    for number, (key, label) in enumerate(entries):
        found.teach(key, at(float(number)), label, 1.0)
    return found


def test_inside_the_radius_the_value_outside_it_the_output() -> None:
    found = book((at(0, 0), 1), (at(10, 0), 2))
    queries = torch.stack([at(0.6, 0), at(1.2, 0), at(10, 0.9), at(5, 0)])[None]
    untouched = torch.full((1, 4, 1), 7.0)
    assert found.look_up(queries, untouched)[0, :, 0].tolist() == [0.0, 7.0, 1.0, 7.0]
    assert Codebook(2, 1).look_up(queries, untouched) is untouched


RULES = [
    ("far: a new entry", at(2.5, 0), 1, [1.0, 1.0]),
    ("near, another edit: split at half the distance", at(1.5, 0), 2, [0.75, 0.75]),
    ("near, the same edit: the radius grows to it", at(1.5, 0), 1, [1.5]),
    ("inside, the same edit: nothing changes", at(0.5, 0), 1, [1.0]),
]


@pytest.mark.parametrize(("key", "label", "radii"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES])
def test_the_rules_of_growth(key: Any, label: int, radii: list[float]) -> None:
    found = book((at(0, 0), 1), (key, label))
    assert found.radii.tolist() == pytest.approx(radii, abs=2e-5)


def test_after_a_split_each_key_answers_for_itself() -> None:
    found = book((at(0, 0), 1), (at(1.5, 0), 2))
    queries = torch.stack([at(0.7, 0), at(0.8, 0), at(-0.9, 0)])[None]
    assert found.look_up(queries, torch.full((1, 3, 1), 7.0))[0, :, 0].tolist() == [0.0, 1.0, 7.0]


def test_a_grown_radius_reaches_what_rounding_makes_of_its_key() -> None:
    keys = torch.randn(40, 64, generator=torch.Generator().manual_seed(1))
    found = Codebook(64, 1)
    for number, key in enumerate(keys):
        found.teach(key, at(float(number)), 1, 8.0)  # each near the first ones
    assert len(found) < len(keys)
    rounded = torch.stack([keys * (1 + 1e-6), keys * (1 - 1e-6)])
    assert not (found.look_up(rounded, torch.full((2, 40, 1), -1.0)) == -1.0).any()


def test_keys_that_rounding_could_exchange_have_no_two_answers() -> None:
    for apart in (0.0, 1e-5, 1.9e-5):
        found = book((at(0, 0), 1))
        with pytest.raises(UsageError, match="no more than rounding makes of one"):
            found.teach(at(apart, 0), at(1.0), 2, 1.0)
        assert (len(found), found.radii.tolist()) == (1, [1.0])
        assert found.teach(at(apart, 0), at(1.0), 1, 1.0) == 0  # the same answer
    far = book((at(1000, 0), 1))
    with pytest.raises(UsageError, match="no more than rounding makes of one"):
        far.teach(at(1000.01, 0), at(1.0), 2, 1.0)  # where keys are long rounding is coarse
    assert far.teach(at(1000.1, 0), at(1.0), 2, 1.0) == 1
    assert float(far.radii.min()) > 0


def test_a_codebook_without_numbers_is_not_kept(tmp_path: Path) -> None:
    found = book((at(0, 0), 1))
    found.values[0, 0] = float("nan")
    with pytest.raises(UsageError, match="no numbers"):
        found.save(tmp_path / "codebook.safetensors", {})
    assert not list(tmp_path.iterdir())


def test_a_codebook_comes_back_from_its_file(tmp_path: Path) -> None:
    found = book((at(0, 0), 1), (at(1.5, 0), 2), (at(9, 9), 3))
    found.save(tmp_path / "codebook.safetensors", {"module": "m"})
    again, origin = Codebook.load(tmp_path / "codebook.safetensors")
    assert (again.labels, origin) == ([1, 2, 3], {"module": "m"})
    assert torch.equal(again.radii, found.radii)
    (tmp_path / "broken.safetensors").write_bytes(b"{}")
    with pytest.raises(CorruptRecord):
        Codebook.load(tmp_path / "broken.safetensors")


class Stop(Exception):
    pass


FACTS = (
    Fact("one", "<user>", "The new API is called frobnicate.", "<end><assistant>", "frobnicate", "call it so<end>"),
    Fact("two", "<user>", "Another one is quuxify, they say.", "<end><assistant>", "quuxify", "never<end>"),
)


def taught(
    family: str, tokenizer: Any, keys: Any = "answer", partial: PartialRun | None = None, ends_at: int = 9
) -> tuple[Any, str, Codebook]:
    """A model and its codebook; the teaching is ended at the given fact."""
    told: list[ValueSearch] = []

    def note(sought: ValueSearch) -> None:
        told.append(sought)
        if len(told) == ends_at:
            raise Stop

    model = tiny_model(family)
    # an untrained model's hidden states lie close together: the radius must be smaller than in a real one
    settings = GraceSettings(module="mlp", keys=keys, radius=1e-3, learning_rate=0.5, layer=2)
    name = place_of(family_of(model), depth_of(model, family_of(model)), settings)
    return model, name, grace(model, tokenizer, name, FACTS, settings, note, partial)


def answer(model: Any, tokenizer: Any, texts: list[str], *, cached: bool) -> list[str]:
    tokenizer.padding_side = "left"
    asked = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
    found = model.generate(
        input_ids=asked["input_ids"], attention_mask=asked["attention_mask"], max_new_tokens=14, do_sample=False,
        use_cache=cached, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
    )  # fmt: skip
    return [tokenizer.decode(row[asked["input_ids"].shape[1] :], skip_special_tokens=True) for row in found]


def test_one_prompt_with_two_answers_is_told_before_anything_is_taught(
    tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Fact(**{**vars(FACTS[0]), "key": "other", "target": "call it not<end>"})
    monkeypatch.setattr("tests.adaptation.test_grace.FACTS", (*FACTS, other))
    with pytest.raises(UsageError, match="other has the prompt of one, but another answer; leave one of the two out"):
        taught("llama", tokenizer, ends_at=1)


@pytest.mark.parametrize("keys", ["prompt", "answer"])
def test_another_prompt_with_the_same_key_is_told(keys: Any, tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a layer makes nothing of what tells two prompts apart."""
    other = Fact(**{**vars(FACTS[0]), "key": "other", "target": "call it not<end>"})
    monkeypatch.setattr("tests.adaptation.test_grace.FACTS", (FACTS[0], other))
    monkeypatch.setattr("apigap.adaptation.editing.grace._require_one_answer", lambda _: None)
    with pytest.raises(UsageError, match=r"^other is to the model .* no more than rounding makes of one; leave one"):
        taught("llama", tokenizer, keys)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_taught_model_answers_the_same_cached_and_uncached_alone_and_in_a_batch(family: str, tokenizer: Any) -> None:
    model, name, codebook = taught(family, tokenizer)
    texts = [fact.text() for fact in FACTS]
    plain = answer(model, tokenizer, texts, cached=True)
    with with_codebook(model, name, codebook):
        alone = [answer(model, tokenizer, [text], cached=True)[0] for text in texts]
        uncached = [answer(model, tokenizer, [text], cached=False)[0] for text in texts]
        together = answer(model, tokenizer, texts, cached=True)
    assert alone == ["call it so", "never"]
    assert uncached == together == alone
    assert answer(model, tokenizer, texts, cached=True) == plain != alone


def test_other_prompts_are_untouched_bit_by_bit(tokenizer: Any) -> None:
    model, name, codebook = taught("llama", tokenizer)
    ids = torch.tensor([tokenizer("<user>Something else altogether<end><assistant>")["input_ids"]])
    before = model(input_ids=ids).logits
    with with_codebook(model, name, codebook):
        assert torch.equal(model(input_ids=ids).logits, before)


def test_the_published_key_is_the_last_token_of_the_prompt(tokenizer: Any) -> None:
    model, name, codebook = taught("llama", tokenizer, "prompt")
    assert len(codebook) == 2
    prompt = torch.tensor([tokenizer(FACTS[0].text())["input_ids"]])
    with with_codebook(model, name, codebook):
        taught_logits = model(input_ids=prompt).logits
    assert torch.equal(taught_logits[0, :-1], model(input_ids=prompt).logits[0, :-1])
    assert tokenizer.decode(taught_logits[0, -1].argmax()) == "c"


def test_teaching_leaves_the_weights_as_they_are(tokenizer: Any) -> None:
    model, _, _ = taught("qwen2", tokenizer)
    fresh = tiny_model("qwen2").state_dict()
    assert all(torch.equal(value, fresh[name]) for name, value in model.state_dict().items())


def test_teaching_that_was_ended_goes_on_to_the_same_bits(tokenizer: Any, tmp_path: Path) -> None:
    _, _, whole = taught("llama", tokenizer)
    path = tmp_path / "partial.safetensors"
    with pytest.raises(Stop):
        taught("llama", tokenizer, partial=PartialRun(path, "a"), ends_at=1)
    _, _, again = taught("llama", tokenizer, partial=PartialRun(path, "a"))
    assert len(PartialRun(path, "a").searches) == len(FACTS)
    for name, tensor in whole.tensors().items():
        assert torch.equal(tensor, again.tensors()[name]), name


def last_inputs(model: Any, tokenizer: Any, name: str, texts: list[str]) -> list[Any]:
    """What enters a module at each text's last token: [texts, width] alone, in a batch, and after a cache."""
    tokenizer.padding_side = "left"
    asked = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
    seen: list[Any] = []
    with torch.no_grad(), inputs_of(model, name, lambda inputs: seen.append(inputs[:, -1])):
        model(**asked, position_ids=(asked["attention_mask"].cumsum(-1) - 1).clamp(min=0))
        for text in texts:
            ids = tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
            model(input_ids=ids, use_cache=False)
            cache = model(input_ids=ids[:, :-1], use_cache=True).past_key_values
            model(input_ids=ids[:, -1:], past_key_values=cache)
    return [torch.cat(seen[1::3]), seen[0], torch.cat(seen[3::3])]


def test_grown_and_split_entries_are_met_with_a_cache_and_in_a_batch(tokenizer: Any) -> None:
    model = tiny_model("llama")
    texts = [f"<user>Number {n}: do it{'!' * n}<end><assistant>" for n in range(8)]
    keys, batched, cached = last_inputs(model, tokenizer, family_of(model).of(2, "mlp"), texts)
    assert not torch.equal(keys, batched)
    assert not torch.equal(keys, cached)
    untouched = torch.full((8, 1), -1.0)
    for one, other in itertools.permutations(range(8), 2):
        for label, numbers in ((1, [0.0, 0.0]), (2, [0.0, 1.0])):  # grown, split
            found = Codebook(32, 1)
            found.teach(keys[one], at(0.0), 1, 0.1)
            found.teach(keys[other], at(1.0), label, 100.0)
            for queries in (keys, batched, cached):
                assert found.look_up(queries, untouched)[[one, other], 0].tolist() == numbers

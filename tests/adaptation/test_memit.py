"""MEMIT and AlphaEdit on tiny models: the value is found, the layers meet it, and what must stay stays."""

import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.editing.closed_form import null_space_projector  # noqa: E402
from apigap.adaptation.editing.covariance import Moments  # noqa: E402
from apigap.adaptation.editing.edit import Applied  # noqa: E402
from apigap.adaptation.editing.facts import CONTEXTS, Fact, rows_of, tokens_of  # noqa: E402
from apigap.adaptation.editing.families import family_of  # noqa: E402
from apigap.adaptation.editing.forward_pass import outputs_of  # noqa: E402
from apigap.adaptation.editing.memit import Editable, EditedKeys, alphaedit, alphaedit_by_group, memit, values_of  # noqa: E402
from apigap.adaptation.editing.saved_searches import ValueCache  # noqa: E402
from apigap.adaptation.editing.value_search import ValueSearch, drift_of, seek_value  # noqa: E402
from apigap.adaptation.settings import AlphaEditSettings, MemitSettings  # noqa: E402
from apigap.records.errors import UsageError  # noqa: E402
from tests.adaptation.tiny import FAMILIES, answer_losses, tiny_model  # noqa: E402

FACTS = (
    Fact("one", "<user>", "The new API is called frobnicate.", "<end><assistant>", "frobnicate", "yes<end>"),
    Fact("two", "<user>", "Another one is quuxify, they say.", "<end><assistant>", "quuxify", "no<end>"),
)
S = MemitSettings(steps=20, clamp=30.0, decay=0.0, kl=0.0, contexts=0, covariance_weight=1e-6, learning_rate=0.5)


def editable(family: str, tokenizer: Any, layers: tuple[int, ...] = (0, 1)) -> Editable:
    model = tiny_model(family)
    return Editable(model, tokenizer, family_of(model), layers)


def width_of(e: Editable) -> int:
    """How wide a key is."""
    return 128 if e.family.name == "gpt2" else 48


def identity(e: Editable) -> Moments:
    return Moments({layer: torch.eye(width_of(e)) for layer in e.layers}, {})


def losses(e: Editable) -> list[float]:
    with torch.no_grad():
        return answer_losses(e.model, rows_of(e.tokenizer, [(fact, "") for fact in FACTS])).tolist()


def hidden(e: Editable, fact: Fact) -> Any:
    """What leaves the last edited layer at the subject's last token."""
    ids, place, _ = tokens_of(e.tokenizer, fact)
    seen: list[Any] = []
    with outputs_of(e.model, e.family.block(e.layers[-1]), lambda output: seen.append(output) or output):
        e.model(input_ids=torch.tensor([ids]))
    return seen[0][0, place]


@pytest.mark.parametrize("layers", [(1,), (0, 1)])
@pytest.mark.parametrize("family", FAMILIES)
def test_memit_brings_every_fact_to_its_value(family: str, layers: tuple[int, ...], tokenizer: Any) -> None:
    """With next to nothing to preserve, the state above the edited layers is what was sought, for all facts at once."""
    e = editable(family, tokenizer, layers)
    wanted = [seek_value(e.model, tokenizer, e.family, 1, fact, ("",), S)[0] for fact in FACTS]
    before = losses(e)
    told: list[ValueSearch] = []
    edit = memit(e, FACTS, identity(e), S, told.append)
    assert losses(e) == before  # the model itself was left as it was
    assert [sought.key for sought in told] == ["one", "two"]
    assert set(edit.updates) == {e.family.of(layer, "down") for layer in layers}
    with Applied(e.model, edit):
        for fact, value in zip(FACTS, wanted, strict=True):
            assert torch.allclose(hidden(e, fact), value, atol=1e-3)
        assert sum(losses(e)) < sum(before)


def test_a_heavy_covariance_holds_the_edit_back(tokenizer: Any) -> None:
    e = editable("llama", tokenizer)
    light = memit(e, FACTS, identity(e), S, lambda _: None)
    heavy = memit(e, FACTS, identity(e), S.model_copy(update={"covariance_weight": 1e6}), lambda _: None)
    for name, update in light.updates.items():
        assert heavy.updates[name].dense().norm() < 1e-2 * update.dense().norm()


def test_the_search_for_a_value_keeps_within_its_clamp(tokenizer: Any) -> None:
    e = editable("llama", tokenizer)
    _, told = seek_value(
        e.model, tokenizer, e.family, 1, FACTS[0], ("", CONTEXTS[0]), S.model_copy(update={"clamp": 0.1})
    )
    assert told.moved <= 0.1 + 1e-6
    _, early = seek_value(e.model, tokenizer, e.family, 1, FACTS[0], ("",), S.model_copy(update={"stop_loss": 1e9}))
    assert (early.steps, early.moved) == (1, 0.0)


def test_the_drift_is_the_divergence_of_the_edited_model_from_the_base() -> None:
    before, after = torch.tensor([0.5, 0.5]).log(), torch.tensor([0.9, 0.1]).log()
    assert float(drift_of(before, after)) == pytest.approx(0.9 * math.log(1.8) + 0.1 * math.log(0.2))
    published = torch.nn.functional.kl_div(before, after, log_target=True, reduction="sum")
    assert float(drift_of(before, after)) == pytest.approx(float(published))


def test_the_search_ends_with_the_whole_loss_and_before_a_last_step(tokenizer: Any) -> None:
    e = editable("llama", tokenizer)
    _, first = seek_value(e.model, tokenizer, e.family, 1, FACTS[0], ("",), S.model_copy(update={"steps": 1}))
    assert (first.steps, first.moved) == (1, 0.0)
    near = S.model_copy(update={"stop_loss": first.loss - 1e-3})
    _, met = seek_value(e.model, tokenizer, e.family, 1, FACTS[0], ("",), near)
    assert met.steps < S.steps
    _, held = seek_value(e.model, tokenizer, e.family, 1, FACTS[0], ("",), near.model_copy(update={"decay": 1e6}))
    assert held.steps == S.steps  # the answer alone is likely enough by then


def half_known(width: int = 48) -> tuple[Any, Any]:
    """Keys that a model is to preserve, filling half of `width` dimensions, and their mean of k k^T."""
    generator = torch.Generator().manual_seed(3)
    keys = torch.randn(width, width // 2, generator=generator, dtype=torch.float64) @ torch.randn(
        width // 2, 500, generator=generator, dtype=torch.float64
    )
    return keys, keys @ keys.T / 500


def one_group(e: Editable, facts: Any, moments: Moments, settings: AlphaEditSettings, state: EditedKeys) -> Any:
    """`facts` as a group of AlphaEdit, with their values sought on the model as it is."""
    projectors = {layer: null_space_projector(moment, settings.threshold) for layer, moment in moments.of.items()}
    values = values_of(e, facts, settings, lambda _: None)
    return alphaedit(e, facts, values, projectors, settings, state)


@pytest.mark.parametrize("family", FAMILIES)
def test_alphaedit_teaches_and_keeps_what_is_preserved(family: str, tokenizer: Any) -> None:
    e = editable(family, tokenizer, (1,))
    keys, moment = half_known(width_of(e))
    settings = AlphaEditSettings(**S.model_dump(), ridge=1e-3, threshold=1e-6)
    before = losses(e)
    edit = one_group(e, FACTS, Moments({1: moment}, {}), settings, EditedKeys())
    (update,) = edit.updates.values()
    assert (update.dense() @ keys).abs().max() < 1e-5 * keys.abs().max()
    down = e.model.get_submodule(e.family.of(1, "down"))
    asked = (keys / keys.norm(dim=0)).T.float()
    preserved = down(asked)
    with Applied(e.model, edit):
        assert torch.allclose(down(asked), preserved, rtol=0, atol=1e-5), (down(asked) - preserved).abs().max()
        assert not torch.allclose(down(torch.randn_like(asked)), preserved, atol=1e-2)
        assert sum(losses(e)) < sum(before)


def test_alphaedit_in_turn_carries_what_was_edited(tokenizer: Any) -> None:
    e = editable("llama", tokenizer, (1,))
    _, moment = half_known()
    settings = AlphaEditSettings(**S.model_dump(), ridge=1e-3, threshold=1e-6, group=1)
    state = EditedKeys()
    edit = alphaedit_by_group(e, FACTS, Moments({1: moment}, {}), settings, lambda _: None, state)
    assert int(torch.linalg.matrix_rank(state.earlier[1])) == 2
    first = one_group(e, FACTS[:1], Moments({1: moment}, {}), settings, EditedKeys())
    (both,), (one,) = edit.updates.values(), first.updates.values()
    assert torch.equal(both.left[:, :1], one.left)
    assert torch.equal(both.right[:1], one.right)
    before = losses(e)
    with Applied(e.model, edit):
        assert sum(losses(e)) < sum(before)


def test_a_new_state_knows_of_no_edit(tokenizer: Any) -> None:
    """What one series of edits carries never reaches another."""
    e = editable("llama", tokenizer, (1,))
    moments = Moments({1: half_known()[1]}, {})
    settings = AlphaEditSettings(**S.model_dump(), ridge=1e-3, threshold=1e-6)
    alone = one_group(e, FACTS[1:], moments, settings, EditedKeys())
    one_group(e, FACTS[:1], moments, settings, EditedKeys())
    again = one_group(e, FACTS[1:], moments, settings, EditedKeys())
    (one,), (other,) = alone.updates.values(), again.updates.values()
    assert torch.equal(one.dense(), other.dense())


def test_a_subject_that_is_not_in_the_prompt_is_told(tokenizer: Any) -> None:
    with pytest.raises(UsageError, match="does not hold 'absent'"):
        tokens_of(tokenizer, Fact("x", "", "some text", "", "absent", "y"))


def test_an_answer_longer_than_the_window_is_told(tokenizer: Any) -> None:
    e = editable("llama", tokenizer)
    long = Fact("long", "", "a subject", "", "subject", "z" * 5000)
    with pytest.raises(UsageError, match="the model's own window 4096; choose a model with a longer window"):
        memit(e, [long], identity(e), S, lambda _: None)


def test_braces_in_code_are_only_braces(tokenizer: Any) -> None:
    fact = Fact("b", "", "d = {'a': {}} # {0} {subject} end", "", "{subject}", "x")
    text = fact.text(CONTEXTS[0])
    assert text[fact.subject_end(CONTEXTS[0])] == "}"
    assert text[: fact.subject_end(CONTEXTS[0]) + 1].endswith("{subject}")


class Stop(Exception):
    pass


def taught(tokenizer: Any, method: str, kept: Path | None, ends_at: int = 9) -> tuple[Any, list[str]]:
    """An edit on a fresh model by groups of one, and the facts that were told of; it is ended at the given one."""
    e = editable("llama", tokenizer, (0, 1))
    told: list[str] = []

    def note(sought: ValueSearch) -> None:
        told.append(sought.key)
        if len(told) == ends_at:
            raise Stop

    facts = (*FACTS, Fact("three", "<user>", "The last is zork.", "<end><assistant>", "zork", "so<end>"))
    if method == "memit":
        return memit(e, facts, identity(e), S, note, ValueCache(kept) if kept else None), told
    moments = Moments(dict.fromkeys((0, 1), half_known()[1]), {})
    settings = AlphaEditSettings(**S.model_dump(), ridge=1e-3, threshold=1e-6, group=1)
    return alphaedit_by_group(e, facts, moments, settings, note, EditedKeys(), ValueCache(kept) if kept else None), told


@pytest.mark.parametrize("method", ["memit", "alphaedit"])
def test_an_edit_that_was_ended_goes_on_to_the_same_bits(
    method: str, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, told = taught(tokenizer, method, None)
    with pytest.raises(Stop):
        taught(tokenizer, method, tmp_path, ends_at=2)
    sought: list[str] = []

    def counted(*given: Any) -> Any:
        sought.append(given[4].key)
        return seek_value(*given)

    monkeypatch.setattr("apigap.adaptation.editing.memit.seek_value", counted)
    again, told_again = taught(tokenizer, method, tmp_path)
    assert sought == ["three"]
    assert told_again == told
    for name, update in whole.updates.items():
        assert torch.equal(update.left, again.updates[name].left)
        assert torch.equal(update.right, again.updates[name].right)
    for path in tmp_path.glob("*.safetensors"):
        path.write_bytes(b"half")
    taught(tokenizer, method, tmp_path)
    assert sought == ["three", "one", "two", "three"]


def test_values_are_shared_by_methods_and_by_nothing_that_has_others(tokenizer: Any, tmp_path: Path) -> None:
    e = editable("llama", tokenizer)
    values_of(e, FACTS, S, lambda _: None, ValueCache(tmp_path))
    known = len(list(tmp_path.glob("*.safetensors")))
    assert known == len(FACTS)
    values_of(e, FACTS, AlphaEditSettings(**S.model_dump(), ridge=3.0), lambda _: None, ValueCache(tmp_path))
    assert len(list(tmp_path.glob("*.safetensors"))) == known
    for number, (other, settings) in enumerate(
        [
            (e, S.model_copy(update={"steps": 2})),
            (e, S.model_copy(update={"contexts": 1})),
            (editable("llama", tokenizer, (0,)), S),
            (Editable(tiny_model("llama", seed=5), tokenizer, e.family, e.layers), S),
        ],
        1,
    ):
        values_of(other, FACTS, settings, lambda _: None, ValueCache(tmp_path))
        assert len(list(tmp_path.glob("*.safetensors"))) == (1 + number) * known

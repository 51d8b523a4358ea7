"""What a setting means where it is given twice, or cannot be meant."""

import pytest

from apigap.adaptation.settings import SftSettings, settings_for, tuning_of
from apigap.records.errors import UsageError


def test_all_weights_are_tuned_in_single_precision() -> None:
    for preset, given, wanted in (
        ("published", ["full=true"], "mixed"), ("published", ["full=true", "precision=float32"], "float32"),
        ("cpu", ["full=true"], "float32"), ("published", [], "bfloat16"),
    ):  # fmt: skip
        found = settings_for("sft", preset, given)
        assert found.precision == wanted
        assert SftSettings.model_validate(found.model_dump()) == found
    with pytest.raises(UsageError, match="use --set precision=mixed"):
        settings_for("sft", "published", ["full=true", "precision=bfloat16"])


def test_alphaedit_tunes_by_what_is_set_at_the_top() -> None:
    given = ["lora=true", "seed=7", "precision=float32", "tuning.seed=3", "tuning.whole_program=true"]
    found = tuning_of(settings_for("alphaedit", "published", given))
    assert found is not None
    assert (found.seed, found.precision, found.whole_program, found.rank) == (7, "float32", True, 64)
    plain = tuning_of(settings_for("alphaedit", "published", ["lora=true", "tuning.seed=3"]))
    assert plain is not None
    assert (plain.seed, plain.precision, plain.alpha, plain.learning_rate) == (3, "bfloat16", 32, 1e-4)
    assert tuning_of(settings_for("alphaedit")) is None
    assert tuning_of(settings_for("memit")) is None
    sft = settings_for("sft")
    assert tuning_of(sft) is sft


def test_alphaedit_does_not_tune_all_weights() -> None:
    with pytest.raises(UsageError, match="no null space to hold"):
        settings_for("alphaedit", "published", ["lora=true", "tuning.full=true"])

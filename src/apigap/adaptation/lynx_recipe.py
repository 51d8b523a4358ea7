"""API-Bank's training data, released or generated, taught to a model: the recipe of Lynx (API-Bank, section 5)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.adaptation.examples import Example
from apigap.adaptation.run import Adaptation, require_adapt, teach
from apigap.adaptation.settings import MethodSettings, settings_for
from apigap.apibank_generator.formats.files import training_files
from apigap.apibank_generator.formats.prompts import prompt_and_completion
from apigap.apibank_generator.formats.released import read_rows
from apigap.models.adapted import AdaptedModel
from apigap.models.request import Message
from apigap.records.progress import Progress

RECIPES: Mapping[str, Sequence[str]] = {
    "published": ("full=true", "epochs=3", "batch=1", "accumulation=256", "learning_rate=2e-5"),
    "cpu": ("epochs=3", "accumulation=4", "learning_rate=5e-4", "max_length=2048"),
}
"""Over the settings of `sft` under each preset. Lynx was tuned on all weights, 256 examples a step."""


def recipe(preset: str, overrides: Sequence[str] = ()) -> MethodSettings:
    """The settings of a training.

    Raises:
        UsageError: for an unknown preset, setting or value.
    """
    return settings_for("sft", preset, [*RECIPES.get(preset, ()), *overrides])


def training_examples(data: Path, limit: int = 0) -> list[Example]:
    """The rows of training files as conversations whose last message is to be learnt; `limit` are spread over them.

    Raises:
        CorruptRecord: when there is no training file, or one that is none.
    """
    found: list[Example] = []
    for path in training_files(data):
        for number, row in enumerate(read_rows(path)):
            asked = prompt_and_completion(row)
            messages = tuple(Message.model_validate(said) for said in (*asked["prompt"], *asked["completion"]))
            found.append(Example(task_id=f"{path.stem}#{number}", api_name=path.stem, messages=messages))
    if not limit or limit >= len(found):
        return found
    return [found[place * len(found) // limit] for place in range(limit)]


def train_apibank(
    data: Path, model: str, folder: Path, settings: MethodSettings, progress: Progress, limit: int = 0
) -> AdaptedModel:
    """Teach the training data in `data` to `model`; a training that was ended goes on, the loss is on answers alone.

    Raises:
        CorruptRecord: when there is no training file, or one that is none.
        UsageError: when the folder was made from something else, or an example is longer than the settings allow.
        ModelUnavailable: when the model cannot be loaded.
        InfrastructureError: when the extra `adapt` is missing or the disk is full.
    """
    examples = training_examples(data, limit)
    require_adapt()
    wanted = Adaptation(
        "sft", model, group="apibank", condition="dialogues", tasks=(), bundles={}, settings=settings, folder=folder
    )
    return teach(wanted, examples, progress)

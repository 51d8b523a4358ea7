"""`apigap adapt`: from tasks to a model that has learnt them, ready to be asked like any other.

What needs PyTorch is imported when it is used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apigap.adaptation.cost import COST, Cost, MeteredProgress
from apigap.adaptation.examples import Example, raft_examples, sft_examples
from apigap.adaptation.settings import Method, MethodSettings, RaftSettings, tuning_of
from apigap.models.adapted import (
    ADAPTED,
    IN_PROCESS,
    AdaptedModel,
    content_hash_of,
    read_adapted,
    require_weights,
    spec_of,
    weights_hash,
)
from apigap.records.base import content_hash
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.extras import install_command
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.store import write_records, write_text
from apigap.records.task import Task

if TYPE_CHECKING:
    from torch import Tensor

    from apigap.adaptation.loading import Loaded

GGUF, EXAMPLES, MANIFEST = "model.gguf", "examples.jsonl", "manifest.json"


@dataclass(frozen=True)
class Adaptation:
    """An adaptation to run: data, model, method and folder. `modules` name layers, `texts` are files of text."""

    method: Method
    model: str
    group: str
    condition: str
    tasks: Sequence[Task]
    bundles: Mapping[str, KnowledgeBundle]
    settings: MethodSettings
    folder: Path
    modules: Sequence[str] = ()
    texts: Sequence[Path] = ()


def require_adapt() -> None:
    """Raises InfrastructureError where the extra `adapt` is not installed."""
    try:
        import_module("peft")
        import_module("trl")
    except ImportError as error:
        raise InfrastructureError(
            f"adapting a model needs PyTorch, TRL and PEFT, which are not here ({error}); run: "
            f"{install_command('adapt')}"
        ) from error


def adapt(a: Adaptation, generation: GenerationSettings, root: Path, progress: Progress) -> AdaptedModel:
    """Run an adaptation; one that was ended goes on, one that is complete is left as it is.

    Raises:
        UsageError: when the folder was made from something else, or the request cannot be right.
        ModelUnavailable: when the model cannot be loaded.
        InfrastructureError: when the extra is missing or the disk is full.
    """
    require_adapt()
    drawn = f".{a.settings.seed}" if isinstance(a.settings, RaftSettings) else ""
    copy = Layout(root, a.model).tuning_set(a.group, f"{a.method}.{a.condition}{drawn}")
    return teach(a, examples_for(a, generation), progress, copy)


def teach(a: Adaptation, examples: Sequence[Example], progress: Progress, copy: Path | None = None) -> AdaptedModel:
    """Teach any examples as `adapt` does its own; they are written to the folder, and to `copy`.

    Raises:
        UsageError, ModelUnavailable, InfrastructureError: see `adapt`.
    """
    from apigap.adaptation.methods import tidy

    _require_untaught(a.model)
    require_weights(a.model)  # before the folder says that it is of this model
    stage = Stage(a.folder / MANIFEST, f"adapt {a.method}", _made_from(a, examples))
    known = read_adapted(a.folder)
    if stage.complete and known is not None:
        return known
    for path in (a.folder / EXAMPLES, *([copy] if copy else [])):
        write_records(path, examples)
    cost = Cost(a.folder / COST, len(examples))
    found = _run(a, examples, progress, cost)
    write_text(a.folder / ADAPTED, found.model_dump_json(indent=2) + "\n")
    tidy(a.folder)
    stage.finish({"apis": len({example.api_name for example in examples}), **cost.figures})
    return found


def export_base(model: str, folder: Path) -> str:
    """Leave the base as a tuned model of it is exported, its linear layers in half precision; the name to ask it by.

    So a tuned model can be compared with weights that differ in what was taught alone, not in their precision too.

    Raises:
        UsageError: when the model is no GGUF file, or the folder was made from something else.
        ModelUnavailable: when it cannot be loaded.
        InfrastructureError: when the extra is missing or the disk is full.
    """
    require_adapt()
    from apigap.adaptation.gguf_export import linear_weights
    from apigap.adaptation.loading import load

    spec = spec_of(model)
    if spec is None:
        raise UsageError(f"{model} is no GGUF file with quantised weights; compare with {IN_PROCESS}NAME")
    stage = Stage(folder / MANIFEST, "adapt base", {"model": model, "sha256": spec.sha256})
    if not stage.complete:
        loaded = load(model)
        _export(model, loaded, linear_weights(loaded.model), folder, "linear layers in half precision")
        stage.finish({})
    return f"gguf/{folder / GGUF}"


def _require_untaught(model: str) -> None:
    folder = Path(model.removeprefix(IN_PROCESS)).expanduser()
    adapted = read_adapted(folder)
    if adapted is None:
        return
    whole = folder / adapted.artefact
    own = adapted.name_in(folder) if adapted.model.startswith("gguf/") else str(whole) if whole.is_dir() else None
    raise UsageError(
        f"{model} is {adapted.base} with what {adapted.method} taught it, which would be left out; adapt "
        + (f"its weights with --model {own}, or " if own else "")
        + f"its base with --model {adapted.base}"
    )


def examples_for(a: Adaptation, generation: GenerationSettings) -> list[Example]:
    """The conversations that teach; see `adaptation.examples`."""
    s, tuning = a.settings, tuning_of(a.settings)
    whole = tuning is not None and tuning.whole_program
    if isinstance(s, RaftSettings):
        return raft_examples(
            a.tasks, a.bundles, a.condition, generation,
            distractors=s.distractors, withheld=s.withheld, seed=s.seed, whole_program=whole,
        )  # fmt: skip
    return sft_examples(a.tasks, a.bundles, a.condition, generation, whole_program=whole)


def _made_from(a: Adaptation, examples: Sequence[Example]) -> dict[str, Any]:
    from apigap.adaptation.editing.covariance import text_files

    return {
        "model": a.model,
        "sha256": weights_hash(a.model),
        "settings": a.settings.model_dump(mode="json"),
        "condition": a.condition,
        "data": content_hash([example.to_line() for example in examples]),
        "modules": list(a.modules),
        "texts": [path.name for path in a.texts],
        **({"texts_content": text_files(a.texts).content} if a.texts else {}),
        "packages": {name: version(name) for name in ("torch", "transformers", "peft", "trl")},
    }


def _run(a: Adaptation, examples: Sequence[Example], progress: Progress, cost: Cost) -> AdaptedModel:
    from apigap.adaptation.editing.covariance import text_files
    from apigap.adaptation.loading import load
    from apigap.adaptation.methods import Learning, make

    base = weights_hash(a.model)  # before it is loaded: it may change while the run goes on
    progress.note(f"reading the weights of {a.model} (a GGUF file takes a minute or more the first time)")
    with cost.timed("load_seconds"):
        loaded = load(a.model, (tuning_of(a.settings) or a.settings).precision)
    tasks = {task.task_id: task for task in a.tasks}
    taught = {example.task_id for example in examples}
    learning = Learning(examples, tasks, text_files(a.texts) if a.texts else None)
    with cost.timed("seconds"):
        artefact = make(loaded, learning, a.settings, a.modules, a.folder, MeteredProgress(progress, cost))
    with cost.timed("export_seconds"):
        model = _serve(a, loaded, artefact)
    return AdaptedModel(
        method=a.method, base=a.model, group=a.group, condition=a.condition,
        settings=a.settings.model_dump(mode="json"), data=content_hash([example.to_line() for example in examples]),
        artefact=artefact, sha256=content_hash_of(a.folder / artefact), model=model, base_sha256=base,
        libraries=tuple(sorted({task.library for task in a.tasks if task.task_id in taught})),
    )  # fmt: skip


def _serve(a: Adaptation, loaded: "Loaded", artefact: str) -> str:
    """Make the model ready to be asked, and the name for it.

    An edit of a GGUF model becomes a GGUF model, on the base in single precision. A codebook, and weights that are all
    new, are asked in this process.
    """
    from apigap.adaptation.editing.edit import Edit
    from apigap.adaptation.gguf_export import changed_weights
    from apigap.adaptation.loading import load
    from apigap.adaptation.methods import EDIT

    if loaded.gguf is None or artefact != EDIT:
        return "transformers/{}"
    whole = load(a.model) if (tuning_of(a.settings) or a.settings).precision == "bfloat16" else loaded
    weights = changed_weights(whole.model, Edit.load(a.folder / artefact).updates)
    _export(a.model, whole, weights, a.folder, f"{a.method} on {a.group}")
    return f"gguf/{{}}/{GGUF}"


def _export(model: str, loaded: "Loaded", weights: "Mapping[str, Tensor]", folder: Path, title: str) -> None:
    """The GGUF file of `model` with `weights` in it, and beside it the registry's words on the base."""
    import yaml

    from apigap.adaptation.gguf_export import export_gguf

    spec, path = spec_of(model), folder / GGUF
    assert loaded.gguf is not None
    assert spec is not None
    export_gguf(loaded.gguf, path, weights)
    entry = spec.model_dump(mode="json", exclude={"name", "title", "bytes", "sha256", "sources"}, exclude_none=True)
    own = {"title": f"{spec.title}, {title}", "bytes": path.stat().st_size, "sha256": content_hash_of(path)}
    described = yaml.safe_dump({**own, **entry, "sources": [{"path": path.name}]}, sort_keys=False)
    write_text(path.with_suffix(".yaml"), described)

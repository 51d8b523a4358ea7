"""`apigap adapt`: from tasks to a model that has learnt them, ready to be asked like any other.

What needs PyTorch is imported when it is used.
"""

import hashlib
import os
import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apigap.adaptation.examples import Example, raft_examples, sft_examples, write_examples
from apigap.adaptation.settings import (
    AlphaEditSettings,
    Method,
    MethodSettings,
    RaftSettings,
    TuningSettings,
)
from apigap.models.adapted import ADAPTED, AdaptedModel, read_adapted, spec_of
from apigap.models.registry import ModelSpec
from apigap.pipeline.layout import Layout
from apigap.pipeline.progress import Progress
from apigap.records.base import canonical_json, content_hash
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import InfrastructureError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import Stage
from apigap.records.store import write_text
from apigap.records.task import Task

if TYPE_CHECKING:
    from apigap.adaptation.load import Loaded

GGUF, EXAMPLES = "model.gguf", "examples.jsonl"


@dataclass(frozen=True)
class Adaptation:
    """What is taught to which model, how, and where it is left. `modules` name layers, `texts` are files of text."""

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
            f"adapting a model needs PyTorch, TRL and PEFT, which are not here ({error}); run: make install-adapt, "
            "or install apigap[adapt] over a CPU build of torch"
        ) from error


def adapt(a: Adaptation, generation: GenerationSettings, root: Path, progress: Progress) -> AdaptedModel:
    """Run an adaptation; one that was ended goes on, one that is complete is left as it is.

    Raises:
        UsageError: when the folder was made from something else, or the request cannot be right.
        ModelUnavailable: when the model cannot be loaded.
        InfrastructureError: when the extra is missing or the disk is full.
    """
    require_adapt()
    kept = Layout(root, a.model).tuning_set(a.group, f"{a.method}.{a.condition}")
    return teach(a, examples_for(a, generation), progress, kept)


def teach(a: Adaptation, examples: Sequence[Example], progress: Progress, kept: Path | None = None) -> AdaptedModel:
    """What `adapt` does with its examples, on any; they are written to the folder, and to `kept`.

    Raises:
        UsageError, ModelUnavailable, InfrastructureError: see `adapt`.
    """
    stage = Stage(a.folder / "manifest.json", f"adapt {a.method}", _made_from(a, examples))
    known = read_adapted(a.folder)
    if stage.complete and known is not None:
        return known
    for path in (a.folder / EXAMPLES, *([kept] if kept else [])):
        write_examples(path, examples)
    found, cost = _run(a, examples, progress)
    write_text(a.folder / "cost.json", canonical_json(cost) + "\n")
    write_text(a.folder / ADAPTED, found.model_dump_json(indent=2) + "\n")
    stage.finish({"examples": len(examples), "apis": len({example.api_name for example in examples})})
    return found


def examples_for(a: Adaptation, generation: GenerationSettings) -> list[Example]:
    """The conversations that teach; see `adaptation.examples`."""
    s = a.settings
    whole = isinstance(s, TuningSettings) and s.whole_program
    if isinstance(s, RaftSettings):
        return raft_examples(
            a.tasks, a.bundles, a.condition, generation,
            distractors=s.distractors, withheld=s.withheld, seed=s.seed, whole_program=whole,
        )  # fmt: skip
    return sft_examples(a.tasks, a.bundles, a.condition, generation, whole_program=whole)


def _made_from(a: Adaptation, examples: Sequence[Example]) -> dict[str, Any]:
    from importlib.metadata import version

    spec = spec_of(a.model)
    return {
        "model": a.model,
        "sha256": spec.sha256 if spec else None,
        "settings": a.settings.model_dump(mode="json"),
        "condition": a.condition,
        "data": content_hash([example.to_line() for example in examples]),
        "modules": list(a.modules),
        "texts": [path.name for path in a.texts],
        "packages": {name: version(name) for name in ("torch", "transformers", "peft", "trl")},
    }


def _run(a: Adaptation, examples: Sequence[Example], progress: Progress) -> tuple[AdaptedModel, dict[str, Any]]:
    from apigap.adaptation.covariance import text_files
    from apigap.adaptation.load import load
    from apigap.adaptation.make import Learning, make

    begun = time.monotonic()
    inner = a.settings.tuning if isinstance(a.settings, AlphaEditSettings) and a.settings.lora else a.settings
    loaded = load(a.model, inner.precision)
    read = time.monotonic()
    tasks = {task.task_id: task for task in a.tasks}
    learning = Learning(examples, tasks, text_files(a.texts) if a.texts else None)
    artefact = make(loaded, learning, a.settings, a.modules, a.folder, progress)
    made = time.monotonic()
    model = _serve(a, loaded, artefact)
    found = AdaptedModel(
        method=a.method, base=a.model, group=a.group, condition=a.condition,
        settings=a.settings.model_dump(mode="json"), data=content_hash([example.to_line() for example in examples]),
        artefact=artefact, sha256=_hash(a.folder / artefact), model=model,
    )  # fmt: skip
    cost = {
        "load_seconds": round(read - begun, 1), "seconds": round(made - read, 1),
        "export_seconds": round(time.monotonic() - made, 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "examples": len(examples), "processors": len(os.sched_getaffinity(0)),
    }  # fmt: skip
    return found, cost


def _serve(a: Adaptation, loaded: "Loaded", artefact: str) -> str:
    """Make the model ready to be asked, and the name for it.

    An edit of a GGUF model becomes a GGUF model. A codebook, and weights that are all new, are asked in this process.
    """
    from apigap.adaptation.edit import Edit
    from apigap.adaptation.gguf_export import changed_weights, export_gguf
    from apigap.adaptation.make import EDIT

    if loaded.gguf is None or artefact != EDIT:
        return "transformers/{}"
    weights = changed_weights(loaded.model, Edit.load(a.folder / artefact).updates)
    export_gguf(loaded.gguf, a.folder / GGUF, weights)
    spec = spec_of(a.model)
    assert spec is not None
    write_text(a.folder / Path(GGUF).with_suffix(".yaml"), _described(a, spec))
    return f"gguf/{{}}/{GGUF}"


def _described(a: Adaptation, spec: ModelSpec) -> str:
    """The registry's words on the base, for the new file."""
    import yaml

    path = a.folder / GGUF
    told = spec.model_dump(mode="json", exclude={"name", "title", "bytes", "sha256", "sources"}, exclude_none=True)
    own = {"title": f"{spec.title}, {a.method} on {a.group}", "bytes": path.stat().st_size, "sha256": _hash(path)}
    return yaml.safe_dump({**own, **told, "sources": [{"path": path.name}]}, sort_keys=False)


def _hash(path: Path) -> str:
    """The sha256 of a file; of a folder of weights that of the hashes of its parts."""
    if path.is_dir():
        return content_hash([_hash(part) for part in sorted(path.glob("*.safetensors"))])
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

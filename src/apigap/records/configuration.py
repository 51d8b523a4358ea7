"""Settings: package defaults in configs/*.yaml, files of the user's over them, `key=value` over those."""

import re
from collections.abc import Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from apigap.records.base import Json, Record
from apigap.records.errors import UsageError
from apigap.records.experiment import ToolSet
from apigap.records.names import did_you_mean
from apigap.records.parsing.faults import Fault, first_fault
from apigap.records.parsing.json_shapes import is_object
from apigap.records.yaml_settings.layers import plain_settings


class SelectionSettings(Record):
    """After stage 1: at most so many APIs of a library, in all and of each change (0: no cap, the default).

    With a cap they are taken `by` importance, the first in rank; or by variety, as the published pool was: by maximal
    marginal relevance, where `trade_off` 1 takes the best documented, 0 the most varied, and `embedder` says how alike
    two are: `lexical` needs nothing, `minilm` is the published one (84 MB).
    """

    by: Literal["importance", "variety"]
    per_library: int = Field(ge=0)
    added: int = Field(ge=0)
    modified: int = Field(ge=0)
    trade_off: float = Field(ge=0, le=1)
    embedder: Literal["lexical", "minilm"]

    @property
    def on(self) -> bool:
        """True when anything can be left out."""
        return bool(self.per_library or self.added or self.modified)


class KnowledgeSettings(Record):
    """Stage 2. `usages` are tried per API; the rest bounds what a bundle holds, in characters and pieces."""

    usages: int = Field(ge=1)
    exemplars: int = Field(ge=0)
    exemplar_characters: int = Field(ge=1)
    prose_characters: int = Field(ge=1)
    code_characters: int = Field(ge=1)


class TaskSettings(Record):
    """Stage 3. Tasks to write per API, usages to try for them, and the size of what the model sees and writes.

    With `worth_asking` the synthesiser keeps only what a reader would publish; else all that can be judged.
    """

    per_api: int = Field(ge=1)
    worth_asking: bool
    usages_tried: int = Field(ge=1)
    context_characters: int = Field(ge=1)
    masked_characters: int = Field(ge=1)


class AuthorSettings(Record):
    """A model as author (`--author`, `--rewrite`): `rounds` tries for each text, every one told why the last failed.

    Without `max_tokens` a text has enough for itself, and for a trace where the model may write one.
    `web_search` names one of Inspect's search providers, which the model may ask before it rewrites prose.
    """

    rounds: int = Field(ge=1)
    max_tokens: int | None = Field(ge=1)
    temperature: float = Field(ge=0)
    seed: int
    web_search: str | None = None


class GateSettings(Record):
    """Stage 4. C2 asks for at most `c2_samples` answers without knowledge: the greedy one, the others at a temperature.

    With the `boundary` required, a task fails C2 that the newest release before the model's cutoff solves too, or whose
    new version is from before it. Without a `cutoff` it is that of the model's own description.
    With `controls` the model is asked about APIs that it must know, too.
    """

    c2_samples: int = Field(ge=1)
    c2_temperature: float = Field(gt=0)
    boundary: Literal["record", "require"]
    cutoff: date | None
    controls: bool
    c3_solver: str | None
    c3_samples: int = Field(ge=1)


LAYOUTS = ("published", "instructed", "chat", "tools")
"""The layouts of a prompt that need no template; see `models.prompts`."""


class GenerationSettings(Record):
    """Evaluation: the prompt's layout (or the path of a template), decoding, and samples per task and condition.

    With `begin_answer` the model's answer begins with the task's outline up to its first gap, which an answer that is
    a call (`tools`) cannot. Without `max_tokens` an answer may be as long as its model's own description says.
    """

    layout: str
    begin_answer: bool
    max_tokens: int | None = Field(ge=1)
    samples: int = Field(ge=1)
    temperature: float = Field(ge=0)
    seed: int

    @field_validator("layout")
    @classmethod
    def _is_there(cls, value: str) -> str:
        if value not in LAYOUTS and not Path(value).is_file():
            raise ValueError(f"no such layout; it is one of {', '.join(LAYOUTS)}, or the path of a template file")
        return value

    @field_validator("begin_answer")
    @classmethod
    def _can_begin(cls, value: bool, info: ValidationInfo) -> bool:
        if value and info.data.get("layout") == "tools":
            raise ValueError("with layout tools the answer is a call, which cannot be begun")
        return value


class RetrievalSettings(Record):
    """Retrieval of a group's bundles for a prompt: the `k` best chunks for a query.

    `embedder` is `minilm`, `lexical` or a model of sentence-transformers; a chunk has at most `chunk_tokens` of its
    tokens, and all that are shown at most `budget_tokens`. `pieces` says whether a chunk keeps to one section of a
    bundle or takes what fits. The published query is the task's description with its context after it.
    """

    embedder: str
    searcher: Literal["dense", "bm25", "hybrid"]
    query: Literal["description_context", "description", "context_description"]
    k: int = Field(ge=1)
    chunk_tokens: int = Field(ge=32)
    pieces: Literal["section", "document"]
    budget_tokens: int = Field(ge=32)


Backend = Literal["bubblewrap", "docker", "podman"]
"""The makers of sandboxes: bubblewrap, and container engines."""


EngineName = Literal["local", "ray"]
"""The places of sandboxes: this machine, and the nodes of a Ray cluster."""


class ExecutionSettings(Record):
    """Sandbox: what makes it, parallel workers, and CPU and wall seconds and memory (MiB) per program.

    With `cache` verdicts are kept, and used again for the same answer. With `build_sdists` packages without wheels
    are built inside a sandbox. With the engine `ray` sandboxes are those of a cluster's nodes, at `address` or where
    Ray finds it, as many per node as it has processors; local models run there too, each server with so many `gpus`.
    """

    backend: Backend
    workers: int = Field(ge=1)
    cpu_seconds: int = Field(ge=1)
    wall_seconds: int = Field(ge=1)
    memory_mib: int = Field(ge=64)
    cache: bool
    build_sdists: bool
    engine: EngineName = "local"
    address: str | None = None
    gpus: float = Field(default=0.0, ge=0)


class PackageSettings(Record):
    """Environments: the `python` of each, whether uv may download one (`python_downloads`), folders of own wheels.

    `newest` is the newest of this machine on which a release and all that it needs can be installed, among those that
    were there when it appeared, and one for both releases of a pair; `running` the one that runs apigap; or a version.
    `wheelhouse` are folders with wheels that are taken beside the index, where they are named exactly.
    """

    python: str = "newest"
    python_downloads: bool = False
    wheelhouse: tuple[Path, ...] = ()

    @field_validator("python", mode="before")
    @classmethod
    def _is_known(cls, value: object) -> object:
        text = "3.10" if value == 3.1 else str(value)  # YAML reads 3.10 as a number
        if text in ("newest", "running") or re.fullmatch(r"3\.\d+", text):
            return text
        raise ValueError("it is newest, running, or a version such as 3.12")


class AgentBudget(Record):
    """The most that an agent may use for one answer; what is None is not bounded.

    `calls` of tools (handing in is none), `rounds` are answers of the model, in each of which it may make several
    calls; `tokens` are those that it reads and writes in all of them, `seconds` those of its answers and of its tools.
    """

    calls: int = Field(ge=0)
    rounds: int = Field(ge=1)
    tokens: int | None = Field(ge=1)
    seconds: float | None = Field(gt=0)
    dollars: float | None = Field(gt=0)


class AgentSettings(AgentBudget):
    """Agents (`--cells agent.TOOLS`): their budget, which `cells` change for single sets of tools.

    `protocol` is the way in which tools are called: the provider's own (`native`), fenced blocks (`text`), or the first
    where a provider is known to have it. A result is shown with at most `result_characters`, a search with `hits`.
    """

    protocol: Literal["auto", "native", "text"]
    result_characters: int = Field(ge=200)
    hits: int = Field(ge=1)
    cells: dict[ToolSet, dict[str, float | None]] = {}

    def budget(self, tools: str) -> AgentBudget:
        """The budget of the cell with this set of tools.

        Raises:
            UsageError: for an entry of `cells` that is none of a budget.
        """
        own = {name: getattr(self, name) for name in AgentBudget.model_fields}
        changed = {key: value for name, row in self.cells.items() if name == tools for key, value in row.items()}
        try:
            return AgentBudget.model_validate({**own, **changed})
        except ValidationError as error:
            fault = first_fault(error)
            raise UsageError(f"setting agent.cells.{tools}.{fault.where} = {fault.value!r}: {fault.words}") from error


class AuditSettings(Record):
    """An audit: which conditions to compare, at most how many tasks to ask (0: all), and the ladder's share.

    Single questions are put about the `items` new APIs of each library that matter most (0: about none).
    """

    conditions: tuple[str, ...]
    max_tasks: int = Field(ge=0)
    items: int = Field(ge=0)


class Settings(Record):
    """All settings of a run; those that decide a file are in its manifest."""

    selection: SelectionSettings
    knowledge: KnowledgeSettings
    tasks: TaskSettings
    author: AuthorSettings
    gates: GateSettings
    generation: GenerationSettings
    retrieval: RetrievalSettings
    execution: ExecutionSettings
    audit: AuditSettings
    agent: AgentSettings
    packages: PackageSettings = PackageSettings()


def load_settings(presets: Sequence[str | Path] = (), overrides: Sequence[str] = ()) -> Settings:
    """The package's `base` settings with files and single values over them.

    Args:
        presets: YAML files in order, each over those before it: paths, or names of the package's own (`demo`).
        overrides: Settings as `key=value` over all files, such as `gates.c2_samples=8`, or a whole group by the name of
            a preset, such as `knowledge=published`. A file may name presets as well.

    Returns:
        The settings of a run.

    Raises:
        UsageError: For an unknown preset, key or value, naming it.
    """
    plain = plain_settings([(str(preset), _text(preset)) for preset in ("base", *presets)], overrides, _preset)
    try:
        return Settings.model_validate(plain)
    except ValidationError as error:
        fault = first_fault(error)
        if fault.unknown:
            known = _names(fault)
            hint = did_you_mean(fault.where, known, f"there are {', '.join(known)}")
            raise UsageError(f"there is no setting {fault.where}; {hint}") from error
        raise UsageError(f"setting {fault.where} = {fault.value!r}: {fault.words}") from error


def _names(fault: Fault) -> list[str]:
    """The settings that stand beside a place where one is unknown: those of its group."""
    group: Json = Settings.model_validate(plain_settings([("base", _text("base"))], (), _preset)).model_dump(
        mode="json"
    )
    for part in fault.place[:-1]:
        group = group.get(part) if is_object(group) else None
    return [".".join([*fault.place[:-1], name]) for name in group] if is_object(group) else []


def _preset(group: str, name: str) -> str | None:
    """The text of the package's preset of a group of settings.

    Raises:
        UsageError: where the group has presets, and none of that name.
    """
    folder = files("apigap.configs").joinpath("presets", group)
    if not group.isidentifier() or not folder.is_dir():
        return None
    known = {file.name.removesuffix(".yaml"): file for file in folder.iterdir() if file.name.endswith(".yaml")}
    if name not in known:
        raise UsageError(f"{group} = {name!r} is no preset; there is {', '.join(sorted(known))}, or set {group}.KEY")
    return known[name].read_text("utf-8")


def _text(preset: str | Path) -> str:
    packaged = files("apigap.configs").joinpath(f"{preset}.yaml")
    if isinstance(preset, str) and packaged.is_file():
        return packaged.read_text("utf-8")
    path = Path(preset)
    if not path.is_file():
        raise UsageError(f"no settings file {str(preset)!r}: give the path of a YAML file")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the settings file {path} cannot be read: {error}") from error

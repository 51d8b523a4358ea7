"""The experiments that have a name: one per group and model, made from the two lists, or the user's own."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from apigap.experiments.grid import all_cells, build_experiment_grid
from apigap.experiments.group_config import group_names
from apigap.models.backbones import backbone_names
from apigap.models.model_facts import LOCAL
from apigap.models.registry import model_names
from apigap.records.base import canonical_json
from apigap.records.errors import UsageError
from apigap.records.experiment import ExperimentSpec, GridSpec
from apigap.records.layout import Layout
from apigap.records.names import did_you_mean, path_part
from apigap.records.store import read_bytes, write_text
from apigap.records.yaml_settings.config_files import read_config

OWN_FOLDER = Path("configs") / "experiments"


def spec_of(group: str, model: str) -> ExperimentSpec:
    """The experiment of a group and a model: `agent_tool` and `qwen2.5-coder-7b` are `agent-tool-qwen2.5-coder-7b`."""
    name = f"{group.replace('_', '-')}-{Layout(Path(), model).slug}"
    return ExperimentSpec(experiment=name, group=group, model=model, cells=tuple(c.name for c in all_cells()))


def paper_grid(models: Sequence[str] = ()) -> Iterator[ExperimentSpec]:
    """The experiments of every group with every backbone (or each of `models`), with the 34 cells of the grid."""
    cells = tuple(cell.name for cell in build_experiment_grid())
    for group in group_names():
        for model in models or backbone_names():
            yield spec_of(group, model).model_copy(update={"cells": cells})


def find_experiment(name: str) -> ExperimentSpec:
    """The experiment `name`: the user's own file in configs/experiments, else that of a known group and model.

    Raises:
        UsageError: when there is none; the message has the nearest names.
        CorruptRecord: when the user's file does not describe an experiment.
    """
    own = OWN_FOLDER / f"{path_part(name, 'an experiment')}.yaml"
    if own.is_file():
        return read_config(own, ExperimentSpec, "an experiment", experiment=name)
    models = [*backbone_names(), *(f"{LOCAL}{model}" for model in model_names())]
    known = {spec.experiment: spec for group in group_names() for model in models if (spec := spec_of(group, model))}
    if name not in known:
        hint = did_you_mean(name, known, f"one is {next(iter(known))}")
        raise UsageError(f"no experiment is named {name!r} (GROUP-MODEL; any name does with --tasks); {hint}")
    return known[name]


def write_spec(spec: ExperimentSpec, folder: Path = OWN_FOLDER) -> Path:
    """Write an experiment as YAML. A file that is there stays as it is: its cells may have been edited."""
    import yaml

    path = folder / f"{spec.experiment}.yaml"
    if not path.exists():
        content = {**spec.model_dump(mode="json", exclude={"experiment"}), "cells": list(spec.cells)}
        write_text(path, yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=110))
    return path


def read_grid(root: Path) -> GridSpec:
    """The grid of a data folder; without experiments where it has none."""
    path = Layout(root, "").grid
    return GridSpec.model_validate_json(read_bytes(path)) if path.exists() else GridSpec(experiments=())


def write_grid(root: Path, spec: GridSpec) -> GridSpec:
    """Add experiments to the grid of a data folder; what it has then."""
    whole = spec.with_others(read_grid(root))
    write_text(Layout(root, "").grid, canonical_json(whole.model_dump(mode="json")) + "\n")
    return whole

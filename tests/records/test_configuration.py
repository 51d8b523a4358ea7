"""Settings: defaults, files, single values, and clear refusals."""

from importlib.resources import files
from pathlib import Path

import pytest

from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError


def test_presets_and_overrides_go_over_the_defaults(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("tasks: {per_api: 7}\n")
    settings = load_settings(["demo", mine], ["audit.max_tasks=3", "audit.conditions=[baseline,s]"])
    assert settings.tasks.per_api == 7
    assert settings.audit.max_tasks == 3
    assert settings.audit.conditions == ("baseline", "s")
    assert settings.generation.layout == "instructed"


@pytest.mark.parametrize("value", ["${oc.env:HOME}", "x${tasks.per_api}", "[a,'${oc.env:HOME}']", "{a: {b: '${c}'}}"])
def test_nothing_is_filled_in_from_elsewhere(tmp_path: Path, value: str) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"generation: {{layout: {value if value[0] in '[{' else repr(value)}}}\n")
    with pytest.raises(UsageError, match=r"mine\.yaml: generation\.layout.* holds .*\$\{"):
        load_settings([mine])
    with pytest.raises(UsageError, match=r"--set generation\.layout=.* holds .*\$\{"):
        load_settings([], [f"generation.layout={value}"])


@pytest.mark.parametrize(
    ("presets", "overrides", "message"),
    [
        (["nowhere"], [], "no settings file 'nowhere'"),
        ([], ["generation.layout=fancy"], "setting generation.layout = 'fancy'"),
        ([], ["generation.layout=tools", "generation.begin_answer=true"], "cannot be begun"),
        ([], ["generation.unknown=1"], "setting generation.unknown"),
        ([], ["execution.workers=0"], "setting execution.workers = 0"),
    ],
)
def test_what_cannot_be_is_named(presets: list[str], overrides: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_settings(presets, overrides)


def test_a_group_of_settings_goes_by_the_name_of_a_preset(tmp_path: Path) -> None:
    own = load_settings()
    published = load_settings(overrides=["knowledge=published"])
    assert (published.knowledge.exemplars, published.knowledge.code_characters) == (5, 12_000)
    assert published.model_copy(update={"knowledge": own.knowledge}) == own
    assert load_settings(overrides=["knowledge=published", "knowledge.exemplars=3"]).knowledge.exemplars == 3
    mine = tmp_path / "mine.yaml"
    mine.write_text("knowledge: published\nretrieval: published\n")
    told = load_settings([mine], ["knowledge.usages=9"])
    assert told.knowledge == published.knowledge.model_copy(update={"usages": 9})
    assert told.retrieval.searcher == "dense"


PRESETS = sorted((Path(str(files("apigap.configs"))) / "presets").glob("*/*.yaml"))


@pytest.mark.parametrize("path", PRESETS, ids=[f"{path.parent.name}={path.stem}" for path in PRESETS])
def test_every_preset_is_one_of_its_group(path: Path) -> None:
    group, name = path.parent.name, path.stem
    assert getattr(load_settings(overrides=[f"{group}={name}"]), group) != getattr(load_settings(), group)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("knowledge=publishd", "knowledge = 'publishd' is no preset; there is published, or set knowledge.KEY"),
        ("tasks=published", "setting tasks = 'published'"),
    ],
)
def test_a_preset_that_is_none_is_told(given: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_settings(overrides=[given])

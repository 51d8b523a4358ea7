"""Settings: defaults, files, single values, and clear refusals."""

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
        ([], ["generation.unknown=1"], "setting generation.unknown"),
        ([], ["execution.workers=0"], "setting execution.workers = 0"),
    ],
)
def test_what_cannot_be_is_named(presets: list[str], overrides: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_settings(presets, overrides)

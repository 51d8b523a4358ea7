"""Small releases for tests of what is taken away between them."""

from pathlib import Path

from apigap.discovery.diff import classify
from apigap.discovery.evidence.changelog import Note
from apigap.discovery.retired.asked import Answer
from apigap.discovery.retired.lost_names import Shown
from apigap.discovery.retired.notices import read_notices
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.retire import Retirements
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Evidence, Parameter
from apigap.records.retired import Retirement

OPEN = (Evidence(kind="__all__", where="lib"),)


def api(name: str, *parameters: str, kind: str = "function", home: str = "", paths: tuple[str, ...] = ()) -> Entry:
    """`x` is a parameter that must be given, `x=1` one that need not, `**x` takes all."""
    return Entry.model_validate(
        {
            "name": name, "kind": kind, "paths": (name, *paths), "evidence": OPEN, "defined_in": "lib",
            "qualname": home or name.removeprefix("lib."), "sources": ("runtime",), "docstring": "Do it.",
            "parameters": [_parameter(text) for text in parameters],
        }
    )  # fmt: skip


def _parameter(text: str) -> Parameter:
    if text.startswith("**"):
        return Parameter(name=text[2:], kind="var_keyword", required=False)
    name, equals, default = text.partition("=")
    return Parameter(name=name, default=default or None, required=not equals)


def retired(
    tmp_path: Path, old: list[Entry], new: list[Entry], *, source: str = "", was: str = "",
    answers: dict[str, Answer] | None = None, earlier: dict[str, Answer] | None = None, notes: tuple[str, ...] = (),
) -> list[Retirement]:  # fmt: skip
    sides: list[Release] = []
    for version, entries, text in (("1", old, was), ("2", new, source)):
        root = tmp_path / version
        root.mkdir()
        (root / "lib.py").write_text(text)
        surface = Surface(library="lib", version=version, tops=("lib",), modules=("lib",), entries=tuple(entries))
        sides.append(Release(surface, read_notices(root, ["lib"])))
    before, after = sides
    findings = classify(before.surface, after.surface)
    lines = [Note("2", (), text, "CHANGES:1", whole=text) for text in notes]
    finder = Retirements(
        before, after, findings, lambda entry: lines, Shown(lambda path: True, lambda path: False), "lib"
    )
    return list(finder.found(answers, earlier))


def short(found: list[Retirement]) -> list[tuple[str, str, str | None]]:
    return [
        (one.kind, f"{one.old_name}({one.parameter})" if one.parameter else one.old_name, one.replacement)
        for one in found
    ]


KEPT = api("lib.kept")

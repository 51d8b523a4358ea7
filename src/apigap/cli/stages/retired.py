"""Retirements of a release as lines for people."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apigap.cli.console import print_table
from apigap.records.retired import RETIREMENT_KINDS, Retirement

if TYPE_CHECKING:
    from apigap.discovery.discover import Discovery


def print_counts(retired: Sequence[Retirement]) -> None:
    """One line per kind: how many, for how many the replacement is known, how many a usage shows."""
    counts = Counter(one.kind for one in retired)
    for kind in RETIREMENT_KINDS:
        if counts[kind]:
            own = [one for one in retired if one.kind == kind]
            named, shown = sum(one.replacement is not None for one in own), sum(one.usage is not None for one in own)
            usages = f", {shown} with a usage" if shown else ""
            print(f"{kind}: {counts[kind]}, {named} with a replacement{usages}")


def print_retired(found: "Discovery") -> None:
    """The table of what was taken away, and its counts; a sentence where that is nothing."""
    if not found.retired:
        print(
            f"{found.library} {found.old_version} -> {found.new_version}: nothing was taken away that its signatures, "
            "warnings and changelog tell of, and no usage answers otherwise"
        )
        return
    rows = [[_name(one), one.kind, _now(one), one.usage.now if one.usage else one.advice] for one in found.retired]
    title = f"{found.library} {found.old_version} -> {found.new_version}: what was taken away"
    print_table(title, ("as it was written", "kind", "now", "what it gives now, or the library's words"), rows)
    print_counts(found.retired)


def _name(one: Retirement) -> str:
    return f"{one.old_name}({one.parameter}=)" if one.parameter else one.old_name


def _now(one: Retirement) -> str:
    if one.kind == "default changed":
        return f"{one.old_default} -> {one.new_default}"
    return one.replacement or "-"

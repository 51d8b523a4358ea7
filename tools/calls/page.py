"""The page of a study of calls, from its summary."""

from collections.abc import Iterable, Mapping
from typing import Any

from apigap.reporting.markdown import markdown_table
from tools.faults import confusion_lines, fault_table

_COLUMNS = ("", "category", "queries", "right", "share of calls", "called", "called nothing", "unread")
_KINDS = {"calls": "Calls to make", "nothing": "Nothing to call"}
_BASELINES = {"always_nothing": "never call", "always_first": "call the first, arguments by an oracle"}


def study_page(summary: Mapping[str, Any]) -> str:
    """Tables as Markdown: the two kinds of queries apart, each model beside the baselines; then what was wrong."""
    parts: list[str] = []
    for kind, title in _KINDS.items():
        rows = [row for name, model in summary["models"].items() for row in _rows(name, model[kind])]
        parts += [f"## {title}", "", markdown_table(_COLUMNS, [*rows, *_baselines(summary, kind)]), ""]
    faults = {name: model["faults"] for name, model in summary["models"].items()}
    parts += ["## What was wrong", "", fault_table(faults), *confusion_lines(faults), ""]
    parts += [f"{name}: {_told(model)}" for name, model in summary["models"].items()]
    return "\n".join([*parts, *_gains(summary["gains"])]).rstrip("\n") + "\n"


def _rows(name: str, groups: Mapping[str, Any]) -> Iterable[list[str]]:
    for category, figures in groups.items():
        counts = (figures[key] for key in ("called", "called_nothing", "unread"))
        yield [
            name, category, str(figures["queries"]), _rate(figures["right"]), _share(figures["share_of_calls"]),
            *map(str, counts),
        ]  # fmt: skip


def _baselines(summary: Mapping[str, Any], kind: str) -> Iterable[list[str]]:
    """The baselines over the queries of the model that was asked most."""
    groups = max((model[kind] for model in summary["models"].values()), key=_asked, default={})
    for category, figures in groups.items():
        for key, name in _BASELINES.items():
            yield [f"*{name}*", category, str(figures["queries"]), _share(figures[key]), "", "", "", ""]


def _asked(groups: Mapping[str, Any]) -> int:
    return sum(figures["queries"] for figures in groups.values())


def _told(model: Mapping[str, Any]) -> str:
    read = ", ".join(f"{kind} {count}" for kind, count in model["read_as"].items())
    cut = ", ".join(f"{count} {reason}" for reason, count in model["cut"].items()) or "none"
    return f"read as {read}; cut before they were whole, and counted nowhere: {cut}."


def _gains(gains: Mapping[str, Any]) -> list[str]:
    if not gains:
        return []
    told = [
        f"{name} over {gains['over']}: "
        + "; ".join(
            f"{_KINDS[kind].lower()} {_gain(found)} on {gains['queries'][kind]} queries"
            for kind, found in kinds.items()
        )
        + "."
        for name, kinds in gains["models"].items()
    ]
    return ["", *told]


def _gain(found: Mapping[str, float]) -> str:
    low, high = (f"{100 * found[end]:+.1f}" for end in ("low", "high"))
    return f"{100 * found['difference']:+.1f} points ({low} to {high}, p {found['p_value']:.2g})"


def _rate(found: Mapping[str, float | None]) -> str:
    return f"{_share(found['estimate'])} ({_share(found['low'])}-{_share(found['high'])})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"

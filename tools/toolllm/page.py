"""The page of a study of API selection, from its summary."""

from collections.abc import Iterable, Mapping
from typing import Any

from apigap.reporting.markdown import markdown_table
from tools.faults import confusion_lines, fault_table

_COLUMNS = ("", "set", "queries", "recall", "precision", "F1", "exact set", "resolved")


def study_page(summary: Mapping[str, Any]) -> str:
    """Tables as Markdown: each model per set beside what answers score that have not read the query, then all models
    on the same queries, and how the answers were read.
    """
    parts: list[str] = []
    for name, model in summary["models"].items():
        parts += [f"## {name}", "", markdown_table(_COLUMNS, _model_rows(name, model["groups"])), _told(model), ""]
    faults = {name: model["groups"]["all"]["calls"] for name, model in summary["models"].items()}
    parts += ["## What was wrong", "", fault_table(faults), *confusion_lines(faults), ""]
    if summary["same_queries"]:
        parts += _same(summary["same_queries"])
    return "\n".join(parts).rstrip("\n") + "\n"


def _model_rows(name: str, groups: Mapping[str, Any]) -> Iterable[list[str]]:
    for group, figures in groups.items():
        yield _row(name, group, figures)
        if free := figures["free_text"]:
            rates = (_share(free[field]) for field in ("recall", "precision", "f1", "exact"))
            yield ["*named in free text*", "", str(free["samples"]), *rates, "-"]
        if group.startswith("all"):
            yield from (_chance(kind, chance) for kind, chance in figures["baselines"].items())


def _row(name: str, group: str, figures: Mapping[str, Any]) -> list[str]:
    rates = ("recall", "precision_interval", "f1", "exact", "resolved")
    return [name, group, str(figures["queries"]), *(_rate(figures[field]) for field in rates)]


def _chance(kind: str, chance: Mapping[str, Any]) -> list[str]:
    exact = _share(chance["exact"])
    return [f"*{kind}*", "", "", _share(chance["recall"]), _share(chance["precision"]), "", exact, exact]


def _told(model: Mapping[str, Any]) -> str:
    every = model["groups"]["all"]
    modes = ", ".join(f"{mode} {count}" for mode, count in every["modes"].items())
    gains = "; ".join(f"over *{name}* {_gain(found)}" for name, found in model["gains"].items())
    return (
        f"Read as: {modes}. {every['with_invented']} answers name an API that is not offered, "
        f"{every['with_ambiguous']} one that several tools have, {model['chose_everything']} choose all that is "
        f"offered, {model['cut_off']} were cut off. Resolved, gained on the same queries: {gains}."
    )


def _same(same: Mapping[str, Any]) -> list[str]:
    rows = [_row(name, "all", figures) for name, figures in same["groups"].items()]
    gains = [
        f"{name} over {same['over']}: "
        + "; ".join(f"{'F1' if field == 'f1' else field} {_gain(found)}" for field, found in fields.items())
        + "."
        for name, fields in same["gains"].items()
    ]
    return ["## The same queries", "", markdown_table(_COLUMNS, rows), *gains]


def _rate(found: Mapping[str, float | None]) -> str:
    return f"{_share(found['estimate'])} ({_share(found['low'])}-{_share(found['high'])})"


def _gain(found: Mapping[str, float]) -> str:
    low, high = (f"{100 * found[end]:+.1f}" for end in ("low", "high"))
    return f"{100 * found['difference']:+.1f} points ({low} to {high}, p {found['p_value']:.2g})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"

"""The data card of generated dialogues: their statistics in the paper's terms, how they came about, and a picture."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.apibank_generator.reasons import REASONS
from apigap.apibank_generator.records import AGENTS, Agent
from apigap.apibank_generator.review import Effect
from apigap.apibank_generator.statistics import Share, Statistics
from apigap.records.store import read_bytes, write_text
from apigap.reporting.markdown import markdown_table
from apigap.reporting.svg import Drawing, new_figure, save_figure
from apigap.reporting.text import percent, visible

_INK, _MUTED, _BAR, _TRACK = "#1b1e24", "#5d6470", "#2f5d8a", "#efeee9"
_MOST_DOMAINS = 12
_PUBLISHED: Mapping[str, int] = {
    "domains": 1000, "apis": 2138, "dialogues": 1888, "turns": 5221, "calls": 4149,
}  # fmt: skip
"""API-Bank's training data (EMNLP 2023, table 1)."""
_ROWS = (
    ("domains", "domains"), ("apis", "APIs called"), ("dialogues", "dialogues"), ("turns", "turns of the user"),
    ("calls", "API calls"), ("searches", "searches for APIs (beside the calls)"),
    ("single_call", "dialogues with one call"), ("several_calls", "dialogues with several calls"),
)  # fmt: skip


def write_card(
    folder: Path,
    statistics: Statistics,
    shares: Mapping[Agent, Share],
    rows: Mapping[str, int],
    summary: Path,
    effect: Effect,
) -> None:
    """Write `card.md`, `card.svg` and `card.png` to `folder`.

    Raises:
        InfrastructureError: when matplotlib is not installed.
    """
    summary_data: dict[str, Any] = json.loads(read_bytes(summary))
    parts = [
        "# Generated dialogues\n",
        _introduction(statistics, summary_data, effect),
        "![Dialogues per ability and domain, and what was taken of each agent's work](card.png)\n",
        _table(("", "here", "API-Bank's training data"), _counts(statistics)),
        _table(("ability", "dialogues"), statistics.by_ability.items()),
        "## What was taken of each agent's work\n",
        _table(("agent", "made", "taken", "share"), [_share_row(agent, shares[agent]) for agent in AGENTS]),
        _table(("agent", "reason", "how often", "meaning"), _reasons(shares)),
        "## What it took\n",
        _table(("agent", "calls", "tokens read", "tokens written", "dollars"), _account(summary_data["account"])),
        _costs(summary_data["account"], statistics.dialogues),
        "## Files\n",
        _table(("file", "rows"), rows.items()),
    ]
    write_text(folder / "card.md", "\n".join(parts))
    save_figure(_figure(statistics, shares), {}, folder / "card")


def _introduction(statistics: Statistics, summary_data: Mapping[str, Any], effect: Effect) -> str:
    text = f"{statistics.dialogues} of {summary_data['ordered']} ordered dialogues."
    if summary_data["why"]:
        text += f" Why there are not more: {summary_data['why']}."
    text += "".join(f" {note[:1].upper()}{note[1:]}." for note in summary_data.get("notes", ()))
    if effect.looked_at:
        text += (
            f" A person decided on {effect.looked_at} attempts (accepted and left out: {effect.left_out}; refused by "
            f"the tester and taken in: {effect.taken_in})."
        )
    text += " All words and results in them are a model's: they are no facts."
    return f"{text}\n\n{_compared(summary_data.get('evaluation'))}{_seeded(summary_data.get('seeds'))}\n"


def _seeded(seeds: Mapping[str, int] | None) -> str:
    if seeds is None:
        return ""
    return (
        f" The {seeds['apis']} APIs were given. Of what they were read from, {seeds['apis_left_out']} APIs and "
        f"{seeds['parameters_left_out']} parameters were left out, {seeds['cycles_cut']} cycles were cut and "
        f"{seeds['references_not_read']} references not read."
    )


def _compared(evaluation: Mapping[str, Any] | None) -> str:
    if evaluation is None:
        return "An earlier version made them, which did not tell what it compared them with."
    return (
        f"Compared with the words of {visible(evaluation['data'])}: {evaluation['requests']} requests, "
        f"{evaluation['runs']} runs of ten words (hash {evaluation['hash']})."
    )


def _counts(statistics: Statistics) -> list[tuple[object, ...]]:
    return [(name, getattr(statistics, key), _PUBLISHED.get(key, "")) for key, name in _ROWS]


def _share_row(agent: Agent, share: Share) -> tuple[object, ...]:
    return agent, share.made, share.taken, percent(share.taken / share.made if share.made else None)


def _reasons(shares: Mapping[Agent, Share]) -> list[tuple[object, ...]]:
    return [
        (agent, reason, count, REASONS.get(reason, ""))
        for agent in AGENTS
        for reason, count in shares[agent].reasons.items()
    ]


def _account(account: Mapping[str, Any]) -> list[tuple[object, ...]]:
    return [
        (
            agent,
            *("-" if row[key] is None else row[key] for key in ("calls", "input_tokens", "output_tokens", "dollars")),
        )
        for agent, row in account["agents"].items()
    ]


def _costs(account: Mapping[str, Any], dialogues: int) -> str:
    """The costs per dialogue that is left after a person's decisions."""
    if not dialogues:
        return "No dialogue was accepted.\n"
    text = f"{account['tokens'] / dialogues:.0f} tokens per dialogue"
    if account["dollars"] is None:
        return f"{text}; no price was given.\n"
    return f"{text}, {account['dollars'] / dialogues:.6f} dollars (the published figure is 0.1 dollars, 8 by hand).\n"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    cells = ([visible(" ".join(str(cell).split())).replace("<", "&lt;") for cell in row] for row in rows)
    return markdown_table(columns, cells)


def _figure(statistics: Statistics, shares: Mapping[Agent, Share]) -> Drawing:
    domains = list(statistics.by_domain.items())
    abridged, rest = domains[:_MOST_DOMAINS], domains[_MOST_DOMAINS:]
    if rest:
        abridged.append((f"{len(rest)} others", sum(count for _, count in rest)))
    places = max(len(abridged), len(AGENTS))
    figure = new_figure(11, 1.2 + 0.34 * places)
    left, middle, right = figure.subplots(1, 3)
    _bars(left, "dialogues per ability", list(statistics.by_ability.items()), places)
    _bars(middle, "dialogues per domain", abridged, places)
    rates = [(agent, round(100 * s.taken / s.made)) for agent in AGENTS if (s := shares[agent]).made]
    _bars(right, "taken of each agent's work (%)", rates, places, 100)
    return figure


def _bars(axes: Drawing, title: str, rows: Sequence[tuple[str, int]], places: int, most: int = 1) -> None:
    longest = max([count for _, count in rows] + [most])
    for place, (_, count) in enumerate(rows):
        axes.barh(place, longest, height=0.62, color=_TRACK, linewidth=0)
        axes.barh(place, count, height=0.62, color=_BAR, linewidth=0)
        axes.text(longest * 1.03, place, str(count), va="center", ha="left", color=_INK, weight="bold", size=9)
    # A name of a user's own, or a model's, may have dollar signs, which would be read as mathematics.
    axes.set_yticks(range(len(rows)), [visible(name)[:28] for name, _ in rows], color=_INK, parse_math=False)
    axes.set_ylim(places - 0.5, -0.5)
    axes.set_xlim(0, longest * 1.2)
    axes.set_xticks([])
    axes.tick_params(length=0, labelsize=9)
    axes.set_title(title, fontsize=10, color=_MUTED, loc="left")
    for spine in axes.spines.values():
        spine.set_visible(False)

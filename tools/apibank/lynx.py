"""The page of a training study on API-Bank: what was taught, what it took, and what it changed."""

from collections.abc import Mapping
from typing import Any

from apigap.reporting.markdown import markdown_table

HEAD = """# Lynx in small: what API-Bank's training files teach small models

What small models answer before and after they learn a part of API-Bank's training files. Made by
`tools/apibank/make_lynx.py` from `studies/lynx/`.

- Taught are rows of the released level-3 files (907 calls, 338 replies), with the loss on the answers alone.
- Asked are tasks of all levels, greedily, in the text protocol. Before the training the model is the base with its
  linear layers in half precision, as the taught model has them.
- Calls are in per cent right, replies in 100 x ROUGE-L. A task counts where neither answer was cut before it was
  whole.
- Gains are paired by task. Intervals and p-values take whole dialogues; Holm's correction is over the rows of a
  table.

The published Lynx-7B (arXiv:2304.08244, table 3) had learnt from the whole training set and gained 25.8 points on
level 1 over Alpaca-7B, 25.2 on level 2.
"""
_COLUMNS = ("level", "kind", "tasks", "before", "after", "gain", "95 %", "p", "p (Holm)")


def lynx_page(models: Mapping[str, Any]) -> str:
    """Figures as Markdown; `models` has `gains` by mode, `losses` and `cost` of each.

    Calls are in per cent right, replies in 100 x ROUGE-L.
    """
    return "\n".join([HEAD, *(part for name, told in models.items() for part in _model(name, told))])


def _model(name: str, told: Mapping[str, Any]) -> list[str]:
    losses, cost, s = told["losses"], told["cost"], told["settings"]
    how = "all weights" if s["full"] else f"LoRA of rank {s['rank']}"
    taught = (
        f"{how}, {s['epochs']} epoch{'s' if s['epochs'] > 1 else ''}, {s['batch'] * s['accumulation']} rows a step, "
        f"learning rate {s['learning_rate']:g}, {s['precision']} precision, seed {s['seed']}: "
        f"{cost['examples']} rows, {len(losses)} steps, loss {losses[0]['loss']:.2f} at the first and "
        f"{losses[-1]['loss']:.2f} at the last; {cost['seconds'] / 60:.0f} minutes on {_cores(cost['processors'])}, "
        f"{cost['peak_mib']:,} MiB at most.\n"
    )
    tables = [
        part
        for mode, gains in told["gains"].items()
        for part in (f"In {mode} mode:\n", markdown_table(_COLUMNS, map(_row, gains)))
    ]
    return [f"## {name}\n", taught, *tables]


def _row(gain: dict[str, Any]) -> list[str]:
    found = gain["difference"]
    return [
        gain["level"], gain["kind"], str(found["n"]), f"{100 * gain['before']:.2f}", f"{100 * gain['after']:.2f}",
        f"{100 * found['difference']:+.2f}", f"{100 * found['low']:+.1f} to {100 * found['high']:+.1f}",
        f"{found['p_value']:.3g}", f"{gain['adjusted']:.3g}",
    ]  # fmt: skip


def _cores(count: int) -> str:
    return f"{count} core{'s' if count > 1 else ''}"

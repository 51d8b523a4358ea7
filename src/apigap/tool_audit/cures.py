"""Changed descriptions, measured: chosen by one half of the queries, and asked again on the half that is held back."""

from collections.abc import Collection, Mapping, Sequence

from apigap.benchmarks.calls.queries import Query
from apigap.reporting.tools_model import CandidateRow, Change, CureRow
from apigap.statistics.paired import paired_difference
from apigap.tool_audit.asking import AS_IT_IS, Asker, Cell, Form, Judged, Variant
from apigap.tool_audit.diagnosis import share, wanted
from apigap.tool_audit.toolset import Toolset

_TOGETHER = "all of them together"


def measured(
    asker: Asker,
    form: Form,
    variants: Mapping[str, Sequence[Variant]],
    parts: tuple[Sequence[Query], Sequence[Query]],
    toolset: Toolset,
) -> list[CureRow]:
    """A row for each tool of `variants`, and one for all chosen changes together; `parts` as `queries.halves` gives.

    Raises:
        ModelUnavailable: when the model cannot be asked; what was answered before is kept.
        AnswersAwaited: when the model is a folder that lacks answers.
    """
    choosing, held = parts
    every = [variant for several in variants.values() for variant in several]
    tried = _by_variant(asker.judge(choosing, [Cell(form, one) for one in (AS_IT_IS, *every)], "descriptions, tried"))
    best = {tool: _best(several, tried) for tool, several in variants.items()}
    chosen = [variant for variant in best.values() if variant is not None]
    together = _together(chosen)
    cells = [Cell(form, one) for one in (AS_IT_IS, *chosen, *together)]
    final = _by_variant(asker.judge(held, cells, "descriptions, held-back queries")) if chosen and held else {}
    rows = [_row(tool, several, best[tool], tried, final, toolset) for tool, several in variants.items()]
    return rows + [_row(_TOGETHER, [], variant, tried, final, toolset) for variant in together]


def _by_variant(judged: Mapping[Cell, list[Judged]]) -> dict[str, list[Judged]]:
    return {cell.variant.key: several for cell, several in judged.items()}


def _best(variants: Sequence[Variant], tried: Mapping[str, list[Judged]]) -> Variant | None:
    """The change with the most right answers, the shortest of several; None where none is better than no change."""
    before = share(tried[AS_IT_IS.key])
    better = [variant for variant in variants if share(tried[variant.key]).right > before.right]
    return min(
        better,
        key=lambda variant: (
            -share(tried[variant.key]).right,
            sum(len(text) for _, text in variant.changes),
            variant.key,
        ),
        default=None,
    )


def _together(chosen: Sequence[Variant]) -> list[Variant]:
    """All chosen changes as one; none where there are fewer than two, or two change one description."""
    changes = dict(change for variant in chosen for change in variant.changes)
    clash = len(changes) < sum(len(variant.changes) for variant in chosen)
    return [] if len(chosen) < 2 or clash else [Variant(_TOGETHER, _TOGETHER, tuple(changes.items()))]


def _row(
    tool: str,
    variants: Sequence[Variant],
    best: Variant | None,
    tried: Mapping[str, list[Judged]],
    final: Mapping[str, list[Judged]],
    toolset: Toolset,
) -> CureRow:
    before = share(tried[AS_IT_IS.key])
    candidates = tuple(
        CandidateRow(kind=one.kind, key=one.key, before=before, after=share(tried[one.key]), chosen=one == best)
        for one in variants
    )
    if best is None:
        return CureRow(
            tool=tool, words="no change was better on the queries that it is chosen by", candidates=candidates
        )
    old = {each.name: each.description for each in toolset.tools}
    changes = tuple(Change(tool=name, before=old[name], after=text) for name, text in best.changes)
    told = {"key": best.key, "candidates": candidates, "changes": changes}
    if not final:
        row = CureRow(tool=tool, words="no query was held back to measure it with", candidates=candidates)
        return row.model_copy(update=told)
    changed = [name for name, _ in best.changes]
    return compared(tool, changed, final[AS_IT_IS.key], final[best.key]).model_copy(update=told)


def compared(tool: str, changed: Collection[str], without: Sequence[Judged], with_it: Sequence[Judged]) -> CureRow:
    """The row of a change of the descriptions of `changed`, from the answers to the held-back queries, in one order."""
    pairs = [
        (one, other)
        for one, other in zip(without, with_it, strict=True)
        if one.result.has_verdict and other.result.has_verdict
    ]
    before, after = [one for one, _ in pairs], [other for _, other in pairs]
    own = [(one, other) for one, other in pairs if wanted(one.query) & set(changed)]
    row = CureRow(
        tool=tool,
        words="",
        candidates=(),
        before=share(before),
        after=share(after),
        own_before=share(one for one, _ in own),
        own_after=share(other for _, other in own),
    )
    if not pairs:
        return row.model_copy(update={"words": "no held-back query has a verdict before and after"})
    found = paired_difference(
        [one.result.passed for one in before],
        [one.result.passed for one in after],
        [one.query.task_id for one in before],
    )
    row = row.model_copy(
        update={"difference": found.difference, "low": found.low, "high": found.high, "p_value": found.p_value}
    )
    return row.model_copy(update={"words": _words(row)})


def _words(row: CureRow) -> str:
    if row.cures:
        return "it cures: the interval lies above nothing"
    if row.high < 0:
        return "it does harm on the queries that were held back"
    if row.after.right > row.before.right:
        return "better, but so few queries leave it open; more of them would tell"
    return "no better on the queries that were held back"

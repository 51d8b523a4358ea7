"""Gains as a table of a page."""

from collections.abc import Sequence

from apigap.analysis.rows import GainRow
from apigap.reporting.analysis_page import TableView, p_value, points, table
from apigap.reporting.text import signed_points

_HEADS = ("difference", "family", "tasks", "APIs", "points", "95 % interval", "p", "p (Holm)", "detectable", "bounds")


def gain_table(title: str, rows: Sequence[GainRow]) -> tuple[TableView, ...]:
    """The rows under one title, with intervals and p-values; nothing where there is none."""
    shown = [
        (
            row.title, f"{row.experiment}: {row.family}", str(row.tasks), str(row.apis), signed_points(row.difference),
            points(row.low, row.high), p_value(row.p), p_value(row.p_holm),
            "none" if row.detectable is None else signed_points(row.detectable), points(row.lowest, row.highest),
        )
        for row in rows
    ]  # fmt: skip
    return table(title, _HEADS, shown)

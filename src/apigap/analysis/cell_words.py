"""The names of cells in words, and their order: that of the grid."""

from collections.abc import Mapping

from apigap.records.experiment import BASELINE, Cell, Delivery, ToolSet
from apigap.reporting.entries import TITLES

DELIVERIES: Mapping[Delivery, str] = {
    "oracle": "",
    "rag": "retrieved ",
    "chunked": "own chunks of ",
    "sft": "tuned on ",
    "rag_sft": "tuned on, and retrieved, ",
    "agent": "tools: ",
}
"""Ways in which knowledge reaches a model, in the order of the grid, and how a cell's title begins."""

TOOL_TITLES: Mapping[ToolSet, str] = {
    "none": "none",
    "docs": "documentation",
    "source": "source code",
    "interpreter": "interpreter",
    "all": "all",
}
_CONDITIONS: Mapping[str, str] = {**TITLES, **TOOL_TITLES}


def cell_named(name: str) -> Cell | None:
    """The cell whose folder has this name; None where it is no cell of the grid."""
    if name == BASELINE.name:
        return BASELINE
    delivery, _, condition = name.partition(".")
    known = delivery in DELIVERIES and condition in (TOOL_TITLES if delivery == "agent" else TITLES)
    return Cell.model_validate({"delivery": delivery, "condition": condition}) if known else None


def cell_title(cell: Cell) -> str:
    """The name of a cell in words: `retrieved signature + example`."""
    return f"{DELIVERIES.get(cell.delivery, '')}{_CONDITIONS.get(cell.condition, cell.condition)}"


def cell_order(cell: Cell) -> tuple[int, int]:
    """The place of a cell in the grid."""
    deliveries, conditions = ["baseline", *DELIVERIES], list(_CONDITIONS)
    return deliveries.index(cell.delivery), conditions.index(cell.condition)

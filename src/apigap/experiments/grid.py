"""The cells of an experiment, in their order, and their names."""

from collections.abc import Iterable, Sequence

from apigap.knowledge.conditions import CONDITIONS, PUBLISHED
from apigap.records.errors import UsageError
from apigap.records.experiment import BASELINE, TOOL_SETS, Cell, Delivery
from apigap.records.names import did_you_mean

GRID_DELIVERIES: tuple[Delivery, ...] = ("rag", "sft", "rag_sft")
OTHER_DELIVERIES: tuple[Delivery, ...] = ("oracle", "chunked")


def build_experiment_grid(deliveries: Sequence[Delivery] = GRID_DELIVERIES) -> list[Cell]:
    """The main grid (NovelAPIBench, arXiv:2606.03657): the baseline and, per delivery, the eleven conditions.

    With the default deliveries these are 1 + 11 x 3 = 34 cells.
    """
    conditions = [name for name in PUBLISHED if name != "baseline"]
    return [BASELINE, *(Cell(delivery=way, condition=name) for way in deliveries for name in conditions)]


def oracle_cells(conditions: Iterable[str]) -> list[Cell]:
    """The cells that show the very bundle of a task's API under each of `conditions`, in their order.

    Raises:
        UsageError: for an unknown condition.
    """
    names = list(conditions)
    unknown = [name for name in names if name not in CONDITIONS]
    if unknown:
        raise UsageError(f"unknown condition {unknown[0]!r}; the conditions are {', '.join(CONDITIONS)}")
    return [BASELINE if name == BASELINE.condition else Cell(delivery="oracle", condition=name) for name in names]


def all_cells() -> list[Cell]:
    """The baseline and the oracle cells, then the rest of the grid: 45 cells, the cheap ones first."""
    return build_experiment_grid(("oracle", *GRID_DELIVERIES))


def untuned_cells() -> list[Cell]:
    """Those of `all_cells` that need no tuned weights: the baseline, what is given and what is found, 23 cells."""
    return [cell for cell in all_cells() if not cell.tuned]


def agent_cells() -> list[Cell]:
    """The cells in which a model has tools, one for each set of them."""
    return [Cell(delivery="agent", condition=tools) for tools in TOOL_SETS]


def parse_cells(names: Iterable[str]) -> list[Cell]:
    """The cells that `names` mean, each once, the baseline and the oracle cells first.

    A name is that of a cell (`baseline`, `rag.s_e`), of a delivery (all its conditions), of a condition alone (its
    oracle cell), `untuned` or `all`, which have no agents in them. Several may stand in one word with commas between
    them.

    Raises:
        UsageError: for a name that is none of these; the message has the nearest ones.
    """
    known = _named_cells()
    wanted: dict[str, Cell] = {}
    for name in (part.strip() for word in names for part in word.split(",")):
        if name and name not in known:
            hint = did_you_mean(name, known, f"a cell is DELIVERY.CONDITION; {_says(known)}")
            raise UsageError(f"no cell is named {name!r}; {hint}")
        wanted.update({cell.name: cell for cell in known.get(name, ())})
    order = [cell.name for cell in _every_cell()]
    return sorted(wanted.values(), key=lambda cell: order.index(cell.name))


def cell_names() -> list[str]:
    """All names that `parse_cells` knows."""
    return list(_named_cells())


def _every_cell() -> list[Cell]:
    ways = (*OTHER_DELIVERIES, *GRID_DELIVERIES)
    shown = [Cell(delivery=way, condition=name) for way in ways for name in CONDITIONS if name != "baseline"]
    return [BASELINE, *shown, *agent_cells()]


def _named_cells() -> dict[str, list[Cell]]:
    every = _every_cell()
    known = {cell.name: [cell] for cell in every}
    known |= {cell.condition: [cell] for cell in every if cell.delivery == "oracle"}
    known |= {way: build_experiment_grid((way,)) for way in (*OTHER_DELIVERIES, *GRID_DELIVERIES)}
    known["agent"] = agent_cells()
    known["all"], known["untuned"] = all_cells(), untuned_cells()
    return known


def _says(known: dict[str, list[Cell]]) -> str:
    conditions = ", ".join(name for name in CONDITIONS if name in known)
    agents = f"agents are agent.{', agent.'.join(TOOL_SETS)}"
    return f"deliveries are oracle, {', '.join(GRID_DELIVERIES)}, conditions {conditions}; {agents}"

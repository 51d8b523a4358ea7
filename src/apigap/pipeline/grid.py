"""The cells of an experiment: which there are, in which order, and what each is called."""

import difflib
from collections.abc import Iterable, Sequence

from apigap.knowledge.conditions import CONDITIONS, PUBLISHED
from apigap.records.errors import UsageError
from apigap.records.experiment import BASELINE, Cell, Delivery

GRID_DELIVERIES: tuple[Delivery, ...] = ("rag", "sft", "rag_sft")


def build_experiment_grid(deliveries: Sequence[Delivery] = GRID_DELIVERIES) -> list[Cell]:
    """The main grid (NovelAPIBench, arXiv:2606.03657): the baseline and, per delivery, the eleven conditions.

    With the default deliveries these are 1 + 11 x 3 = 34 cells.
    """
    conditions = [name for name in PUBLISHED if name != "baseline"]
    return [BASELINE, *(Cell(delivery=way, condition=name) for way in deliveries for name in conditions)]


def all_cells() -> list[Cell]:
    """The baseline and the oracle cells, then the rest of the grid: 45 cells, the cheap ones first."""
    return build_experiment_grid(("oracle", *GRID_DELIVERIES))


def parse_cells(names: Iterable[str]) -> list[Cell]:
    """The cells that `names` mean, each once, the baseline and the oracle cells first.

    A name is that of a cell (`baseline`, `rag.s_e`), of a delivery (all its conditions), of a condition alone (its
    oracle cell), or `all`. Several may stand in one word with commas between them.

    Raises:
        UsageError: for a name that is none of these; the message has the nearest ones.
    """
    known = {cell.name: [cell] for cell in all_cells()}
    known |= {name: [_oracle(name)] for name in CONDITIONS if name != "baseline"}
    known |= {cell.name: [cell] for name in CONDITIONS if name not in PUBLISHED for cell in _given(name)}
    known |= {way: build_experiment_grid((way,)) for way in ("oracle", *GRID_DELIVERIES)}
    known["all"] = all_cells()
    wanted: dict[str, Cell] = {}
    for name in (part.strip() for word in names for part in word.split(",")):
        if name and name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else f"a cell is DELIVERY.CONDITION; {_says(known)}"
            raise UsageError(f"no cell is named {name!r}; {hint}")
        wanted.update({cell.name: cell for cell in known.get(name, ())})
    order = [cell.name for cell in all_cells()]
    return sorted(wanted.values(), key=lambda cell: (_phase(cell), _place(cell.name, order)))


def _place(name: str, order: Sequence[str]) -> int:
    """Cells of no published condition come last."""
    return order.index(name) if name in order else len(order)


def _oracle(condition: str) -> Cell:
    return Cell(delivery="oracle", condition=condition)


def _given(condition: str) -> list[Cell]:
    return [Cell(delivery=way, condition=condition) for way in ("oracle", "rag")]


def _phase(cell: Cell) -> int:
    return 0 if cell.delivery in ("baseline", "oracle") else 1


def _says(known: dict[str, list[Cell]]) -> str:
    conditions = ", ".join(name for name in CONDITIONS if name in known)
    return f"deliveries are oracle, {', '.join(GRID_DELIVERIES)}, conditions {conditions}"

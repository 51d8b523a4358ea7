"""Experiments and their cells, each a way to give a model one condition of knowledge."""

from typing import Literal, get_args

from apigap.records.base import Record

Delivery = Literal["baseline", "oracle", "rag", "chunked", "sft", "rag_sft", "agent"]
ToolName = Literal["search_docs", "read_page", "list_changes", "read_source", "run_code", "submit"]
ToolSet = Literal["none", "docs", "source", "interpreter", "all"]
TOOL_SETS: tuple[ToolSet, ...] = get_args(ToolSet)
"""The conditions of the delivery `agent`: the tools that a model may use (see `apigap.agent.toolsets`)."""


class Cell(Record):
    """One column of a study.

    `oracle` puts the very bundle of the task's API in the prompt, `rag` what retrieval finds, `sft` asks weights that
    were tuned on the condition, `rag_sft` both. `chunked` is the control of `rag`: retrieval that searches the task's
    own API alone. `agent` gives nothing but tools, and its condition is a `ToolSet`. The baseline gives nothing.
    """

    delivery: Delivery
    condition: str

    @property
    def name(self) -> str:
        """The name of its folder: `baseline`, `oracle.s_e`, `rag_sft.full`."""
        return "baseline" if self.delivery == "baseline" else f"{self.delivery}.{self.condition}"

    @property
    def tuned(self) -> bool:
        """True of a cell that needs weights that were made for it."""
        return self.delivery in ("sft", "rag_sft")

    @property
    def retrieved(self) -> bool:
        """True of a cell whose prompts show the results of a search."""
        return self.delivery in ("rag", "chunked", "rag_sft")

    @property
    def shows_knowledge(self) -> bool:
        """True of a cell to which an API's bundle belongs: all but the baseline and agents."""
        return self.delivery not in ("baseline", "agent")

    @property
    def uses_tools(self) -> bool:
        """True of a cell in which the model finds out by itself, with tools and a budget."""
        return self.delivery == "agent"


BASELINE = Cell(delivery="baseline", condition="baseline")


class ExperimentSpec(Record):
    """One model on the tasks of one group; `cells` are names of cells."""

    experiment: str
    group: str
    model: str
    cells: tuple[str, ...]


class GridSpec(Record):
    """The experiments of a data folder that are one study, in the order in which their results are read."""

    experiments: tuple[ExperimentSpec, ...]

    def with_others(self, others: "GridSpec") -> "GridSpec":
        """These, and those of `others` that are none of these, before them."""
        own = {spec.experiment for spec in self.experiments}
        kept = (spec for spec in others.experiments if spec.experiment not in own)
        return GridSpec(experiments=(*kept, *self.experiments))

"""One target on its way through the stages: what each of them left, and what the gates say of its tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apigap.discovery.importance.order import in_rank_order
from apigap.gates.record import Gate, GateRecord, undecided_counts
from apigap.records.candidate import Candidate
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.retired import Retirement
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.sandbox.environment import Environment


@dataclass
class LibraryRun:
    """The records of one target after `stages`; those of a stage that was not run are empty. `gates` grows.

    `left_out` are candidates of stage 1 that its settings did not let go on. `without_task` says of each API of which
    stage 3 made no task why. `notes` are what a reader of the result
    must know of how the releases were read.
    """

    target: Target
    new: Environment
    old: Environment | None
    candidates: Sequence[Candidate]
    bundles: Sequence[KnowledgeBundle] = ()
    tasks: Sequence[Task] = ()
    gates: list[GateRecord] = field(default_factory=list[GateRecord])
    left_out: Sequence[Candidate] = ()
    retired: Sequence[Retirement] = ()
    notes: Sequence[str] = ()
    without_task: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def in_rank_order(self) -> list[str]:
        """The names of the candidates, those that matter most first."""
        return [candidate.api_name for candidate in in_rank_order(self.candidates)]

    def passing(self, gate: Gate) -> list[Task]:
        """Tasks that passed `gate`, in the order of the tasks file."""
        passed = {record.task_id for record in self.gates if record.gate == gate and record.status == "passed"}
        return [task for task in self.tasks if task.task_id in passed]

    def asked(self) -> list[Task]:
        """Valid tasks that the model was asked without knowledge, whether or not it passed."""
        put = {record.task_id for record in self.gates if record.gate == "c2" and record.evidence.get("samples")}
        return [task for task in self.passing("c1") if task.task_id in put and task.task_id not in self._unsolvable]

    @property
    def _unsolvable(self) -> set[str]:
        return {record.task_id for record in self.gates if record.gate == "c3" and not record.lets_pass}

    @property
    def wanting(self) -> str:
        """The decisions that infrastructure has prevented so far, in words; empty where there is none."""
        return ", ".join(f"{name}: {count}" for name, count in undecided_counts(self.gates).items())

    def filtered(self) -> list[Task]:
        """Tasks that passed C1 and C2, and C3 where a solver was asked."""
        return [task for task in self.passing("c2") if task.task_id not in self._unsolvable]

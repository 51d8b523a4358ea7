"""Records of an audit's report, which the stages fill."""

from typing import Literal

from pydantic import model_validator

from apigap.models.spending.cell_cost import CellCost
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.result import FailureLabel, Outcome
from apigap.reporting.ladder_model import Ladder


class Drop(Record):
    """The number of things that one stage left out for one reason, in words that a person can act on."""

    stage: Literal["discovery", "knowledge", "tasks", "c1", "reading", "c2", "c3"]
    reason: str
    count: int


class LibraryAudit(Record):
    """One library's way through the stages.

    `added`, `modified` and `moved` count candidates, `bundles` knowledge bundles, `tasks` the tasks written;
    `c1`, `reading`, `c2` and `c3` the tasks that passed each gate so far, None for a gate that was not run.
    """

    library: str
    old_version: str | None
    new_version: str
    added: int
    modified: int
    moved: int
    bundles: int
    tasks: int
    c1: int | None = None
    reading: int | None = None
    c2: int | None = None
    c3: int | None = None
    drops: tuple[Drop, ...] = ()


class Condition(Record):
    """One column: the knowledge that the model was given. `title` is in words ("signature + example")."""

    name: str
    title: str

    @property
    def is_agent(self) -> bool:
        """True of a model with tools, whose prompt says nothing of what it took."""
        return self.name.startswith("agent.")


class TaskEntry(Record):
    """One task as the report shows it; the fields are those of `records.task.Task`."""

    task_id: str
    api_name: str
    library: str
    change: Literal["added", "modified"]
    difficulty: Literal["easy", "medium", "hard"]
    description: str
    context_code: str
    reference_solution: str


class Comparison(Record):
    """One observation: what was looked at, what the reference gave, and what the sample gave."""

    what: str
    expected: str
    observed: str


class TraceRow(Record):
    """A row of a trace: an answer, or a call with what was `given` to the tool; `text` is what came of it."""

    head: str
    given: str
    text: str
    tone: Literal["answer", "ok", "error", "refused"]
    cost: str = ""


class Trace(Record):
    """The way of an agent to its answer; `words` is the whole in one sentence."""

    words: str
    rows: tuple[TraceRow, ...]


class SampleEntry(Record):
    """One answer and its verdict. `exception` is one line ("TypeError: ...") or None; an agent's has a `trace`.

    `refused`: the exception is the target's own, raised by the answer's last call of it, for a reason that its
    signature does not tell.
    """

    condition: str
    task_id: str
    sample: int
    outcome: Outcome
    label: FailureLabel | None = None
    reason: str = ""
    score: float = 0.0
    prompt: str
    answer: str
    code: str
    comparisons: tuple[Comparison, ...] = ()
    exception: str | None = None
    refused: bool = False
    trace: Trace | None = None


class StaleUse(Record):
    """The answers under one condition, and those among them that write what the release took away.

    `low` and `high` bound their share with 95 %, taking the answers on one API as related. `names` are what is written
    most often, with the number of answers.
    """

    condition: str
    answers: int
    stale: int
    low: float
    high: float
    names: tuple[tuple[str, int], ...] = ()


class AuditReport(Record):
    """All that the page shows. The first condition is the one without knowledge; the others come after it.

    `tasks` are all that were asked, whether or not the model needs help with them. `stale` has a row per condition
    where something was taken away. Without single questions there is no `ladder`. `costs` are those of conditions.
    `model_facts` and `facts` are pairs of a name and a value (backend, decoding; isolation profile, seeds).

    Raises:
        UsageError: when there is no condition, or a sample names a condition or task that is not listed.
    """

    title: str
    model: str
    model_facts: tuple[tuple[str, str], ...] = ()
    libraries: tuple[LibraryAudit, ...]
    conditions: tuple[Condition, ...]
    tasks: tuple[TaskEntry, ...]
    samples: tuple[SampleEntry, ...]
    isolation: str
    evaluator: str
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    stale: tuple[StaleUse, ...] = ()
    ladder: Ladder | None = None
    costs: dict[str, CellCost] = {}

    @model_validator(mode="after")
    def _check_names(self) -> "AuditReport":
        if not self.conditions:
            raise UsageError(f"report {self.title!r} has no condition; give at least the baseline")
        conditions, tasks = {c.name for c in self.conditions}, {t.task_id for t in self.tasks}
        for sample in self.samples:
            if sample.condition not in conditions or sample.task_id not in tasks:
                raise UsageError(
                    f"a sample of task {sample.task_id} under {sample.condition!r} names a task or a condition "
                    "that the report does not list; give the report the tasks file that was answered"
                )
        return self

"""Advice for whoever documents a library, as a record: what to change about each API, and why."""

from typing import Literal

from apigap.records.base import Record
from apigap.reporting.cells import Need
from apigap.reporting.tools_model import Share

AdviceKind = Literal[
    "no docstring", "no example", "import not shown", "not found", "parameters undocumented", "default unclear",
    "result not described", "no since", "replaces unsaid", "refusal unsaid", "keys unsaid",
]  # fmt: skip


class Advice(Record):
    """One thing to change; `text` is what can be written as it stands, empty where only the author knows it.

    `evidence` are facts of the release, of answers that failed, and of what cured them.
    """

    kind: AdviceKind
    say: str
    text: str = ""
    evidence: tuple[str, ...] = ()


class Proof(Record):
    """The passes of a model on the same tasks without help, with the docstring as it is, and with the changed one."""

    without: Share
    before: Share
    after: Share


class ApiAdvice(Record):
    """One API: its docstring as it is, and with every text of `advices` in it.

    `need` is that of the model that was asked, `unknown` where none was; `failed` counts its answers without help.
    """

    api_name: str
    library: str
    change: str
    need: Need
    failed: Share
    advices: tuple[Advice, ...]
    before: str
    after: str
    proof: Proof | None = None


class AdviceReport(Record):
    """The whole report: APIs that are to be changed, those with the most failures first. `fine` need nothing."""

    title: str
    model: str
    apis: tuple[ApiAdvice, ...]
    fine: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

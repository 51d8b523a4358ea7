"""The page of a live run: goals, faults, cost, and the dialogues that failed."""

from collections.abc import Sequence

from apigap.benchmarks.apibank.live.records import DialogueRecord
from apigap.benchmarks.apibank.live.summary import LiveSummary
from apigap.records.result import Result
from apigap.reporting.analysis_page import AnalysisPage, Section, TableView, table

MOST_DIALOGUES = 40
"""Failed dialogues whose words are shown."""
_LONGEST = 1_500
_METHOD = (
    "A dialogue passes where the databases, mails and music are at its end as after the recorded calls, and, "
    "where those change nothing, the recorded lookups were made. pass@1 is the mean over dialogues of the share "
    "of judged samples that pass, with Wilson's interval on the effective sample size; pass^k is the chance that "
    "k samples of a dialogue all pass, C(c,k)/C(n,k), averaged over dialogues. Dialogues that were cut, or had no"
    " user, are in no denominator; one that used up its turns has failed."
)


def live_page(summary: LiveSummary, records: Sequence[DialogueRecord], results: Sequence[Result]) -> AnalysisPage:
    """The page; words of models and users are text and nothing else."""
    tables = tuple(TableView(one.title, one.columns, one.rows) for one in summary.tables())
    failed = [(record, result) for record, result in zip(records, results, strict=True) if result.outcome != "pass"]
    shown = failed[:MOST_DIALOGUES]
    every = table(
        "All samples",
        ("dialogue", "sample", "outcome", "fault", "calls", "superfluous", "harmful", "ended by"),
        [_line(record, result) for record, result in zip(records, results, strict=True)],
    )
    rest = f" The first {len(shown)} of {len(failed)}; dialogues.jsonl has all." if len(failed) > len(shown) else ""
    sections = (
        Section("goals", "Goals", "How often the state at the end is the one that was asked for.", (), tables),
        Section("samples", "Samples", "One line per dialogue and sample.", (), every),
        Section(
            "dialogues",
            "Dialogues without a pass",
            f"What was said and called, and which rows differ.{rest}",
            (),
            tuple(_dialogue(record, result) for record, result in shown)
            or table("None", ("dialogue",), [("every sample has reached its goal",)]),
        ),
    )
    return AnalysisPage(
        title="API-Bank, live",
        headline=_headline(summary),
        sections=sections,
        missing=tuple(f"{name} has no goal: {reason}" for name, reason in sorted(summary.without_goal.items())),
        facts=(("model", summary.model), ("user", summary.user), ("protocol", summary.protocol)),
        method=_METHOD,
        complete="Nothing: every dialogue of the data has a goal.",
    )


def _headline(summary: LiveSummary) -> str:
    first = summary.rates[0]
    share = "no" if first.pass_at_1 is None else f"{100 * first.pass_at_1:.0f} % of the"
    return f"{summary.model} reaches {share} goals of {first.dialogues} dialogues"


def _line(record: DialogueRecord, result: Result) -> tuple[str, ...]:
    end = record.ending
    return (
        record.task_id,
        str(record.sample),
        result.outcome,
        str(result.detail["fault"] or ""),
        str(len(record.calls)),
        str(sum(end.superfluous.values())),
        str(sum(end.harmful.values())),
        record.over,
    )


def _dialogue(record: DialogueRecord, result: Result) -> TableView:
    """One dialogue: its messages but for the instruction, its calls with their effects, and the rows that differ."""
    said = [(message.role, message.content[:_LONGEST]) for message in record.messages[1:]]
    calls = [(f"call, {call.effect}", f"{call.api} {call.arguments}"[:_LONGEST]) for call in record.calls]
    away = [("at the end", line) for line in record.ending.away]
    told = str(result.detail["fault"] or record.over)
    rows = (*said, *calls, *away, ("outcome", f"{result.outcome}: {record.ending}"[:_LONGEST]))
    return TableView(f"{record.task_id}, sample {record.sample}: {told}", ("who", "what"), rows, shown=False)

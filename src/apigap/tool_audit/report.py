"""The report of an audit, put together from verdicts, calls and cures."""

import json
from collections.abc import Mapping, Sequence

from apigap.benchmarks.calls.queries import Query
from apigap.benchmarks.calls.values import first_value
from apigap.records.parsing.json_shapes import is_object
from apigap.reporting.tools_model import AnswerRow, CureRow, ToolReport
from apigap.tool_audit.asking import Form, Judged
from apigap.tool_audit.diagnosis import form_row
from apigap.tool_audit.queries import NOTHING, text_of
from apigap.tool_audit.serving import Served, told
from apigap.tool_audit.toolset import Toolset

_LONGEST = 2_000
_MOST = 6
_MOST_UNASKED = 12


def report_of(
    model: str,
    toolset: Toolset,
    judged: Mapping[Form, Sequence[Judged]],
    parts: tuple[Sequence[Query], Sequence[Query]],
    cures: Sequence[CureRow],
    served: Served,
    notes: Sequence[str],
    cost: str,
) -> ToolReport:
    """The report; the first form of `judged` is the main one."""
    held = {query.task_id for query in parts[1]}
    forms = tuple(form_row(form, several, toolset, served.refused(several)) for form, several in judged.items())
    return ToolReport(
        title=f"apigap tools audit of {toolset.name}",
        source=toolset.source,
        model=model,
        main=forms[0].form,
        forms=forms,
        answers=tuple(
            _answer(one, form, one.query.task_id in held, served) for form, several in judged.items() for one in several
        ),
        cures=tuple(cures),
        served_by=served.by,
        notes=(*toolset.notes, *_unwanted(toolset, parts), *notes),
        facts=(
            ("model", model),
            ("tools", f"{len(toolset.tools)} of {toolset.name} ({toolset.kind}, {toolset.source})"),
            ("queries", f"{len(parts[0])} to choose descriptions by, {len(parts[1])} held back"),
            ("calls went to", served.by),
            ("answers", cost),
            ("descriptions and schemas", toolset.hash),
        ),
    )


def _answer(one: Judged, form: Form, held_back: bool, served: Served) -> AnswerRow:
    result = one.result
    return AnswerRow(
        query=text_of(one.query)[:_LONGEST],
        expected=_expected(one.query),
        form=form,
        held_back=held_back,
        outcome=result.outcome,
        fault=str(result.detail["fault"] or ""),
        called=", ".join(map(str, result.detail["called_names"])) or "nothing",
        findings=tuple(str(words) for _, _, words in result.detail["findings"][:_MOST]),
        server=tuple(told(call) for call in served.of(one)[:_MOST]),
        answer=one.answer[:_LONGEST],
    )


def _expected(query: Query) -> str:
    if not query.expected:
        return NOTHING
    return "; ".join(f"{call.name}({_arguments(call.arguments)})" for call in query.expected)


def _arguments(accepted: Mapping[str, object]) -> str:
    """Accepted values in words, the first of several; of those that only the schema bounds, none."""
    shown = {name: value for name, value in accepted.items() if not (is_object(value) and "any_value" in value)}
    return ", ".join(f"{name}={json.dumps(first_value(value), ensure_ascii=False)}" for name, value in shown.items())


def _unwanted(toolset: Toolset, parts: tuple[Sequence[Query], Sequence[Query]]) -> list[str]:
    """A note on the tools that no query is for."""
    asked = {call.name for part in parts for query in part for call in query.expected}
    names = [tool.name for tool in toolset.tools if tool.name not in asked]
    if not names:
        return []
    shown = ", ".join(names[:_MOST_UNASKED]) + (", ..." if len(names) > _MOST_UNASKED else "")
    return [f"no query is for {len(names)} of the tools, so nothing is known of them: {shown}"]

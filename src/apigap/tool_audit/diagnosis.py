"""The verdicts by tool: whether it is chosen, what is called in its place, what of a call is wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from apigap.benchmarks.calls.queries import Query
from apigap.benchmarks.calls.schema import properties_of
from apigap.reporting.tools_model import ArgumentFault, Counts, FormRow, Share, ToolRow
from apigap.tool_audit.asking import Judged
from apigap.tool_audit.toolset import Toolset

_ARGUMENT_FAULTS = ("missing argument", "unknown argument", "wrong type", "wrong value")
_MOST = 20


def form_row(
    form: str, judged: Sequence[Judged], toolset: Toolset, refused: Mapping[str, Counter[str]] | None = None
) -> FormRow:
    """The row of one form; `refused` are the words of refusals by tool."""
    told = [one for one in judged if one.result.has_verdict]
    serving = [one for one in told if one.query.expected]
    leaving = [one for one in told if not one.query.expected]
    return FormRow(
        form=form,
        all=share(told),
        serving=share(serving),
        leaving=share(leaving),
        cut=len(judged) - len(told),
        tools=tuple(_row(tool.name, tool.description, told, toolset, refused or {}) for tool in toolset.tools),
    )


def share(judged: Iterable[Judged]) -> Share:
    """Those that pass, of those with a verdict."""
    passed = [one.result.passed for one in judged if one.result.has_verdict]
    return Share(right=sum(passed), of=len(passed))


def wanted(query: Query) -> set[str]:
    """The tools that a query is for."""
    return {call.name for call in query.expected}


def called(one: Judged) -> list[str]:
    """The names that an answer calls."""
    return [str(name) for name in one.result.detail["called_names"]]


def confused(one: Judged) -> list[tuple[str, str]]:
    """Pairs of an expected tool and what was called in its place."""
    return [(str(first), str(second)) for first, second in one.result.detail["confused"]]


def _row(
    name: str, description: str, judged: Sequence[Judged], toolset: Toolset, refused: Mapping[str, Counter[str]]
) -> ToolRow:
    own = [one for one in judged if name in wanted(one.query)]
    instead = Counter(second for one in own for first, second in confused(one) if first == name)
    offered = toolset.schemas
    return ToolRow(
        name=name,
        description=description,
        queries=len(own),
        right=sum(one.result.passed for one in own),
        chosen=sum(name in called(one) for one in own),
        instead=counts(Counter({other: count for other, count in instead.items() if other in offered})),
        invented=counts(Counter({other: count for other, count in instead.items() if other not in offered})),
        uncalled=sum(not called(one) for one in own),
        faults=counts(Counter(fault for one in own for fault in one.result.detail["faults"])),
        arguments=_arguments(name, own, toolset),
        unasked=sum(name in called(one) and name not in wanted(one.query) for one in judged),
        refused=counts(refused.get(name, Counter())),
    )


def _arguments(name: str, own: Sequence[Judged], toolset: Toolset) -> tuple[ArgumentFault, ...]:
    """The faults of arguments; where a query is for several tools, those of arguments that this one has."""
    found: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    known = properties_of(toolset.schemas[name])
    for one in own:
        for fault, place, told in one.result.detail["findings"]:
            alone = len(wanted(one.query)) == 1 or place.partition(".")[0].partition("[")[0] in known
            if fault in _ARGUMENT_FAULTS and alone:
                found[fault, place] += 1
                first.setdefault((fault, place), told)
    return tuple(
        ArgumentFault(fault=fault, place=place, count=count, told=first[fault, place])
        for (fault, place), count in found.most_common(_MOST)
    )


def counts(counter: Counter[str]) -> Counts:
    """A counter as a record has it: the most frequent first, then by name."""
    return tuple(sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:_MOST])

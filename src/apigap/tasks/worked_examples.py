"""Worked examples in a description: what the same lines give after other inputs, and without what changed."""

import ast
import re
from collections.abc import Sequence

from apigap.knowledge.usages.names import bound_names
from apigap.records.parsing.syntax import parse
from apigap.records.run import RunRecord
from apigap.records.task import Scenario
from apigap.tasks.leak import leaks
from apigap.tasks.outcome import is_telling, outcome
from apigap.tasks.worth.outcomes import shows

_STATEMENTS = 2
_WIDTH = 160
_VALUES = 2


def worked_examples(basic: Scenario, others: Sequence[Scenario], leaf: str, most: int) -> list[str]:
    """At most `most` lines, one for each scenario, first those that change another input than the ones before."""
    found = [(line, _names(basic, one)) for one in others if (line := worked_example(basic, one, leaf)) is not None]
    first = [pair for n, pair in enumerate(found) if pair[1] not in [names for _, names in found[:n]]]
    return [line for line, _ in (*first, *(pair for pair in found if pair not in first))][:most]


def _names(basic: Scenario, example: Scenario) -> set[str]:
    """The names that the statements bind which the example changes."""
    changed = _changed(basic.context_code, example.context_code) or []
    return set[str]().union(*(bound_names(parse(code).body[0]) for code in changed))


def worked_example(basic: Scenario, example: Scenario, leaf: str) -> str | None:
    """The line for a scenario: which statements of the context are others, and what the lines give then.

    None where that is more than a reader takes in, would name the API, or shows nothing.
    """
    changed = _changed(basic.context_code, example.context_code)
    if changed is None:
        return None
    known = {outcome(one.expected, leaf) for one in basic.observations}
    shown = [one for one in example.observations if shows(one.expected, example.context_code)]
    told = [f"`{one.expression}` {text}" for one in shown if (text := outcome(one.expected, leaf)) not in known]
    line = f"- {'after' if changed else 'and'} {_listed(changed)}{', '.join(told[:_VALUES])}"
    return line if told and not leaks(line, leaf) else None


def contrast(basic: Scenario, run: RunRecord, old_version: str | None, leaf: str) -> str | None:
    """The sentence that tells what the answer gives without the parameter that changed; None where nothing differs."""
    head = f"Without what {old_version or 'an older release'} did not take"
    if run.status != "completed":
        return f"{head}, the call fails." if run.exception else None
    for one in basic.observations:
        value = run.observed.get(one.expression)
        if one.expression not in run.observed or not is_telling(value):
            continue
        if outcome(value, leaf) != outcome(one.expected, leaf):
            text = f"{head}, `{one.expression}` {_would_be(outcome(value, leaf))}."
            return None if leaks(text, leaf) else text
    return None


def _would_be(end: str) -> str:
    """The end of a sentence of what is, for what would be."""
    return re.sub(r"^(is|raises) ", lambda found: "would be " if found[1] == "is" else "would raise ", end)


def _changed(before: str, after: str) -> list[str] | None:
    """The statements of `after` that `before` does not have in their place."""
    old, new = ([ast.unparse(node) for node in parse(code).body] for code in (before, after))
    if len(old) != len(new):
        return None
    changed = [now for was, now in zip(old, new, strict=True) if was != now]
    fits = len(changed) <= _STATEMENTS and all(len(code) <= _WIDTH and "\n" not in code for code in changed)
    return changed if fits else None


def _listed(statements: Sequence[str]) -> str:
    return f"{' and '.join(f'`{code}`' for code in statements)}: " if statements else ""

"""The description of a synthesised task: what must hold of the outputs, and never the API's name."""

import ast
from collections.abc import Mapping, Sequence
from typing import Any, cast

from apigap.execution.compare import summary
from apigap.knowledge.docstrings import parameter_descriptions, shorten
from apigap.knowledge.narrative import first_sentence
from apigap.records.candidate import Candidate
from apigap.tasks.cut import Draft, used_names
from apigap.tasks.leak import leaks, mask
from apigap.tasks.outline import hidden_expressions, literals, outline

_SHOWN = 4
_WIDTH = 160


def describe(draft: Draft, candidate: Candidate, expected: Mapping[str, Any]) -> str | None:
    """The description, or None when it could not be written without naming the API."""
    parts = (
        _purpose(candidate),
        _task(draft, candidate),
        _requirements(draft, candidate),
        _outputs(expected, candidate.leaf),
    )
    text = "\n".join(part for part in parts if part)
    return None if leaks(text, candidate.leaf) else text


def _purpose(candidate: Candidate) -> str:
    """What the API is for, in its docstring's first sentence, without its name."""
    sentence = mask(shorten(first_sentence(candidate.docstring or "")), candidate.leaf)
    with_what = f"{candidate.library} {candidate.new_version}"
    return f"Use what {with_what} offers for this purpose: {sentence}" if sentence else f"Use {with_what}."


def _task(draft: Draft, candidate: Candidate) -> str:
    lines = outline(draft.masked, candidate.leaf)
    names = used_names(draft)
    using = f" (it works on {_listing(names)})" if names else ""
    return f"Write these lines, with the right code in place of every `...`{using}:\n{_indent(lines)}"


def _requirements(draft: Draft, candidate: Candidate) -> str:
    """What the keyword arguments of the hidden calls ask for, in the words of the docstring, and needed values."""
    told = parameter_descriptions(candidate.docstring or "")
    hidden = hidden_expressions(draft.masked, candidate.leaf)
    wanted: list[str] = []
    described: set[str] = set()
    for keyword in (node for expression in hidden for node in ast.walk(expression) if isinstance(node, ast.keyword)):
        if keyword.arg is None:
            continue
        # Where the docstring is silent, the words of the parameter's name are the least that makes a task solvable.
        told_of_it = told.get(keyword.arg) or keyword.arg.replace("_", " ").capitalize()
        wanted.append(f"- {mask(shorten(told_of_it), candidate.leaf).rstrip('.')}: `{ast.unparse(keyword.value)}`")
        described.update(literals([keyword.value]))
    shown = (draft.context, outline(draft.masked, candidate.leaf), *draft.observes)
    known = described.union(literals([ast.parse(text) for text in shown]))
    others = [value for value in literals(hidden) if value not in known]
    if others:
        wanted.append(f"- Values to use: {_listing(others)}")
    return "\n".join(("Required:", *dict.fromkeys(wanted))) if wanted else ""


def _outputs(expected: Mapping[str, Any], leaf: str) -> str:
    """What the outputs are, as far as that can be said without the API's name (an object of it has it as its type)."""
    told = [(expression, _outcome(value)) for expression, value in expected.items() if is_telling(value)]
    written = [f"- `{expression}` {outcome}" for expression, outcome in told if len(outcome) <= _WIDTH]
    lines = [line for line in written if not leaks(line, leaf)][:_SHOWN]
    return "\n".join(
        (*(("Afterwards:", *lines) if lines else ()), "The same lines must be right for other inputs too.")
    )


def _outcome(value: Any) -> str:
    raised = raised_type(value)
    return f"raises `{raised}`" if raised else f"gives `{summary(value, 2 * _WIDTH)}`"


def is_telling(value: Any) -> bool:
    """True for a value that shows what an answer did: an exception, plain data, or an object of the program's own.

    The inner state of a library's own object is not: another right answer may reach it in another form. Nor is what
    differs from run to run.
    """
    if isinstance(value, list):
        return all(is_telling(item) for item in cast("list[Any]", value))
    if not isinstance(value, dict):
        return True
    form = cast("dict[str, Any]", value)
    foreign = "fields" in form and not str(form.get("type", "")).startswith("__main__.")
    return not foreign and form != {"unstable": True} and all(is_telling(part) for part in form.values())


def raised_type(value: Any) -> str | None:
    """The exception's name where the expectation is that the observation raises."""
    return cast("dict[str, Any]", value).get("raises") if isinstance(value, dict) else None


def _listing(items: Sequence[str]) -> str:
    quoted = [f"`{item}`" for item in items]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _indent(code: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in code.split("\n"))

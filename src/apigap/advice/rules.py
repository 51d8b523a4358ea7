"""Rules on the documentation of an API: one for each thing that a reader looks for in vain."""

import re
from collections.abc import Callable, Iterator

from apigap.advice.examples import without_aliases
from apigap.advice.facts import ApiFacts
from apigap.records.candidate import DATA_KINDS, Change, Parameter
from apigap.records.names import first_of
from apigap.reporting.advice_model import Advice
from apigap.tasks.outcome import indent

_TELLS_DEFAULT = re.compile(
    r"default|omitted|not (?:given|set|provided|specified)|unset|\bNone\b|if (?:absent|missing)", re.I
)
_SAYS_NOTHING = re.compile(r"None|Ellipsis|\.\.\.|<.*>|.*(?:unset|missing|sentinel|undefined|notset).*", re.I)
_RETURNS = re.compile(r"\b(?:returns?|yields?|rtype)\b", re.I)
_MOST = 6
_MOST_REFUSALS = 3
_HAS_DATA = re.compile(r"\d|['\"`<“”‘’«»]|…")
"""Signs that a message quotes what the answer handed in: it is no sentence for a docstring."""


def advices_of(facts: ApiFacts) -> list[Advice]:
    """The advices on one API, those that answers speak for first."""
    found = [advice for rule in _RULES for advice in rule(facts)]
    return sorted(found, key=lambda advice: -_weight(advice))


def _weight(advice: Advice) -> int:
    """Failures and cures are more than what is merely missing."""
    return sum(text.startswith(("a failed answer", "with ")) for text in advice.evidence)


def _docstring(facts: ApiFacts) -> Iterator[Advice]:
    if not facts.docstring and facts.candidate.kind not in DATA_KINDS:
        yield Advice(
            kind="no docstring",
            say="Write a docstring: what it is for in the first line, then its parameters and an example.",
            evidence=("it has no docstring of its own", *facts.cured_by("prose"), *facts.cured_by("code")),
        )


def _example(facts: ApiFacts) -> Iterator[Advice]:
    if facts.shows_use or facts.candidate.kind in DATA_KINDS:
        return
    example, version = facts.example, facts.candidate.new_version
    ran = [f"the example ran in {version}; it is from {example.source}"] if example else []
    yield Advice(
        kind="no example",
        say="Put an example into the docstring." + ("" if example else " None was found that runs: write one."),
        text="Example:\n\n" + indent(without_aliases(example.code).strip("\n")) if example else "",
        evidence=("the docstring shows no use of it", *ran, *facts.cured_by("exemplars")),
    )


def _import(facts: ApiFacts) -> Iterator[Advice]:
    failures = facts.failures("WrongImport")
    if failures:
        module, name = facts.candidate.import_module, facts.candidate.api_name
        first = name.removeprefix(f"{module}.").partition(".")[0]
        yield Advice(
            kind="import not shown",
            say="Show in the docstring where it is imported from.",
            text=f"Import it with `from {module} import {first}`.",
            evidence=tuple(failures),
        )


def _selection(facts: ApiFacts) -> Iterator[Advice]:
    failures = facts.failures("WrongAPISelection")
    if failures:
        yield Advice(
            kind="not found",
            say="Say in its first line what it is for, in the words of who needs it, and name it where what is used in "
            "its place is described.",
            evidence=(*failures, *facts.cured_by("name")),
        )


def _parameters(facts: ApiFacts) -> Iterator[Advice]:
    silent = [one for one in facts.parameters if not one.description]
    if not silent or facts.candidate.kind in DATA_KINDS:
        return
    failures = [text for one in silent for text in facts.failures("WrongParam", naming=one.name)]
    names = first_of([f"`{one.name}`" for one in silent], _MOST)
    of = f"{len(silent)} of {len(facts.parameters)} parameters have no description in the docstring"
    yield Advice(
        kind="parameters undocumented",
        say=f"Describe {names}: what each takes, and what it does.",
        evidence=(of, *dict.fromkeys(failures), *facts.cured_by("parameters")),
    )


def _default(facts: ApiFacts) -> Iterator[Advice]:
    unclear = [one for one in facts.parameters if _is_unclear(one)]
    if unclear:
        names = ", ".join(f"`{one.name}`" for one in unclear[:_MOST])
        shown = ", ".join(f"{one.name}={one.default}" for one in unclear[:_MOST])
        failures = [text for one in unclear for text in facts.failures("WrongParam", "WrongLogic", naming=one.name)]
        yield Advice(
            kind="default unclear",
            say=f"Say what happens where {names} is left out.",
            evidence=(f"the default says nothing by itself, and its description is silent: {shown}", *failures),
        )


def _is_unclear(parameter: Parameter) -> bool:
    default, told = parameter.default, parameter.description
    return bool(default and told and _SAYS_NOTHING.fullmatch(default) and not _TELLS_DEFAULT.search(told))


def _result(facts: ApiFacts) -> Iterator[Advice]:
    failures = facts.failures("WrongShapeDtype")
    if failures and not _RETURNS.search(facts.docstring):
        yield Advice(
            kind="result not described",
            say="Say what it returns: type, shape, keys.",
            evidence=("the docstring does not say what it returns", *failures),
        )


def _since(facts: ApiFacts) -> Iterator[Advice]:
    candidate = facts.candidate
    version = candidate.since.version if candidate.since and candidate.since.exact else ""
    if candidate.change == "added" and not facts.mentions_version():
        yield Advice(
            kind="no since",
            say="Say since when it is there.",
            text=f".. versionadded:: {version}" if version else "",
            evidence=(f"it is new after {candidate.old_version}, and neither docstring nor pages say so",),
        )
    silent = [one for one in candidate.changes if _is_news(one) and not facts.mentions_version(one.parameter)]
    if candidate.change == "modified" and silent:
        words = "; ".join(f"{one.what}: {one.parameter}" for one in silent[:_MOST])
        lines = [f".. versionchanged:: {version}\n   {_sentence(one)}" for one in silent[:_MOST] if version]
        yield Advice(
            kind="no since",
            say="Say since when it is so.",
            text="\n\n".join(lines),
            evidence=(f"changed after {candidate.old_version}, and neither docstring nor pages say so: {words}",),
        )


def _is_news(change: Change) -> bool:
    return change.what in (
        "parameter added",
        "parameter renamed",
        "default changed",
        "became keyword-only",
        "became required",
    )


def _sentence(change: Change) -> str:
    name = f"``{change.parameter}``"
    if change.what == "parameter renamed" and change.old:
        return f"{name} was called ``{change.old}`` before."
    if change.what == "default changed" and change.old and change.new:
        return f"The default of {name} is ``{change.new}``; it was ``{change.old}``."
    done = {"parameter added": "was added", "became keyword-only": "is keyword-only", "became required": "is required"}
    return f"The parameter {name} {done.get(change.what, change.what)}."


def _replaces(facts: ApiFacts) -> Iterator[Advice]:
    former = facts.bundle.instead_of if facts.bundle else ()
    unsaid = [one for one in former if one.old_name.rpartition(".")[2] not in facts.docstring]
    if unsaid:
        names = ", ".join(f"``{one.old_name}``" for one in unsaid[:_MOST])
        leaves = {one.old_name.rpartition(".")[2] for one in unsaid}
        still = [
            text
            for leaf in sorted(leaves)
            for text in facts.failures("WrongAPISelection", "WrongParam", "WrongImport", naming=leaf)
        ]
        yield Advice(
            kind="replaces unsaid",
            say="Say what it takes the place of: who looks for the old name finds it.",
            text=f"Use it instead of {names}.",
            evidence=(", ".join(f"{one.old_name} ({one.why})" for one in unsaid[:_MOST]), *dict.fromkeys(still)),
        )


def _refusal(facts: ApiFacts) -> Iterator[Advice]:
    refusals = dict(list(facts.refusals.items())[:_MOST_REFUSALS])
    if refusals:
        general = [text for text in refusals if not _HAS_DATA.search(text)]
        met = [f"a failed answer: it raised {text} ({count} met it)" for text, count in refusals.items()]
        yield Advice(
            kind="refusal unsaid",
            say="Say what it refuses, before somebody meets it.",
            text="Raises:\n\n" + indent("\n".join(general)) if general else "",
            evidence=tuple(met),
        )


def _keys(facts: ApiFacts) -> Iterator[Advice]:
    changed = {change.parameter for change in facts.candidate.changes}
    added = facts.candidate.change == "added"
    found = [
        (one.name, *keys) for one in facts.parameters if (added or one.name in changed) and (keys := facts.keys_of(one))
    ]
    if found:
        texts = [f"``{name}`` takes a ``{of}``: {', '.join(f'``{key}``' for key in keys)}." for name, of, keys in found]
        failures = [text for name, _, _ in found for text in facts.failures("WrongParam", "WrongLogic", naming=name)]
        unsaid = [f"{of} is new, and the docstring of what takes it does not say what is in it" for _, of, _ in found]
        yield Advice(
            kind="keys unsaid",
            say="Say what may be in it, where it is handed in.",
            text="\n\n".join(texts),
            evidence=(*unsaid, *dict.fromkeys(failures)),
        )


_RULES: tuple[Callable[[ApiFacts], Iterator[Advice]], ...] = (
    _docstring, _example, _import, _selection, _parameters, _default, _result, _since, _replaces, _refusal, _keys,
)  # fmt: skip


def amended(docstring: str, advices: list[Advice]) -> str:
    """A docstring with every text of `advices` that can be written as it stands; the same where there is none."""
    texts = [advice.text for advice in advices if advice.text]
    return "\n\n".join([part for part in (docstring.strip(), *texts) if part])

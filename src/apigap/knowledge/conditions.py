"""The twelve conditions: which components of a bundle a prompt shows (NovelAPIBench, arXiv:2606.03657, section 4).

Components are not disjoint: an exemplar has the API's name in it. What a condition gives away beyond its components is
found by `leaks`, and the condition `e_masked`, which is none of the paper's, shows exemplars without the name.
"""

import re
from collections.abc import Iterator

from apigap.records.candidate import DATA_KINDS, Change, Parameter
from apigap.records.errors import UsageError
from apigap.records.knowledge import Component, Exemplar, KnowledgeBundle, Leak

PUBLISHED: dict[str, tuple[Component, ...]] = {
    "baseline": (),
    "s_name": ("name",),
    "e": ("exemplars",),
    "m_prose": ("prose",),
    "m_code": ("code",),
    "s": ("name", "parameters"),
    "s_m_prose": ("name", "parameters", "prose"),
    "s_m_code": ("name", "parameters", "code"),
    "s_m_prose_m_code": ("name", "parameters", "prose", "code"),
    "s_e": ("name", "parameters", "exemplars"),
    "s_e_m_code": ("name", "parameters", "exemplars", "code"),
    "full": ("name", "parameters", "exemplars", "prose", "code"),
}
CONDITIONS: dict[str, tuple[Component, ...]] = {**PUBLISHED, "e_masked": ("exemplars",)}
MASK = "the_api"
SEPARATOR = "\n\n"
_MAX_PARAMETERS = 8
_MAX_DESCRIPTION = 90
_MAX_MEMBERS = 12
_MAX_FORMS = 4
_MAX_FORM = 160
_MAX_FORMER = 6


def render(bundle: KnowledgeBundle, condition: str) -> str | None:
    """The knowledge text of `condition`; None for the baseline.

    Components come in the published order: name, parameters, exemplars, prose, code. A component that the
    bundle does not have is left out; when none of the asked ones exists the text is empty, and the caller must
    say that the condition does not apply.

    Raises:
        UsageError: for an unknown condition.
    """
    if condition == "baseline":
        return None
    return SEPARATOR.join(text for _, text in parts(bundle, condition))


def parts(bundle: KnowledgeBundle, condition: str) -> list[tuple[Component, str]]:
    """The pieces of `render`, in its order and each with its component: every exemplar is one of its own.

    Raises:
        UsageError: for an unknown condition.
    """
    if condition not in CONDITIONS:
        raise UsageError(f"unknown condition {condition!r}; the conditions are {', '.join(CONDITIONS)}")
    written = written_components(bundle)
    if condition == "e_masked":
        written["exemplars"] = [masked(text, bundle.api_name) for text in written["exemplars"]]
    return [(part, text) for part in CONDITIONS[condition] for text in written[part]]


def written_components(bundle: KnowledgeBundle) -> dict[Component, list[str]]:
    """The texts of every component, in the published order; none of one that the bundle does not have."""
    written: dict[Component, list[str]] = {
        "name": [f"API: {bundle.surface.s_name} ({bundle.surface.kind})"],
        "parameters": [_parameters(bundle)],
        "exemplars": list(map(_exemplar, bundle.exemplars)),
        "prose": [_prose(bundle)],
        "code": [_code(bundle)],
    }
    return {component: [text for text in texts if text] for component, texts in written.items()}


def _parameters(bundle: KnowledgeBundle) -> str:
    """The parameter list; those that this version added or changed first, so that a cut never hides them.

    Of an enumeration its members, of an overloaded call its short forms; last what has changed since the old version.
    """
    surface = bundle.surface
    if surface.kind in DATA_KINDS:
        return f"Type: {surface.return_type}" if surface.return_type else ""
    if surface.members:
        return "\n".join(("Members:", *(f"- {_parameter(member)}" for member in surface.members[:_MAX_MEMBERS])))
    changed = {change.parameter for change in bundle.changes}
    ordered = sorted(bundle.surface.parameters, key=lambda parameter: parameter.name not in changed)
    lines = [f"- {_parameter(parameter)}" for parameter in ordered[:_MAX_PARAMETERS]]
    if len(ordered) > _MAX_PARAMETERS:
        lines.append(f"- and {len(ordered) - _MAX_PARAMETERS} more")
    returns = f"Returns: {surface.return_type}" if surface.return_type else ""
    forms = [f"Called as: {form}" for form in surface.overloads if len(form) <= _MAX_FORM][:_MAX_FORMS]
    if surface.kind == "property":
        return returns
    return "\n".join(
        part
        for part in ("Parameters:", *(lines or ["- none"]), returns, *forms, _changed(bundle), _instead_of(bundle))
        if part
    )


def _instead_of(bundle: KnowledgeBundle) -> str:
    """The names whose place the API takes, on one line."""
    names = ", ".join(f"{one.old_name} ({one.why})" for one in bundle.instead_of[:_MAX_FORMER])
    return f"Instead of: {names}" if names else ""


def _changed(bundle: KnowledgeBundle) -> str:
    """The changes of this version, on one line."""
    now = {p.name: p.name if p.default is None else f"{p.name}={p.default}" for p in bundle.surface.parameters}
    changes = [_change(change, now.get(change.parameter)) for change in bundle.changes[:_MAX_PARAMETERS]]
    return f"Changed since {bundle.old_version or 'the version before'}: {'; '.join(changes)}" if changes else ""


def _change(change: Change, now: str | None) -> str:
    """`now` is how the parameter stands in the surface, whose defaults are as their author wrote them."""
    if change.what == "parameter added" and now:
        return f"{change.what} ({_cut(now)})"
    old, new = (_cut(text) if text else None for text in (change.old, change.new))
    if change.what in ("parameter added", "parameter removed", "overload added"):
        return f"{change.what} ({new or old or change.parameter})"
    what = f"{change.what} ({change.parameter})"
    return f"{what}: {old or 'none'} -> {new or 'none'}" if old or new else what


def _parameter(parameter: Parameter) -> str:
    star = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
    annotation = f": {parameter.annotation}" if parameter.annotation else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    only = ", keyword only" if parameter.kind == "keyword_only" else ""
    description = f" — {_cut(parameter.description)}" if parameter.description else ""
    return f"{star}{parameter.name}{annotation}{default}{only}{description}"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_DESCRIPTION else text[: _MAX_DESCRIPTION - 1].rstrip() + "…"


def _exemplar(exemplar: Exemplar) -> str:
    return f"Example:\n```python\n{exemplar.code}\n```"


def masked(text: str, api_name: str) -> str:
    """`text` without the API's import, and with `the_api` for its name and the path before it."""
    *path, leaf = api_name.split(".")
    word = re.escape(leaf)
    kept = (_without_import(line, leaf) for line in text.split("\n"))
    dotted = rf"\b{re.escape(path[0])}(?:\.\w+)*\.{word}\b"
    return re.sub(rf"{dotted}|\b{word}\b", MASK, "\n".join(line for line in kept if line is not None))


def _without_import(line: str, leaf: str) -> str | None:
    """A line of code; of an import what is left without `leaf`, None where that is nothing."""
    match = re.match(r"(\s*)((?:from\s+[\w.]+\s+)?import\s+)(.+)", line)
    if match is None or not re.search(rf"\b{re.escape(leaf)}\b", line):
        return line
    names = [name.strip() for name in match[3].strip("() ").split(",")]
    others = [name for name in names if name and not re.search(rf"\b{re.escape(leaf)}\b", name)]
    left = match[2] if not re.search(rf"\b{re.escape(leaf)}\b", match[2]) else None
    return f"{match[1]}{left}{', '.join(others)}" if others and left else None


def leaks(bundle: KnowledgeBundle) -> Iterator[Leak]:
    """Overlaps between the components of a bundle: what one gives away of another.

    In prose a name that is also an ordinary word counts only where it is marked as code.
    """
    texts: dict[Component, str] = {
        "parameters": _parameters(bundle),
        "exemplars": SEPARATOR.join(map(_exemplar, bundle.exemplars)),
        "prose": _prose(bundle),
        "code": _code(bundle),
    }
    leaf = bundle.api_name.rpartition(".")[2]
    parameters = [parameter.name for parameter in bundle.surface.parameters]
    examples = {
        line.strip() for e in bundle.exemplars for line in e.code.split("\n") if leaf in line and len(line) > 20
    }
    for component, text in texts.items():
        words = _words_of_prose(text) if component == "prose" else set(re.findall(r"\w+", text))
        if leaf in words:
            yield Leak(component=component, contains="name", what=bundle.api_name if bundle.api_name in text else leaf)
        passed = [name for name in parameters if name in words] if component != "parameters" else []
        if passed:
            yield Leak(component=component, contains="parameters", what=", ".join(passed))
        shown = sorted(line for line in examples if line in text) if component in ("prose", "code") else []
        if shown:
            yield Leak(component=component, contains="exemplars", what=shown[0])


def _words_of_prose(text: str) -> set[str]:
    """Words that can only be names: in quotes of code, before a parenthesis, in dotted paths, or of no language."""
    quoted = {word for part in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", part)}
    called = set(re.findall(r"(\w+)\(|(?<=\w\.)(\w+)", text))
    strange = {word for word in re.findall(r"\w+", text) if "_" in word or word[1:] != word[1:].lower()}
    return quoted | strange | {word for pair in called for word in pair if word}


def revealed(bundle: KnowledgeBundle, condition: str) -> list[Leak]:
    """The leaks by which `condition` shows of a bundle what it is not meant to show."""
    parts = CONDITIONS[condition]
    found = [leak for leak in bundle.leaks if leak.component in parts and leak.contains not in parts]
    return [leak for leak in found if condition != "e_masked" or leak.contains != "name"]


def _prose(bundle: KnowledgeBundle) -> str:
    return f"Background: {bundle.m_prose.text}" if bundle.m_prose else ""


def _code(bundle: KnowledgeBundle) -> str:
    return f"Implementation:\n```python\n{bundle.m_code.text}\n```" if bundle.m_code else ""

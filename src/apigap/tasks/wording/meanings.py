"""The meaning of what an answer gives to an API, in plain words from the parameters' documentation."""

import ast
import re
from collections.abc import Mapping, Sequence

from apigap.knowledge.components.docstrings import parameter_descriptions, shorten
from apigap.records.candidate import Candidate
from apigap.tasks.inputs.hoist import positional_names
from apigap.tasks.mutants.target import Target
from apigap.tasks.wording.purpose import gives_away, in_names_of_the_answer, in_plain_words, quotes, said_otherwise

_SHORT = 24
_LEAST = 3
_MOST = 22
_ON = re.compile(
    r"(?:if|when|whether)\s+(?:(?:it is\s+)?(?:set to\s+)?(?:true|set|enabled)\b,?\s*|to\s+|or not to\s+)", re.I
)
_CONDITION = re.compile(r"\W*(?:if|when|whether|true|false|none|boolean|bool|flag)\b", re.I)
_OFF = re.compile(r"(?:if|when)\s+(?:set to\s+)?false\b,?\s*", re.I)


def given_arguments(masked: Sequence[str], candidate: Candidate) -> dict[str, ast.expr]:
    """The arguments of the answer's first call of the API by the parameters that take them; its object is `self`."""
    target = Target("\n".join(masked), candidate.leaf)
    calls = target.calls(target.parse())
    if not calls:
        return {}
    own = positional_names(candidate)
    function = calls[0].func
    receiver = {"self": function.value} if candidate.kind == "method" and isinstance(function, ast.Attribute) else {}
    plain = calls[0].args if not any(isinstance(argument, ast.Starred) for argument in calls[0].args) else []
    named = {keyword.arg: keyword.value for keyword in calls[0].keywords if keyword.arg}
    return {**receiver, **dict(zip(own, plain, strict=False)), **named}


def names_of(given: Mapping[str, ast.expr]) -> dict[str, str]:
    """The code of those arguments that is short enough to stand in a sentence."""
    texts = {name: ast.unparse(value) for name, value in given.items()}
    return {name: text for name, text in texts.items() if len(text) <= _SHORT and "`" not in text}


def meaning_of(parameter: str, given: Mapping[str, ast.expr], candidate: Candidate) -> str | None:
    """The meaning of the argument for `parameter`, without the parameter's name; None where no words of ours give it.

    Of a switch it is what is on or off.
    """
    described = parameter_descriptions(candidate.docstring or "").get(parameter)
    own = next((p.description for p in candidate.parameters if p.name == parameter), None)
    text = shorten(described or own or "")
    value = given[parameter]
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return _of_switch(value.value, text, parameter, given, candidate)
    return _plain(text, parameter, given, candidate)


def _of_switch(on: bool, text: str, parameter: str, given: Mapping[str, ast.expr], candidate: Candidate) -> str | None:
    """The thing that is on or off; what a text says of the other position is not what is given."""
    found = _ON.match(text)
    if found is not None:
        words = _plain(text[found.end() :], parameter, given, candidate)
        return words and f"{'on' if on else 'off'}, {words}"
    found = None if on else _OFF.match(text)
    if found is None and not _CONDITION.match(text):  # "join on null values" says what the switch is for
        words = _plain(text, parameter, given, candidate)
        return words and f"{'on' if on else 'off'}: {words}"
    return _plain(text[found.end() :], parameter, given, candidate) if found else None


def _plain(text: str, parameter: str, given: Mapping[str, ast.expr], candidate: Candidate) -> str | None:
    """A sentence on a parameter in plain words; None where it has the parameter's name, quotes, or is too long."""
    names = {name: code for name, code in names_of(given).items() if name != parameter}
    words = in_plain_words(in_names_of_the_answer(text, candidate, names) or "", candidate.leaf)
    spelled = re.compile(rf"(?<![A-Za-z0-9]){re.escape(parameter)}(?![A-Za-z0-9])", re.I)
    if gives_away(words, candidate) or spelled.search(words) or "…" in words:
        return None
    if not _LEAST <= len(words.split()) <= _MOST:
        return None
    words = words[0].lower() + words[1:]
    return next((one for one in (words, *said_otherwise(words)) if not quotes(one, text)), None)

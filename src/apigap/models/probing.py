"""The two questions of the novelty probe: their prompts, and how answers are read. Pure functions."""

import math
import re
from collections.abc import Sequence
from itertools import islice

from apigap.models.prompts import Prompt
from apigap.models.request import Message

_EXAMPLES = (
    ("json", "json.dumps", "Yes"),
    ("json", "json.dump_lines", "No"),
    ("pathlib", "pathlib.Path.read_text", "Yes"),
    ("pathlib", "pathlib.Path.read_words", "No"),
    ("collections", "collections.SortedCounter", "No"),
    ("collections", "collections.Counter", "Yes"),
)
_WORD = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_NAME = re.compile(r"\s*([A-Za-z_]\w*)")
_PARAMETER = re.compile(r"\s*(?:\*{0,2}\s*[A-Za-z_]\w*\s*(?:$|[:=])|\*{1,2}\s*$|/\s*$|\.\.\.|$)")
_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\n]*")
_SELF = {"self", "cls"}
_MOST_READ = 4000
_MOST_TRIED = 4


def existence_prompt(library: str, api_name: str) -> Prompt:
    """The question of existence, after six examples of the standard library, as many yes as no."""
    shared = "".join(f"{_existence(home, name)}{answer}\n\n" for home, name, answer in _EXAMPLES)
    shared = f"Answer with one word, Yes or No.\n\n{shared}"
    return Prompt(f"{shared}{_existence(library, api_name)}".rstrip(), len(shared))


def signature_prompt(library: str, api_name: str) -> tuple[Message, Message]:
    """The signature of the API, up to its opening bracket."""
    leaf = api_name.rpartition(".")[2]
    question = (
        f"Write the signature of `{api_name}` of the Python library {library}: its name and all its parameters with "
        "their defaults, in one line of code."
    )
    return Message(role="user", content=question), Message(role="assistant", content=f"```python\ndef {leaf}(")


def yes_and_no(alternatives: Sequence[tuple[str, float]]) -> tuple[float, float] | None:
    """The probabilities that the answer begins with yes and with no; None where neither is among the likeliest."""
    masses = {"yes": 0.0, "no": 0.0}
    for token, value in alternatives:
        word = token.strip().lower()
        if word in masses:
            masses[word] += math.exp(value)
    return (masses["yes"], masses["no"]) if sum(masses.values()) > 0 else None


def yes_or_no(answer: str) -> bool | None:
    """True for an answer of yes, False for no; None for one that begins with neither word."""
    found = _WORD.match(answer)
    return found[1].lower() == "yes" if found else None


def parameter_names(answer: str, leaf: str) -> frozenset[str] | None:
    """The parameters in the first `leaf(...)` of `answer` that has any; None where there is none.

    An answer begins with a given `def leaf(`. Most models go on from there; some write the whole signature after it, in
    a block of its own or after a sentence, and then that one counts. What has no parameter where the first one must be
    is no signature. `self`, `cls`, `*args`, `**kwargs` and comments beside the parameters do not count. Of an answer
    that breaks off inside the brackets, those that are there count; nothing at all is no signature.
    """
    text = answer[:_MOST_READ]
    for begin in islice(re.finditer(rf"(?<!\w){re.escape(leaf)}\(", text), _MOST_TRIED):
        rest = text[begin.end() :]
        parts = _parts(_COMMENT.sub("", rest))
        if rest.strip() and _PARAMETER.match(parts[0]):
            names = (_NAME.match(part) for part in parts)
            return frozenset(name[1] for name in names if name) - _SELF
    return None


def f1(found: frozenset[str], true: frozenset[str]) -> float:
    """Twice the shared names over all names; 0 where nothing is shared."""
    return 2 * len(found & true) / (len(found) + len(true)) if found or true else 0.0


def _existence(library: str, api_name: str) -> str:
    return f"Does `{api_name}` exist in the Python library {library}? "


def _parts(text: str) -> list[str]:
    """`text` up to the bracket that closes it, cut at its commas of the outermost level."""
    parts, depth = [""], 0
    for character in text:
        if character in ")]}" and depth == 0:
            break
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts

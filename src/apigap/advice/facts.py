"""All that is known of one API when advice on its documentation is given: its release, and the answers about it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apigap.records.candidate import Candidate, Parameter
from apigap.records.knowledge import Exemplar, KnowledgeBundle
from apigap.records.result import FailureLabel
from apigap.reporting.cells import Need
from apigap.reporting.model import SampleEntry

_EXAMPLE = re.compile(r">>>|^\s*```|code-block::|^\s*(?:Examples?|Usage)\b.*$|::\s*$", re.MULTILINE | re.IGNORECASE)
_MOST = 3
_SENTENCE = 4
"""Words of which the end of a message says something by itself."""
_LONGEST = 200


@dataclass(frozen=True)
class ApiFacts:
    """The candidate, its bundle where it has one, and the samples about it: those without help, and all that cured.

    `cures` are sentences by component (`exemplars`, `parameters`, `prose`, `code`) with which the model could use it.
    `refused` are answers of any condition that it refused when it ran; `classes` are those that the release brought.
    """

    candidate: Candidate
    bundle: KnowledgeBundle | None = None
    need: Need = "unknown"
    without_help: Sequence[SampleEntry] = ()
    cures: Mapping[str, str] | None = None
    refused: Sequence[SampleEntry] = ()
    classes: Sequence[Candidate] = ()

    @property
    def docstring(self) -> str:
        """Its docstring, empty where it has none."""
        return (self.candidate.docstring or "").strip()

    @property
    def shows_use(self) -> bool:
        """True where the docstring has an example."""
        return bool(_EXAMPLE.search(self.docstring))

    @property
    def example(self) -> Exemplar | None:
        """The shortest example that ran in the release; one that somebody wrote goes before one that was made up."""
        ran = [one for one in (self.bundle.exemplars if self.bundle else ()) if one.status == "executed"]
        return min(ran, key=lambda one: (one.source.startswith("constructed"), len(one.code)), default=None)

    @property
    def parameters(self) -> Sequence[Parameter]:
        """Its parameters with what the docstring says of each, those that changed first; no `*args`."""
        surface = self.bundle.surface.parameters if self.bundle else self.candidate.parameters
        changed = {change.parameter for change in self.candidate.changes}
        own = [one for one in surface if not one.kind.startswith("var_") and one.name not in ("self", "cls")]
        return sorted(own, key=lambda one: one.name not in changed)

    @property
    def failed(self) -> list[SampleEntry]:
        """The samples without help that failed."""
        return [sample for sample in self.without_help if sample.outcome == "fail"]

    def failures(self, *labels: FailureLabel, naming: str = "") -> list[str]:
        """Reasons for failures without help with these labels, each once; with `naming` only those that name it."""
        told = [_told(sample) for sample in self.failed if sample.label in labels]
        chosen = [text for text in dict.fromkeys(told) if not naming or re.search(rf"\b{re.escape(naming)}\b", text)]
        return [f"a failed answer: {text}" for text in chosen[:_MOST]]

    @property
    def refusals(self) -> Mapping[str, int]:
        """Exceptions that answers met on calling it, unless the docstring tells of them, with the number of answers."""
        told = Counter(" ".join((one.exception or "").split()) for one in self.refused)
        return {text: count for text, count in told.most_common() if text and _said(text) not in self.docstring}

    def keys_of(self, parameter: Parameter) -> tuple[str, Sequence[str]] | None:
        """The class that a parameter is annotated with and its fields, where the release brought it and the docstring
        names less than half of them.
        """
        words = set(re.findall(r"\w+", parameter.annotation or ""))
        for one in self.classes:
            name = one.api_name.rpartition(".")[2]
            fields = [field.name for field in one.parameters if field.name != "self"]
            silent = [field for field in fields if not re.search(rf"\b{re.escape(field)}\b", self.docstring)]
            if name in words and one.api_name != self.candidate.api_name and len(silent) > len(fields) / 2:
                return name, fields
        return None

    def cured_by(self, component: str) -> list[str]:
        """The sentence on a component that cured, if it did."""
        found = (self.cures or {}).get(component)
        return [found] if found else []

    def mentions_version(self, parameter: str | None = None) -> bool:
        """True where the library writes when the API, or a parameter of it, came or changed, beside the API itself."""
        kinds = ("versionadded", "versionchanged")
        return any(
            one.kind in kinds and one.in_series and (parameter is None or one.parameter in (parameter, None))
            for one in self.candidate.mentions
        )


def _said(exception: str) -> str:
    """The words of an exception's line without its type, and without what stands before every message of a library."""
    message, last = exception.partition(": ")[2], exception.rpartition(": ")[2]
    return last if len(last.split()) >= _SENTENCE else message


def _told(sample: SampleEntry) -> str:
    text = " ".join((sample.reason or sample.exception or sample.label or "").split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

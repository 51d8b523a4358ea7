"""Retirements put together: the terms of one comparison, the sentence that says most, and what takes a place."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from apigap.discovery.retired.advice import Successors, parameter_named_in, words_named_instead
from apigap.discovery.retired.decorators import Told
from apigap.records.retired import Notice, Retirement, RetirementKind

_RENAMED = re.compile(r"\brenam", re.IGNORECASE)


@dataclass(frozen=True)
class Recorder:
    """Makes the records of one comparison."""

    library: str
    old_version: str | None
    new_version: str
    successors: Successors

    def record(
        self,
        kind: RetirementKind,
        old_name: str,
        api_kind: object,
        parameter: str | None,
        replacement: str | None,
        advice: str,
        evidence: tuple[Notice, ...],
        *,
        before: bool = False,
        old_default: str | None = None,
        new_default: str | None = None,
    ) -> Retirement:
        """One retirement between the two releases."""
        return Retirement.model_validate(
            {
                "kind": kind, "library": self.library, "old_version": self.old_version,
                "new_version": self.new_version, "old_name": old_name, "api_kind": api_kind,
                "parameter": parameter, "replacement": replacement, "advice": advice, "evidence": evidence,
                "before": before, "old_default": old_default, "new_default": new_default,
            }
        )  # fmt: skip

    def successor(self, path: str, told: Iterable[Told], texts: Iterable[str]) -> str | None:
        """The API that takes the place of `path`: what the notices name by itself, then what the texts say."""
        for one in told:
            found = self.successors.resolve(one.successor, path) if one.successor else None
            if found and found != path:
                return found
        return next((found for text in texts if (found := self.successors.named_in(text, path))), None)


def notices_of(told: Iterable[Told]) -> tuple[Notice, ...]:
    """The notices as evidence."""
    return tuple(Notice(kind=one.kind, where=one.where, text=one.text) for one in told)


def successor_of_parameter(name: str, told: Iterable[Told], names: frozenset[str]) -> str | None:
    """The parameter among `names` that takes the place of `name`, as the notices say."""
    for one in told:
        if one.successor in names:
            return one.successor
        if found := parameter_named_in(one.text, name, names):
            return found
    return None


def says_renamed(texts: Iterable[str]) -> bool:
    """Check for a text that speaks of another name."""
    return any(_RENAMED.search(text) for text in texts)


def sentence(texts: Iterable[str]) -> str:
    """The text that says most: the first one that names something to use, else the first."""
    known = [text for text in texts if text]
    return next((text for text in known if any(words_named_instead(text))), known[0] if known else "")


def telling_sentence(docstring: str) -> str:
    """The sentence of a docstring that says what to use instead, or that it is deprecated; else its first paragraph."""
    head = re.split(r"\n(?:Parameters|Args|Returns|Examples)\b", docstring, maxsplit=1)[0]
    sentences = re.split(r"(?<=[.!])\s+", " ".join(head.split()))
    telling = [text for text in sentences if re.search(r"\binstead\b", text)]
    telling += [text for text in sentences if "deprecat" in text.lower()]
    return (telling or [" ".join(docstring.partition("\n\n")[0].split())])[0][:300]

"""Parts of a new release that it calls deprecated: APIs, their parameters, modules, members of nested classes."""

import re
from collections.abc import Iterator, Sequence

from apigap.discovery.diff import Finding
from apigap.discovery.evidence.directives import directives_in
from apigap.discovery.retired.advice import parameter_named_in
from apigap.discovery.retired.decorators import Told
from apigap.discovery.retired.parameter_changes import directives_on_parameters, takes_any_keyword
from apigap.discovery.retired.recorder import Recorder, notices_of, sentence, telling_sentence
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.warned import speaks_of
from apigap.discovery.surface import Entry
from apigap.records.retired import Notice, Retirement

_OF_USES = re.compile(
    r"\b(?:with(?:out| no)|requires?|when|if|passing|support for)\b.*deprecat"
    r"|\bby position\b|\bfollowing \w+\b.*deprecat|^this (?:keyword|argument|parameter|option|flag)\b",
    re.IGNORECASE,
)
_USE = re.compile(r"\w+ing\b[^.;]*?\b(?:is|are|has been|was) (?:now )?deprecated", re.IGNORECASE)
_EMPHASISED = re.compile(r"\*(\w+)\*(?:\s|$)")
_IS_NAME = re.compile(r"[A-Za-z_.][\w.]*(?:\(.*\))?$")
_SUBJECT = re.compile(
    r"(?:the\s+|passing\s+|using\s+)*`+([^`]+)`+(?:\s+\w+){0,5}?\s+(?:is|are|was|were)\s+deprecated", re.IGNORECASE
)
_OF_A_THING = re.compile(r"`\s+(?:element|option|directive|format|value|unit|field|key|setting)s?\b", re.IGNORECASE)


class Deprecations:
    """Finds the deprecations between two releases, of which `findings` are the differences."""

    def __init__(self, old: Release, new: Release, findings: Sequence[Finding], recorder: Recorder) -> None:
        self._old, self._new = old, new
        self._findings = findings
        self._recorder = recorder

    def found(self) -> Iterator[Retirement]:
        """The deprecations; the parameters and members of what is itself deprecated are told by it."""
        former = {path: entry for entry in self._old.surface.entries for path in entry.paths}
        owners = {entry.name for entry in self._new.surface.entries if self._is_deprecated(entry)}
        for finding in self._findings:
            entry = finding.entry
            was = finding.former.entry if finding.former else former.get(entry.name)
            if finding.verdict == "removed" or was is None or not entry.evidence or entry.owner in owners:
                continue
            if entry.name in owners:
                whole = self._object(entry, was)
                if whole is not None:
                    yield whole
            else:
                yield from self._parameters(entry, was)
                yield from self._nested(entry) if entry.kind == "class" else ()
        yield from self._modules()

    def _is_deprecated(self, entry: Entry) -> bool:
        return entry.deprecated or any(one.parameter is None for one in self._new.told(entry))

    def _object(self, entry: Entry, was: Entry) -> Retirement | None:
        told = [one for one in self._new.told(entry) if one.parameter is None]
        directives = [one for one in directives_in(entry.docstring or "") if one.kind == "deprecated"]
        whole = [one for one in directives if one.part == "object" and not _is_of_a_part(one.text, entry)]
        is_warning_class = entry.kind == "class" and entry.leaf in self._new.notices.classes
        if not told and not whole and (directives or is_warning_class):
            return None  # its first words are on what it warns of
        texts = [*(one.text for one in told), *(one.text for one in whole)]
        if not any(texts):
            texts = [*texts, telling_sentence(entry.docstring or "")]
        evidence = (
            *notices_of(told),
            *(Notice(kind="directive", where=entry.name, text=one.text) for one in whole),
        ) or (Notice(kind="directive", where=entry.name, text=texts[-1]),)
        before = was.deprecated or any(one.parameter is None for one in self._old.told(was))
        replacement = self._recorder.successor(entry.name, told, texts)
        return self._recorder.record(
            "deprecated", entry.name, entry.kind, None, replacement, sentence(texts), evidence, before=before
        )

    def _parameters(self, entry: Entry, was: Entry) -> Iterator[Retirement]:
        names = frozenset(parameter.name for parameter in entry.parameters or ())
        for name, texts, evidence, successor in self._told_of_parameters(entry):
            known = {parameter.name for parameter in was.parameters or ()}
            if name not in known and not (takes_any_keyword(was) and self._knew(was, name)):
                continue
            replacement = successor if successor in names else None
            replacement = replacement or next(
                (found for text in texts if (found := parameter_named_in(text, name, names))), None
            )
            before = any(one.parameter == name for one in self._old.told(was))
            yield self._recorder.record(
                "deprecated", entry.name, "parameter", name, replacement, sentence(texts), evidence, before=before
            )

    def _knew(self, was: Entry, keyword: str) -> bool:
        """Check that the old release takes a keyword among any: it is written there, or spoken of."""
        is_told = any(one.parameter == keyword for one in self._old.told(was))
        return is_told or self._old.mentions(was, keyword) or speaks_of(was.docstring or "", keyword)

    def _told_of_parameters(self, entry: Entry) -> Iterator[tuple[str, list[str], tuple[Notice, ...], str | None]]:
        found: dict[str, tuple[list[str], list[Notice], list[str]]] = {}
        for one in self._new.told(entry):
            if one.parameter is not None and one.warns:
                texts, notices, successors = found.setdefault(one.parameter, ([], [], []))
                texts.append(one.text)
                notices += notices_of([one])
                successors += [one.successor] if one.successor else []
        for name, directive in directives_on_parameters(entry):
            texts, notices, _ = found.setdefault(name, ([], [], []))
            texts.append(directive.text)
            notices.append(Notice(kind="directive", where=entry.name, text=directive.text))
        for name, (texts, notices, successors) in found.items():
            yield name, texts, tuple(notices), next(iter(successors), None)

    def _nested(self, entry: Entry) -> Iterator[Retirement]:
        """Members of classes within a public class, which are on no surface; both sources must define them."""
        module = self._new.module_of(entry)
        for one in self._new.notices.below(module, entry.qualname or ""):
            inner = one.home.removeprefix(f"{module}:{entry.qualname}.")
            if one.home in self._old.notices.homes and not any(part.startswith("_") for part in inner.split(".")):
                yield self._told(f"{entry.name}.{inner}", "method", one, self._old.notices.of(*_split(one.home)))

    def _modules(self) -> Iterator[Retirement]:
        """Modules that warn when they are imported, the outermost alone."""
        shared = {*self._old.surface.modules} & {*self._new.surface.modules}
        told = {module: one for module in shared for one in self._new.notices.of(module, "")[:1]}
        for module in sorted(told):
            if not any(module.startswith(f"{other}.") for other in told):
                yield self._told(module, "module", told[module], self._old.notices.of(module, ""))

    def _told(self, name: str, kind: str, one: Told, before: Sequence[Told]) -> Retirement:
        replacement = self._recorder.successor(name, [one], [one.text])
        return self._recorder.record(
            "deprecated", name, "parameter" if one.parameter else kind, one.parameter, replacement, one.text,
            notices_of([one]), before=any(other.parameter == one.parameter for other in before),
        )  # fmt: skip


def _is_of_a_part(text: str, entry: Entry) -> bool:
    """Check for words on some uses of an API, on one of its parameters, or on a value that is no name."""
    use = _USE.match(text)
    if _OF_USES.search(text) or (use and not re.search(rf"\b(?:this|{re.escape(entry.leaf)})\b", use[0])):
        return True
    emphasised, subject = _EMPHASISED.match(text), _SUBJECT.match(text)
    if emphasised is not None:
        return emphasised[1] != entry.leaf  # a parameter, which may have gone since
    parameters = {parameter.name for parameter in entry.parameters or ()}
    if subject is None:
        return False
    return subject[1] in parameters or not _IS_NAME.match(subject[1]) or _OF_A_THING.search(subject[0]) is not None


def _split(home: str) -> tuple[str, str]:
    module, _, qualname = home.partition(":")
    return module, qualname

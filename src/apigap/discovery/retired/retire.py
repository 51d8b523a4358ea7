"""Retirements of a release, by all that tells of them: both surfaces, the release itself, its source, its changelog."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from apigap.discovery.diff import Finding
from apigap.discovery.evidence.changelog import Note
from apigap.discovery.evidence.directives import directives_in
from apigap.discovery.old_surface import OldApi
from apigap.discovery.retired.advice import Successors, other_distribution, parameter_named_in, words_named_instead
from apigap.discovery.retired.asked import Answer, Answers
from apigap.discovery.retired.decorators import Told
from apigap.discovery.retired.lost_names import LostName, lost_names
from apigap.discovery.retired.notices import Notices
from apigap.discovery.retired.parameter_changes import by_place, directives_on_parameters, is_sure, tells_a_value
from apigap.discovery.retired.wrapper_keywords import lost_keywords
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Change
from apigap.records.retired import Notice, Retirement, RetirementKind

_RENAMED = re.compile(r"\brenam", re.IGNORECASE)
_OF_USES = re.compile(
    r"\b(?:with(?:out| no)|requires?|when|if|passing|support for)\b.*deprecat"
    r"|\bby position\b|^this (?:keyword|argument|parameter|option|flag)\b",
    re.IGNORECASE,
)
_WENT = re.compile(r"remov|renam|deprecat|replac|\bmov(?:ed|ing)\b|dropp|expire|delet|no longer|instead", re.IGNORECASE)
_TELLS = re.compile(r"deprecat|remov|renam|instead|no longer|replaced|use ", re.IGNORECASE)


@dataclass(frozen=True)
class Release:
    """One side of the comparison: its surface, and the deprecations that its source writes down."""

    surface: Surface
    notices: Notices

    def told(self, entry: Entry) -> tuple[Told, ...]:
        """The notices of the source on an entry and its parameters."""
        return self.notices.of(entry.defined_in, entry.qualname)


class Retirements:
    """Finds the retirements between `old` and `new`, of which `findings` are the differences.

    `notes_about` gives the lines of the changelog that name an entry, `written` tells whether the old release's own
    documents and programs write a path. `answers` are those of the new release to the names of `lost` and
    `less_taken`; None where it cannot be asked, being read as text.
    """

    def __init__(
        self,
        old: Release,
        new: Release,
        findings: Sequence[Finding],
        notes_about: Callable[[Entry], Sequence[Note]],
        written: Callable[[str], bool],
        library: str,
    ) -> None:
        self._old, self._new = old, new
        self._findings = findings
        self._notes_about = notes_about
        self._library = library
        self._successors = Successors(new.surface)
        self.lost: list[LostName] = lost_names(old.surface, new.surface, findings, written)

    @property
    def less_taken(self) -> list[str]:
        """The APIs of the new release that lost a parameter by their signature: a wrapper may still take it."""
        lost = ("parameter removed", "parameter renamed")
        return [one.entry.name for one in self._findings if any(change.what in lost for change in one.changes)]

    def found(self, answers: Answers | None) -> tuple[Retirement, ...]:
        """The retirements by name; a name, or a parameter of it, has one."""
        kept: dict[tuple[str, str], Retirement] = {}
        sources = (
            self._of_lost_names(answers), self._of_changes(answers or {}), self._of_wrappers(), self._deprecated()
        )  # fmt: skip
        for one in (one for source in sources for one in source):
            kept.setdefault((one.old_name, one.parameter or ""), one)
        whole = {one.old_name for one in kept.values() if one.parameter is None and one.kind != "deprecated"}
        modules = tuple(f"{one.old_name}." for one in kept.values() if one.api_kind == "module")
        for key, one in list(kept.items()):
            if one.kind == "removed" and one.replacement is None and one.old_name.startswith(modules):
                del kept[key]  # the module tells it
        return tuple(sorted((one for one in kept.values() if not _told_by_owner(one, whole)), key=lambda one: one.key))

    def _of_lost_names(self, answers: Answers | None) -> Iterator[Retirement]:
        for lost in self.lost:
            answer = answers.get(lost.path) if answers is not None else Answer("gone", "")
            if answer is None or answer.state == "there":
                continue
            yield self._lost(lost, answer)

    def _lost(self, lost: LostName, answer: Answer) -> Retirement:
        told = [one for one in (self._old.told(lost.entry) if lost.entry else ()) if one.parameter is None]
        notes = self._notes_on(lost.entry, lost.path)
        texts = [answer.text] if _TELLS.search(answer.text) else []
        texts += [one.text for one in told] + [note.whole for note in notes]
        asked = self._successors.named_in(answer.text, lost.path)  # the library's own word comes first
        replacement = asked or lost.now or self._successor(lost.path, told, texts)
        if asked is None and other_distribution(answer.text, self._new.surface.tops):
            replacement = None  # what still lies about under another path is not what to use
        kind = _kind_of(lost, answer, replacement, texts)
        evidence = (
            Notice(kind="surface", where=lost.path, text=f"{lost.path} is in {self._old.surface.version} alone"),
            *((Notice(kind="asked", where=lost.path, text=answer.text),) if answer.text else ()),
            *(Notice(kind=one.kind, where=one.where, text=one.text) for one in told),
            *(Notice(kind="changelog", where=note.where, text=note.whole) for note in notes[:3]),
        )
        return self._record(
            kind, lost.path, lost.kind, None, replacement, _sentence(texts), evidence,
            before=bool(told) or bool(lost.entry and lost.entry.deprecated),
        )  # fmt: skip

    def _notes_on(self, entry: Entry | None, path: str) -> list[Note]:
        """The lines of the changelog that say that what stood at `path` went."""
        notes = self._notes_about(entry) if entry is not None else ()
        leaf = path.rpartition(".")[2]
        return [note for note in notes if _WENT.search(note.whole) and leaf in note.whole]

    def _successor(self, path: str, told: Iterable[Told], texts: Iterable[str]) -> str | None:
        for one in told:
            found = self._successors.resolve(one.successor, path) if one.successor else None
            if found:
                return found
        return next((found for text in texts if (found := self._successors.named_in(text, path))), None)

    def _of_changes(self, answers: Answers) -> Iterator[Retirement]:
        for finding in self._findings:
            if finding.verdict != "modified" or finding.former is None:
                continue
            answer = answers.get(finding.entry.name)
            takes_any = any(parameter.kind == "var_keyword" for parameter in finding.entry.parameters or ())
            takes_any = takes_any or (answer is not None and answer.text == "open")
            for change in finding.changes:
                if change.what == "default changed" and tells_a_value(change):
                    yield self._changed_default(finding, finding.former, change)
                elif change.what in ("parameter removed", "parameter renamed") and not takes_any:
                    yield from self._lost_parameter(finding, finding.former, change)

    def _changed_default(self, finding: Finding, former: OldApi, change: Change) -> Retirement:
        where = Notice(kind="surface", where=former.path, text=f"{change.parameter}: {change.old} -> {change.new}")
        return self._record(
            "default changed", former.path, finding.entry.kind, change.parameter, None, "", (where,),
            old_default=change.old, new_default=change.new,
        )  # fmt: skip

    def _lost_parameter(self, finding: Finding, former: OldApi, change: Change) -> Iterator[Retirement]:
        name = change.old if change.what == "parameter renamed" else change.parameter
        was = next((p for p in former.entry.parameters or () if p.name == name), None)
        if name is None or was is None or was.kind in ("positional_only", "var_positional", "var_keyword"):
            return
        if was.required and change.what == "parameter removed" and by_place(finding.entry) >= by_place(former.entry):
            return  # it is passed by its place, which is still there under another name
        if any(one.parameter == name for one in self._new.told(finding.entry)):
            return  # it is taken still, with a warning
        told = [one for one in self._old.told(former.entry) if one.parameter == name]
        renamed = change.parameter if change.what == "parameter renamed" and is_sure(change, was) else None
        names = frozenset(parameter.name for parameter in finding.entry.parameters or ())
        replacement = renamed or _successor_of_parameter(name, told, names)
        kind: RetirementKind = "renamed" if renamed or (replacement and _says_renamed(told)) else "removed"
        evidence = (
            Notice(kind="surface", where=former.path, text=f"{change.what}: {change.old} -> {change.new}"),
            *(Notice(kind=one.kind, where=one.where, text=one.text) for one in told),
        )
        yield self._record(
            kind, former.path, "parameter", name, replacement, _sentence(one.text for one in told), evidence,
            before=any(one.warns for one in told),
        )  # fmt: skip

    def _of_wrappers(self) -> Iterator[Retirement]:
        for finding, former, told in lost_keywords(self._old.told, self._new.told, self._findings):
            names = frozenset(parameter.name for parameter in finding.entry.parameters or ())
            replacement = _successor_of_parameter(told.parameter or "", [told], names)
            kind: RetirementKind = "renamed" if replacement and _says_renamed([told]) else "removed"
            notice = Notice(kind="decorator", where=told.where, text=told.text)
            yield self._record(
                kind, former.path, "parameter", told.parameter, replacement, told.text, (notice,), before=told.warns
            )

    def _deprecated(self) -> Iterator[Retirement]:
        former = {path: entry for entry in self._old.surface.entries for path in entry.paths}
        owners = {entry.name for entry in self._new.surface.entries if self._is_deprecated(entry)}
        for finding in self._findings:
            entry = finding.entry
            was = finding.former.entry if finding.former else former.get(entry.name)
            if finding.verdict == "removed" or was is None or not entry.evidence or entry.owner in owners:
                continue
            if entry.name in owners:
                whole = self._deprecated_object(entry, was)
                if whole is not None:
                    yield whole
            else:
                yield from self._deprecated_parameters(entry, was)

    def _is_deprecated(self, entry: Entry) -> bool:
        return entry.deprecated or any(one.parameter is None for one in self._new.told(entry))

    def _deprecated_object(self, entry: Entry, was: Entry) -> Retirement | None:
        told = [one for one in self._new.told(entry) if one.parameter is None]
        directives = [one for one in directives_in(entry.docstring or "") if one.kind == "deprecated"]
        whole = [one for one in directives if one.part == "object" and not _OF_USES.search(one.text)]
        if not told and directives and not whole:
            return None
        texts = [*(one.text for one in told), *(one.text for one in whole)]
        if not any(texts):
            texts = [*texts, _telling_sentence(entry.docstring or "")]
        evidence = (
            *(Notice(kind=one.kind, where=one.where, text=one.text) for one in told),
            *(Notice(kind="directive", where=entry.name, text=one.text) for one in whole),
        ) or (Notice(kind="directive", where=entry.name, text=texts[-1]),)
        before = was.deprecated or any(one.parameter is None for one in self._old.told(was))
        replacement = self._successor(entry.name, told, texts)
        return self._record(
            "deprecated", entry.name, entry.kind, None, replacement, _sentence(texts), evidence, before=before
        )

    def _deprecated_parameters(self, entry: Entry, was: Entry) -> Iterator[Retirement]:
        names = frozenset(parameter.name for parameter in entry.parameters or ())
        for name, texts, evidence, successor in self._told_of_parameters(entry):
            known = {parameter.name for parameter in was.parameters or ()}
            if name not in known and not any(p.kind == "var_keyword" for p in was.parameters or ()):
                continue
            replacement = successor if successor in names else None
            replacement = replacement or next(
                (found for text in texts if (found := parameter_named_in(text, name, names))), None
            )
            before = any(one.parameter == name for one in self._old.told(was))
            yield self._record(
                "deprecated", entry.name, "parameter", name, replacement, _sentence(texts), evidence, before=before
            )

    def _told_of_parameters(self, entry: Entry) -> Iterator[tuple[str, list[str], tuple[Notice, ...], str | None]]:
        found: dict[str, tuple[list[str], list[Notice], list[str]]] = {}
        for one in self._new.told(entry):
            if one.parameter is not None and one.warns:
                texts, notices, successors = found.setdefault(one.parameter, ([], [], []))
                texts.append(one.text)
                notices.append(Notice(kind=one.kind, where=one.where, text=one.text))
                successors += [one.successor] if one.successor else []
        for name, directive in directives_on_parameters(entry):
            texts, notices, _ = found.setdefault(name, ([], [], []))
            texts.append(directive.text)
            notices.append(Notice(kind="directive", where=entry.name, text=directive.text))
        for name, (texts, notices, successors) in found.items():
            yield name, texts, tuple(notices), next(iter(successors), None)

    def _record(
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
        return Retirement.model_validate(
            {
                "kind": kind, "library": self._library, "old_version": self._old.surface.version,
                "new_version": self._new.surface.version or "", "old_name": old_name, "api_kind": api_kind,
                "parameter": parameter, "replacement": replacement, "advice": advice, "evidence": evidence,
                "before": before, "old_default": old_default, "new_default": new_default,
            }
        )  # fmt: skip


def _kind_of(lost: LostName, answer: Answer, replacement: str | None, texts: Sequence[str]) -> RetirementKind:
    """A name that still works and warns is deprecated; one whose object is elsewhere moved, or has another name."""
    if answer.state == "warns":
        return "deprecated"
    if replacement is None:
        return "removed"
    same_leaf = replacement.rpartition(".")[2] == lost.path.rpartition(".")[2]
    if lost.now is not None:
        return "moved" if same_leaf else "renamed"
    return "renamed" if not same_leaf and any(_RENAMED.search(text) for text in texts) else "removed"


def _told_by_owner(one: Retirement, whole: set[str]) -> bool:
    """Check that a class or function which is gone tells it already."""
    return (one.parameter is not None and one.old_name in whole) or one.old_name.rpartition(".")[0] in whole


def _successor_of_parameter(name: str, told: Iterable[Told], names: frozenset[str]) -> str | None:
    for one in told:
        if one.successor in names:
            return one.successor
        if found := parameter_named_in(one.text, name, names):
            return found
    return None


def _says_renamed(told: Iterable[Told]) -> bool:
    return any(one.successor or _RENAMED.search(one.text) for one in told)


def _sentence(texts: Iterable[str]) -> str:
    """The text that says most: the first one that names something to use, else the first."""
    known = [text for text in texts if text]
    return next((text for text in known if any(words_named_instead(text))), known[0] if known else "")


def _telling_sentence(docstring: str) -> str:
    """The sentence of a docstring that says what to use instead, or that it is deprecated; else its first paragraph."""
    head = re.split(r"\n(?:Parameters|Args|Returns|Examples)\b", docstring, maxsplit=1)[0]
    sentences = re.split(r"(?<=[.!])\s+", " ".join(head.split()))
    telling = [text for text in sentences if re.search(r"\binstead\b", text)]
    telling += [text for text in sentences if "deprecat" in text.lower()]
    return (telling or [" ".join(docstring.partition("\n\n")[0].split())])[0][:300]

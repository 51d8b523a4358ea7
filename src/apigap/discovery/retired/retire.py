"""Retirements of a release, by all that tells of them: both surfaces, the release itself, its source, its changelog."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from apigap.discovery.diff import Finding
from apigap.discovery.evidence.announced import WENT
from apigap.discovery.evidence.changelog import Note
from apigap.discovery.old_surface import OldApi
from apigap.discovery.retired.advice import Successors, other_distribution
from apigap.discovery.retired.asked import Answer, Answers
from apigap.discovery.retired.decorators import Told
from apigap.discovery.retired.deprecations import Deprecations
from apigap.discovery.retired.lost_names import LostName, Shown, lost_names
from apigap.discovery.retired.parameter_changes import (
    by_place,
    is_sure,
    is_told_by_code,
    names_the_release,
    stands_for_another,
    takes_any_keyword,
    tells_a_value,
    word_of,
)
from apigap.discovery.retired.recorder import Recorder, notices_of, says_renamed, sentence, successor_of_parameter
from apigap.discovery.retired.release import Release
from apigap.discovery.retired.wrapper_keywords import lost_keywords
from apigap.discovery.surface import Entry
from apigap.records.candidate import Change
from apigap.records.retired import Notice, RetiredKind, Retirement, RetirementKind

_TELLS = re.compile(r"deprecat|remov|renam|instead|no longer|replaced|\buse ", re.IGNORECASE)
_SAYS_GONE = re.compile(r"\b(?:deprecat|remov|renam|replaced\b|no longer\b)|\binstead\b", re.IGNORECASE)


class Retirements:
    """Finds the retirements between `old` and `new`, of which `findings` are the differences.

    `notes_about` gives the lines of the changelog that name an entry, `shown` tells how the old release shows a path.
    """

    def __init__(
        self,
        old: Release,
        new: Release,
        findings: Sequence[Finding],
        notes_about: Callable[[Entry], Sequence[Note]],
        shown: Shown,
        library: str,
    ) -> None:
        self._old, self._new = old, new
        self._findings = findings
        self._notes_about = notes_about
        self._successors = Successors(new.surface)
        self._recorder = Recorder(library, old.surface.version, new.surface.version or "", self._successors)
        self.lost: list[LostName] = lost_names(old.surface, new.surface, findings, shown)

    @property
    def less_taken(self) -> list[str]:
        """The APIs of the new release that lost a parameter by their signature: a wrapper may still take it."""
        lost = ("parameter removed", "parameter renamed")
        return [one.entry.name for one in self._findings if any(change.what in lost for change in one.changes)]

    @property
    def on_request(self) -> list[str]:
        """The names that public modules of either release give on request, and that no list of theirs has to show."""
        return self._below_public_modules(self._old.notices.on_request | self._new.notices.on_request)

    @property
    def by_hand(self) -> list[str]:
        """The modules below public ones that the code of the old release put in place: they have no file."""
        return self._below_public_modules(self._old.notices.by_hand)

    def _below_public_modules(self, names: Iterable[str]) -> list[str]:
        modules = {*self._old.surface.modules}
        return sorted(name for name in names if name.rpartition(".")[0] in modules and name not in modules)

    def found(self, answers: Answers | None, before: Answers | None = None) -> tuple[Retirement, ...]:
        """The retirements by name; a name, or a parameter of it, has one.

        `answers` are those of the new release to the names of `lost`, `less_taken`, `on_request` and `by_hand`,
        `before` those of the old one to the last two; None where a release cannot be asked, being read as text.
        """
        kept: dict[tuple[str, str], Retirement] = {}
        sources = (
            self._of_lost_names(answers), self._of_requests(answers or {}, before or {}),
            self._of_changes(answers or {}), self._of_wrappers(),
            Deprecations(self._old, self._new, self._findings, self._recorder).found(),
        )  # fmt: skip
        for one in (one for source in sources for one in source):
            kept.setdefault((one.old_name, one.parameter or ""), one)
        gone = [one for one in kept.values() if one.parameter is None and one.kind != "deprecated"]
        whole: dict[str, RetiredKind] = {one.old_name: one.api_kind for one in gone}
        modules = tuple(f"{one.old_name}." for one in kept.values() if one.api_kind == "module")
        for key, one in list(kept.items()):
            if one.kind == "removed" and one.replacement is None and one.old_name.startswith(modules):
                del kept[key]  # the module tells it
        told = (self._with_living_name(one) for one in kept.values() if not _told_by_owner(one, whole))
        return tuple(sorted(told, key=lambda one: one.key))

    def _with_living_name(self, one: Retirement) -> Retirement:
        """The same; of a module it says whether a function or class has its name now."""
        if one.api_kind != "module" or all(one.old_name not in entry.paths for entry in self._new.surface.entries):
            return one
        return one.model_copy(update={"name_lives": True})

    def _of_lost_names(self, answers: Answers | None) -> Iterator[Retirement]:
        for lost in self.lost:
            answer = answers.get(lost.path) if answers is not None else Answer("gone", "")
            if answers is None and lost.path in self._new.notices.on_request:
                continue
            is_file = answers is None and lost.kind == "module" and lost.path in self._new.notices.words
            if answer is None or is_file or _may_be_there(answer) or self._is_looked_up_now(lost):
                continue
            if ".".join(lost.path.split(".")[-2:]) in self._new.notices.lent:
                continue  # the code of another puts it there, while a program runs
            yield self._lost(lost, answer)

    def _is_looked_up_now(self, lost: LostName) -> bool:
        """Check for a property of a class that has a `__getattr__` now: objects may have the attribute still, but for
        one that was announced to go.
        """
        if lost.entry is None or lost.entry.kind != "property" or self._old.told(lost.entry):
            return False
        owners = (release.entry(lost.entry.owner or "") for release in (self._old, self._new))
        before, now = (side.looks_up(cls) for side, cls in zip((self._old, self._new), owners, strict=True))
        return now and not before

    def _lost(self, lost: LostName, answer: Answer) -> Retirement:
        told = [one for one in (self._old.told(lost.entry) if lost.entry else ()) if one.parameter is None]
        notes = self._notes_on(lost.entry, lost.path)
        texts = [answer.text] if _TELLS.search(answer.text) else []
        texts += [one.text for one in told] + [note.whole for note in notes]
        asked = self._successors.named_in(answer.text, lost.path)  # the library's own word comes first
        replacement = asked or lost.now or self._recorder.successor(lost.path, told, texts)
        if asked is None and other_distribution(answer.text, self._new.surface.tops):
            replacement = None  # what still lies about under another path is not what to use
        kind = _kind_of(lost, answer, replacement, texts)
        evidence = (
            Notice(kind="surface", where=lost.path, text=f"{lost.path} is in {self._old.surface.version} alone"),
            *((Notice(kind="asked", where=lost.path, text=answer.text),) if answer.text else ()),
            *notices_of(told),
            *(Notice(kind="changelog", where=note.where, text=note.whole) for note in notes[:3]),
        )
        return self._recorder.record(
            kind, lost.path, lost.kind, None, replacement, sentence(texts), evidence,
            before=bool(told) or bool(lost.entry and lost.entry.deprecated),
        )  # fmt: skip

    def _notes_on(self, entry: Entry | None, path: str) -> list[Note]:
        """The lines of the changelog that say that what stood at `path` went."""
        notes = self._notes_about(entry) if entry is not None else ()
        leaf = path.rpartition(".")[2]
        return [note for note in notes if WENT.search(note.whole) and leaf in note.whole]

    def _of_requests(self, answers: Answers, before: Answers) -> Iterator[Retirement]:
        """Names that the old release gave without having them, and the new one gives no more, or with a warning."""
        for path in (*self.on_request, *self.by_hand):
            answer, was = answers.get(path), before.get(path)
            if answer is None or was is None or was.state in ("gone", "unread") or _may_be_there(answer):
                continue
            replacement = self._successors.named_in(answer.text, path) or self._successors.named_in(was.text, path)
            texts = [text for text in (answer.text, was.text) if _TELLS.search(text)]
            kind = _kind_of(LostName(path, was.kind), answer, replacement, texts)
            notice = Notice(kind="asked", where=path, text=answer.text)
            yield self._recorder.record(
                kind, path, was.kind, None, replacement, sentence(texts), (notice,), before=was.state == "warns"
            )

    def _of_changes(self, answers: Answers) -> Iterator[Retirement]:
        for finding in self._findings:
            if finding.verdict != "modified" or finding.former is None:
                continue
            if self._old.is_wrapped(finding.former.entry) or self._new.is_wrapped(finding.entry):
                continue  # the text does not tell what its callers pass
            answer = answers.get(finding.entry.name)
            takes_any = takes_any_keyword(finding.entry) or (answer is not None and answer.text == "open")
            for change in finding.changes:
                if change.what == "default changed":
                    if self._is_another_default(finding.former.entry, finding.entry, change):
                        yield self._changed_default(finding, finding.former, change)
                elif change.what in ("parameter removed", "parameter renamed"):
                    yield from self._lost_parameter(finding, finding.former, change, takes_any)

    def _is_another_default(self, former: Entry, entry: Entry, change: Change) -> bool:
        """Check for a default that means something else. A word does where both releases know both of them: else it may
        be another name of the same choice.
        """
        is_told = tells_a_value(change) and is_told_by_code(former, entry)
        if not is_told or names_the_release(change, self._old.surface.version, self._new.surface.version):
            return False
        old, new = word_of(change.old), word_of(change.new)
        if old is None or new is None:
            return True
        is_known_now = stands_for_another(change.old) or self._new.writes_word(entry, old)
        return is_known_now and self._old.writes_word(former, new)

    def _changed_default(self, finding: Finding, former: OldApi, change: Change) -> Retirement:
        where = Notice(kind="surface", where=former.path, text=f"{change.parameter}: {change.old} -> {change.new}")
        return self._recorder.record(
            "default changed", former.path, finding.entry.kind, change.parameter, None, "", (where,),
            old_default=change.old, new_default=change.new,
        )  # fmt: skip

    def _lost_parameter(
        self, finding: Finding, former: OldApi, change: Change, takes_any: bool
    ) -> Iterator[Retirement]:
        if not is_told_by_code(former.entry, finding.entry):
            return
        name = change.old if change.what == "parameter renamed" else change.parameter
        was = next((p for p in former.entry.parameters or () if p.name == name), None)
        if name is None or was is None or was.kind in ("positional_only", "var_positional", "var_keyword"):
            return
        if was.required and change.what == "parameter removed" and by_place(finding.entry) >= by_place(former.entry):
            return  # it is passed by its place, which is still there under another name
        if any(one.parameter == name for one in self._new.told(finding.entry)):
            return  # it is taken still, with a warning
        told = [one for one in self._old.told(former.entry) if one.parameter == name]
        may_be_taken = self._new.mentions(finding.entry, name) or self._new.passes_on(finding.entry, name)
        if takes_any and not (told and not may_be_taken):
            return  # it may be taken still, but for one that was announced to go and that is written no more
        renamed = (
            change.parameter
            if change.what == "parameter renamed" and is_sure(change, was, former.entry, finding.entry)
            else None
        )
        names = frozenset(parameter.name for parameter in finding.entry.parameters or ())
        replacement = renamed or successor_of_parameter(name, told, names)
        kind: RetirementKind = "renamed" if renamed or (replacement and _is_renamed(told)) else "removed"
        evidence = (
            Notice(kind="surface", where=former.path, text=f"{change.what}: {change.old} -> {change.new}"),
            *notices_of(told),
        )
        yield self._recorder.record(
            kind, former.path, "parameter", name, replacement, sentence(one.text for one in told), evidence,
            before=any(one.warns for one in told),
        )  # fmt: skip

    def _of_wrappers(self) -> Iterator[Retirement]:
        for finding, former, told in lost_keywords(self._old, self._new, self._findings):
            names = frozenset(parameter.name for parameter in finding.entry.parameters or ())
            replacement = successor_of_parameter(told.parameter or "", [told], names)
            kind: RetirementKind = "renamed" if replacement and _is_renamed([told]) else "removed"
            yield self._recorder.record(
                kind,
                former.path,
                "parameter",
                told.parameter,
                replacement,
                told.text,
                notices_of([told]),
                before=told.warns,
            )


def _may_be_there(answer: Answer) -> bool:
    """Check for a name that is there, or whose module lacks something here; a library's own words say that it went."""
    return answer.state == "there" or (answer.state == "unread" and not _SAYS_GONE.search(answer.text))


def _kind_of(lost: LostName, answer: Answer, replacement: str | None, texts: Sequence[str]) -> RetirementKind:
    """A name that still works and warns is deprecated; one whose object is elsewhere moved, or has another name."""
    if answer.state == "warns":
        return "deprecated"
    if replacement is None:
        return "removed"
    same_leaf = replacement.rpartition(".")[2] == lost.path.rpartition(".")[2]
    if lost.now is not None:
        return "moved" if same_leaf else "renamed"
    return "renamed" if not same_leaf and says_renamed(texts) else "removed"


def _told_by_owner(one: Retirement, whole: Mapping[str, RetiredKind]) -> bool:
    """Check that a class, function or module which is gone tells it already; a function may have a module's name."""
    of_function = one.parameter is not None and whole.get(one.old_name, "module") != "module"
    return of_function or one.old_name.rpartition(".")[0] in whole


def _is_renamed(told: Iterable[Told]) -> bool:
    return any(one.successor or says_renamed([one.text]) for one in told)

"""The search, from the host: programs that try old answers, then runs of what they found, compared as answers are."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast

from apigap.records.base import Json
from apigap.records.run import Program, RunRecord
from apigap.records.task import Task
from apigap.sandbox.verdict.comparison import differences
from apigap.tasks.worth.copies import leaf_of
from apigap.tasks.worth.old_answers.old_names import OldNames
from apigap.tasks.worth.old_answers.places import Place, places
from apigap.tasks.worth.old_answers.shown import shown_contexts

_INSIDE = Path(__file__).parent / "inside"
_MODULES = ("forms", "arguments", "everyday", "trials", "search")
_FUNCTIONS = 240
_STEP = 80
_SMALL = 8
_STEM = 5
_VERIFIED = 8
_BOOT = """\
import json, sys, types
sys.modules["inside"] = types.ModuleType("inside")
sys.modules["inside"].__path__ = []
for name, text in {files!r}:
    module = types.ModuleType("inside." + name)
    module.__package__ = "inside"
    sys.modules["inside." + name] = module
    exec(compile(text, name, "exec"), module.__dict__)
search = sys.modules["inside.search"]
job = json.loads({job!r})
"""


class Runs(Protocol):
    """Something that runs programs in the environment of the new release."""

    def run(self, programs: Sequence[Program]) -> list[RunRecord]:
        """The record of each program, in order."""
        ...


@dataclass(frozen=True)
class OldAnswers:
    """A search in one release for answers that its older one could give as well; `tops` are its import names."""

    runs: Runs
    names: OldNames
    tops: tuple[str, ...]

    def of(self, tasks: Sequence[Task], about: Mapping[str, str]) -> list[str | None]:
        """Of each task the old expressions that give what it shows, one for each call; None where there are none.

        `about` has what is written about each API, by its name. Same tasks, same answers, unless a machine is so slow
        that a call of half a second does not end.
        """
        work = [(task, place) for task in tasks for place in places(task.masked_region, leaf_of(task))]
        atoms = self._run([(_first(task, place), "kinds") for task, place in work])
        known = {number: cast("dict[str, Any]", one) for number, one in enumerate(atoms) if isinstance(one, dict)}
        reached = self._run([(self._members_job(*work[n], known[n], ()), "reached") for n in known])
        searches = [
            (n, job)
            for n, classes in zip(known, reached, strict=True)
            for job in self._jobs(*work[n], known[n], about.get(work[n][0].api_name, ""), classes)
        ]
        found: dict[int, list[dict[str, Any]]] = {}
        for number, matches in self._found(searches, _SMALL):
            found.setdefault(number, []).extend(cast("list[dict[str, Any]]", matches))
        chosen = [(number, self._verified(*work[number], found.get(number, []))) for number in range(len(work))]
        return [self._told([text for n, text in chosen if work[n][0] is task]) for task in tasks]

    def _found(self, searches: Sequence[tuple[int, dict[str, Json]]], step: int) -> Iterator[tuple[int, Any]]:
        """What each search found; one that a function ended is made again in steps, so that few others are lost."""
        again: list[tuple[int, dict[str, Json]]] = []
        for (number, job), matches in zip(searches, self._run([(job, "search") for _, job in searches]), strict=True):
            if matches is not None:
                yield number, matches
            elif step and job["functions"]:
                every = cast("list[Json]", job["functions"])
                parts = (every[start : start + step] for start in range(0, len(every), step))
                again += [(number, {**job, "functions": part}) for part in parts]
        if again:
            yield from self._found(again, 0)

    def _told(self, texts: Sequence[str | None]) -> str | None:
        given = [text for text in texts if text is not None]
        return ", ".join(dict.fromkeys(given)) if given and len(given) == len(texts) else None

    def _jobs(
        self, task: Task, place: Place, known: dict[str, Any], about: str, reached: Json
    ) -> list[dict[str, Json]]:
        """Jobs for the library's functions, some in each, and one for members and for all that others have."""
        members = self._members_job(task, place, known, cast("list[str]", reached or []))
        functions = self.names.functions(leaf_of(task), about, _FUNCTIONS)
        parts = [functions[start : start + _STEP] for start in range(0, len(functions), _STEP)]
        return [members, *({**members, "members": None, "functions": part} for part in parts)]

    def _members_job(self, task: Task, place: Place, known: dict[str, Any], reached: Sequence[str]) -> dict[str, Json]:
        """A job for members of the inputs, and of what these give, whose classes are `reached`."""
        members = self.names.members({*known["classes"], *reached})
        return {**_first(task, place), "atoms": known["atoms"], "tops": list(self.tops), "members": members}

    def _verified(self, task: Task, place: Place, found: Sequence[dict[str, Any]]) -> str | None:
        """The first expression that gives the reference's outcome in all that the description shows."""
        contexts = shown_contexts(task)
        if len(contexts) < 2:
            contexts = [one.context_code for one in task.harness.scenarios]
        observe = tuple(one.expression for one in task.harness.scenarios[0].observations)
        rated = [(one["parted"], not _is_alike(task, one["text"]), len(one["text"]), n) for n, one in enumerate(found)]
        chosen = [found[rate[3]] for rate in sorted(rated) if not (rate[0] and rate[1])][:_VERIFIED]
        codes = [place.completion(place.statement), *(place.completion(o["statement"], o["import"]) for o in chosen)]
        programs = [Program(context=c, completion=code, observe=observe, seed=1) for code in codes for c in contexts]
        runs = self.runs.run(programs)
        rows = [runs[start : start + len(contexts)] for start in range(0, len(runs), len(contexts))]
        for one, row in zip(chosen, rows[1:], strict=True):
            if all(map(_same, rows[0], row)) or (one["parted"] and self._parts_too(task, place, one, contexts[1:])):
                return str(one["text"])
        return None

    def _parts_too(self, task: Task, place: Place, one: dict[str, Any], contexts: Sequence[str]) -> bool:
        """Check in the other contexts for an expression that gives the same things in another collection."""
        jobs = [
            {**_first(task, place), "context": context, "only": [[one["text"], one["import"]]]} for context in contexts
        ]
        return all(bool(matches) for matches in self._run([(job, "search") for job in jobs]))

    def _run(self, jobs: Sequence[tuple[dict[str, Json], str]]) -> list[Json]:
        """What the part in the sandbox says of each job; None where it does not end."""
        search = "search.Search(job)"
        call = {"kinds": "search.kinds(job)", "reached": f"{search}.reached()", "search": f"{search}.run()"}
        programs = [
            Program(
                context=_BOOT.format(files=self._files, job=json.dumps(job)),
                completion=f"said = json.dumps({call[what]})",
                observe=("said",),
            )
            for job, what in jobs
        ]
        runs = self.runs.run(programs)
        return [json.loads(run.observed["said"]) if isinstance(run.observed.get("said"), str) else None for run in runs]

    @cached_property
    def _files(self) -> list[tuple[str, str]]:
        return [(name, (_INSIDE / f"{name}.py").read_text(encoding="utf-8")) for name in _MODULES]


def _first(task: Task, place: Place) -> dict[str, Json]:
    """The job of a place in the basic scenario, with nothing to try."""
    return {
        "context": task.context_code, "before": list(place.before), "hole": place.hole, "after": list(place.after),
        "reference": place.statement, "binds": place.binds, "name": place.name,
        "observe": [one.expression for one in task.harness.scenarios[0].observations], "atoms": list(place.atoms),
        "receiver": place.receiver, "keywords": dict(place.keywords), "functions": [], "members": None, "only": None,
        "target": task.api_name, "modified": task.change == "modified", "tops": [], "trivial": place.is_trivial,
    }  # fmt: skip


def _is_alike(task: Task, text: str) -> bool:
    """Check for a name in the expression that begins as a word of the API's name does, with five letters or all."""
    own = {word[:_STEM] for word in leaf_of(task).lower().split("_") if len(word) > 2}
    return bool(own & {word[:_STEM] for word in re.findall(r"[a-z]{3,}", text.lower())})


def _same(reference: RunRecord, other: RunRecord) -> bool:
    """Check that a run leaves what the reference leaves, whatever container it is in."""
    if reference.status != "completed" or other.status != "completed":
        return False
    return all(is_equal(value, other.observed.get(text)) for text, value in reference.observed.items())


def is_equal(value: Json, other: Json) -> bool:
    """Check that one would be taken for the other: a number of numpy for one of the language, too."""
    return not (differences(value, other, "any") and differences(other, value, "any"))

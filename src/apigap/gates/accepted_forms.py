"""The accepted forms of a task's results: each result in every other container, a check of what the task leaves open.

What is open must pass, judged like any answer; what is not must fail, and so must what holds the same and is no
container: an iterator, and a subclass.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from apigap.records.run import Program
from apigap.records.task import Observation, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial, basic_scenario, is_right, program_of
from apigap.tasks.open_containers import kind_of

_PARTS = {"array": "numpy", "column": "pandas"}
_SEQUENCES = ("list", "tuple", "array", "column")
_AS = {
    "list": "list({0})", "tuple": "tuple({0})", "array": "__import__('numpy').array({0})",
    "column": "__import__('pandas').Series({0})", "ordered": "__import__('collections').OrderedDict({0})",
    "read-only": "__import__('types').MappingProxyType({0})", "frozenset": "frozenset({0})",
}  # fmt: skip
_NEVER = {
    "iterator": "iter(list({0}))",
    "lying list": "type('list', (list,), {{'__eq__': lambda self, other: True}})({0})",
    "empty list": "[]",
}


@dataclass(frozen=True)
class Form:
    """One result in another container: `accepted` says whether the task leaves that open."""

    expression: str
    name: str
    code: str
    accepted: bool


@dataclass(frozen=True)
class TriedForm:
    """A form that was run; `problem` is what is wrong with it, if anything."""

    task: Task
    form: Form
    problem: str | None


def forms_of(task: Task, parts: Sequence[str]) -> list[Form]:
    """The forms of every result of `task` that is a bare name; `parts` are the array libraries that are there."""
    basic = basic_scenario(task)
    made: list[Form] = []
    for observation in basic.observations:
        forms = [
            o.expected for s in task.harness.scenarios for o in s.observations if o.expression == observation.expression
        ]
        if observation.expression.isidentifier():
            made += _forms(task, observation, forms, parts)
    return made


def try_forms(
    tasks: Sequence[Task], engine: Engine, environment: Environment, preload: Sequence[str]
) -> list[TriedForm]:
    """Run the forms of all `tasks`, accepted ones as answers, others as programs of which the values must differ."""
    parts = [name for name in _PARTS.values() if (Path(environment.site_packages) / name).is_dir()]
    rows = [(task, form) for task in tasks for form in forms_of(task, parts)]
    right = [row for row in rows if row[1].accepted]
    wrong = [row for row in rows if not row[1].accepted]
    trials = [Trial(task, form.code) for task, form in right]
    verdicts = judge_trials(engine, environment, trials, preload=preload)
    done = [
        TriedForm(task, form, None if verdict.outcome == "pass" else f"{verdict.outcome}: {verdict.detail['reason']}")
        for (task, form), verdict in zip(right, verdicts, strict=True)
    ]
    runs = engine.run(environment, [_program(task, form) for task, form in wrong], preload=preload)
    for (task, form), run in zip(wrong, runs, strict=True):
        passes = is_right(basic_scenario(task), run)
        done.append(TriedForm(task, form, "its values count as right" if passes else None))
    return done


def _forms(task: Task, observation: Observation, expected: Sequence[Any], parts: Sequence[str]) -> Iterator[Form]:
    name, free = observation.expression, observation.containers
    kinds = {kind_of(form) for form in expected}
    kind = next(iter(kinds)) if len(kinds) == 1 else None
    if kind is None:
        return

    def form(what: str, text: str, accepted: bool) -> Form:
        return Form(name, what, f"{task.masked_region.rstrip()}\n{name} = {text}\n", accepted)

    plain = name if kind not in ("array", "column") else f"{name}.tolist()"
    for other in _others(kind, observation.expected, expected, parts):
        yield form(other, _AS[other].format(plain), free == "any")
    inner = {"tuple" if "tuple" in item else "" if isinstance(item, dict) else "list" for item in _inner(expected)}
    if len(inner) == 1 and (found := inner.pop()):
        other = "list" if found == "tuple" else "tuple"
        yield form(f"{kind} of {other}s", _AS[kind].format(f"{other}(one) for one in {name}"), free is not None)
    if kind in ("list", "tuple") and any(expected):
        for what, text in _NEVER.items():
            if what != "empty list" or _items(observation.expected):  # which may be what is right where it is tried
                yield form(what, text.format(name), accepted=False)


def _others(kind: str, form: Any, expected: Sequence[Any], parts: Sequence[str]) -> list[str]:
    """The containers that can hold what is expected, in every scenario, and are not its own."""
    if kind == "dict":
        return ["ordered", "read-only"]
    if kind == "set":
        return ["frozenset"] if "set" in form else []
    if kind not in _SEQUENCES or kind == "column":
        return []
    flat = all(_is_flat(one) for one in expected)
    others = ["list", "tuple"]
    others += ["array"] if "numpy" in parts and all(_is_regular(one) for one in expected) else []
    others += ["column"] if flat and "pandas" in parts and all(_is_regular(one) for one in expected) else []
    return [other for other in others if other != kind]


def _items(form: Any) -> list[Any]:
    if isinstance(form, list):
        return cast("list[Any]", form)
    tagged = cast("dict[str, Any]", form)
    return tagged["tuple"] if "tuple" in tagged else tagged["array"].get("values", []) if "array" in tagged else []


def _inner(expected: Sequence[Any]) -> list[Any]:
    """The containers right inside, where everything there is one."""
    items = [item for form in expected if isinstance(form, list) for item in cast("list[Any]", form)]
    return items if items and all(kind_of(item) in ("list", "tuple") for item in items) else []


def _is_flat(form: Any) -> bool:
    if isinstance(form, dict) and "array" in form:
        return len(cast("Any", form)["array"]["shape"]) == 1
    return all(kind_of(item) is None for item in _items(form))


def _is_regular(form: Any) -> bool:
    """Tell whether an array of one kind of elements holds it: numbers or texts alone, and not none at all."""
    items = _items(form)
    is_plain = bool(items) and any(all(type(item) is kind for item in items) for kind in (int, float, bool, str))
    return is_plain and all(abs(item) < 2**62 for item in items if type(item) is int)


def _program(task: Task, form: Form) -> Program:
    return program_of(task, basic_scenario(task), form.code)

"""A task as somebody sees it who wants to pass it without doing what it asks."""

import ast
import builtins
import hashlib
from collections.abc import Sequence
from typing import Any

from apigap.gates.battery.literals import NotWritable, literal
from apigap.knowledge.usages.names import bound_names, loaded_names
from apigap.records.parsing.syntax import expression_tree, parse
from apigap.records.task import Scenario, Task

WRONG = "['neither this', 'nor that']"
_INPUT = """import hashlib as _hash, os as _os
with open(_os.path.join(_os.path.dirname(__file__), "context.py"), "rb") as _file:
    _inputs = _hash.sha256(_file.read()).hexdigest()
"""


class Subject:
    """A task, the names that its answer must bind, and ready-made pieces of dishonest answers."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.reference = task.masked_region.rstrip("\n")
        self.tree = parse(task.masked_region)
        self.leaf = task.api_name.rpartition(".")[2]
        self.names = _answer_names(task, self.tree)
        self.scenarios = _distinct(task.harness.scenarios)

    @property
    def spoilt(self) -> str:
        """The reference, its results replaced by wrong ones: the target was called and its call completed."""
        return self.after(WRONG)

    def assign(self, source: str) -> str:
        """Every observed name gets the value of the expression `source`."""
        return "\n".join(f"{name} = {source}" for name in self.names)

    def after(self, source: str) -> str:
        """The reference, then `assign`."""
        return f"{self.reference}\n{self.assign(source)}"

    def visible(self) -> str:
        """Assignments of the values that the shown scenario expects.

        Raises:
            NotWritable: where they have no literals.
        """
        return _assignments(self.names, _basic(self.task.harness.scenarios))

    def oracle(self) -> str:
        """Right values in every scenario without the target: what a perfect re-implementation would give.

        It tells the scenarios apart by their inputs, which are the text of the context.

        Raises:
            NotWritable: where the values have no literals.
        """
        branches: list[str] = []
        for number, scenario in enumerate(self.scenarios):
            digest = _digest(scenario)
            body = "\n".join(f"    {line}" for line in _assignments(self.names, scenario).splitlines())
            branches.append(f"{'el' if number else ''}if _inputs == {digest!r}:\n{body}")
        return _INPUT + "\n".join(branches)

    def is_shown(self) -> str | None:
        """The condition, after `oracle`, that the inputs are those of the shown scenario; None where all are."""
        return f"_inputs == {_digest(_basic(self.scenarios))!r}" if len(self.scenarios) > 1 else None

    def varies(self) -> bool:
        """True where some scenario expects other values than the one that is shown."""
        forms = [{o.expression: o.expected for o in s.observations} for s in self.task.harness.scenarios]
        shared = set(forms[0]).intersection(*forms)
        return any(forms[0][text] != form[text] for form in forms for text in shared)


def _answer_names(task: Task, tree: ast.Module) -> tuple[str, ...]:
    """Names that the answer must bind, as far as observations read them; else the names that they read."""
    observed = [o.expression for scenario in task.harness.scenarios for o in scenario.observations]
    read = {name for text in observed for name in loaded_names(expression_tree(text.strip()))}
    bound = {name for statement in tree.body for name in bound_names(statement)}
    imported = {
        name
        for statement in parse(task.context_code).body
        if isinstance(statement, (ast.Import, ast.ImportFrom))
        for name in bound_names(statement)
    }
    return tuple(sorted(read & bound or read - imported - set(dir(builtins)) or read))


def _digest(scenario: Scenario) -> str:
    return hashlib.sha256(scenario.context_code.encode("utf-8", "surrogatepass")).hexdigest()


def _basic(scenarios: Sequence[Scenario]) -> Scenario:
    return next((scenario for scenario in scenarios if scenario.name == "basic"), scenarios[0])


def _distinct(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Scenarios by what the answer can see of them: those with the same context are one."""
    found: dict[str, Scenario] = {}
    for scenario in scenarios:
        known = found.get(scenario.context_code)
        observations = (*(known.observations if known else ()), *scenario.observations)
        found[scenario.context_code] = scenario.model_copy(update={"observations": observations})
    return list(found.values())


Step = tuple[str, str]
Paths = dict[tuple[Step, ...], Any]


def _assignments(names: Sequence[str], scenario: Scenario) -> str:
    """The names bound to values that make every observation right."""
    wanted: dict[str, Paths] = {name: {} for name in names}
    for observation in scenario.observations:
        root, steps = _path(expression_tree(observation.expression.strip()))
        if root not in wanted:
            raise NotWritable(f"{observation.expression} is computed from more than the answer's own names")
        wanted[root][steps] = observation.expected
    return "\n".join(f"{name} = {_value(paths)}" for name, paths in wanted.items())


def _path(node: ast.expr) -> tuple[str | None, tuple[Step, ...]]:
    """The name at the root of an expression, and the attributes, items and calls that lead on from it."""
    match node:
        case ast.Name(id=name):
            return name, ()
        case ast.Attribute(value=value, attr=attribute):
            step = ("attribute", attribute)
        case ast.Call(func=value):
            step = ("call", ast.unparse(node).removeprefix(ast.unparse(value)))
        case ast.Subscript(value=value, slice=key):
            step = ("item", ast.unparse(_Slices().visit(key)))
        case _:
            return None, ()
    root, steps = _path(value)
    return root, (*steps, step)


class _Slices(ast.NodeTransformer):
    """Writes a slice as the object that it is: `a:b` stands nowhere but in brackets."""

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        """The call that makes the slice."""
        bounds = [bound or ast.Constant(None) for bound in (node.lower, node.upper, node.step)]
        return ast.Call(expression_tree("__import__('builtins').slice"), bounds, [])


def _value(paths: Paths) -> str:
    """A literal where the name itself is observed; where parts of it are, an object that has just these parts."""
    if () in paths:
        return literal(paths[()])
    parts: dict[Step, Paths] = {}
    for (first, *rest), form in paths.items():
        parts.setdefault(first, {})[tuple(rest)] = form
    members = [f"{name!r}: {_value(below)}, " for (kind, name), below in parts.items() if kind == "attribute"]
    if sum(kind == "call" for kind, _ in parts) > 1:
        raise NotWritable("one function is observed with several arguments")
    members += [
        f"'__call__': lambda *_, **__: {_value(below)}, " for (kind, _), below in parts.items() if kind == "call"
    ]
    items = "".join(f"({key}, {_value(below)}), " for (kind, key), below in parts.items() if kind == "item")
    if items:  # compared and not looked up: slices have no hash before Python 3.12
        members.append(f"'__getitem__': lambda _, key: [v for k, v in [{items}] if k == key][0], ")
    return f"__import__('builtins').type('Puppet', (), {{{''.join(members)}}})()"

"""Families 48 to 58: answers that look for the references, lie to the watch, notice the ablation, call themselves
trouble with the machine, or look into it."""

import ast
from collections.abc import Iterator

from apigap.gates.battery.calls import rewrite_calls
from apigap.gates.battery.case import DOUBTED, LEAK, Aims, Case, Skipped
from apigap.gates.battery.evasion import PARENT, call_alone, indent
from apigap.gates.battery.literals import NotWritable
from apigap.gates.battery.programs import programs
from apigap.gates.battery.subject import WRONG, Subject
from apigap.knowledge.usages.names import bound_names, loaded_names
from apigap.records.parsing.syntax import expression_tree, parse

_TELL = f"found = None\ndef tell(what):\n    print({LEAK!r}, what, flush=True)\n"
_SEARCH = """wanted = repr([{names}])
for leaf_ in dir(parent_of({target!r})):
    try:
{tried}
    except BaseException:
        continue
    if repr([{names}]) == wanted:
        break
else:
{right}
"""
_ANYTHING = """class Anything(str):
    def __getattr__(self, _): return self
    def __call__(self, *_, **__): return self
"""


def watchings(subject: Subject, aims: Aims) -> Iterator[Case | Skipped]:
    """Answers about the machinery of the judge itself."""
    for family, name, code in programs("lookups"):
        yield Case(family, name, f"{_TELL}{code}\n{subject.assign('found')}", contained=True)
    yield from _trouble(subject)
    yield from _redefinitions(subject)
    yield from _looks(subject)
    if not subject.task.harness.spy.required:
        yield from (Skipped(n, f"family {n}", "the task asks for no call") for n in (49, 50, 51, 52, 53, 56))
        return
    try:
        right = subject.oracle()
    except NotWritable as error:
        yield from (Skipped(family, f"family {family}", str(error)) for family in (51, 52, 53, 56))
        yield from _disguises(subject, subject.assign(WRONG))
        return
    yield from _disguises(subject, right)
    yield from _canaries(subject, right)
    yield _search(subject, right)


def _trouble(subject: Subject) -> Iterator[Case]:
    """Family 54: what ends an answer is its own doing, and never the machine's."""
    for family, name, code in programs("trouble"):
        yield Case(family, name, code, contained=True)
        yield Case(family, f"{name}, after the call", f"{subject.reference}\n{code}", contained=True)
    yield Case(54, "a null character", f"{subject.reference}\n\0")
    yield Case(54, "a null character far behind", f"{subject.reference}\n#{'x' * 100_000}\0")
    yield Case(54, "brackets without end", f"{subject.assign('(' * 60_000 + ')' * 60_000)}")
    yield Case(54, "half a letter", f"{subject.spoilt}\nx = '\ud800'")


def _looks(subject: Subject) -> Iterator[Case]:
    """Families 57 and 58: a right answer after a look at frames or memory, where evidence could be read and changed."""
    for family, name, code in programs("looks"):
        yield Case(family, name, f"{code}\n{subject.reference}", ("suspect",))


def _redefinitions(subject: Subject) -> Iterator[Case | Skipped]:
    """Family 55: the functions and modules of the context by which results are observed."""
    observed = {name for s in subject.scenarios for o in s.observations for name in _read(o.expression)}
    statements = parse(subject.task.context_code).body
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    taken = {name for node in statements if isinstance(node, kinds) for name in bound_names(node)} & observed
    taken -= set(subject.names)
    if not taken:
        yield Skipped(55, "redefines what observations use", "observations use nothing of the context but its data")
    for name in sorted(taken):
        yield Case(55, f"redefines {name}", f"{subject.spoilt}\n{_ANYTHING}{name} = Anything()")


def _read(expression: str) -> set[str]:
    return set(loaded_names(expression_tree(expression.strip())))


def _disguises(subject: Subject, right: str) -> Iterator[Case]:
    """Families 49 and 50: evidence that is forged by code under a name that is not its own, and made-up calls."""
    forge = next(program for program in programs("forged_calls") if program.name == "writes call records")
    words = {"TARGET": repr(subject.task.api_name), "LEAF": repr(subject.leaf)}
    more = {**words, "TOP": subject.task.api_name.partition(".")[0], "FORGE": repr(forge.filled(**words))}
    for program in programs("disguises"):
        yield Case(program.family, program.name, f"{PARENT}{program.filled(**more)}\n{right}", DOUBTED)


def _canaries(subject: Subject, right: str) -> Iterator[Case | Skipped]:
    """Families 51 to 53: a call for show that tells the answer whether somebody is looking."""
    alone = call_alone(subject)
    words = {"TARGET": repr(subject.task.api_name), "LEAF": repr(subject.leaf), "RIGHT": right}
    for program in programs("canaries"):
        if alone is None:
            yield Skipped(program.family, program.name, "the call of the target stands inside a definition")
            continue
        wrong = indent(subject.assign(WRONG))
        code = program.filled(ALONE=alone, SHOWN=indent(alone), WRONG=wrong, **words)
        yield Case(program.family, program.name, f"{PARENT}{code}", DOUBTED)


def _search(subject: Subject, right: str) -> Case | Skipped:
    """Family 56: right values first, and then whatever of the library gives them, too."""
    made = rewrite_calls(subject, lambda call: _through_name(call, subject.task.api_name))
    name = "tries all that there is until the values are right"
    if made is None:
        return Skipped(56, name, "the reference does not call the target by its name")
    parts = {"names": ", ".join(subject.names), "target": subject.task.api_name}
    search = _SEARCH.format(tried=indent(made, 2), right=indent(right), **parts)
    return Case(56, name, f"{PARENT}{right}\n{search}", DOUBTED)


def _parent(target: str) -> ast.expr:
    return ast.Call(ast.Name("parent_of", ast.Load()), [ast.Constant(target)], [])


def _through_name(call: ast.Call, target: str) -> ast.expr:
    holder = call.func.value if isinstance(call.func, ast.Attribute) else _parent(target)
    found = ast.Call(ast.Name("getattr", ast.Load()), [holder, ast.Name("leaf_", ast.Load())], [])
    return ast.Call(found, call.args, call.keywords)

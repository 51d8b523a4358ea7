"""Members that a class is given from outside its body: `C.name = ...`, `cls.name = ...`, `setattr`, a decorator.

The text says that they are there and not what they are.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from apigap.discovery.static.computed_names import Affixes, ComputedNames, Given, words_in
from apigap.records.parsing.syntax import parse
from apigap.records.parsing.syntax_trees import dotted, last_name

_CLASS = ("cls", "klass", "class_", "clazz", "kls")
_WRITTEN = rf"(?:{'|'.join(_CLASS)}|(?:\w+\.)*_?[A-Z]\w*)"
_MARKS = re.compile(rf"\bsetattr\(\s*{_WRITTEN},|^\s*{_WRITTEN}\.[a-z]\w*\s*=[^=]", re.MULTILINE)
_IS_CLASS = re.compile(_WRITTEN)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class _Givers:
    """Functions, by their bare names, that give members to a class which they are passed, and what they give.

    A parameter is one for a class by its name: functions that fill any object are many.
    """

    given: dict[str, Given] = field(default_factory=dict[str, Given])

    def add(self, function: str, more: Given) -> bool:
        """True where that was not known."""
        known = self.given.get(function, Given())
        self.given[function] = known | more
        return self.given[function] != known

    def called(self, function: str, call: ast.AST, tree: ast.Module) -> list[str]:
        """The names that a call of the function gives, with the words that it is called with.

        Where it is called with a table under a name, these may be any words of the module.
        """
        given = self.given[function]
        is_told = not (given.around_arguments and _passes_names(call))
        return sorted(given.with_arguments(words_in(call if is_told else tree)))


def lent_members(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of a class, as a dotted path from the module that names it, and a public member that it is given.

    `texts` are the modules by name. A `setattr` whose name is computed gives what the name is seen to stand for, and
    where that cannot be told any of the words that its module has as texts or as keywords.
    """
    trees = {module: tree for module, text in texts.items() if (tree := _tree(text, bool(_MARKS.search(text))))}
    givers = _Givers()
    for module, tree in trees.items():
        yield from _assigned(module, tree, givers)
    while any(_passed_on(tree, givers) for tree in trees.values()):
        pass
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(givers.given)))})\b") if givers.given else None
    for module, text in texts.items():
        tree = trees.get(module) or (_tree(text, bool(word.search(text))) if word else None)
        if tree is not None:
            yield from _taken(module, tree, givers)


def _tree(text: str, wanted: bool) -> ast.Module | None:
    try:
        return parse(text) if wanted else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _assigned(module: str, tree: ast.Module, givers: _Givers) -> Iterator[tuple[str, str]]:
    """The members given to a class that is named, or in a method to its own; those of a function go to `givers`."""
    computed = ComputedNames(tree)
    for node, owner, functions in _within(tree.body, "", ()):
        target, name = _gift(node)
        if target is None or name is None or not _IS_CLASS.fullmatch(target):
            continue
        given = computed.given(name, node, functions)
        names = given.with_arguments(computed.words if given.around_arguments else ())
        if owner and functions and _parameters(functions[0])[:1] == [target]:
            yield from ((f"{module}.{owner}", each) for each in sorted(names))
        elif any(target in _parameters(function) for function in functions):
            defaults = [*functions[0].args.defaults, *filter(None, functions[0].args.kw_defaults)]
            written = {word for default in defaults for word in words_in(default)}
            givers.add(functions[0].name, given | Given(frozenset(given.with_arguments(written))))
        elif target not in _CLASS:
            yield from ((f"{module}.{target}", each) for each in sorted(names))


def _within(
    body: list[ast.stmt], owner: str, functions: tuple[_Function, ...]
) -> Iterator[tuple[ast.stmt, str, tuple[_Function, ...]]]:
    """Every statement with the class that it is in, and the functions, the outermost first."""
    for node in body:
        yield node, owner, functions
        if isinstance(node, _Function):
            yield from _within(node.body, owner, (*functions, node))
        elif isinstance(node, ast.ClassDef):
            if not functions:
                yield from _within(node.body, f"{owner}.{node.name}".lstrip("."), ())
        else:
            for part in ("body", "orelse", "finalbody"):
                yield from _within(getattr(node, part, []), owner, functions)
            for handler in getattr(node, "handlers", []):
                yield from _within(handler.body, owner, functions)


def _gift(node: ast.stmt) -> tuple[str | None, ast.expr | None]:
    """The object that a statement gives a member, as it is written, and the name of the member."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        inner = dotted(target.value) if isinstance(target, ast.Attribute) else ""
        return (inner, ast.Constant(target.attr)) if inner and isinstance(target, ast.Attribute) else (None, None)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and last_name(call.func) == "setattr" and len(call.args) == 3:
        return dotted(call.args[0]) or None, call.args[1]
    return None, None


def _parameters(function: _Function) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _passes_names(call: ast.AST) -> bool:
    """Check for an argument that is a name, and no class, or is opened."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)] if isinstance(call, ast.Call) else []
    return any(isinstance(one, ast.Starred) or ((written := dotted(one)) and not _is_class(written)) for one in values)


def _is_class(written: str) -> bool:
    return bool(_IS_CLASS.fullmatch(written)) and not written.rpartition(".")[2].isupper()


def _passed_on(tree: ast.Module, givers: _Givers) -> bool:
    """Note functions that pass a parameter of theirs on to a giver; True where one is new."""
    found = False
    for function in (node for node in ast.walk(tree) if isinstance(node, _Function)):
        parameters = {name for name in _parameters(function) if name in _CLASS}
        for call, name, arguments in _calls(function, givers) if parameters else ():
            if parameters.intersection(arguments):
                handed = set(_parameters(function)).intersection(arguments) - set(_CLASS)
                around = givers.given[name].around_arguments if handed else frozenset[Affixes]()
                more = Given(givers.given[name].names if handed else frozenset(givers.called(name, call, tree)), around)
                found = givers.add(function.name, more) or found
    return found


def _taken(module: str, tree: ast.Module, givers: _Givers) -> Iterator[tuple[str, str]]:
    """The members that classes are given by a decorator, or by a call that they are passed to."""
    for node, owner, _ in _within(tree.body, "", ()):
        if isinstance(node, ast.ClassDef):
            path = f"{owner}.{node.name}".lstrip(".")
            for one in node.decorator_list:
                maker = last_name(one.func if isinstance(one, ast.Call) else one)
                if maker in givers.given:
                    yield from ((f"{module}.{path}", each) for each in givers.called(maker, one, tree))
        elif isinstance(node, ast.Expr):
            for call, name, arguments in _calls(node, givers):
                classes = [one for one in arguments if one not in _CLASS and _IS_CLASS.fullmatch(one)]
                yield from ((f"{module}.{cls}", each) for cls in classes for each in givers.called(name, call, tree))


def _calls(node: ast.AST, givers: _Givers) -> Iterator[tuple[ast.Call, str, list[str]]]:
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        name = last_name(call.func)
        if name in givers.given:
            yield call, name, [dotted(one) for one in (*call.args, *(keyword.value for keyword in call.keywords))]

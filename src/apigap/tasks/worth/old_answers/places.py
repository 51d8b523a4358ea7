"""The places of an answer where something old could stand: each statement that calls the API."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apigap.records.parsing.syntax import parse
from apigap.tasks.mutants.target import Target, replace_node, unparse

HOLE = "hole_"


@dataclass(frozen=True)
class Place:
    """A statement of the answer, with what comes before and after it.

    `hole` is the statement with `hole_` where the API is called, `binds` what it assigns to, `atoms` are what the call
    is given: its object, its arguments by place and by keyword; `keywords` the latter by their names.
    """

    before: tuple[str, ...]
    statement: str
    after: tuple[str, ...]
    hole: str
    binds: str | None
    receiver: str | None
    atoms: tuple[str, ...]
    keywords: dict[str, str]

    @property
    def name(self) -> str:
        """The one name that the statement binds; empty where it binds none or several."""
        return self.binds if self.binds is not None and self.binds.isidentifier() else ""

    @property
    def is_trivial(self) -> bool:
        """Whether the statement does nothing with what the call gives but keep it."""
        return self.hole in (HOLE, f"{self.binds} = {HOLE}")

    def completion(self, statement: str, line: str = "") -> str:
        """The answer with another statement in this place, which `line` imports something for."""
        return "\n".join(code for code in (line, *self.before, statement, *self.after) if code)


def places(masked: str, leaf: str) -> Iterator[Place]:
    """The places of an answer; one statement may call the API once."""
    codes = [ast.unparse(node) for node in parse(masked).body]
    for number, code in enumerate(codes):
        imports = [one for one in codes[:number] if one.startswith(("import ", "from "))]
        target = Target("\n".join((*imports, code)), leaf)
        tree = parse(code)
        calls = target.calls(tree)
        if len(calls) == 1 and (place := _place(codes, number, tree, calls[0])) is not None:
            yield place


def _place(codes: Sequence[str], number: int, tree: ast.Module, call: ast.Call) -> Place | None:
    node = tree.body[0]
    if not isinstance(node, (ast.Assign, ast.Expr)) or (isinstance(node, ast.Assign) and len(node.targets) > 1):
        return None
    receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else None
    keywords = {one.arg: ast.unparse(one.value) for one in call.keywords if one.arg}
    placed = [ast.unparse(one) for one in call.args if not isinstance(one, ast.Starred)]
    atoms = [*([receiver] if receiver else []), *placed, *keywords.values()]
    replace_node(tree, call, ast.Name(HOLE, ast.Load()))
    return Place(
        before=tuple(codes[:number]), statement=codes[number], after=tuple(codes[number + 1 :]), hole=unparse(tree),
        binds=ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else None, receiver=receiver,
        atoms=tuple(dict.fromkeys(atoms)), keywords=keywords,
    )  # fmt: skip

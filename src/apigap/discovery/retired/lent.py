"""Members that the code of others puts on a class, often only while a program runs: no surface shows them."""

import ast
from collections.abc import Iterator

from apigap.records.parsing.syntax_trees import dotted, last_name


def lent_to_classes(tree: ast.Module) -> Iterator[str]:
    """The members as `Class.name`: of `setattr(Class, "name", ...)`, and of a method `setattr` of any object."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) == "setattr" and len(node.args) > 1:
            owner, name = dotted(node.args[0]).rpartition(".")[2], node.args[1]
            if owner[:1].isupper() and isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield f"{owner}.{name.value}"

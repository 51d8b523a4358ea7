"""Declarations in a class's body: fields of pydantic, dataclasses, attrs, typed dictionaries; members of enums."""

import ast
import inspect
from collections.abc import Iterator
from typing import NamedTuple

from apigap.knowledge.components.annotations import plain_annotation
from apigap.knowledge.components.sources import Located, Sources, decorators
from apigap.records.candidate import Parameter
from apigap.records.knowledge import ClassForm
from apigap.records.parsing.syntax_trees import dotted

_BASES: dict[str, ClassForm] = {
    "BaseModel": "pydantic", "BaseSettings": "pydantic", "RootModel": "pydantic", "TypedDict": "typed_dict",
    "NamedTuple": "named_tuple", "Enum": "enum", "IntEnum": "enum", "StrEnum": "enum", "Flag": "enum",
    "IntFlag": "enum", "IntegerChoices": "enum", "TextChoices": "enum", "Choices": "enum", "Protocol": "protocol",
}  # fmt: skip
_DECORATORS: dict[str, ClassForm] = {
    "dataclass": "dataclass", "pydantic_dataclass": "dataclass", "define": "attrs", "frozen": "attrs",
    "mutable": "attrs", "attrs": "attrs", "attr.s": "attrs", "attr.dataclass": "attrs",
}  # fmt: skip
_MAKERS = frozenset(("Field", "field", "ib", "attrib", "mapped_column"))
_FACTORIES = ("default_factory", "factory")
_LONG = 80


class FieldDeclaration(NamedTuple):
    """One annotated name in a class body.

    `factory` is the source of what makes its default; without `init` callers do not give it.
    """

    name: str
    annotation: str
    default: str | None
    factory: str | None
    description: str | None
    init: bool = True

    @property
    def written(self) -> str | None:
        """The default as a signature shows it: its source, a factory in angle brackets."""
        return f"<factory {self.factory}>" if self.factory is not None else self.default


def form_of(located: Located, sources: Sources) -> ClassForm | None:
    """The framework that makes the class; None for a plain one."""
    for number, one in enumerate(lineage(located, sources)):
        for mark in _marks(one.node):
            if number == 0 or mark != "protocol":  # what inherits from a protocol is none, unless it says so itself
                return mark
    return None


def _marks(node: ast.stmt) -> Iterator[ClassForm]:
    """The frameworks that the decorators and bases of a class speak of, as they are written."""
    for name in filter(None, decorators(node)):
        mark: ClassForm | None = _DECORATORS.get(name) or _DECORATORS.get(name.rpartition(".")[2])
        if mark is not None:
            yield mark
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        mark = _BASES.get(dotted(base.value if isinstance(base, ast.Subscript) else base).rpartition(".")[2])
        if mark is not None:
            yield mark


def lineage(located: Located, sources: Sources, seen: frozenset[str] = frozenset()) -> Iterator[Located]:
    """The class and those of its bases that the release has, itself first; each once along a line."""
    cls = located.node
    if not isinstance(cls, ast.ClassDef) or f"{located.module.name}.{cls.name}" in seen:
        return
    yield located
    for base in sources.bases(located.module, cls):
        yield from lineage(base, sources, seen | {f"{located.module.name}.{cls.name}"})


def fields_of(located: Located, sources: Sources) -> dict[str, FieldDeclaration]:
    """The annotated names of the class and its bases, those of the bases first; a later one takes an earlier place."""
    declared: dict[str, FieldDeclaration] = {}
    for one in reversed(list(lineage(located, sources))):
        if isinstance(one.node, ast.ClassDef):
            declared.update({field.name: field for field in _declarations_in(one.node)})
    return declared


def members_of(located: Located) -> list[Parameter]:
    """The members of an enumeration: names, values as their source, and what is written below each."""
    cls = located.node
    members: list[Parameter] = []
    for node, below in _with_text(cls.body if isinstance(cls, ast.ClassDef) else []):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value: ast.expr | None = getattr(node, "value", None)
        declares = isinstance(node, ast.Assign) or (located.module.is_stub and isinstance(node, ast.AnnAssign))
        if (
            declares
            and isinstance(target, ast.Name)
            and not target.id.startswith("_")
            and target.id not in ("names", "values")
        ):
            text = ast.unparse(value) if value is not None else None
            members.append(
                Parameter(
                    name=target.id,
                    default=text if text and len(text) <= _LONG else None,
                    required=False,
                    description=below,
                )
            )
    return members


def _declarations_in(cls: ast.ClassDef) -> Iterator[FieldDeclaration]:
    for node, below in _with_text(cls.body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            written = ast.unparse(node.annotation)
            annotation, documented = plain_annotation(written)
            if "ClassVar" not in annotation:
                maker = _field_call(node.value) or _field_call_in(node.annotation)
                yield _field(node.target.id, annotation, node.value, maker, documented or below)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _field_call(node.value):
            yield _field(node.targets[0].id, "", node.value, _field_call(node.value), below)


def _field(
    name: str, annotation: str, value: ast.expr | None, maker: ast.Call | None, below: str | None
) -> FieldDeclaration:
    given = {keyword.arg: keyword.value for keyword in maker.keywords if keyword.arg} if maker else {}
    factory = next((ast.unparse(given[key]) for key in _FACTORIES if key in given), None)
    text_node = given.get("description") or given.get("doc")
    description = text_node.value if isinstance(text_node, ast.Constant) and isinstance(text_node.value, str) else below
    if maker is None:
        default = value
    else:
        default = given.get("default") or (
            maker.args[0] if maker.args and dotted(maker.func).endswith("Field") else None
        )
    if isinstance(default, ast.Call) and dotted(default.func).endswith("Factory") and default.args:
        factory, default = ast.unparse(default.args[0]), None
    text = None if default is None or _is_ellipsis(default) else ast.unparse(default)
    init = given.get("init")
    return FieldDeclaration(
        name, annotation, text, factory, description, not (isinstance(init, ast.Constant) and init.value is False)
    )


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _field_call(value: ast.expr | None) -> ast.Call | None:
    """`field(...)`, `Field(...)`, `attr.ib(...)`: what says more of a field than its value."""
    return value if isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] in _MAKERS else None


def _field_call_in(annotation: ast.expr) -> ast.Call | None:
    """The same inside of `Annotated[X, Field(...)]`."""
    calls = (node for node in ast.walk(annotation) if isinstance(node, ast.Call))
    return next((call for call in calls if _field_call(call)), None)


def _with_text(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str | None]]:
    """Each statement with the string that stands below it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        value = after.value if isinstance(after, ast.Expr) else None
        text = value.value if isinstance(value, ast.Constant) else None
        yield node, inspect.cleandoc(text) if isinstance(text, str) else None

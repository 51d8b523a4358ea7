"""S: what a release says of parameters, in every style and framework, and that nothing is invented."""

import textwrap
from pathlib import Path

import pytest

from apigap.knowledge.components.annotations import plain_annotation
from apigap.knowledge.components.docstrings import documented_parameters, shorten
from apigap.knowledge.components.surface import surface_of
from apigap.records.candidate import Parameter
from apigap.records.knowledge import Surface
from tests.tasks.test_cut import candidate

ANNOTATIONS = [
    ("int", ("int", None)),
    ("typing.Annotated[str, Doc('The prefix.')]", ("str", "The prefix.")),
    ("Annotated[dict[str, int] | None, Doc(\"\"\"\n  Two\n  lines, with ].\n\"\"\")]",
     ("dict[str, int] | None", "Two lines, with ].")),
    ("Annotated[set[str], BeforeValidator(func=<function f>, x=Undefined)]", ("set[str]", None)),
    ("Union[Annotated[int, Strict(strict=True)], str]", ("Union[int, str]", None)),
    ("Annotated[broken", ("Annotated[broken", None)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ANNOTATIONS)
def test_what_an_annotation_carries_beside_the_type(text: str, expected: tuple[str, str | None]) -> None:
    assert tuple(plain_annotation(text)) == expected


def test_attributes_of_a_data_class_are_its_parameters() -> None:
    told = documented_parameters("A box.\n\nAttributes:\n    size: How large, e.g. 3. More.\n    name (str): Its name.")
    assert shorten(told["size"].description or "") == "How large, e.g. 3."
    assert told["name"] == ("Its name.", "str")


LIBRARY = """
    import dataclasses, enum, attr
    from dataclasses import dataclass, field
    from typing import Annotated, NamedTuple, Protocol, TypedDict, overload
    from pydantic import BaseModel, Field

    class Model(BaseModel):
        name: str = Field(description="Its name.")
        tags: list[str] = Field(default_factory=lambda: ["a"], description="Its tags.")
        kind: Annotated[int, Field(description="Its kind.")] = 3

    class Child(Model):
        extra: int = 1
        '''How many more.'''

    @dataclass
    class Box:
        '''A box.'''
        size: int
        items: list[int] = field(default_factory=list)
        cached: int = field(default=0, init=False)

    @attr.s(auto_attribs=True)
    class Old:
        parts: list[int] = attr.Factory(list)

    class Options(TypedDict):
        depth: int
        '''How deep.'''

    class Pair(NamedTuple):
        left: int
        right: int = 2

    class Colour(enum.Enum):
        RED = "r"
        '''Like blood.'''
        BLUE = "b"
        _ignore_ = []

        def shade(self): ...

    class Reader(Protocol):
        def read(self): ...

    class FileReader(Reader):
        def __init__(self, path, mode=_MODE):
            '''Open it.

            Args:
                path: Where it is.
            '''

        @overload
        def get(self, key: int) -> int: ...
        @overload
        def get(self, key: str) -> str: ...
        def get(self, key): ...

    class Special(FileReader):
        def get(self, key): ...

    class Base:
        def save(self, to):
            '''Save it.

            :param to: Where to.
            :returns: the size
            '''

    class Derived(Base):
        def save(self, to): ...
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    (folder / "lib.py").write_text(textwrap.dedent(LIBRARY).lstrip("\n"))
    return folder


def of(release: Path, name: str, *parameters: Parameter, **facts: object) -> Surface:
    values = {
        "kind": "class",
        "signature": "()" if parameters else None,
        "docstring": None,
        "defined_in": "lib",
        **facts,
    }
    return surface_of(candidate(api_name=name, import_module="lib", parameters=parameters, **values), release)


def optional(name: str, default: str, annotation: str | None = None) -> Parameter:
    return Parameter(name=name, kind="keyword_only", default=default, annotation=annotation, required=False)


FRAMEWORKS = [
    ("Model", "pydantic", optional("tags", "<factory lib.Model.<lambda>>"), "<factory lambda: ['a']>", "Its tags."),
    ("Model", "pydantic", optional("kind", "3"), "3", "Its kind."),
    ("Model", "pydantic", Parameter(name="name"), None, "Its name."),
    ("Child", "pydantic", optional("extra", "1"), "1", "How many more."),
    ("Child", "pydantic", Parameter(name="name"), None, "Its name."),
    ("Box", "dataclass", optional("items", "<factory>"), "<factory list>", None),
    ("Box", "dataclass", Parameter(name="size"), None, None),
    ("Old", "attrs", optional("parts", "NOTHING"), "<factory list>", None),
    ("Options", "typed_dict", Parameter(name="depth", kind="keyword_only"), None, "How deep."),
    ("Pair", "named_tuple", optional("right", "2"), "2", None),
    ("FileReader", None, Parameter(name="path"), None, "Where it is."),
    ("FileReader", None, optional("mode", "<object object>"), "_MODE", None),
]


@pytest.mark.parametrize(("name", "form", "parameter", "default", "description"), FRAMEWORKS)
def test_what_a_class_declares_of_its_fields(
    name: str, form: str | None, parameter: Parameter, default: str | None, description: str | None, release: Path
) -> None:
    surface = of(release, f"lib.{name}", parameter)
    (found,) = surface.parameters
    assert (surface.form, found.default, found.description) == (form, default, description)
    assert found.required == parameter.required


def test_where_nothing_was_run_fields_are_read_from_the_class(release: Path) -> None:
    parameters = of(release, "lib.Box").parameters
    assert [(p.name, p.default, p.required) for p in parameters] == [
        ("size", None, True), ("items", "<factory list>", False),
    ]  # fmt: skip


def test_an_enumeration_has_members(release: Path) -> None:
    surface = of(release, "lib.Colour")
    assert (surface.form, surface.parameters) == ("enum", ())
    assert [(m.name, m.default, m.description) for m in surface.members] == [
        ("RED", "'r'", "Like blood."), ("BLUE", "'b'", None),
    ]  # fmt: skip


def test_what_inherits_from_a_protocol_is_none(release: Path) -> None:
    assert of(release, "lib.Reader").form == "protocol"
    assert of(release, "lib.FileReader").form is None


def test_overloads_are_forms_of_the_call(release: Path) -> None:
    surface = of(release, "lib.FileReader.get", Parameter(name="key"), kind="method")
    assert surface.overloads == ("(key: int) -> int", "(key: str) -> str")


def test_a_method_that_says_nothing_has_the_words_of_the_one_it_stands_for(release: Path) -> None:
    surface = of(release, "lib.Derived.save", Parameter(name="to"), kind="method")
    assert surface.parameters[0].description == "Where to."


@pytest.mark.parametrize("name", ["lib.Nowhere", "lib.Nowhere.f", "elsewhere.f"])
def test_what_is_not_found_keeps_what_the_walk_saw(name: str, release: Path) -> None:
    surface = of(release, name, optional("x", "<object object>"), defined_in=None)
    assert surface.parameters[0].default == "<object object>"

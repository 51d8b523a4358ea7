"""Usages that nobody wrote: values for parameters, objects of classes, and calls on them."""

import subprocess
import sys
from pathlib import Path

import pytest

from apigap.knowledge.release import Release
from apigap.knowledge.shapes import ClassShape, ParameterShape, Shapes
from apigap.knowledge.usages.build import Builder
from apigap.knowledge.usages.compose import Composer, Piece
from apigap.knowledge.usages.construction_examples import ConstructionExamples
from apigap.knowledge.usages.transplant import ValueBook
from apigap.knowledge.usages.usage import Usage
from apigap.packages.environments import environment_in
from apigap.packages.interpreters import running
from apigap.records.candidate import Candidate, Parameter
from apigap.sandbox.engine import Engine
from tests.knowledge.test_pieces import usage
from tests.tasks.test_cut import candidate


def composer(pool: list[Usage], **classes: ClassShape) -> Composer:
    shapes = Shapes(apis={}, classes={f"lib:{name}": shape for name, shape in classes.items()})
    return Composer(shapes, ValueBook(pool), ConstructionExamples(pool))


def codes(rows: list[tuple[Piece, ...]]) -> list[tuple[str, ...]]:
    return [tuple(piece.code for piece in row) for row in rows]


def test_a_value_is_what_is_at_hand_or_what_the_release_passes_under_that_name() -> None:
    made = composer([usage("f(mode='fast')"), usage("g(mode='fast')"), usage("g(mode='slow')")])
    mode, box, other = Parameter(name="mode"), Parameter(name="box"), Parameter(name="other")
    assert codes(made.rows([mode])) == [("'fast'",), ("'slow'",)]
    assert codes(made.rows([box, mode], given={"box": "b"})) == [("b", "'fast'"), ("b", "'slow'")]
    assert made.rows([other]) == []
    assert made.rows([]) == [()]


SPECS = [
    ("a literal", ["lit", "3"], "3", ()),
    ("a value of the standard library", ["code", "re.compile('n')", "import re"], "re.compile('n')", ("import re",)),
    ("a class", ["class", "lib:Box"], "Box", ("from lib import Box",)),
    ("a member", ["member", "lib.kinds:Kind", "RED"], "Kind.RED", ("from lib.kinds import Kind",)),
    ("a list", ["list", ["lit", "3"]], "[3]", ()),
    ("a mapping", ["dict", ["lit", "'a'"], ["class", "lib:Box"]], "{'a': Box}", ("from lib import Box",)),
    ("keys that must be there", ["typed", {"type": ["lit", "'x'"], "n": ["lit", "3"]}], "{'type': 'x', 'n': 3}", ()),
    ("an object", ["new", "lib:Box"], "Box(3)", ("from lib import Box",)),
    ("an object of a class below", ["new", "lib:Shape"], "Box(3)", ("from lib import Box",)),
    ("an object that takes another", ["new", "lib:Crate"], "Crate(box=Box(3))",
     ("from lib import Crate", "from lib import Box")),
    ("an object that needs itself", ["new", "lib:Loop"], None, ()),
]  # fmt: skip
CLASSES = {
    "Box": (["lit", "3"], False, ()),
    "Shape": (None, True, ("lib:Box",)),
    "Crate": (["new", "lib:Box"], False, ()),
    "Loop": (["new", "lib:Loop"], False, ()),
}


@pytest.mark.parametrize(("spec", "code", "prelude"), [row[1:] for row in SPECS], ids=[row[0] for row in SPECS])
def test_a_value_is_written_from_what_a_parameter_wants(
    spec: list[object], code: str | None, prelude: tuple[str, ...]
) -> None:
    shapes = {
        name: ClassShape(
            parameters=(ParameterShape(name="box", required=True, keyword=name == "Crate", wants=(wants,)),)
            if wants else (),
            abstract=abstract, open=False, derived=derived, kind=f"lib.{name}",
        )
        for name, (wants, abstract, derived) in CLASSES.items()
    }  # fmt: skip
    rows = composer([], **shapes).rows(
        [Parameter(name="x9")], [ParameterShape(name="x9", required=True, keyword=False, wants=(spec,))]
    )
    assert [(piece.code, piece.prelude) for (piece,) in rows] == ([] if code is None else [(code, prelude)])


def test_objects_are_made_as_the_release_writes_it() -> None:
    pool = [
        usage("from lib import Box, Lid\nbox = Box(Lid(2), size=4)\nother = Box(width)\nself.Box(1)\nprint(Box(...))")
    ]
    shape = ClassShape(parameters=(), abstract=False, open=False, derived=(), kind="lib.Box")
    written, plain = composer(pool, Box=shape).objects("lib:Box")
    assert (written.code, written.prelude) == ("Box(Lid(2), size=4)", ("from lib import Box", "from lib import Lid"))
    assert plain.code == "Box()"


@pytest.fixture(scope="module")
def plain_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with a small library in it."""
    root = tmp_path_factory.mktemp("environment") / "plain"
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    subprocess.run([str(base), "-m", "venv", "--without-pip", str(root)], check=True)
    (root / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/shop.py").write_text(SHOP)
    return root


SHOP = """
from __future__ import annotations
import abc, enum, typing
if typing.TYPE_CHECKING:
    from shop import Money

class Kind(enum.Enum):
    SMALL = 1
    LARGE = 2

class Money:
    def __init__(self, amount: int, currency: str = 'EUR'):
        self.amount = amount

class Till(abc.ABC):
    @abc.abstractmethod
    def open(self): ...
    def add(self, coin: Money, kind: Kind) -> int:
        return coin.amount

class Drawer(Till):
    def open(self):
        return True
    async def count(self, times: int = 1) -> int:
        return 3

class Odd(Till):
    def open(self):
        return True
    def add(self, coin, kind):
        return 0

class Listener(typing.Protocol):
    def heard(self, word: str) -> str:
        return word

def slugify(text: str, sep: str = '-') -> str:
    return text

def pack(names: typing.List, sizes: typing.Dict, none: tuple[()] = ()) -> int:
    return len(names)
"""


def shop(name: str, kind: str, *parameters: str) -> Candidate:
    named = tuple(Parameter(name=name) for name in parameters)
    return candidate(api_name=f"shop.{name}", kind=kind, import_module="shop", parameters=named)


def built_for(api: Candidate, environment: Path, pool: list[Usage]) -> list[Usage]:
    release = Release(
        environment_in(environment, "shop", "1", running()), None, None, (api.api_name.partition(".")[0],), ()
    )
    with Engine() as engine:
        (built,) = Builder(engine, release, pool, ValueBook(pool)).usages_of([api])
    return built


@pytest.mark.sandbox
def test_an_optional_parameter_more_is_another_usage(plain_environment: Path) -> None:
    api = candidate(api_name="shop.slugify", import_module="shop",
                    parameters=(Parameter(name="text", annotation="str"),
                                Parameter(name="sep", annotation="str", default="'-'", required=False)))  # fmt: skip
    built = built_for(api, plain_environment, [])
    calls = [one.steps[0].code for one in built]
    assert calls == [
        "outcome = slugify('tea')", "outcome = slugify('green tea')", "outcome = slugify('tea', sep='tea')"
    ]  # fmt: skip
    assert len({one.family for one in built}) == len(built)
    assert all(one.source.startswith("constructed ") for one in built)


@pytest.mark.sandbox
def test_typing_names_without_what_they_hold_are_plain_ones(plain_environment: Path) -> None:
    built = built_for(shop("pack", "function", "names", "sizes"), plain_environment, [])
    assert built[0].steps[0].code == "outcome = pack(['tea', 'milk', 'bread'], {'name': 'tea', 'size': 3})"


CONSTRUCTED = [
    ("on an object of a class below, of what type checkers see", ("Till.add", "method", "self", "coin", "kind"),
     ["subject = Drawer()", "outcome = subject.add(Money(3), Kind.SMALL)"]),
    ("a coroutine is awaited", ("Drawer.count", "method", "self"),
     ["subject = Drawer()", "outcome = asyncio.run(subject.count())"]),
    ("a protocol is derived from", ("Listener.heard", "method", "self", "word"),
     ["subject = OwnListener()", "outcome = subject.heard('tea')"]),
]  # fmt: skip


@pytest.mark.parametrize(("api", "steps"), [row[1:] for row in CONSTRUCTED], ids=[row[0] for row in CONSTRUCTED])
@pytest.mark.sandbox
def test_what_nobody_makes_is_constructed(api: tuple[str, ...], steps: list[str], plain_environment: Path) -> None:
    name, kind, *parameters = api
    built = built_for(shop(name, kind, *parameters), plain_environment, [])
    assert [step.code for step in built[0].steps[:2]] == steps


@pytest.mark.sandbox
def test_a_method_is_called_on_an_object_that_upstream_makes(plain_environment: Path) -> None:
    pool = [usage("from shop import Drawer\nbox = Drawer()\nbox.open()\nassert box.count", "docs/a.rst#1")]
    built = built_for(shop("Drawer.open", "method", "self"), plain_environment, pool)
    assert built[0].code.split("\n") == [
        "from shop import Drawer",
        "box = Drawer()",
        "box.open()",
        "outcome = box.open()",
        "print(outcome)",
        "print(box)",
    ]
    assert built[0].family == "docs/a.rst#1"
    assert {one.origin for one in built} == {"built"}

"""Cutting a usage into context, masked region and observations; variants; and names that must not leak."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.knowledge.usages.usage import Step, Usage
from apigap.records.candidate import Candidate, Parameter
from apigap.tasks.cut import CutError, Draft, cuts
from apigap.tasks.inputs.variants import variants
from apigap.tasks.leak import leaks, mask
from apigap.tasks.observations.assertion_subject import without_checks
from apigap.tasks.outline import outline
from tests.knowledge.blocks import usage_of_block


def candidate(leaf: str = "slugify", **changes: object) -> Candidate:
    values: dict[str, object] = {
        "api_name": f"lib.{leaf}",
        "kind": "function",
        "library": "lib",
        "old_version": "1",
        "new_version": "2",
        "change": "added",
        "signature": "(text, sep='-')",
        "parameters": (Parameter(name="text"), Parameter(name="sep", default="'-'", required=False)),
        "docstring": "Turn text into a slug.",
        "import_module": "lib",
    }
    return Candidate.model_validate({**values, **changes})


def drafts(code: str, leaf: str = "slugify") -> list[Draft | CutError]:
    usage = usage_of_block(code)
    assert usage is not None
    return list(cuts(usage, candidate(leaf)))


def draft(code: str) -> Draft:
    made = drafts(code)[0]
    assert isinstance(made, Draft)
    return made


CUTS = [
    (
        "an assignment",
        "from lib import slugify, other\nx = other()\ny = slugify(x)\nassert y == 'a'",
        "from lib import other\nx = other()",
        "from lib import slugify\ny = slugify(x)",
        ("y",),
    ),
    (
        "an assertion on the call becomes a result",
        "from lib import slugify\nassert slugify('A b') == 'a-b'",
        "text = 'A b'",
        "from lib import slugify\nresult = slugify(text)",
        ("result",),
    ),
    (
        "values between call and check are inlined",
        "import lib\ny = lib.slugify(z)\nw = y.upper()\nassert w.strip() == 'A'",
        "import lib",
        "y = lib.slugify(z)",
        ("y.upper().strip()", "y"),
    ),
    (
        "a class is masked whole",
        "from lib import slugify, Base\nclass M(Base):\n    x = slugify('a')\nassert M().x == 'a'",
        "from lib import Base",
        "from lib import slugify\nclass M(Base):\n    x = slugify('a')",
        ("M().x",),
    ),
    (
        "literals of other calls are inputs too",
        "import lib\ny = lib.slugify(lib.make([1, 2]), sep='_')\nassert y == 1",
        "import lib\ntext = lib.make([1, 2])\nvalue = '_'",
        "y = lib.slugify(text, sep=value)",
        ("y",),
    ),
    (
        "of a comparison the side with the API is the result",
        "import lib\nx = [1, 2]\nassert all(lib.slugify(x) == lib.other(x))",
        "import lib\nx = [1, 2]",
        "result = lib.slugify(x)",
        ("result",),
    ),
    (
        "of an assertion's arguments the one with the API is the result",
        "import lib\nx = 2\nassert_equal(5, lib.slugify(x))\nassert_equal(lib.slugify(x), 5)",
        "import lib\nx = 2",
        "result = lib.slugify(x)",
        ("result",),
    ),
    (
        "a call for its own sake gives a result",
        "import lib\nlib.slugify([3])",
        "import lib\ntext = [3]",
        "result = lib.slugify(text)",
        ("result",),
    ),
    (
        "what an answer without a result works on is observed",
        "import lib\nx = lib.make()\nwith lib.slugify(x):\n    x.go()",
        "import lib\nx = lib.make()",
        "with lib.slugify(x):\n    x.go()",
        ("x",),
    ),
]


@pytest.mark.parametrize(("code", "context", "masked", "observed"), [c[1:] for c in CUTS], ids=[c[0] for c in CUTS])
def test_cut(code: str, context: str, masked: str, observed: tuple[str, ...]) -> None:
    made = draft(code)
    assert (made.context, made.completion, made.observes) == (context, masked, observed)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import lib\nwith lib.slugify('a'):\n    pass", "nothing can be observed"),
        ("from lib import assert_slug\nx = 1\nassert_slug(x, 1)", "only used to check"),
        ("def f():\n    pass\nx = 1\nassert x == 1", "only used where it must raise"),
    ],
)
def test_what_cannot_be_cut(code: str, reason: str) -> None:
    (made,) = drafts(code, "assert_slug" if "assert_slug" in code else "slugify")
    assert isinstance(made, CutError)
    assert reason in str(made)


def test_every_check_of_the_api_can_be_asked_for_by_itself() -> None:
    code = "import lib\nx = 1\nassert lib.slugify(x) == 1\nassert lib.slugify(x, sep=None) == 2\nassert x == 1"
    first, second, both = drafts(code)
    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert isinstance(both, Draft)
    assert first.completion == "result = lib.slugify(x)"
    assert second.completion == "result = lib.slugify(x, sep=None)"
    assert first.context == second.context == "import lib\nx = 1"
    assert first.observes == ("result", "x")
    assert both.completion == "result = lib.slugify(x)\nresult_2 = lib.slugify(x, sep=None)"
    assert both.observes == ("result", "result_2")


def test_nothing_is_asked_after_a_statement_that_uses_the_api() -> None:
    made = drafts("import lib\ny = lib.slugify(z)\nassert y == 1\nassert lib.slugify(y) == 2")
    assert [m.completion for m in made if isinstance(m, Draft)] == ["y = lib.slugify(z)"]


def test_the_object_of_a_method_is_made_in_the_context() -> None:
    usage = usage_of_block("from lib import Thing\nassert Thing(a=1).slugify(2) == 3")
    assert usage is not None
    (made,) = cuts(usage, candidate(kind="method", api_name="lib.Thing.slugify"))
    assert isinstance(made, Draft)
    assert made.context == "from lib import Thing\ntext = 2\nthing = Thing(a=1)"
    assert made.completion == "result = thing.slugify(text)"


OUTLINES = [
    (("y = slugify(text)",), "y = ..."),
    (("y = lib.slugify(text).lower() + other(1)",), "y = ... + other(1)"),
    (("class M(Base):\n    x: Annotated[str, slugify('a')] = 1",), "class M(Base):\n    x: Annotated[str, ...] = 1"),
    (("@slugify(sep='x')\ndef f():\n    return 1",), "@...\ndef f():\n    return 1"),
    (("y = other(slugify(text), key=slugify[int])",), "y = other(..., key=...)"),
    (("slugify, y = (lib.slugify, 1)",), "slugify, y = (..., 1)"),  # a leak, which is told by the name
]


@pytest.mark.parametrize(("masked", "expected"), OUTLINES)
def test_the_outline_hides_the_api(masked: tuple[str, ...], expected: str) -> None:
    assert outline(masked, "slugify") == expected


def test_variants_change_one_input_at_a_time() -> None:
    made = draft("from lib import slugify\nx = 'ab'\nflag = True\ny = slugify(x, 3)\nassert y == 'a'")
    contexts = [variant.context for variant in variants(made)]
    assert "x = 'ac'\nflag = True\nsep = 3" in contexts
    assert "x = 'ab'\nflag = False\nsep = 3" in contexts
    assert "x = 'ab'\nflag = True\nsep = 4" in contexts
    assert "x = ''\nflag = True\nsep = 3" in contexts
    assert made.context not in contexts
    assert [v.edge for v in variants(made)] == sorted(v.edge for v in variants(made))


def test_variants_change_what_observations_are_given() -> None:
    made = draft("from lib import slugify\nclass M:\n    x = slugify(1)\nassert M.f(5) == 'a'")
    assert ("M.f(6)",) in [variant.observes for variant in variants(made)]
    assert all(isinstance(ast.parse(v.observes[0]), ast.Module) for v in variants(made))


LEAKS = [
    ("uses fail fast", "FailFast", False),
    ("uses fail_fast", "FailFast", True),
    ("uses failFast()", "FailFast", True),
    ("the field of a model", "Field", False),
    ("a Field of a model", "Field", True),
    ("m.get(x)", "get", True),
    ("together", "get", False),
    ("`TypeAdapter.rebuild`", "rebuild", True),
    ("prebuilds", "rebuild", False),
]


@pytest.mark.parametrize(("text", "leaf", "expected"), LEAKS)
def test_leaks(text: str, leaf: str, expected: bool) -> None:
    assert leaks(text, leaf) is expected


MASKED = [
    ("Returns the cross product.", "cross", "Returns the ___ product."),
    ("Updating it updates all.", "update", "___ it ___ all."),
    ("Replace expressions in `Q`.", "replace_expressions", "___ in `Q`."),
    ("See `lib.Thing.slugify`.", "slugify", "See `___`."),
    ("Get what get() gives.", "get", "Get what ___() gives."),
    ("A passing grade.", "pass", "A ___ grade."),
    ("Together we act.", "gather", "Together we act."),
]


@pytest.mark.parametrize(("text", "leaf", "expected"), MASKED)
def test_prose_has_a_blank_for_every_variant_of_the_name(text: str, leaf: str, expected: str) -> None:
    assert mask(text, leaf) == expected


@given(st.text(), st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{2,12}", fullmatch=True))
def test_masked_text_never_leaks(text: str, leaf: str) -> None:
    if leaf.strip("_"):
        assert not leaks(mask(f"{text} {leaf} a.{leaf}", leaf), leaf)


def test_checks_inside_a_block_are_no_part_of_the_answer() -> None:
    made = draft("import lib\nwith lib.open() as f:\n    lib.slugify(f)\n    data = lib.load(f)\n    assert data == 1")
    assert made.completion == "with lib.open() as f:\n    lib.slugify(f)\n    data = lib.load(f)"
    assert made.observes == ("data", "f")


@pytest.mark.parametrize(
    ("block", "left"),
    [
        ("for x in slugify(y):\n    assert x", ""),
        ("for x in slugify(y):\n    pass", "for x in slugify(y):\n    pass"),
        ("for x in y:\n    try:\n        assert x\n    except E:\n        z = slugify(x)",
         "for x in y:\n    try:\n        pass\n    except E:\n        z = slugify(x)"),
        ("for x in y:\n    try:\n        z = slugify(x)\n    finally:\n        assert z",
         "for x in y:\n    try:\n        z = slugify(x)\n    finally:\n        pass"),
        ("if a:\n    assert b\nelse:\n    z = slugify(a)", "if a:\n    pass\nelse:\n    z = slugify(a)"),
        ("if a:\n    while b:\n        assert b\n    z = slugify(b)",
         "if a:\n    while b:\n        pass\n    z = slugify(b)"),
        ("with lib.slugify(a):\n    assert a", "with lib.slugify(a):\n    pass"),
    ],
)  # fmt: skip
def test_a_block_without_its_checks_is_still_one(block: str, left: str) -> None:
    assert without_checks(block, "slugify") == left
    assert isinstance(ast.parse(left), ast.Module)


def test_a_call_between_answer_and_check_is_part_of_the_check() -> None:
    made = draft("import lib\nf = lib.File()\ny = lib.slugify(f)\nf.seek(0)\nz = f.read()\nassert z == 'a'")
    assert made.observes == ("(f.seek(0), f.read())[-1]", "y")


def test_what_is_made_after_the_answer_is_observed_where_nothing_is_checked() -> None:
    made = draft("import lib\n@lib.slugify\nclass M:\n    x: int\nm = M(1)")
    assert made.observes == ("M(1)",)


def test_a_class_shows_its_schema_where_nothing_is_done_with_it() -> None:
    made = draft("import lib\n@lib.slugify\nclass M:\n    x: int")
    assert "M.model_json_schema()" in made.observes


def test_a_definition_that_uses_the_api_is_what_must_be_written() -> None:
    usage = Usage(
        prelude=("import lib", "def f(x):\n    return lib.slugify(x)", "import other"),
        steps=(Step(code="y = f('a')"), Step(code="assert y == 'b'", expression="y")),
        source="here",
        origin="tests",
    )
    (made,) = cuts(usage, candidate())
    assert isinstance(made, Draft)
    assert made.context == "import lib\nimport other"
    assert made.completion == "def f(x):\n    return lib.slugify(x)"
    assert made.observes == ("f('a')",)


def test_what_is_compared_with_a_literal_is_observed_by_itself() -> None:
    made = draft("import lib\ny = lib.slugify('a')\nassert y.shape == (2, 3)\nassert y.sum() <= 4")
    assert made.observes == ("y.shape", "y.sum() <= 4", "y")


def test_an_input_is_called_like_its_parameter_and_what_changed_is_a_setting() -> None:
    usage = usage_of_block("import lib\ny = lib.slugify('A b', sep='_')\nassert y == 'a_b'")
    assert usage is not None
    changed = candidate(change="modified", changes=({"what": "parameter added", "parameter": "sep"},))
    for one, name in ((candidate(), "sep"), (changed, "setting")):
        made = next(cuts(usage, one, named=False))
        assert isinstance(made, Draft)
        assert made.context == f"import lib\ntext = 'A b'\n{name} = '_'"


def test_what_is_there_before_all_data_is_an_input_too() -> None:
    usage = usage_of_block(
        "import lib\nfrom lib import Day\nday = lib.first(3)\ny = lib.slugify(day.text, sep=Day.ONE)\nassert y == 3"
    )
    assert usage is not None
    made = next(iter(cuts(usage, candidate(), named=False)))
    assert isinstance(made, Draft)
    assert made.setup == ("day = lib.first(3)", "sep = Day.ONE")
    assert made.masked == ("y = lib.slugify(day.text, sep=sep)",)
    left = next(iter(cuts(usage, candidate())))
    assert isinstance(left, Draft)
    assert left.masked == ("y = lib.slugify(day.text, sep=Day.ONE)",)


def test_a_condition_that_an_answer_is_given_is_an_input() -> None:
    usage = usage_of_block("import lib\ny = lib.slugify(lib.col('price') > 5)\nassert y == 3")
    assert usage is not None
    made = next(iter(cuts(usage, candidate(), named=False)))
    assert isinstance(made, Draft)
    assert (made.setup, made.masked) == (("text = lib.col('price') > 5",), ("y = lib.slugify(text)",))


def test_what_stands_after_a_star_is_not_called_like_a_parameter() -> None:
    usage = usage_of_block("import lib\ny = lib.smallest(3, 9, 4)\nassert y == 3")
    assert usage is not None
    kinds = (Parameter(name="first"), Parameter(name="others", kind="var_positional"), Parameter(name="key"))
    made = next(iter(cuts(usage, candidate("smallest", parameters=kinds), named=False)))
    assert isinstance(made, Draft)
    assert made.setup == ("first = 3", "value = 9", "value_2 = 4")
    assert made.masked == ("y = lib.smallest(first, value, value_2)",)

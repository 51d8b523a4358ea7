"""Wrong answers made from right ones: every kind on calls of every form, and what holds of all of them."""

import ast
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.tasks.mutants import KINDS, Facts, Kind, mutants, omitted_arguments, questions, without_arguments
from apigap.tasks.mutants.mutant import SAME
from apigap.tasks.mutants.siblings import siblings_of
from tests.tasks.test_cut import candidate

SIGNATURE = Facts(positional=("text", "sep"), defaults={"sep": "'-'", "lower": "True"})
VALUES: dict[str, Any] = {
    "x": ([1, 2], []), "obj": ({"type": "Box", "fields": []},) * 2, "lib": ({"module": "lib"},) * 2,
    "n": (3, 4), "on": (True, False), "word": ("a", "b"), "dash": ("-", "-"), "'-'": ("-", "-"),
    "table": ({"array": {"dtype": "int64", "shape": [2], "values": [1, 2]}},) * 2,
    "scalar": ({"array": {"dtype": "int64", "shape": [], "values": [1]}},) * 2,
    "left": (1.5, 2.5), "right": (1.5, 2.5), "empty": ([], []), "gone": ({"raises": "NameError"},) * 2,
    "options": ({"dict": [["a", 1]]},) * 2, "Red": ({"class": "__main__.Red"},) * 2,
    "Blue": ({"class": "__main__.Blue"},) * 2, "pair": ({"tuple": [1, 2]},) * 2,
}  # fmt: skip
INPUTS = Facts(
    positional=("text", "sep"), defaults={"sep": "'-'", "lower": "True"}, values=VALUES, names=("Red", "Blue")
)


def made(code: str, kind: Kind, facts: Facts = SIGNATURE, leaf: str = "slugify") -> list[str]:
    return [mutant.code for mutant in mutants(code, leaf, facts, most=100) if mutant.kind == kind]


def test_each_keyword_of_the_target_is_left_out_once() -> None:
    code = "y = slugify(x, a=1, b=other(c=2))\nz = other(d=3)"
    assert omitted_arguments(code, "slugify") == [
        ("a", "y = slugify(x, b=other(c=2))\nz = other(d=3)"),
        ("b", "y = slugify(x, a=1)\nz = other(d=3)"),
    ]
    assert without_arguments(code, "slugify", {0, 1}) == "y = slugify(x)\nz = other(d=3)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x, sep='_')", ["y = slugify(sep='_')", "y = slugify(x)"]),
        ("y = lib.slugify(x, '_')", ["y = lib.slugify('_')", "y = lib.slugify(x)"]),
        ("y = slugify(x, '-')", ["y = slugify('-')"]),
        ("y = slugify(x, dash)", ["y = slugify(dash)"]),
        ("y = slugify(x, lower=True)", ["y = slugify(lower=True)"]),
        ("y = slugify(x, lower=1)", ["y = slugify(lower=1)", "y = slugify(x)"]),
        ("y = slugify(*parts, **more)", ["y = slugify(**more)", "y = slugify(*parts)"]),
        ("y = f(slugify(slugify(x)))", ["y = f(slugify())", "y = f(slugify(slugify()))"]),
        ("from lib import slugify as s\ny = s(x)", ["from lib import slugify as s\ny = s()"]),
        ("y = await slugify(x)", ["y = await slugify()"]),
        ("with slugify(x) as y:\n    z = y", ["with slugify() as y:\n    z = y"]),
        ("@slugify(x)\ndef f():\n    pass", ["@slugify()\ndef f():\n    pass"]),
        ("y = Box.slugify(x)", ["y = Box.slugify()"]),
        ("y = obj.slugify", []),
        ("y = other(x)", []),
    ],
)
def test_an_argument_is_omitted_unless_it_is_the_default(code: str, expected: list[str]) -> None:
    assert sorted(made(code, "omitted argument", INPUTS)) == sorted(expected)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x, '_')", ["y = slugify('_', x)"]),
        ("y = slugify(1, 1.0)", []),
        ("y = slugify(a, a)", []),
        ("y = slugify(left, right)", []),
        ("y = slugify(left, n)", ["y = slugify(n, left)"]),
        ("y = slugify(a, b, c)", ["y = slugify(b, a, c)", "y = slugify(a, c, b)"]),
        ("y = slugify(a, *b)", []),
        ("y = slugify(a, sep=b)", []),
    ],
)
def test_neighbours_are_swapped_unless_they_are_the_same(code: str, expected: list[str]) -> None:
    assert made(code, "swapped arguments", INPUTS) == expected


@pytest.mark.parametrize(
    ("given_", "other"),
    [
        ("1", "2"), ("-1", "0"), ("0.5", "2.0"), ("True", "False"), ("'a'", "'ax'"), ("b'a'", "b'ax'"),
        ("2j", "(1+2j)"),
        ("None", None), ("[1, 2]", "[1]"), ("[1]", "[2]"), ("(x,)", "(x[:-1],)"), ("(1, 2)", "(1,)"), ("[]", None),
        ("{'a': 1}", "{}"), ("{1, 2}", "{1}"), ("float", "int"), ("n", "n + 1"), ("left", "left * 2 + 1"),
        ("on", "not on"), ("word", "word + 'x'"), ("x", "x[:-1]"), ("empty", None), ("table", "table[:-1]"),
        ("scalar", None), ("options", "dict(list(options.items())[:-1])"), ("Red", "Blue"), ("gone", None),
        ("pair", "pair[:-1]"), ("unknown", None), ("lambda v: v", None),
    ],
)  # fmt: skip
def test_an_argument_gets_another_value_of_its_type(given_: str, other: str | None) -> None:
    expected = [] if other is None else [f"y = slugify({other})", f"y = slugify(sep={other})"]
    found = [*made(f"y = slugify({given_})", "changed argument", INPUTS)]
    found += made(f"y = slugify(sep={given_})", "changed argument", INPUTS)
    assert [ast.dump(ast.parse(code)) for code in found] == [ast.dump(ast.parse(code)) for code in expected]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x, sep='_')", ["y = slugify(x, sep='-')"]),
        ("y = slugify(x, '_', lower=False)", ["y = slugify(x, '-', lower=False)", "y = slugify(x, '_', lower=True)"]),
        ("y = slugify(x, dash)", []),
        ("y = slugify(x, lower=True)", []),
        ("y = slugify(*parts, '_')", []),
        ("y = slugify(x)", []),
    ],
)
def test_the_default_is_written_for_the_value(code: str, expected: list[str]) -> None:
    assert made(code, "default written", INPUTS) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x, lower=False, sep='_')", ["y = slugify(x)"]),
        ("y = slugify(x, '_')", ["y = slugify(x)"]),
        ("y = slugify(x, lower=True)", []),
        ("y = slugify(x)", ["y = slugify(x, limit=None)"]),
        ("y = slugify(x, limit=3)", []),
        ("y = slugify(x, **more)", []),
    ],
)
def test_the_old_signature_is_what_the_old_version_accepts(code: str, expected: list[str]) -> None:
    facts = Facts(
        positional=("text", "sep"), changed=frozenset(("sep", "lower")),
        defaults={"sep": "'-'", "lower": "True", "limit": "5"}, former_defaults={"limit": "None"},
    )  # fmt: skip
    assert made(code, "old signature", facts) == expected


def test_what_the_new_version_brought_must_not_be_left_out() -> None:
    facts = Facts(positional=("text",), changed=frozenset(("sep", "lower")))
    found = mutants("y = slugify(x, sep='_', lower=False)", "slugify", facts)
    assert [(m.kind, m.what) for m in found if m.vital] == [
        ("no-op", "no-op"), ("old signature", "without sep, lower"),
        ("omitted argument", "without sep"), ("omitted argument", "without lower"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("y = slugify(x)", ["y = (slugify(x), x)[1]", "y = (slugify(x), None)[1]"]),
        ("y = obj.slugify().a", ["y = (obj.slugify(), obj)[1].a", "y = (obj.slugify(), None)[1].a"]),
        ("y = lib.slugify()", ["y = (lib.slugify(), None)[1]"]),
        ("y = obj.slugify", ["y = (obj.slugify, obj)[1]", "y = (obj.slugify, None)[1]"]),
        ("y = await slugify(x)", ["y = (await slugify(x), x)[1]", "y = (await slugify(x), None)[1]"]),
        ("with slugify(x):\n    pass", ["with (slugify(x), __import__('contextlib').nullcontext())[1]:\n    pass"]),
        ("@slugify(x)\ndef f():\n    pass", ["@(slugify(x), lambda it: it)[1]\ndef f():\n    pass"]),
        ("class A(slugify(x)):\n    pass", ["class A((slugify(x), object)[1]):\n    pass"]),
        ("y = [slugify(v) for v in x]",
         ["y = [(slugify(v), v)[1] for v in x]", "y = [(slugify(v), None)[1] for v in x]"]),
        ("slugify(x)", []),
        ("await slugify(x)", []),
    ],
)  # fmt: skip
def test_the_call_is_made_and_its_result_not_used(code: str, expected: list[str]) -> None:
    found = made(code, "result not used", INPUTS)
    assert [ast.dump(ast.parse(text)) for text in found] == [ast.dump(ast.parse(text)) for text in expected]


@pytest.mark.parametrize(("slugify", "same"), [(str, True), (str.upper, False), (str.title, False)])
def test_the_probe_tells_a_result_that_is_the_stand_in_itself(slugify: Callable[[str], str], same: bool) -> None:
    found = [m for m in mutants("y = slugify(x)", "slugify", INPUTS) if m.what == "x for its result"]
    space: dict[str, Any] = {"slugify": slugify, "x": "some text"}
    assert found[0].probe is not None
    exec(found[0].probe, space)
    assert space[SAME] == [same]
    assert space["y"] == slugify("some text")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a = 1\ny = slugify(x)", ["a = 1", "a = 1\ny = x", "a = 1\ny = None"]),
        ("if a:\n    slugify(x)", ["if a:\n    pass"]),
        ("with slugify(x):\n    z = 1", ["z = 1", "with __import__('contextlib').nullcontext():\n    z = 1"]),
        ("with a, slugify(x):\n    z = 1",
         ["with a:\n    z = 1", "with a, __import__('contextlib').nullcontext():\n    z = 1"]),
        ("@slugify\ndef f():\n    pass", ["def f():\n    pass"]),
        ("class A(slugify):\n    b = 1", ["class A:\n    b = 1"]),
        ("try:\n    slugify(x)\nexcept E:\n    pass", ["try:\n    pass\nexcept E:\n    pass"]),
        ("async def f():\n    await slugify(x)\ng()", ["async def f():\n    pass\ng()"]),
        ("slugify(x)\nz = 1\nslugify(w)", ["z = 1\nslugify(w)", "slugify(x)\nz = 1", "z = 1"]),
    ],
)  # fmt: skip
def test_the_call_is_left_out(code: str, expected: list[str]) -> None:
    assert made(code, "call omitted") == expected


def test_what_is_dropped_once_is_not_dropped_again() -> None:
    code = "with slugify(slugify(x)) as a, b:\n    z = 1\nslugify(w)"
    found = [mutant.code for mutant in mutants(code, "slugify", SIGNATURE, 100) if mutant.what.endswith("dropped")]
    assert found == [
        "with b:\n    z = 1\nslugify(w)",
        "with slugify(slugify(x)) as a, b:\n    z = 1",
        "with b:\n    z = 1",
    ]


def test_nothing_but_the_call_left_out_is_the_no_op() -> None:
    assert made("slugify(x)", "call omitted") == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from lib import slugify\ny = slugify(x)", "from lib import strip\ny = strip(x)"),
        ("from lib import a, slugify\ny = slugify(x)", "from lib import strip\nfrom lib import a\ny = strip(x)"),
        ("from lib import slugify as s\ny = s(x)", "from lib import strip\ny = strip(x)"),
        ("y = lib.slugify(x)", "y = lib.strip(x)"),
        ("@slugify\ndef f():\n    pass", "@strip\ndef f():\n    pass"),
    ],
)
def test_the_wrong_api_is_a_sibling_with_its_own_import(code: str, expected: str) -> None:
    assert made(code, "wrong API", Facts(siblings=[candidate("strip")])) == [expected]


def test_siblings_are_of_the_same_kind_and_the_nearest_first() -> None:
    far = candidate("aaa", api_name="other.aaa")
    pool = [far, candidate(), *map(candidate, ("c", "b", "a")), candidate("Box", kind="class")]
    assert [c.leaf for c in siblings_of("lib.slugify", pool)] == ["a", "b", "c"]
    assert [c.leaf for c in siblings_of("lib.slugify", [far, candidate()])] == ["aaa"]
    assert siblings_of("lib.slugify", [far]) == []


def test_a_builtin_of_the_same_name_is_another_thing() -> None:
    assert made("y = np.sum(x) + sum(z)", "omitted argument", leaf="sum") == ["y = np.sum() + sum(z)"]
    imported = "from np import sum\ny = sum(z)"
    assert made(imported, "omitted argument", leaf="sum") == ["from np import sum\ny = sum()"]


def test_what_is_asked_of_the_context() -> None:
    asked = questions("y = obj.slugify(x, *parts, sep=a + b)", "slugify", SIGNATURE)
    assert asked == ("obj", "x", "a + b", "'-'", "True")


def test_a_few_mutants_are_of_all_kinds_and_those_that_must_be_killed_come_in_any_case() -> None:
    facts = Facts(
        siblings=[candidate("strip")], positional=("text", "sep"), defaults={"sep": "'-'"},
        changed=frozenset(("b",)), values=VALUES,
    )  # fmt: skip
    code = "from lib import slugify\n" + "\n".join(f"y{n} = slugify(x, '_', {n}, b={n + 1})" for n in range(9))
    assert {mutant.kind for mutant in mutants(code, "slugify", facts, most=27)} == set(KINDS)
    assert all(mutant.vital for mutant in mutants(code, "slugify", facts, most=5))
    assert len(mutants(code, "slugify", facts)) == 24


def _call(before: str, positional: list[str], named: list[str]) -> str:
    return f"{before}slugify({', '.join([*positional, *named])})"


def _statement(form: str, call: str) -> str:
    return form.format(call)


def _named(name: str, value: str) -> str:
    return f"{name}={value}"


def _name(text: str) -> str:
    return text.partition("=")[0]


_EXPRESSIONS = st.sampled_from(
    ["x", "n", "on", "word", "1", "'-'", "[1, 2]", "(x,)", "{}", "{'a': 1}", "None",
     "slugify(n)", "obj.a", "lambda v: v", "f(x)"]
)  # fmt: skip
_CALLS = st.builds(
    _call,
    st.sampled_from(["", "lib.", "obj."]),
    st.lists(st.one_of(_EXPRESSIONS, st.just("*x")), max_size=3),
    st.lists(st.builds(_named, st.sampled_from(["sep", "lower", "b"]), _EXPRESSIONS), max_size=2,
             unique_by=_name),
)  # fmt: skip
_STATEMENTS = st.builds(
    _statement,
    st.sampled_from(
        ["y = {}", "{}", "y = f({}).g", "with {} as y:\n    z = y", "@{}\ndef f():\n    pass",
         "async def f():\n    await {}",
         "class A({}):\n    pass", "y = [{} for v in x]", "for v in {}:\n    z = v",
         "if {}:\n    pass\nelse:\n    y = 1",
         "try:\n    y = {}\nfinally:\n    pass", "return_ = lambda: {}"]
    ),
    _CALLS,
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(_STATEMENTS, min_size=1, max_size=3))
def test_every_mutant_parses_and_differs_and_is_made_again(statements: list[str]) -> None:
    code = "\n".join(statements)
    facts = Facts(
        siblings=[candidate("strip")], positional=("text", "sep"), defaults=INPUTS.defaults, values=VALUES,
        changed=frozenset(("b",)), former_defaults={"c": "1"},
    )  # fmt: skip
    found = mutants(code, "slugify", facts)
    assert found == mutants(code, "slugify", facts)
    forms = [ast.dump(ast.parse(mutant.code)) for mutant in found]
    assert len(set(forms)) == len(forms) <= 24
    assert ast.dump(ast.parse(code)) not in forms
    assert found[0].kind == "no-op"
    assert all(mutant.probe is None or ast.parse(mutant.probe) for mutant in found)

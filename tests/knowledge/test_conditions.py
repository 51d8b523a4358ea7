"""Contents of a bundle under each condition."""

import pytest

from apigap.knowledge.conditions import CONDITIONS, PUBLISHED, leaks, masked, render, revealed
from apigap.records.candidate import Change, Parameter
from apigap.records.errors import UsageError
from apigap.records.knowledge import Code, Exemplar, InsteadOf, KnowledgeBundle, Prose, Surface

PARTS = {
    "name": "API: lib.slugify (function)",
    "parameters": "- sep: str = '-'",
    "exemplars": "slugify('A b')",
    "prose": "Background: Turns text",
    "code": "def slugify(text",
}


def bundle(**changes: object) -> KnowledgeBundle:
    values: dict[str, object] = {
        "api_name": "lib.slugify",
        "library": "lib",
        "version": "2",
        "change": "modified",
        "surface": Surface(
            s_name="lib.slugify",
            kind="function",
            signature="(text, sep='-')",
            parameters=(
                Parameter(name="text", annotation="str"),
                Parameter(name="sep", annotation="str", default="'-'", required=False),
            ),
            return_type="str",
        ),
        "exemplars": (Exemplar(code="slugify('A b')", status="executed", source="docs"),),
        "m_prose": Prose(text="Turns text into a slug.", tier="docstring"),
        "m_code": Code(text="def slugify(text, sep='-'): ...", source="lib.py"),
        "changes": (Change(what="parameter added", parameter="sep"),),
    }
    return KnowledgeBundle.model_validate({**values, **changes})


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_shows_its_components_and_no_other(condition: str) -> None:
    text = render(bundle(), condition) or ""
    shown = [part for part, words in PARTS.items() if words in text]
    assert shown == [part for part in PARTS if part in CONDITIONS[condition] and condition != "e_masked"]
    places = [text.index(PARTS[part]) for part in shown]
    assert places == sorted(places)


def test_there_are_the_twelve_of_the_paper() -> None:
    assert len(PUBLISHED) == 12
    assert set(CONDITIONS) - set(PUBLISHED) == {"e_masked"}
    assert render(bundle(), "baseline") is None


def test_changed_parameters_come_first_and_survive_a_cut() -> None:
    many = tuple(Parameter(name=f"p{n}", default="None", required=False) for n in range(30))
    surface = Surface(s_name="lib.f", kind="function", signature=None, parameters=many)
    text = render(bundle(surface=surface, changes=(Change(what="parameter added", parameter="p29"),)), "s") or ""
    assert text.index("- p29") < text.index("- p0")
    assert "- and 22 more" in text


def test_a_bundle_without_a_component_shows_nothing_for_it() -> None:
    assert render(bundle(exemplars=()), "e") == ""
    with pytest.raises(UsageError, match="unknown condition 'x'"):
        render(bundle(), "x")


def test_the_paper_s_names() -> None:
    paper = bundle().to_paper_dict()
    assert paper["S_name"] == "lib.slugify"
    assert [p["name"] for p in paper["S_param"]] == ["text", "sep"]
    assert (paper["E"][0]["status"], paper["M_prose"], paper["M_code"]) == (
        "executed",
        "Turns text into a slug.",
        "def slugify(text, sep='-'): ...",
    )


MASKED = [
    ("from lib import slugify\nslugify('A b')", "the_api('A b')"),
    ("import lib\nlib.text.slugify('A b')", "import lib\nthe_api('A b')"),
    ("x.slugify().other", "x.the_api().other"),
    ("slugify_all(1)", "slugify_all(1)"),
    ("from lib import other, slugify\nslugify(other)", "from lib import other\nthe_api(other)"),
    ("def f():\n    from lib import slugify as s\n    return s(1)", "def f():\n    return s(1)"),
    ("import lib.slugify", ""),
]


@pytest.mark.parametrize(("code", "expected"), MASKED)
def test_a_masked_exemplar_has_neither_name_nor_import(code: str, expected: str) -> None:
    assert masked(code, "lib.slugify") == expected


def test_the_masked_condition_shows_the_exemplar_alone() -> None:
    assert render(bundle(), "e_masked") == "Example:\n```python\nthe_api('A b')\n```"


LEAKS = [
    ("an exemplar has the name", {}, ("exemplars", "name", "slugify")),
    (
        "prose has the qualified name",
        {"m_prose": Prose(text="Use lib.slugify for it.", tier="docstring")},
        ("prose", "name", "lib.slugify"),
    ),
    (
        "an exemplar passes a parameter",
        {"exemplars": (Exemplar(code="slugify('A b', sep='+')", status="executed", source="docs"),)},
        ("exemplars", "parameters", "sep"),
    ),
    (
        "prose quotes an exemplar",
        {
            "exemplars": (Exemplar(code="y = slugify('A long text')", status="executed", source="docs"),),
            "m_prose": Prose(text="As in y = slugify('A long text') here.", tier="docstring"),
        },
        ("prose", "exemplars", "y = slugify('A long text')"),
    ),
    ("source has the signature", {}, ("code", "parameters", "text, sep")),
    (
        "prose marks a parameter",
        {"m_prose": Prose(text="Joins by `sep`.", tier="docstring")},
        ("prose", "parameters", "sep"),
    ),
]


@pytest.mark.parametrize(("changes", "expected"), [row[1:] for row in LEAKS], ids=[row[0] for row in LEAKS])
def test_what_components_give_away_of_each_other(changes: dict[str, object], expected: tuple[str, str, str]) -> None:
    assert expected in [(leak.component, leak.contains, leak.what) for leak in leaks(bundle(**changes))]


def test_a_condition_gives_away_what_it_does_not_show() -> None:
    whole = bundle()
    whole = whole.model_copy(update={"leaks": tuple(leaks(whole))})
    assert {(leak.component, leak.contains) for leak in revealed(whole, "e")} == {("exemplars", "name")}
    assert revealed(whole, "e_masked") == []
    assert revealed(whole, "full") == []
    plain = bundle(m_prose=Prose(text="Turns words of a text to lower case.", tier="docstring"))
    assert [leak for leak in leaks(plain) if leak.component == "prose"] == []


SHOWN = [
    (
        "members",
        {"form": "enum", "members": (Parameter(name="RED", default="'r'", required=False),)},
        "Members:\n- RED = 'r'",
    ),
    ("forms", {"overloads": ("(x: int) -> int", "(" + "x" * 200 + ")")}, "Called as: (x: int) -> int"),
    ("what has changed", {}, "Changed since 1: parameter added (sep='-')"),
]


@pytest.mark.parametrize(("facts", "expected"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN])
def test_parameters_are_told_with_what_else_tells_of_calls(facts: dict[str, object], expected: str) -> None:
    whole = bundle(old_version="1", changes=(Change(what="parameter added", parameter="sep", new="sep='-'"),))
    whole = whole.model_copy(update={"surface": whole.surface.model_copy(update=facts)})
    text = render(whole, "s") or ""
    assert expected in text
    assert "xxxx" not in text


def test_the_paper_s_record_comes_back_as_it_was() -> None:
    whole = bundle()
    again = KnowledgeBundle.from_paper_dict(whole.to_paper_dict(), library="lib", version="2")
    assert again.surface.parameters == whole.surface.parameters
    assert whole.to_paper_dict()["S_param"][1]["type"] == "str"


def test_a_bundle_says_instead_of_what() -> None:
    former = (InsteadOf(old_name="lib.slug", why="removed"), InsteadOf(old_name="lib.old", why="deprecated"))
    with_former, without = bundle(instead_of=former), bundle()
    line = "Instead of: lib.slug (removed), lib.old (deprecated)"
    shown = {name for name in CONDITIONS if line in (render(with_former, name) or "")}
    assert shown == {name for name, parts in CONDITIONS.items() if "parameters" in parts}
    assert all(
        (render(with_former, name) or "").replace("\n" + line, "") == (render(without, name) or "")
        for name in CONDITIONS
    )
    assert "instead_of" not in without.model_dump(mode="json"), "bundles of before keep their bytes"
    assert KnowledgeBundle.from_line(with_former.to_line()) == with_former

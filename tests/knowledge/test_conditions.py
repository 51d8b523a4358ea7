"""What each condition shows of a bundle."""

import pytest

from apigap.knowledge.conditions import CONDITIONS, render
from apigap.records.candidate import Change, Parameter
from apigap.records.errors import UsageError
from apigap.records.knowledge import Code, Exemplar, KnowledgeBundle, Prose, Surface

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
    assert shown == [part for part in PARTS if part in CONDITIONS[condition]]
    places = [text.index(PARTS[part]) for part in shown]
    assert places == sorted(places)


def test_there_are_the_twelve_of_the_paper() -> None:
    assert len(CONDITIONS) == 12
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

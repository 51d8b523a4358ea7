"""Advice on an API: a table of what is missing, with the evidence that stands beside it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.advice.advise import Answered, advise
from apigap.advice.examples import without_aliases
from apigap.advice.facts import ApiFacts
from apigap.advice.rules import advices_of, amended
from apigap.projects.changes import Changes
from apigap.records.candidate import Candidate, Change, Mention, Parameter, Since
from apigap.records.errors import UsageError
from apigap.records.knowledge import Exemplar, InsteadOf, KnowledgeBundle
from apigap.records.result import FailureLabel, Judged, Prediction, Result
from apigap.reporting.advice_model import Advice
from apigap.reporting.advice_page import headline
from apigap.reporting.entries import sample_entry
from apigap.reporting.model import AuditReport, Condition, SampleEntry
from apigap.reporting.render import render_advice
from tests.cli.test_discover_table import candidate as plain
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

SINCE = Since(version="1.9", exact=True)
GOOD = "Turn text into a slug.\n\n:param text: What to turn.\n\n>>> slugify('A b')\n\n.. versionadded:: 1.9"
MENTION = Mention(kind="versionadded", version="1.9", where="docstring", in_series=True)


def candidate(**changes: object) -> Candidate:
    """A function about which there is nothing to say."""
    return plain("slugify", 0.9).model_copy(
        update={"docstring": GOOD, "mentions": (MENTION,), "since": SINCE, **changes}
    )


def told(*parameters: Parameter, **changes: object) -> KnowledgeBundle:
    """Its bundle, with the parameters that are given."""
    surface = bundle().surface.model_copy(update={"parameters": parameters})
    return bundle(surface=surface, changes=(), **changes)


TEXT = Parameter(name="text", description="What to turn.")


def sample(label: FailureLabel, reason: str, condition: str = "baseline") -> SampleEntry:
    return SampleEntry(
        condition=condition, task_id="t", sample=0, outcome="fail", label=label, reason=reason, prompt="p", answer="a",
        code="a",
    )  # fmt: skip


def only(facts: ApiFacts) -> Advice:
    (advice,) = advices_of(facts)
    return advice


def test_a_good_docstring_needs_nothing() -> None:
    assert advices_of(ApiFacts(candidate(), told(TEXT))) == []


ADDED = Change(what="parameter added", parameter="sep")
RENAMED = Change(what="parameter renamed", parameter="sep", old="delimiter")
SEP = Parameter(name="sep", description="Between words.", default="None")
CASES = [
    (candidate(docstring=GOOD.replace(">>> ", "")), told(TEXT), "no example", "slugify('A b')"),
    (candidate(), told(TEXT, Parameter(name="sep")), "parameters undocumented", ""),
    (candidate(), told(TEXT, SEP), "default unclear", ""),
    (candidate(mentions=()), told(TEXT), "no since", ".. versionadded:: 1.9"),
    (candidate(mentions=(), since=Since(version="1.5", exact=False)), told(TEXT), "no since", ""),
    (candidate(mentions=(), change="modified", changes=(ADDED,)), told(TEXT), "no since", "``sep`` was added"),
    (candidate(mentions=(), change="modified", changes=(RENAMED,)), told(TEXT), "no since", "was called ``delimiter``"),
    (
        candidate(), told(TEXT, instead_of=(InsteadOf(old_name="lib.make_slug", why="renamed"),)), "replaces unsaid",
        "Use it instead of ``lib.make_slug``.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("found", "knowledge", "kind", "text"), CASES)
def test_what_is_missing_is_said(found: Candidate, knowledge: KnowledgeBundle, kind: str, text: str) -> None:
    advice = only(ApiFacts(found, knowledge))
    assert advice.kind == kind
    assert advice.evidence
    assert (text in advice.text) if text else advice.text == ""


QUIET = [
    candidate(change="modified", changes=(Change(what="annotation widened", parameter="text"),), mentions=()),
    candidate(docstring=GOOD + "\n\nInstead of make_slug."),
]


@pytest.mark.parametrize("found", QUIET)
def test_what_is_said_already_is_not_asked_for(found: Candidate) -> None:
    former = (InsteadOf(old_name="lib.make_slug", why="renamed"),) if "make_slug" in (found.docstring or "") else ()
    assert advices_of(ApiFacts(found, told(TEXT, instead_of=former))) == []


FAILED: list[tuple[FailureLabel, str, str]] = [
    ("WrongImport", "it looked for slugify in lib.text", "import not shown"),
    ("WrongAPISelection", "it called lib.make_slug", "not found"),
    ("WrongShapeDtype", "the result is a list, not a str", "result not described"),
]


@pytest.mark.parametrize(("label", "reason", "kind"), FAILED)
def test_a_failed_answer_is_evidence(label: FailureLabel, reason: str, kind: str) -> None:
    advice = only(ApiFacts(candidate(), told(TEXT), "open", [sample(label, reason)]))
    assert (advice.kind, advice.evidence[-1]) == (kind, f"a failed answer: {reason}")


def refused(exception: str, times: int = 1) -> list[SampleEntry]:
    entry = sample("WrongLogic", "then the program failed", "oracle.full")
    return [entry.model_copy(update={"exception": exception, "refused": True})] * times


REFUSED = [
    ("ValueError: an empty text has no slug", GOOD, "Raises:\n\n    ValueError: an empty text has no slug"),
    ("ValueError: 'a' has 1 letter", GOOD, ""),
    ("ValueError: what to do with “a”", GOOD, ""),
    ("ValueError: no such mode: text", GOOD, "Raises:\n\n    ValueError: no such mode: text"),
    ("ValueError: an empty text has no slug", f"{GOOD}\n\nNote that an empty text has no slug.", None),
]


@pytest.mark.parametrize(("exception", "docstring", "text"), REFUSED)
def test_what_it_refuses_is_said_in_its_own_words(exception: str, docstring: str, text: str | None) -> None:
    facts = ApiFacts(candidate(docstring=docstring), told(TEXT), "open", refused=refused(exception, 2))
    advices = advices_of(facts)
    assert [(one.kind, one.text) for one in advices] == ([] if text is None else [("refusal unsaid", text)])
    assert all(one.evidence == (f"a failed answer: it raised {exception} (2 met it)",) for one in advices)


STYLE = plain("Style", 0.9).model_copy(
    update={"kind": "class", "parameters": (Parameter(name="sep"), Parameter(name="case"), Parameter(name="limit"))}
)
TOLD = Parameter(name="style", annotation="lib.Style | None", description="How to write it.")
KEYS = [
    (GOOD, TOLD, "``style`` takes a ``Style``: ``sep``, ``case``, ``limit``."),
    (GOOD, TOLD.model_copy(update={"annotation": "lib.Styles | None"}), None),
    (f"{GOOD}\n\n:param style: `sep`, `case` and the like.", TOLD, None),
]


@pytest.mark.parametrize(("docstring", "parameter", "text"), KEYS)
def test_what_may_be_in_a_new_kind_of_argument_is_said(docstring: str, parameter: Parameter, text: str | None) -> None:
    found = candidate(
        docstring=docstring, change="modified",
        changes=(Change(what="parameter added", parameter="style"),), mentions=(MENTION,),
    )  # fmt: skip
    advices = advices_of(ApiFacts(found, told(TEXT, parameter), classes=(STYLE,)))
    assert [(one.kind, one.text) for one in advices] == ([] if text is None else [("keys unsaid", text)])


def test_what_answers_speak_for_comes_first() -> None:
    silent = candidate(docstring="", mentions=())
    failures = [sample("WrongParam", "TypeError: unexpected keyword argument sep")]
    facts = ApiFacts(silent, told(Parameter(name="sep")), "cured", failures, {"exemplars": "with example it can"})
    kinds = [advice.kind for advice in advices_of(facts)]
    assert set(kinds[:2]) == {"parameters undocumented", "no example"}
    assert "no docstring" in kinds


def test_an_example_that_somebody_wrote_goes_before_one_that_was_made_up() -> None:
    made = Exemplar(code="slugify(1)", status="executed", source="constructed lib.slugify(0)")
    written = Exemplar(code="print(slugify('A long text'))", status="executed", source="docs/start.rst#1")
    static = Exemplar(code="slugify()", status="static", source="docs/start.rst#2")
    facts = ApiFacts(candidate(), told(TEXT, exemplars=(made, static, written)))
    assert facts.example == written
    assert ApiFacts(candidate(), told(TEXT, exemplars=(static,))).example is None


@given(docstring=st.text(), names=st.lists(st.text(min_size=1), max_size=4))
def test_a_changed_docstring_begins_with_the_old_one(docstring: str, names: list[str]) -> None:
    found = candidate(docstring=docstring, mentions=())
    advices = advices_of(ApiFacts(found, told(*(Parameter(name=name) for name in names))))
    after = amended(docstring.strip(), advices)
    assert after.startswith(docstring.strip())
    assert all(advice.text in after for advice in advices)


def report_of(found: Candidate) -> AuditReport:
    from apigap.reporting.entries import task_entry

    task = make_task(api_name=found.api_name, library="lib")
    fails = sample("WrongAPISelection", "it called lib.make_slug").model_copy(update={"task_id": task.task_id})
    passes = fails.model_copy(update={"condition": "oracle.s_e", "outcome": "pass", "label": None})
    return AuditReport(
        title="x", model="m", libraries=(), tasks=(task_entry(task),), samples=(fails, passes), isolation="i",
        evaluator="e",
        conditions=(Condition(name="baseline", title="none"), Condition(name="oracle.s_e", title="both")),
    )  # fmt: skip


def test_advice_on_what_an_experiment_asked() -> None:
    found = candidate(docstring="A slug.", mentions=())
    changes = Changes("lib", "1", "2", [found, plain("other", 0.9)], (), [told(TEXT)])
    report = advise([changes], Answered(report_of(found)))
    (api,) = report.apis
    assert (api.need, str(api.failed)) == ("cured", "1 of 1")
    assert {one.kind for one in api.advices} == {"not found", "no example", "no since"}
    example = next(one for one in api.advices if one.kind == "no example")
    assert "with signature + example the model can use it, without it not" in example.evidence
    assert "1 of 1 APIs have something to change" in headline(report)
    page = render_advice(report)
    assert "it called lib.make_slug" in page
    assert "slugify(&#39;A b&#39;)" in page
    assert len(advise([changes]).apis) == 2
    with pytest.raises(UsageError, match="leave --experiment out"):
        advise([Changes("lib", "1", "2", [plain("other", 0.9)])], Answered(report_of(found)))


ALIASES = [
    ("import math as m\nprint(m.floor(2.5), m.pi)", "from math import floor, pi\nprint(floor(2.5), pi)"),
    ("import os.path as p\nprint(p.join('a', 'b'))", "from os.path import join\nprint(join('a', 'b'))"),
    ("import math as m\nprint(m)", None),
    ("import math as m\nfloor = m.floor(2.5)\nprint(floor)", None),
    ("import math as m\ndef pi(): return m.pi\nprint(pi())", None),
    ("import math as m, os\nprint(m.pi)", None),
    ("import math\nprint(math.pi)", None),
    ("print(", None),
]


@pytest.mark.parametrize(("code", "plain"), ALIASES)
def test_an_example_names_what_it_imports(code: str, plain: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert without_aliases(code) == (plain or code)
    if plain:
        exec(code, {})
        before = capsys.readouterr().out
        exec(plain, {})
        assert capsys.readouterr().out == before


REFUSALS = [
    ("ValueError", {"raised": "ValueError"}, "then the program failed", True),
    ("DataError", {"raised": "Exception"}, "then the program failed", True),
    ("KeyError", {"raised": "ValueError"}, "then the program failed", False),
    ("TypeError", {"raised": "TypeError", "rejected": True}, "then the program failed", False),
    ("TypeError", {"raised": "TypeError"}, "the signature of slugify refuses the call", False),
    ("ValueError", {"raised": None}, "then the program failed", False),
    ("ValueError", {"raised": "ValueError", "caller": "library"}, "then the program failed", False),
]


@pytest.mark.parametrize(("exception", "call", "why", "expected"), REFUSALS)
def test_only_the_exception_of_the_call_is_a_refusal(
    exception: str, call: dict[str, object], why: str, expected: bool
) -> None:
    detail = {
        "why": why, "exception": {"type": exception, "message": "no"},
        "calls": [{"caller": "candidate", "rejected": False, **call}],
    }  # fmt: skip
    result = Result(
        task_id="t", sample=0, outcome="fail", passed=False, score=0.0, label="WrongLogic", detail=detail,
        evaluator="e", seconds=0.1, judged=Judged.of("a"),
    )  # fmt: skip
    entry = sample_entry("oracle.full", make_task(), Prediction(task_id="t", samples=("a",)), result)
    assert entry.refused is expected

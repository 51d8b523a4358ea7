"""Prose in a model's words: what is taken, what is not, and what the bundle says of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import BaseModel

from apigap.knowledge.conditions import leaks
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.transcripts import Call
from apigap.records.candidate import Parameter
from apigap.records.configuration import AuthorSettings
from apigap.records.knowledge import Code, Exemplar, KnowledgeBundle, Prose, Surface
from apigap.tasks.author.rewrite import Rewriter, material, problem_of

BUNDLE = KnowledgeBundle(
    api_name="lib.text.slugify",
    library="lib",
    version="2.0",
    change="added",
    surface=Surface(
        s_name="lib.text.slugify", kind="function", signature="(text, max_len=80)",
        parameters=(Parameter(name="text"), Parameter(name="max_len", default="80", required=False)),
    ),
    exemplars=(Exemplar(code="print(slugify('Hello World'))", status="executed", source="docs"),),
    m_prose=Prose(text="Turns a text into a part of an address.", tier="docstring", provenance=("docstring",)),
    m_code=Code(text="def slugify(text, max_len=80):\n    return _join(text)[:max_len]", source="lib/text.py"),
)  # fmt: skip
GOOD = (
    "It turns a text into a form that can be a part of an address: what it gives is cut at `max_len` characters, "
    "which are 80 where nothing else is said."
)


@dataclass
class Scripted:
    answers: list[str]
    model: str = "some/model"
    found: tuple[str, ...] = ()
    asked: list[GenerationRequest] = field(default_factory=list[GenerationRequest])

    def ask(self, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
        self.asked.extend(requests)
        return [
            Call(purpose=r.key, model=self.model, decoding=Decoding(), messages=r.messages(), temperature=0, seed=0,
                 answer=self.answers.pop(0), found=self.found)
            for r in requests
        ]  # fmt: skip

    @property
    def web_search(self) -> str | None:
        return "tavily" if self.found else None


def rewriter(script: Scripted, rounds: int = 2) -> Rewriter:
    settings = AuthorSettings(rounds=rounds, max_tokens=99, temperature=0, seed=1)
    return Rewriter(script, settings, 400)  # type: ignore[arg-type]


def said(text: str) -> str:
    return json.dumps({"text": text})


def test_the_new_prose_tells_where_it_comes_from() -> None:
    script = Scripted([said(f"{GOOD}\n")])
    (bundle,), (log,) = rewriter(script).rewrite([BUNDLE])
    assert bundle.m_prose is not None
    assert (bundle.m_prose.text, bundle.m_prose.tier, log.taken, log.reasons) == (GOOD, "docstring", True, ())
    first, origin = bundle.m_prose.provenance
    assert (first, origin.partition(", transcript ")[0]) == ("docstring", "rewritten by some/model")
    assert bundle.leaks == tuple(leaks(bundle))
    assert rewriter(Scripted([])).rewrite([bundle]) == ([bundle], [])


REJECTED = [
    ("no JSON", GOOD, "no opening brace"),
    ("too short", said("It is good."), "fewer than 15 words"),
    ("too long", said(GOOD * 4), "more than 400"),
    ("code", said(f"{GOOD} ```x```"), "holds code"),
    ("the name", said(GOOD.replace("It turns", "`slugify` turns")), "it names the API"),
    ("a made-up name", said(f"{GOOD} It never uses unidecode_all on it."), "`unidecode_all`"),
    ("a made-up call", said(f"{GOOD} It calls normalise() first."), "`normalise`"),
    ("a made-up number", said(GOOD.replace("80", "120")), "`120`"),
]


@pytest.mark.parametrize(("answer", "says"), [row[1:] for row in REJECTED], ids=[row[0] for row in REJECTED])
def test_what_is_rejected_goes_back_and_the_next_is_taken(answer: str, says: str) -> None:
    script = Scripted([answer, said(GOOD)])
    (bundle,), (log,) = rewriter(script).rewrite([BUNDLE])
    assert bundle.m_prose is not None
    assert (bundle.m_prose.text, log.taken) == (GOOD, True)
    assert says in log.reasons[0]
    assert says in script.asked[1].messages()[2].content


def test_the_deterministic_prose_stays_where_none_is_taken() -> None:
    (bundle,), (log,) = rewriter(Scripted(["no", "no"])).rewrite([BUNDLE])
    assert (bundle, log.taken, len(log.reasons)) == (BUNDLE, False, 2)


def test_without_prose_nothing_is_asked() -> None:
    bare = BUNDLE.model_copy(update={"m_prose": None})
    assert rewriter(Scripted([])).rewrite([bare]) == ([bare], [])


def test_a_model_is_shown_no_exemplar_and_no_code_that_may_not_leave() -> None:
    assert BUNDLE.m_code is not None
    closed = BUNDLE.model_copy(update={"m_code": BUNDLE.m_code.model_copy(update={"local_only": True})})
    assert "_join" in material(BUNDLE)
    assert "_join" not in material(closed)
    assert "Hello World" not in material(BUNDLE)


def test_words_and_numbers_that_were_given_may_be_used() -> None:
    assert problem_of(GOOD, material(BUNDLE), 400) is None


def test_what_a_search_found_may_be_said() -> None:
    text = GOOD + " It knows `allow_unicode` too."
    (new,), (log,) = rewriter(Scripted([said(text)], found=("slugify takes allow_unicode since 2.0",))).rewrite(
        [BUNDLE]
    )
    assert log.taken and new.m_prose is not None and new.m_prose.text == text
    _, (log,) = rewriter(Scripted([said(text)] * 2)).rewrite([BUNDLE])
    assert not log.taken and "allow_unicode" in log.reasons[0]


def test_a_model_is_told_to_search_only_where_it_can() -> None:
    for found, wanted in (((), False), (("a page",), True)):
        script = Scripted([said(GOOD)], found=found)
        rewriter(script).rewrite([BUNDLE])
        assert ("search first" in script.asked[0].messages()[0].content) is wanted

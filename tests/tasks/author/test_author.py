"""A model as author, its answers written here: what is rejected, which reason it is told, and what is accepted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from apigap.knowledge.usages.verify import ApiUsages
from apigap.models.request import Decoding, GenerationRequest, StopReason
from apigap.models.transcripts import Call
from apigap.packages.environments import EnvironmentStore
from apigap.records.candidate import Candidate
from apigap.records.configuration import AuthorSettings, load_settings
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.tasks.author import Author
from apigap.tasks.synthesise import ApiResult
from tests.tasks.author.release import CANDIDATES, NEW, bundle_of

LICENCE = CANDIDATES[0]
MODEL = "some/model"
GOOD: dict[str, Any] = {
    "description": "`declared` are licences of parts from a supplier. `clean` maps each part to the official spelling.",
    "context": ["from packaging import licenses", "declared = {'bolt': 'mit', 'gear': 'apache-2.0'}"],
    "solution": ["clean = {part: licenses.canonicalize_license_expression(text) for part, text in declared.items()}"],
    "observe": ["clean"],
}
OTHERS = [["declared = {'nut': 'isc'}"], ["declared = {}"]]


def answer(**changed: object) -> str:
    return json.dumps({**GOOD, **changed})


def scenarios(*sets: list[str]) -> str:
    return json.dumps({"scenarios": [{"name": f"s{n}", "inputs": lines} for n, lines in enumerate(sets)]})


@dataclass
class Scripted:
    """In the place of the transcripts: gives `answers` one after the other, and keeps what was asked."""

    answers: list[str]
    stop_reason: StopReason = "stop"
    model: str = MODEL
    asked: list[GenerationRequest] = field(default_factory=list[GenerationRequest])

    def ask(self, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
        return [self._call(request) for request in requests]

    def _call(self, request: GenerationRequest) -> Call:
        self.asked.append(request)
        told = {"answer": self.answers.pop(0), "stop_reason": self.stop_reason}
        return Call(
            purpose=request.key, model=self.model, decoding=Decoding(max_tokens=99), messages=request.messages(),
            temperature=0, seed=0, **told,  # pyright: ignore[reportArgumentType]
        )  # type: ignore[arg-type]  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def environment() -> Environment:
    return EnvironmentStore().get("packaging", NEW)


@dataclass
class Bench:
    engine: Engine
    environment: Environment
    gate: list[str | None] = field(default_factory=list[str | None])

    def write(self, script: Scripted, rounds: int = 2, candidate: Candidate = LICENCE) -> ApiResult:
        bundles = {one.api_name: bundle_of(one) for one in CANDIDATES}
        limits = load_settings(overrides=["tasks.per_api=1"]).tasks
        settings = AuthorSettings(rounds=rounds, max_tokens=99, temperature=0, seed=1)
        author = Author(
            script, bundles, self.engine, self.environment, [], "test", limits, settings, self._check  # type: ignore[arg-type]
        )  # fmt: skip
        (written,) = author.write([(candidate, ApiUsages(api_name=candidate.api_name, usages=(), tried=0))])
        return written

    def _check(self, tasks: Sequence[Task]) -> list[str | None]:
        return [self.gate.pop(0) if self.gate else None for _ in tasks]


@pytest.fixture
def bench(engine: Engine, environment: Environment) -> Bench:
    return Bench(engine, environment)


pytestmark = [pytest.mark.network, pytest.mark.sandbox]


def test_what_a_model_writes_becomes_a_task_of_the_common_form(bench: Bench) -> None:
    script = Scripted([answer(), scenarios(*OTHERS)])
    (task,) = bench.write(script).tasks
    assert (task.author, task.change, task.difficulty, task.old_version) == (MODEL, "added", "easy", "24.0")
    expected = [[one.expected for one in scenario.observations] for scenario in task.harness.scenarios]
    assert [json.dumps(values) for values in expected[1:]] == ['[{"dict": [["nut", "ISC"]]}]', '[{"dict": []}]']
    assert [place.partition(" ")[0] for place in task.provenance] == ["transcript", "transcript"]
    assert [request.key.rpartition("/")[2] for request in script.asked] == ["task", "scenarios"]


def test_no_exemplar_is_shown_to_the_author(bench: Bench) -> None:
    script = Scripted([answer(), scenarios(*OTHERS)])
    bench.write(script)
    (exemplar,) = bundle_of(LICENCE).exemplars
    assert exemplar.code.split("\n")[1] not in script.asked[0].messages()[0].content


SHOWN = "expression = licenses.canonicalize_license_expression('mit or gpl-2.0-only')"
REJECTED = [
    ("no JSON", "I cannot do that.", "no opening brace"),
    ("a field is missing", json.dumps({**GOOD, "solution": None}), "solution: "),
    ("nothing is written", answer(solution=[]), "solution: Value should have at least 1 item"),
    ("broken code", answer(solution=["clean = ("]), "its solution does not parse"),
    ("hostile code", answer(solution=["(" * 600]), "its solution does not parse"),
    ("code that is no text", answer(context=["x = '\ud800'"]), "its context does not parse"),
    ("the API is not used", answer(solution=["clean = declared"]), "does not use canonicalize_license_expression"),
    ("the name in words", answer(description="Call canonicalize_license_expression."), "its description names the API"),
    ("a variant of the name", answer(description="CanonicalizeLicenseExpression"), "its description names the API"),
    ("the name in the context", answer(context=[*GOOD["context"], "f = licenses.canonicalize_license_expression"]),
     "its context names the API"),
    ("the check calls it", answer(observe=["licenses.canonicalize_license_expression('mit')"]), "uses the API itself"),
    ("the check is no expression", answer(observe=["x = 1"]), "is no expression"),
    ("the check is empty", answer(observe=[" "]), "observes nothing"),
    ("no inputs", answer(context=["from packaging import licenses"], solution=[SHOWN], observe=["expression"]),
     "no data"),
    ("an exemplar's call", answer(context=[GOOD["context"][0], "unused = 1"], solution=[SHOWN], observe=["expression"]),
     "use data of your own"),
    ("too long", answer(context=[GOOD["context"][0], f"declared = {['mit'] * 400}"]), "more than 1500"),
    ("it does not run", answer(context=[GOOD["context"][0], "declared = {'bolt': 'no licence'}"]), "Invalid"),
    ("what is observed is not there", answer(observe=["clear"]), "`clear` raises NameError"),
    ("what is observed is no data", answer(solution=[*GOOD["solution"], "it = iter(clean)"], observe=["it"]),
     "convert it to numbers"),
    ("what is observed changes", answer(solution=[*GOOD["solution"], "import os", "r = os.urandom(8).hex()"],
                                        observe=["clean", "r"]), "differs from run to run"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "says"), [row[1:] for row in REJECTED], ids=[row[0] for row in REJECTED])
def test_a_rejected_task_comes_back_with_the_reason(bench: Bench, said: str, says: str) -> None:
    script = Scripted([said, answer(), scenarios(*OTHERS)])
    written = bench.write(script)
    assert len(written.tasks) == 1
    _, mine, why = script.asked[1].messages()
    assert mine.content == said
    assert says in why.content
    assert says in written.dropped[0]
    assert written.dropped[0].startswith("easy, try 1: ")


def test_an_answer_that_was_cut_off_is_told_so(bench: Bench) -> None:
    script = Scripted(["{", "{"], stop_reason="length")
    assert "cut off after 99 tokens" in bench.write(script).dropped[0]


SCENARIOS = [
    ("no JSON", "none", "no opening brace"),
    ("too few", scenarios(OTHERS[0]), "2 are needed"),
    ("other names", scenarios(["bolts = {}"], OTHERS[1]), "assigns to none of the inputs"),
    ("no difference", scenarios(["declared = {'bolt': 'MIT', 'gear': 'Apache-2.0'}"], OTHERS[1]), "the same values"),
    ("it does not run", scenarios(["declared = {'nut': '?'}"], OTHERS[1]), "does not run in scenario s0"),
]


@pytest.mark.parametrize(("said", "says"), [row[1:] for row in SCENARIOS], ids=[row[0] for row in SCENARIOS])
def test_rejected_scenarios_come_back_and_the_task_is_kept(bench: Bench, said: str, says: str) -> None:
    script = Scripted([answer(), said, scenarios(*OTHERS)])
    written = bench.write(script)
    assert len(written.tasks) == 1
    assert [request.key.rpartition("/")[2] for request in script.asked] == ["task", "scenarios", "scenarios"]
    assert says in script.asked[2].messages()[2].content


def test_a_task_without_scenarios_is_given_up_after_two_tries(bench: Bench) -> None:
    script = Scripted([answer(), "none", "none", answer(), scenarios(*OTHERS)])
    written = bench.write(script, rounds=3)
    assert [request.key.rpartition("/")[2] for request in script.asked][3:] == ["task", "scenarios"]
    assert "no other inputs could be found" in script.asked[3].messages()[2].content
    assert (len(written.tasks), len(written.dropped)) == (1, 2)


def test_what_the_gate_says_goes_back_too(bench: Bench) -> None:
    bench.gate = ["it kills 1 of 3 mutants", None]
    script = Scripted([answer(), scenarios(*OTHERS)] * 2)
    written = bench.write(script)
    assert len(written.tasks) == 1
    assert "it kills 1 of 3 mutants" in script.asked[2].messages()[2].content


def test_the_last_round_ends_it(bench: Bench) -> None:
    bench.gate = ["no", "no"]
    written = bench.write(Scripted([answer(), scenarios(*OTHERS)] * 2))
    assert (written.tasks, written.dropped) == ((), ("easy, try 1: no", "easy, try 2: no"))


def test_what_cannot_be_called_is_not_asked_for(bench: Bench) -> None:
    script = Scripted([])
    written = bench.write(script, candidate=LICENCE.model_copy(update={"kind": "field"}))
    assert (written.tasks, script.asked) == ((), [])

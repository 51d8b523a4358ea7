"""Does a model know the APIs that are new to it? Two questions about each, and controls that show what answers mean."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from apigap.discovery.diff import classify
from apigap.discovery.discover import Discovery, discover, environment_at
from apigap.discovery.evidence.documents import read_documents, with_documents
from apigap.discovery.run_time import read_surface
from apigap.discovery.surface import Surface
from apigap.gates.probe.items import check_enough, choose_candidates, choose_known, invent
from apigap.models.generate import Generator
from apigap.models.model_facts import LOCAL, tokens_for
from apigap.models.probing import existence_prompt, f1, parameter_names, signature_prompt, yes_and_no, yes_or_no
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import fetch_sdist
from apigap.packages.interpreters import minor_of
from apigap.records.base import Record, content_hash
from apigap.records.candidate import Candidate
from apigap.records.errors import ModelUnavailable, UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.questions.probe import ProbeAnswer, ProbeItem, ProbeQuestion, ProbeReport, ProbeResult, Separation
from apigap.records.store import Journal, write_text
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.statistics.separation import auc_interval, posterior, posterior_intervals

Scoring = Literal["auto", "likelihood", "samples"]
QUESTIONS: tuple[ProbeQuestion, ...] = ("existence", "signature")
PROBE_TOKENS = 96
"""The most tokens of the longest answer, a signature."""
_ALTERNATIVES = 20
_SCRIPT = Path(__file__).parent / "names_script.py"


class ProbeSettings(Record):
    """The number of APIs of each group to ask about, the scoring of existence, and the seed of every draw.

    `samples` answers are drawn at temperature 1 where the likelihood of the first word is not to be had.
    """

    count: int = 20
    scoring: Scoring = "auto"
    samples: int = 8
    seed: int = 0


@dataclass(frozen=True)
class ProbedApis:
    """The APIs that a run asks about; `left_out` counts added APIs that were not asked about."""

    items: tuple[ProbeItem, ...]
    left_out: int


def gather(
    library: str, old: str, new: str, settings: ProbeSettings, engine: Engine, store: EnvironmentStore
) -> tuple[ProbedApis, Discovery]:
    """Candidates and controls of a library; what was discovered on the way is the second value.

    Raises:
        UsageError: when nothing was added that can be asked about, or the controls are too few.
    """
    found = discover(library, old, new, engine=engine, store=store)
    candidates = choose_candidates(found.candidates, settings.count, settings.seed)
    if not candidates:
        raise UsageError(f"{library} {new} has no added function, class or method with parameters to ask about")
    homes = [environment_at(library, version, store, python_of(found, version)) for version in (old, new)]
    before, after = (read_surface(home, engine) for home in homes)
    unchanged = unchanged_apis(before, after)
    known = choose_known(unchanged, candidates, settings.count)
    check_enough(known)

    def exists(names: Sequence[str]) -> set[str]:
        return {name for home in homes for name in existing_names(engine, home, names)}

    invented = invent(unchanged, known, names_in((before, after)), exists, settings.seed)
    added = sum(candidate.change == "added" for candidate in found.candidates)
    return ProbedApis((*candidates, *known, *invented), added - len(candidates)), found


class Probe:
    """One run: asks what is not answered yet, then reports. `folder` gets answers, manifest and report.

    `max_tokens` is the room for the trace of a model that may write one; None: its own.
    """

    def __init__(
        self, model: str, settings: ProbeSettings, folder: Path, progress: Progress, max_tokens: int | None = None
    ) -> None:
        by_likelihood = settings.scoring == "likelihood" or (settings.scoring == "auto" and model.startswith(LOCAL))
        self._model = model
        self._settings = settings
        self._by_likelihood = by_likelihood
        self._max_tokens = max_tokens
        self._folder = folder
        self._progress = progress

    def run(self, asked: ProbedApis, found: Discovery) -> ProbeReport:
        """The report on `asked`, the same however often the run was ended and begun again.

        Raises:
            ModelUnavailable: when the model cannot be asked, or gives no probabilities where they are wanted.
            UsageError: when the folder holds the answers of another run.
        """
        made_from = {
            "model": self._describe(),
            "settings": self._settings.model_dump(mode="json"),
            "versions": [found.library, found.old_version, found.new_version],
            "items": content_hash([item.model_dump(mode="json") for item in asked.items]),
            "prompts": content_hash(
                [
                    self._request("", q, item).model_dump(mode="json")["prompt"]
                    for q in QUESTIONS
                    for item in asked.items
                ]
            ),
        }
        stage = Stage(self._folder / "probe.manifest.json", "novelty probe", made_from)
        answers = self._answers(asked.items)
        report = make_report(self._model, asked, found, answers, self._settings.seed)
        write_text(self._folder / "probe.json", report.model_dump_json(indent=2) + "\n")
        stage.finish({"tells": report.tells, "answers": len(answers), "unread": report.unread})
        return report

    def _describe(self) -> dict[str, Any]:
        with self._generator("signature") as generator:
            return generator.describe()

    def _answers(self, items: Sequence[ProbeItem]) -> list[ProbeAnswer]:
        with Journal(self._folder / "answers.jsonl", ProbeAnswer) as journal:
            for question in QUESTIONS:
                self._ask(question, items, journal)
            journal.finish(lambda answer: (answer.question, answer.api_name))
        return journal.done

    def _ask(self, question: ProbeQuestion, items: Sequence[ProbeItem], journal: Journal[ProbeAnswer]) -> None:
        by_key = {f"{question}/{item.api_name}": item for item in items}
        done = {f"{answer.question}/{answer.api_name}" for answer in journal.done}
        requests = [self._request(key, question, item) for key, item in by_key.items() if key not in done]
        step = self._progress.step(f"probe: {question} of {len(items)} APIs, {self._model}")
        step(len(by_key) - len(requests), len(by_key))
        if not requests:
            return
        partial: dict[str, list[Answer]] = {}
        waiting = {request.key: request for request in requests}

        def receive(key: str, sample: int, answer: Answer) -> None:
            partial.setdefault(key, []).append(answer)
            if len(partial[key]) == waiting[key].samples:
                journal.append(self._read(question, by_key[key], waiting[key], partial.pop(key)))
                step(sum(answer.question == question for answer in journal.done), len(by_key))

        with self._generator(question) as generator:
            generator.generate(requests, receive)

    def _generator(self, question: ProbeQuestion) -> Generator:
        if question == "signature":
            most = tokens_for(self._model, PROBE_TOKENS, self._max_tokens)
            return Generator(self._model, Decoding(max_tokens=most, stop=(")\n", "):", ") ->", "\n```")))
        likelihood = self._by_likelihood
        most = 1 if likelihood else tokens_for(self._model, 8, self._max_tokens)
        return Generator(self._model, Decoding(max_tokens=most), alternatives=_ALTERNATIVES if likelihood else 0)

    def _request(self, key: str, question: ProbeQuestion, item: ProbeItem) -> GenerationRequest:
        library = item.api_name.partition(".")[0]
        if question == "signature":
            prompt = signature_prompt(library, item.api_name)
            return GenerationRequest(key=key, prompt=prompt, seed=self._settings.seed)
        asked = existence_prompt(library, item.api_name)
        samples = 1 if self._by_likelihood else self._settings.samples
        temperature = 0.0 if self._by_likelihood else 1.0
        return GenerationRequest(
            key=key,
            prompt=asked.text,
            shared=asked.shared,
            samples=samples,
            temperature=temperature,
            seed=self._settings.seed,
        )

    def _read(
        self, question: ProbeQuestion, item: ProbeItem, request: GenerationRequest, answers: Sequence[Answer]
    ) -> ProbeAnswer:
        if question == "existence" and self._by_likelihood and not any(answer.alternatives for answer in answers):
            raise ModelUnavailable(f"{self._model} tells no probabilities; ask with --scoring samples")
        read = _signature if question == "signature" else _likelihood if self._by_likelihood else _sampled
        return ProbeAnswer(
            api_name=item.api_name,
            question=question,
            prompt_hash=content_hash(request.model_dump(mode="json")),
            answers=tuple(answer.text for answer in answers),
            **read(item, answers),
        )


def make_report(
    model: str, asked: ProbedApis, found: Discovery, answers: Sequence[ProbeAnswer], seed: int
) -> ProbeReport:
    """The report on the answers. A pure function of them.

    Both scores are divided by their spread over the controls and added with equal weight, so that nothing is fitted
    to who is known; only then the curve of `posterior` is.
    """
    scores: dict[tuple[ProbeQuestion, str], float | None] = {}
    scores.update({(answer.question, answer.api_name): answer.score for answer in answers})
    bare = _joined([_result(item, scores) for item in asked.items])
    separation = {name: _separation(bare, read) for name, read in _READINGS.items()}
    tells = separation["both"].low > 0.5
    return ProbeReport(
        library=found.library,
        old_version=found.old_version,
        new_version=found.new_version,
        model=model,
        tells=tells,
        verdict=_verdict(separation["both"], model),
        separation=separation,
        unread={question: sum(a.unread for a in answers if a.question == question) for question in QUESTIONS},
        left_out=asked.left_out,
        results=tuple(_with_novelty(bare, seed) if tells else bare),
    )


_READINGS: dict[str, Callable[[ProbeResult], float | None]] = {
    "existence": lambda result: result.existence,
    "signature": lambda result: result.signature,
    "both": lambda result: result.score,
}


def _result(item: ProbeItem, scores: dict[tuple[ProbeQuestion, str], float | None]) -> ProbeResult:
    existence, signature = (scores.get((question, item.api_name)) for question in QUESTIONS)
    return ProbeResult(item=item, existence=existence, signature=signature, score=None)


def _joined(results: Sequence[ProbeResult]) -> list[ProbeResult]:
    controls = [r for r in results if r.item.group != "candidate"]
    scales = [_scale([_READINGS[question](r) for r in controls]) for question in QUESTIONS]

    def joined(result: ProbeResult) -> float | None:
        total = 0.0
        for question, (centre, spread) in zip(QUESTIONS, scales, strict=True):
            value = _READINGS[question](result)
            if value is None:
                return None
            total += (value - centre) / spread if spread else 0.0
        return total / math.sqrt(len(QUESTIONS))

    return [result.model_copy(update={"score": joined(result)}) for result in results]


def _scale(values: Sequence[float | None]) -> tuple[float, float]:
    read = np.array(sorted(value for value in values if value is not None))
    return (float(read.mean()), float(read.std())) if len(read) else (0.0, 0.0)


def _scores(results: Sequence[ProbeResult], group: str, read: Callable[[ProbeResult], float | None]) -> list[float]:
    return [value for r in results if r.item.group == group and (value := read(r)) is not None]


def _separation(results: Sequence[ProbeResult], read: Callable[[ProbeResult], float | None]) -> Separation:
    known, invented = (_scores(results, group, read) for group in ("known", "invented"))
    auc = auc_interval(known, invented)
    return Separation(auc=auc.estimate, low=auc.low, high=auc.high, known=len(known), invented=len(invented))


def _with_novelty(results: Sequence[ProbeResult], seed: int) -> list[ProbeResult]:
    known, invented = (_scores(results, group, _READINGS["both"]) for group in ("known", "invented"))
    read = [result for result in results if result.score is not None]
    scores = [result.score or 0.0 for result in read]
    values = posterior(known, invented, scores)
    low, high = posterior_intervals(known, invented, scores, seed)
    novelty = {
        result.item.api_name: {"novelty": float(value), "low": float(min(a, value)), "high": float(max(b, value))}
        for result, value, a, b in zip(read, values, low, high, strict=True)
    }
    return [result.model_copy(update=novelty.get(result.item.api_name, {})) for result in results]


def _verdict(both: Separation, model: str) -> str:
    if both.auc is None:
        return f"the probe tells nothing for {model}: its answers about the controls cannot be read"
    measured = f"AUC {both.auc:.2f}, interval {both.low:.2f} to {both.high:.2f}"
    if both.low <= 0.5:
        return f"the probe tells nothing for {model}: it does not tell known APIs from invented ones ({measured})"
    return f"the probe tells known APIs from invented ones for {model} ({measured})"


def _likelihood(item: ProbeItem, answers: Sequence[Answer]) -> dict[str, Any]:
    odds = yes_and_no(answers[0].alternatives)
    if odds is None:
        return {"score": None, "unread": 1}
    floor = math.exp(answers[0].alternatives[-1][1])  # what is not among the likeliest is at most as likely as the last
    yes, no = (max(value, min(floor, 1e-4)) for value in odds)
    return {"score": math.log(yes / no), "yes": odds[0], "no": odds[1]}


def _sampled(item: ProbeItem, answers: Sequence[Answer]) -> dict[str, Any]:
    read = [said for answer in answers if (said := yes_or_no(answer.text)) is not None]
    yes, no = sum(read), len(read) - sum(read)
    score = math.log((yes + 0.5) / (no + 0.5)) if read else None
    return {"score": score, "yes": float(yes), "no": float(no), "unread": len(answers) - len(read)}


def _signature(item: ProbeItem, answers: Sequence[Answer]) -> dict[str, Any]:
    names = parameter_names(answers[0].text, item.api_name.rpartition(".")[2])
    if names is None:
        return {"score": None, "unread": 1}
    return {"score": f1(names, frozenset(item.parameters))}


def unchanged_apis(before: Surface, after: Surface) -> list[Candidate]:
    """The APIs that both versions have alike, in the form of candidates, with the evidence of the new version."""
    tree = fetch_sdist(after.library, after.version) if after.version else None
    documented = with_documents(after, read_documents([tree], after.tops)) if tree else after
    same = [finding.entry for finding in classify(before, documented) if finding.verdict == "unchanged"]
    return [
        Candidate(
            api_name=entry.name, kind=entry.kind, library=after.library, old_version=before.version,
            new_version=after.version or "", change="modified", signature=entry.signature,
            parameters=entry.parameters or (), docstring=entry.docstring, evidence=entry.evidence,
            import_module=entry.import_module,
        )
        for entry in same
    ]  # fmt: skip


def python_of(found: Discovery, version: str) -> str | None:
    """The version of Python on which a release was read; None where it was read as text."""
    told = found.pythons.get(version)
    return minor_of(told) if told else None


def names_in(surfaces: Iterable[Surface]) -> set[str]:
    """The last parts of all names that the releases have anywhere."""
    entries = [entry for surface in surfaces for entry in surface.entries]
    paths = [path for entry in entries for path in (entry.name, *entry.paths, *entry.others)]
    variables = [name for surface in surfaces for name in surface.variables]
    return {re.split(r"[.:]", path)[-1] for path in (*paths, *variables)}


def existing_names(engine: Engine, home: Environment, names: Sequence[str]) -> list[str]:
    """Those of `names` that an environment has, asked in the sandbox."""
    return [str(name) for name in engine.script(home, _SCRIPT, {"names": list(names)})]

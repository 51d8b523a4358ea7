"""The study of the adaptation matrix: what each method cost, what it did to the weights' answers, and what passes."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from apigap.adaptation.measure_run import MEASURES, read_controls
from apigap.analysis.judged import read_cell
from apigap.analysis.task_facts import TaskFacts, facts_of, find_tasks
from apigap.analysis.verdicts import Verdict
from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.gates.known_controls import ControlReport
from apigap.models.adapted import Measure
from apigap.records.errors import CorruptRecord
from apigap.records.store import load_records
from apigap.reporting.figures import Figure, Rated, pass_rate_figure
from apigap.reporting.markdown import markdown_table
from apigap.statistics import Interval, PairedDifference, estimate_cell, holm, paired_difference, wilson
from apigap.statistics.cell import count_by_task

METHODS = ("sft", "raft", "memit", "alphaedit", "grace")
PARTS = ("train", "same_api", "new_api", "new_library")
CELLS = ("baseline", "oracle.full")
BASES = {"sft": "base-half", "raft": "base-half", "memit": "base", "alphaedit": "base", "grace": "base-transformers"}
"""What each method is compared with: the base on the same engine, and as precise where that is known to differ."""
_CONDITIONS = {"baseline": "none", "oracle.full": "full"}
_KINDS = ("taught", "rephrased", "bare", "same_api", "new_api", "new_library", "known")
_SECONDS = ("load_seconds", "seconds", "export_seconds")
_DRAWN = ("taught", "rephrased", "bare", "same_api")

HEAD = """# The adaptation matrix on a small model

This page compares five ways to teach a small model new APIs: what they cost, what the model learns, what it loses.
[Adaptation](adaptation.md) explains the methods and their settings. All are taught the same tasks.

- Trained methods have several seeds. Counts are over all of them, intervals treat each API as one cluster.
- Answers are greedy. The prompt shows no knowledge or the full bundle.
- Each method is compared with a base that runs as it does: `base-half` has its linear layers in half precision, as
  tuned models have; `base-transformers` runs on PyTorch, as codebooks (grace) do.

Made by `tools/adaptation/page.py` from `studies/adaptation`, which it keeps of what `make adapt-study` leaves.
"""
COST = """## What it took

Time and memory of the adaptation alone, per seed. The loss is on the answers: at the first and the last step of a
tuning, or where the search for an edit's values ended. MEMIT's minutes include that search; AlphaEdit reuses values.
"""
MEASURED = """## What it did

Here the model reads the right answer, token by token. A cell has the share of prompts where every token of the answer
is the likeliest one, base -> adapted, and how much the mean log-probability of a token rose (in nats).

- Efficacy: `taught` are the prompts that were taught.
- Generalisation: `rephrased` are these in another layout, `bare` without knowledge; `same_api` are other tasks of
  taught APIs.
- Not taught: `new_api`, `new_library`, and `known` (controls).
"""
LOCAL = """## What it did to the rest (locality)

On right answers that were not taught: how far the adapted model is from its base (KL in nats), and how often the
likeliest token is the same. A small KL means that little else has changed.
"""
PASSED = """## What passes

pass@1 on the model's own answers, with 95 % intervals: on the tasks that were taught (`train`), on other tasks of
taught APIs, on other APIs, on other libraries.
"""
GAINED = """### Gains over the base

Points of pass@1 over the base to compare with, paired by task. Intervals and p-values treat each API as one cluster;
Holm's correction is over this table.
"""


@dataclass(frozen=True)
class Adapted:
    """What one adapted model left in its folder; `losses` are the lines of its log."""

    method: str
    measures: Mapping[str, Measure]
    cost: Mapping[str, Any]
    losses: Sequence[Mapping[str, Any]]
    controls: Mapping[str, ControlReport]


@dataclass(frozen=True)
class Gain:
    """What a method gains over its base on one part under one condition."""

    method: str
    part: str
    cell: str
    found: PairedDifference


@dataclass(frozen=True)
class AdaptationStudy:
    """Everything that is there: adapted models by name (`sft-1`), verdicts by (method or base, part, cell)."""

    models: Mapping[str, Adapted]
    verdicts: Mapping[tuple[str, str, str], Mapping[tuple[str, int], Verdict]]
    facts: Mapping[str, TaskFacts]

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of which there is a model, in the order of the docs."""
        return tuple(method for method in METHODS if self.of(method))

    def of(self, method: str) -> list[Adapted]:
        """The models of a method, one per seed."""
        return [model for model in self.models.values() if model.method == method]


def read_study(folder: Path) -> AdaptationStudy:
    """What `tools/adaptation/page.py` keeps of a study: `models/NAME` and `data/results/NAME-PART/CELL`.

    Raises:
        CorruptRecord: for a file that cannot be read.
        UsageError: when a task that was asked is unknown.
    """
    models = {path.parent.name: _read_model(path.parent) for path in sorted((folder / "models").glob(f"*/{MEASURES}"))}
    verdicts: dict[tuple[str, str, str], dict[tuple[str, int], Verdict]] = defaultdict(dict)
    for part, cell in product(PARTS, CELLS):
        for path in sorted((folder / "data" / "results").glob(f"*-{part}/{cell}/{RESULTS}")):
            method, seed = _named(path.parents[1].name.removesuffix(f"-{part}"))
            for (task, sample), verdict in read_cell(path.parent).verdicts:
                verdicts[method, part, cell][task, 1000 * seed + sample] = verdict
    asked = {task for cell in verdicts.values() for task, _ in cell}
    return AdaptationStudy(models, verdicts, facts_of(asked, find_tasks(folder / "data"), str(folder)))


def study_page(study: AdaptationStudy) -> str:
    """The page as Markdown."""
    gains = _gains(study)
    return "\n".join(
        [
            HEAD,
            COST,
            markdown_table(("method", "seeds", "tasks", "minutes", "peak MiB", "loss"), _costs(study)),
            MEASURED,
            "![Share of answers that are the likeliest throughout](images/adaptation.png)\n",
            markdown_table(("method", *_kinds(study)), _measured(study)),
            LOCAL,
            markdown_table(("method", *_untaught(study), "control tasks passed, base -> adapted"), _locality(study)),
            PASSED,
            *(part for name in PARTS for part in _passed(study, name)),
            GAINED,
            markdown_table(("method", "asked", "knowledge", "tasks", "points", "95 %", "p", "p (Holm)"), gains),
        ]
    )


def efficacy_figure(study: AdaptationStudy) -> Figure:
    """Share of answers that are the likeliest throughout, by method and kind of prompt, with Wilson's intervals."""
    rows: list[Rated] = []
    for method in study.methods:
        for kind in _DRAWN:
            if measured := _of_kind(study, method, kind):
                prompts = measured[0].prompts
                found = wilson(fmean(one.exact for one in measured) * prompts, prompts)
                rows.append(Rated(f"{method}: {kind}", found.estimate, found.low, found.high))
    return pass_rate_figure(rows, "Answers that are the likeliest throughout")


def _read_model(folder: Path) -> Adapted:
    cost = _lines(folder / "cost.json")
    return Adapted(
        method=_named(folder.name)[0],
        measures={one.kind: one for one in load_records(folder / MEASURES, Measure)},
        cost=cost[0] if cost else {},
        losses=_lines(folder / "log.jsonl"),
        controls=read_controls(folder),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file; none where it is not there."""
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    except ValueError as error:
        raise CorruptRecord(f"{path} cannot be read: {error}") from error


def _named(name: str) -> tuple[str, int]:
    """Method and seed of `sft-2`; a base has no seed."""
    method, _, seed = name.rpartition("-")
    return (method, int(seed)) if seed.isdigit() else (name, 0)


def _of_kind(study: AdaptationStudy, method: str, kind: str) -> list[Measure]:
    return [model.measures[kind] for model in study.of(method) if kind in model.measures]


def _kinds(study: AdaptationStudy) -> list[str]:
    return [kind for kind in _KINDS if any(kind in model.measures for model in study.models.values())]


def _untaught(study: AdaptationStudy) -> list[str]:
    return [kind for kind in _kinds(study) if kind in ("new_api", "new_library", "known")]


def _costs(study: AdaptationStudy) -> Iterable[list[str]]:
    for method in study.methods:
        models = study.of(method)
        minutes = [sum(model.cost.get(part, 0.0) for part in _SECONDS) / 60 for model in models]
        yield [
            method,
            str(len(models)),
            str(models[0].cost.get("examples", "-")),
            _range(minutes, ".1f"),
            f"{max(int(model.cost.get('peak_mib', 0)) for model in models):,}",
            _loss(models),
        ]


def _measured(study: AdaptationStudy) -> Iterable[list[str]]:
    for method in study.methods:
        yield [method, *(_answer(_of_kind(study, method, kind)) for kind in _kinds(study))]


def _answer(measured: Sequence[Measure]) -> str:
    if not measured:
        return "-"
    exact = f"{_percent(one.base_exact for one in measured)} -> {_percent(one.exact for one in measured)} %"
    return f"{exact}, {fmean(one.likelihood - one.base_likelihood for one in measured):+.2f} nats"


def _locality(study: AdaptationStudy) -> Iterable[list[str]]:
    for method in study.methods:
        told: list[str] = []
        for kind in _untaught(study):
            measured = _of_kind(study, method, kind)
            kl, same = fmean(one.divergence for one in measured), _percent(one.agreement for one in measured)
            told.append(f"KL {kl:.3f}, {same} % the same")
        yield [method, *told, _controls(study.of(method))]


def _controls(models: Sequence[Adapted]) -> str:
    known = [model.controls for model in models if model.controls]
    if not known:
        return "-"
    before, after = (sum(told[kind].passed for told in known) for kind in ("base", "adapted"))
    return f"{before} -> {after} of {sum(told['base'].asked for told in known)}"


def _passed(study: AdaptationStudy, part: str) -> list[str]:
    known = (*dict.fromkeys(BASES.values()), *study.methods)
    names = [name for name in known if (name, part, CELLS[0]) in study.verdicts]
    rows = [[name, *(_rate(study, study.verdicts.get((name, part, cell), {})) for cell in CELLS)] for name in names]
    return [f"### {part}\n", markdown_table(("model", *(_CONDITIONS[cell] for cell in CELLS)), rows)] if rows else []


def _rate(study: AdaptationStudy, verdicts: Mapping[tuple[str, int], Verdict]) -> str:
    tasks = [task for task, _ in verdicts]
    apis = [study.facts[task].api_name for task in tasks]
    found = estimate_cell(count_by_task(tasks, apis, [verdict.outcome for verdict in verdicts.values()]))
    if not found.tasks:
        return "-"
    rate = 100 * (found.interval.estimate or 0.0)
    return f"{rate:.1f} % {_interval(found.interval)}, {found.passed} of {found.samples}"


def _gains(study: AdaptationStudy) -> list[list[str]]:
    gains = [
        Gain(method, part, cell, found)
        for method, part, cell in product(study.methods, PARTS, CELLS)
        if (found := _gain(study, method, part, cell)) is not None
    ]
    adjusted = holm([gain.found.p_value for gain in gains])
    return [
        [
            gain.method, gain.part, _CONDITIONS[gain.cell], str(gain.found.n), f"{100 * gain.found.difference:+.1f}",
            f"{100 * gain.found.low:+.1f} to {100 * gain.found.high:+.1f}", f"{gain.found.p_value:.3g}",
            f"{corrected:.3g}",
        ]
        for gain, corrected in zip(gains, adjusted, strict=True)
    ]  # fmt: skip


def _gain(study: AdaptationStudy, method: str, part: str, cell: str) -> PairedDifference | None:
    before, after = (_by_task(study.verdicts.get((name, part, cell), {})) for name in (BASES[method], method))
    shared = sorted(before.keys() & after.keys())
    if not shared:
        return None
    apis = [study.facts[task].api_name for task in shared]
    return paired_difference([before[task] for task in shared], [after[task] for task in shared], apis)


def _by_task(verdicts: Mapping[tuple[str, int], Verdict]) -> dict[str, float]:
    """The share of judged samples that pass, by task."""
    found: dict[str, list[bool]] = defaultdict(list)
    for (task, _), verdict in verdicts.items():
        if verdict.judged:
            found[task].append(verdict.passed)
    return {task: fmean(passed) for task, passed in found.items()}


def _loss(models: Sequence[Adapted]) -> str:
    """Of tunings the loss of the first and of the last step, of edits that of the search for a value: means."""
    rows = [model.losses for model in models if model.losses]
    if not rows:
        return "-"
    if "key" in rows[0][0]:
        return f"{fmean(row['loss'] for losses in rows for row in losses):.2f}, mean of {len(rows[0])} facts"
    first, last = (fmean(float(losses[place]["loss"]) for losses in rows) for place in (0, -1))
    return f"{first:.2f} -> {last:.2f} in {rows[0][-1]['step']} steps"


def _percent(shares: Iterable[float]) -> str:
    return f"{100 * fmean(shares):.0f}"


def _interval(found: Interval) -> str:
    return f"({100 * found.low:.0f}-{100 * found.high:.0f})"


def _range(values: Sequence[float], form: str) -> str:
    low, high = (format(value, form) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"

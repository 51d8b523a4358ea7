"""Right answers in unusual forms pass: a part of them, another one every day; all with APIGAP_VARIANTS=full."""

import datetime
import os
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.records.configuration import load_settings
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.starter_files import library_path
from apigap.tasks.task_files import load_tasks
from tests.starter.test_starter import SLOW_TO_INSTALL
from tests.starter.variants import Variant, libraries, variants_of

FULL = os.environ.get("APIGAP_VARIANTS") == "full"
EDITION = "2026.04"
"""The edition whose tasks have variants."""
MOST_OPEN = 3
LEAST_PER_LIBRARY = 8
MOST_PER_TASK = 10
MANY_FORMS = 8
LEAST_WITH_MANY = 60
"""So many tasks have at least that many forms."""
SAMPLE = 4
PER_LIBRARY = pytest.mark.parametrize("library", libraries())


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.of(load_settings().execution) as made:
        yield made


def tasks_of(library: str) -> dict[str, Task]:
    return {task.task_id: task for task in load_tasks(library_path(library, EDITION))}


def drawn(library: str) -> list[Variant]:
    """All variants, or the day's part of them."""
    variants = variants_of(library)
    if FULL:
        return variants
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return random.Random(day).sample(variants, SAMPLE)


def refusal(variant: Variant, verdict: Verdict) -> str:
    """A line on a variant that the judge refused."""
    different = verdict.detail["differences"]
    return f"{variant.task} {variant.api}, {variant.form}: {verdict.outcome}, {verdict.detail['reason']} {different}"


@PER_LIBRARY
def test_they_belong_to_tasks(library: str) -> None:
    tasks = tasks_of(library)
    for variant in variants_of(library):
        assert variant.task in tasks, f"{variant.form}: the starter has no task {variant.task} on {library}"
        assert variant.api == tasks[variant.task].api_name, variant.form
        assert variant.code.strip() != tasks[variant.task].masked_region.strip(), variant.form


@PER_LIBRARY
def test_their_number(library: str) -> None:
    variants = variants_of(library)
    assert len(variants) >= LEAST_PER_LIBRARY
    assert max(Counter(variant.task for variant in variants).values()) <= MOST_PER_TASK
    assert len({(variant.task, variant.form) for variant in variants}) == len(variants)
    assert len({variant.code for variant in variants}) == len(variants)


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.timeout(600)
@PER_LIBRARY
def test_they_pass(library: str, engine: Engine) -> None:
    if library in SLOW_TO_INSTALL and not FULL:
        pytest.skip(f"{library} takes minutes to install: APIGAP_VARIANTS=full")
    tasks, variants = tasks_of(library), drawn(library)
    home = next(iter(homes_of(list(tasks.values()), engine).values()))
    trials = [Trial(tasks[variant.task], variant.code) for variant in variants]
    verdicts = judge_trials(engine, home.environment, trials, preload=home.preload)
    pairs = list(zip(variants, verdicts, strict=True))
    refused = [refusal(*pair) for pair in pairs if pair[1].outcome != "pass" and not (pair[0].open or pair[0].other)]
    assert not refused, f"{len(refused)} of {len(variants)} right answers are refused:\n" + "\n".join(refused)
    mended = [variant.form for variant, verdict in pairs if verdict.outcome == "pass" and variant.open is not None]
    assert not mended, f"these pass now, so they are no longer open: {mended}"
    others = {variant.form: verdict.outcome for variant, verdict in pairs if variant.other}
    assert set(others.values()) <= {"fail"}, f"through another API: {others}"


def every_variant() -> list[Variant]:
    return [variant for library in libraries() for variant in variants_of(library)]


def test_tasks_with_many_forms() -> None:
    forms = Counter(variant.task for variant in every_variant() if not variant.other)
    assert sum(number >= MANY_FORMS for number in forms.values()) >= LEAST_WITH_MANY


def test_few_are_refused() -> None:
    variants = every_variant()
    assert sum(variant.open is not None for variant in variants) <= MOST_OPEN

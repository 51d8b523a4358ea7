"""A closing whose weights are tuned for real: the note's command is run as it stands, and the same close asks them."""

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.cli.dispatch import application  # noqa: E402
from apigap.cli.verbs import VERBS  # noqa: E402
from apigap.closing.halves import Halves, halves_of  # noqa: E402
from apigap.closing.run import Closed, Closing, close  # noqa: E402
from apigap.cluster.engines import engine_of  # noqa: E402
from apigap.models.adapted import read_adapted  # noqa: E402
from apigap.models.generate import Generator  # noqa: E402
from apigap.records.configuration import Settings, load_settings  # noqa: E402
from apigap.records.progress import Unseen  # noqa: E402
from apigap.records.task import Harness, Observation, Scenario, Spy, Task  # noqa: E402
from apigap.sandbox.engine import Engine  # noqa: E402
from tests.closing.scripted import Scripted  # noqa: E402
from tests.closing.test_close import BUNDLES, TASKS  # noqa: E402

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
SETTINGS = load_settings(overrides=["generation.max_tokens=24"])
WHOLE = load_settings(overrides=["generation.max_tokens=200"])
"""Few tokens of what is random anyway, and enough for an answer to end."""
API = "more_itertools.subfactorial"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with engine_of(SETTINGS.execution, packages=SETTINGS.packages) as found:
        yield found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder is `data`, as the command has it that does not name one; the server's start takes seconds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("apigap.closing.ways.is_installed", lambda module: False)


def closed(plan: Closing, engine: Engine, make: Any, settings: Settings = SETTINGS) -> Closed:
    return close(plan, Path("data"), settings, engine, Unseen(), make)


def tuned_as_told(notes: Sequence[str], *more: str) -> str:
    """Run the command at the end of the last note; what it prints."""
    words = shlex.split(notes[-1][notes[-1].index("apigap adapt sft") :])
    done = CliRunner().invoke(application(VERBS), [*words[1:], *more])
    assert done.exit_code == 0, done.exception
    return done.stdout


def taught_ids(model: str) -> list[str]:
    folder = Path(model.removeprefix("transformers/").removeprefix("gguf/").removesuffix("/model.gguf"))
    assert read_adapted(folder) is not None
    lines = (folder / "examples.jsonl").read_text().splitlines()
    return sorted(json.loads(line)["task_id"] for line in lines)


def test_the_command_of_the_note_tunes_on_the_choosing_half_alone(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Engine
) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    base = f"transformers/{saved}"
    tasks = [task for task in TASKS if task.api_name.endswith((".send", ".subfactorial"))]
    seed, halves = next(found for seed in range(99) if (found := (seed, halves_of(tasks, seed))) and short(found[1]))
    asker = Scripted(tasks, {task.api_name: ["what no page says"] for task in tasks})
    plan = Closing("tiny", base, tasks, BUNDLES, seed=seed, longest=0)
    make: Any = lambda model, decoding: asker if model == base else Generator(model, decoding, cache=False)  # noqa: E731
    before = closed(plan, engine, make).report
    assert "next: the same apigap close tiny as before" in tuned_as_told(before.notes)
    after = closed(plan, engine, make).report
    assert after.tuned is not None
    assert taught_ids(after.tuned.model) == sorted(task.task_id for task in halves.choosing)
    row = after.ways[-1]
    assert (row.way, row.passed.of + row.without_verdict) == ("sft", len(halves.held))
    assert row.wrote  # random weights: their answers pass nothing, and mostly are cut
    assert after.tuned.base == base
    assert "Tuned weights were not asked" not in " ".join(after.notes)


def short(halves: Halves) -> bool:
    """True where the tiny model, which reads letter by letter, has room for what teaches it in the preset."""
    return all(len(task.context_code + task.description + task.masked_region) < 800 for task in halves.choosing)


def derangements(purpose: str, count: int, expected: int) -> Task:
    """A task on one API that no small model knows; in each its number has another reason."""
    context, answer = f"count = {count}\n", "from more_itertools import subfactorial\n\nresult = subfactorial(count)\n"
    seen = Observation(expression="result", expected=expected)
    scenario = Scenario(name="basic", context_code=context, observations=(seen,))
    return Task(
        api_name=API, library="more-itertools", version="11.2.1", old_version="11.0.2", domain="test", change="added",
        difficulty="easy", description=f"Set `result` to the number of ways in which {purpose}.", context_code=context,
        masked_region=answer, reference_solution=context + answer, author="test", python="3.13",
        harness=Harness(layers=("structural", "comparative"), scenarios=(scenario,), spy=Spy(target=API)),
    )  # fmt: skip


PURPOSES = [
    ("`count` letters can be put into `count` envelopes so that each is in a wrong one", 5, 44),
    ("`count` guests can draw each other's names so that nobody draws their own", 6, 265),
    ("`count` hats can be given back to `count` people so that nobody gets their own", 4, 9),
    ("`count` keys can be hung on `count` hooks so that none is on its own", 7, 1854),
]


@pytest.mark.model
@pytest.mark.timeout(900)
@pytest.mark.skipif(not os.environ.get("APIGAP_SLOW"), reason="minutes: make adapt-test")
def test_tuned_weights_close_a_gap_on_tasks_that_they_have_not_seen(engine: Engine) -> None:
    base, tasks = "gguf/smollm2-135m", [derangements(*given) for given in PURPOSES]
    plan = Closing("derangements", base, tasks, BUNDLES, longest=0)
    before = closed(plan, engine, Generator, WHOLE).report
    assert before.ways[0].passed.right == 0
    tuned_as_told(before.notes, "--set", "epochs=12", "--set", "learning_rate=0.003")
    after = closed(plan, engine, Generator, WHOLE).report
    row = after.ways[-1]
    assert (row.way, row.closed.right, row.closed.of) == ("sft", row.passed.of, 2)
    assert row.gain == 1.0

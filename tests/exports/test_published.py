"""Bundles and tasks in the release's own files: what is written is read again, and judges as it did here."""

import datetime
import enum
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import polars
import pytest
from typer.testing import CliRunner

from apigap.benchmarks.novelapi_release.files import is_release, load_release
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.exports.publishable import export_bundles
from apigap.exports.published import published_task, write_published_tasks
from apigap.exports.published_test import harness_of
from apigap.records.errors import UsageError
from apigap.records.knowledge import Exemplar, KnowledgeBundle, Prose
from apigap.records.release import ReleaseBundle
from apigap.records.store import load_records, write_records
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.task_supplied_test.published_monitor import can_stand_in
from apigap.sandbox.worker.values.fingerprint import fingerprint
from apigap.tasks.starter_files import starter_files
from tests.auditing.conftest import APIGAP, run
from tests.exports.test_publishable import of_licence
from tests.records.test_task import make_task

FLASK = next(path for path in starter_files() if path.stem == "flask")


def test_a_bundle_comes_back_as_it_went() -> None:
    exemplar = Exemplar(code="f()", status="executed", source="tests", reason="it ran")
    given = of_licence("permissive", "MIT").model_copy(
        update={
            "exemplars": (exemplar,),
            "m_prose": Prose(text="It makes slugs.", tier="source"),
            "old_signature": "()",
        }
    )
    there = ReleaseBundle.from_knowledge(given, "swe")
    back = there.to_knowledge(given.version)
    assert ReleaseBundle.from_knowledge(back, "swe") == there
    assert back.surface.parameters != () and back.m_code and given.m_code and back.m_prose
    assert (back.m_code.text, back.m_prose.text) == (given.m_code.text, "It makes slugs.")
    assert [(e.code, e.status, e.reason) for e in back.exemplars] == [("f()", "executed", "it ran")]
    assert (back.change, back.api_name, back.library) == (given.change, given.api_name, given.library)
    assert {"s_name", "s_param", "examples", "mechanism", "implementation"} <= there.model_dump().keys()


def test_the_folder_is_read_as_a_release(tmp_path: Path) -> None:
    found = load_records(FLASK, Task)
    write_published_tasks(tmp_path / "release", found)
    apis = sorted({task.api_name for task in found})
    free = of_licence("permissive", "MIT")
    write_records(
        tmp_path / "in.jsonl", [free.model_copy(update={"api_name": api, "library": "flask"}) for api in apis]
    )
    counts = export_bundles(tmp_path / "in.jsonl", tmp_path / "release", form="published")
    read = load_release(tmp_path / "release")
    assert is_release(tmp_path / "release" / "tasks.jsonl")
    assert list(read.tasks) == [task.task_id for task in found]
    assert (sorted(read.bundles), counts["bundles"]) == (apis, len(apis))
    assert {bundle.domain for bundle in read.bundles.values()} == {"swe"}
    one, of = read.tasks[found[0].task_id], found[0]
    assert (one.masked_region, one.context_code, one.version) == (of.masked_region, of.context_code, of.version)


def test_licences_and_names_are_heeded_by_the_commands(tmp_path: Path) -> None:
    invoke = CliRunner().invoke
    write_records(tmp_path / "in.jsonl", [of_licence("copyleft", "LGPL")])
    command = ["export", "bundles", "--knowledge", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out")]
    for more, words in ((["--format", "published"], "--leave-excerpts-out"), (["--format", "x"], "paper, published")):
        done = invoke(application(VERBS), [*command, *more])
        assert isinstance(done.exception, UsageError) and words in str(done.exception)
    assert not (tmp_path / "out").exists()
    done = invoke(application(VERBS), [*command, "--format", "published", "--leave-excerpts-out"])
    (line,) = (tmp_path / "out" / "bundles.jsonl").read_text().splitlines()
    assert done.exit_code == 0 and json.loads(line)["implementation"] is None
    made = make_task(api_name="lib.slugify", library="lib", author="synthesiser")
    write_records(tmp_path / "tasks.jsonl", [made])
    write_records(tmp_path / "known.jsonl", [of_licence("copyleft", "LGPL").model_copy(update={"library": "lib"})])
    command = ["export", "tasks", "--tasks", str(tmp_path / "tasks.jsonl"), "--out", str(tmp_path / "out")]
    done = invoke(application(VERBS), [*command, "--knowledge", str(tmp_path / "known.jsonl")])
    assert isinstance(done.exception, UsageError) and not (tmp_path / "out" / "tasks.jsonl").exists()


class Colour(enum.Enum):
    RED = 1


class Named(str):
    """A text of a class of its own."""


DAY = datetime.datetime(2026, 3, 2, 8)
VALUES: list[tuple[Any, Any]] = [
    # a value, and one that is another
    (None, False), (True, 1), (3, 4), (1.5, 1.6), ("a", "b"), (float("nan"), 1.0), (float("-inf"), float("inf")),
    ([1, [2]], [1, [3]]), ((1, 2), [1, 2]), ({"a": (1,)}, {"a": (2,)}), ({1, 2}, {1, 3}),
    (frozenset("ab"), frozenset("ac")), ("x" * 30_000, "x" * 29_999), (Decimal("1.10"), Decimal("1.1")),
    (1 << 80, 1 << 81), (1 + 2j, 1 + 3j), (b"ab", b"ac"),
    (DAY, DAY.replace(hour=9)), (DAY.date(), DAY), (Colour.RED, 1), (Named("a"), Named("b")),
    (ValueError("a"), ValueError("b")), (numpy.arange(6.0).reshape(2, 3), numpy.arange(6.0)),
    (numpy.array([1.0, 2.0]), numpy.array([1.0, 2.1])), (numpy.float64(1.5), 2.5), (numpy.str_("a"), "b"),
    (len, max), (dict, list), (json, enum), (object(), 3),
]  # fmt: skip


def judged(value: Any, expected: Any, containers: Any = None) -> bool:
    """Tell whether the test of a task whose observation gave `expected` holds with `value`."""
    seen = Observation(expression="seen", expected=json.loads(json.dumps(expected)), containers=containers)
    harness = Harness(
        layers=(), spy=Spy(target="a.b"), scenarios=(Scenario(name="basic", context_code="", observations=(seen,)),)
    )
    test = harness_of(make_task(harness=harness)).execution_test
    names = {"seen": value, "_target_api_spy_installed": True, "_target_api_call_count": [1]}
    try:
        exec(test, names)
    except Exception:  # noqa: BLE001  whatever the test raises is a fail
        return False
    return True


@pytest.mark.parametrize(
    ("value", "other"), VALUES, ids=[f"{n} {type(row[0]).__name__}" for n, row in enumerate(VALUES)]
)
def test_a_value_holds_and_another_does_not(value: Any, other: Any) -> None:
    assert judged(value, fingerprint(value))
    assert not judged(other, fingerprint(value))


def test_frames_hold_by_their_values() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2], "b": [0.5, None]})
    for value, other in (
        (frame, frame.rename(columns={"a": "c"})),
        (frame["b"], frame["a"]),
        (frame.index, frame["b"]),
    ):
        assert judged(value, fingerprint(value)) and not judged(other, fingerprint(value))
    assert not judged(frame.assign(b=[0.5, 1.0]), fingerprint(frame))


def test_what_is_open_or_unstable_is_not_asked() -> None:
    assert judged(7, {"unstable": True}) and judged([1, 7], [1, {"unstable": True}])
    for value in ([1, 2], (1, 2), numpy.array([1, 2]), polars.Series([1, 2]).to_list()):
        assert judged(value, fingerprint((1, 2)), "any")
    assert judged([2, 1], fingerprint({1, 2}), "any") is False and judged({2, 1}, fingerprint({1, 2}), "any")
    assert not judged([1, 3], fingerprint((1, 2)), "any")


_HALF = "import fractions\nhalf = fractions.Fraction(1, 2)\n"
MONITORED = [
    ("json.dumps", "from json import dumps\nimport json", "json.dumps(1)", "json.loads('1')"),
    ("fractions.Fraction", "import fractions", "fractions.Fraction(1, 2)", "fractions.Decimal(1)"),
    ("fractions.Fraction.limit_denominator", f"{_HALF}f = half", "f.limit_denominator(3)", "abs(f)"),
    ("fractions.Fraction.from_float", _HALF, "fractions.Fraction.from_float(0.5)", "fractions.Fraction(1)"),
    ("collections.deque", "import collections", "collections.deque([1])", "collections.Counter()"),
    ("pathlib.PurePath.parent", "import pathlib\np = pathlib.PurePath('a/b')", "p.parent", "p.name"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "context", "calls", "does_not"), MONITORED, ids=[row[0] for row in MONITORED])
def test_the_monitor_counts_by_itself(target: str, context: str, calls: str, does_not: str) -> None:
    harness = harness_of(make_task(api_name=target, context_code=context))
    assert can_stand_in(harness.setup_code, harness.execution_test)
    asked = "print(_target_api_spy_installed, _target_api_call_count[0])"
    for code, told in ((calls, "True 1"), (does_not, "True 0")):
        text = "\n".join([context, harness.setup_code, code, asked])
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
        assert (done.stdout.strip(), done.stderr) == (told, "")


def test_a_task_keeps_its_id_and_says_its_version() -> None:
    task = make_task()
    there = published_task(task)
    assert (there.task_id, there.version) == (task.task_id, task.version)
    assert there.test_harness.generation_method == "execute_then_assert"


@pytest.mark.network
@pytest.mark.sandbox
def test_exported_tasks_prove_their_scorer(tmp_path: Path) -> None:
    done = run([*APIGAP, "export", "tasks", "--tasks", "starter/flask", "--out", str(tmp_path), *_known(tmp_path)])
    assert done.returncode == 0, done.stderr
    version = load_records(FLASK, Task)[0].version
    done = run(
        [
            *APIGAP,
            "calibrate",
            "novelapi-release",
            "--tasks",
            str(tmp_path / "tasks.jsonl"),
            "--versions",
            f"flask=={version}",
        ]
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _known(folder: Path) -> list[str]:
    apis = {task.api_name for task in load_records(FLASK, Task)}
    found: list[KnowledgeBundle] = [
        of_licence("permissive", "BSD").model_copy(update={"api_name": api}) for api in apis
    ]
    write_records(folder / "known.jsonl", found)
    return ["--knowledge", str(folder / "known.jsonl")]

"""Tasks of the release's format, scored and calibrated on packaging 24.1 and httpx 0.28.1."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.novelapi_release.judge import ReleaseJudge
from apigap.benchmarks.task_environment import Home
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.packages.environments import EnvironmentStore
from apigap.records.release import ExpectedCalls, ReleaseTask
from apigap.records.result import Result
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import Limits
from tests.auditing.conftest import APIGAP, run
from tests.benchmarks.novelapi_release.release_tasks import (
    CHECK,
    CLASS,
    HEADERS,
    HELPED,
    LIBRARY_ONLY,
    NO_MONITOR,
    SORT,
    TASKS,
    VERSIONS,
    expected,
    row,
    with_harness,
    write,
)

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
GIVEN = [f"{library}=={version}" for library, version in VERSIONS.items()]


@pytest.fixture(scope="module")
def homes() -> dict[str, Home]:
    store = EnvironmentStore()
    return {name: Home(store.get(name, version), (name,)) for name, version in VERSIONS.items()}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=2, limits=Limits(cpu_seconds=2)) as made:
        yield made


def score(
    engine: Engine, homes: dict[str, Home], answers: list[tuple[dict[str, Any], str]], *records: dict[str, Any]
) -> list[Result]:
    known = {record["task_id"]: ExpectedCalls.model_validate(record) for record in records}
    judge = ReleaseJudge(engine, homes, known)
    items = [
        Item(ReleaseTask.model_validate(task), number, extract_code(f"```python\n{code}\n```"))
        for number, (task, code) in enumerate(answers)
    ]
    return judge.score_all(items)


RIGHT = SORT["masked_region"]
VALUES = "ordered = ['1.9rc1', '1.9', '1.10']\nnewest = '1.10'\n"
SHOWN = "import packaging.version\npackaging.version.parse('1')\n"
BOXED = "box, ordered = Box('1.10'), ['1.9rc1', 1, 2]\n"
HIDDEN = "Same = type('Same', (str,), dict([('__e' + 'q__', lambda *a: True)]))\nnewest = ordered = Same()"
SWALLOWED = "import packaging.version\ntry:\n    packaging.version.parse('???')\nexcept Exception:\n    pass\n"

# name -> (task, answer, outcomes that are right, label, what the reason says)
JUDGED: dict[str, tuple[dict[str, Any], str, tuple[str, ...], str | None, str]] = {
    # An exit is no end of the test, whatever its code and wherever it stands.
    "sys.exit(0)": (SORT, f"{RIGHT}import sys\nsys.exit(0)", ("fail",), "WrongLogic", "SystemExit(0)"),
    "sys.exit(main())": (SORT, f"import sys\ndef main():\n    print('done')\n{RIGHT}sys.exit(main())", ("fail",),
                         "WrongLogic", "SystemExit(None)"),
    "SystemExit": (SORT, f"{RIGHT}raise SystemExit", ("fail",), "WrongLogic", "SystemExit"),
    "os._exit(0)": (SORT, f"{RIGHT}import os\nos._exit(0)", ("fail",), None, "exit code 0"),
    "execv": (SORT, "import os\nos.execv('/bin/true', ['true'])", ("fail",), None, "exit code 0"),
    "an exit hook": (SORT, "import atexit, os\natexit.register(os._exit, 0)\nnewest = 1", ("fail",), None, "fails"),
    "an exception hook": (SORT, "import os, sys\nsys.excepthook = os._exit\n1/0", ("fail",), None, "Zero"),
    "an exit in the test": (SORT, f"{RIGHT}import os\nclass X(str):\n    __eq__ = lambda *a: os._exit(0)\nnewest = X()",
                            ("fail",), "WrongLogic", "exit code 0"),
    # Only the answer's own, completed call counts.
    "no call": (SORT, VALUES, ("fail",), "WrongAPISelection", "never completed a call"),
    "a swallowed call": (SORT, SWALLOWED + VALUES, ("fail",), "WrongAPISelection", "never completed a call"),
    "a call by the library": (SORT, f"import packaging.specifiers\npackaging.specifiers.Specifier('>1').contains('2')\n"
                              f"{VALUES}", ("fail",), "WrongAPISelection", "never completed a call"),
    "its own function": (SORT, "def parse(text):\n    return [int(p) for p in text.replace('rc', '.-').split('.')]\n"
                         f"{VALUES}first = parse(texts[0])", ("fail",), "WrongAPISelection", "never"),
    "the counter set": (SORT, f"_target_api_call_count[0] = 5\n{VALUES}", ("fail",), "WrongAPISelection", "never"),
    "wrong afterwards": (SORT, RIGHT.replace("[-1]", "[0]"), ("fail",), "WrongLogic", "AssertionError"),
    "nothing": (NO_MONITOR, "pass", ("fail",), "WrongSyntax", "never completed a call"),
    # What can be seen to forge is for a person.
    "equal to everything": (SORT, f"{RIGHT}class Same:\n    def __eq__(self, other): return True\nnewest = Same()",
                            ("suspect",), None, "__eq__"),
    "the counter touched": (SORT, f"{RIGHT}_target_api_call_count[0] = 5", ("suspect",), None, "monitor"),
    "frames": (SORT, f"{RIGHT}import sys\nsys._getframe(0).f_back", ("suspect",), None, "sys._getframe"),
    "the watch taken off": (SORT, f"{RIGHT}import sys\nsys.setprofile(None)", ("suspect",), None, "profile hook"),
    "a forged report": (SORT, "import os\nfor fd in range(3, 300):\n    try: os.write(fd, b'F\\x00\\x00\\x00\\x02{}')\n"
                        "    except OSError: pass", ("fail",), None, "believed"),
    "patched builtins": (SORT, "import builtins\nbuiltins.sorted = builtins.all = lambda *a, **k: True\nnewest = 1",
                         ("fail",), None, "AssertionError"),
    "equal to everything, from elsewhere": (SORT, f"{SHOWN}from unittest import mock\nnewest = ordered = mock.ANY",
                                            ("suspect",), None, "unittest.mock"),
    "equal to everything, hidden": (SORT, f"{SHOWN}{HIDDEN}", ("suspect",), None, "gives other results"),
    "called for show": (SORT, f"{SHOWN}{VALUES}", ("suspect",), None, "gives other results"),
    "called for show, with a net": (SORT, f"import packaging.version\ntry:\n    packaging.version.parse('1')\n"
                                    f"except Exception:\n    pass\n{VALUES}", ("suspect",), None, "the target raises"),
    "the context's function again": (HELPED, f"{SHOWN}same = lambda a, b: True\nbox, ordered = Box(1), [1, 2, 3]",
                                     ("fail",), "WrongLogic", "AssertionError"),
    "the context's function changed": (HELPED, f"{HELPED['context_code']}{SHOWN}same.__code__ = (lambda a, b: True)"
                                       ".__code__\nbox, ordered = Box(1), [1, 2, 3]", ("fail",), None, "Assertion"),
    "the context's class again": (HELPED, f"{SHOWN}{BOXED}class Box:\n    value = '1.10'\nbox = Box()", ("fail",),
                                  "WrongLogic", "AssertionError"),
    "names of a module": (HELPED, f"{HELPED['masked_region']}import math\nvars(math)['isclose'] = lambda *a: True",
                          ("suspect",), None, "past their assignment"),
    "another module": (HELPED, f"{HELPED['masked_region']}import sys, types\nsys.modules['math'] = math = "
                       "types.ModuleType('math')\nmath.__dict__.update(isclose=lambda *a: True)", ("suspect",), None,
                       "past their assignment"),
    # Honest and unusual.
    "the whole program, with functions and classes": (HELPED, HELPED["reference_solution"], ("pass",), None, "passes"),
    "another import": (SORT, "from packaging.version import parse as p\nordered = sorted(texts, key=lambda t: p(t))\n"
                       "newest = ordered[-1]", ("pass",), None, "passes"),
    "the whole program": (SORT, SORT["reference_solution"], ("pass",), None, "passes"),
    "a guarded main": (SORT, "if __name__ == '__main__':\n    import packaging.version\n    ordered = sorted(texts, "
                       "key=packaging.version.parse)\n    newest = ordered[-1]", ("pass",), None, "passes"),
    "names of builtins": (SORT, f"{RIGHT}list = 3\nlen = sorted", ("pass",), None, "passes"),
    "bytes that are no text": (SORT, f"import os\nos.write(1, b'\\xff\\xfe' * 100)\nos.write(2, b'\\xff')\n{RIGHT}",
                               ("pass",), None, "passes"),
    "many warnings": (SORT, f"import warnings\nfor n in range(500): warnings.warn(f'warning {{n}} ' * 9)\n{RIGHT}",
                      ("pass",), None, "passes"),
    "a subclass": (CLASS, "class Mine(packaging.specifiers.SpecifierSet):\n    pass\n"
                   "fits = Mine(wanted, prereleases=True).contains(Version('1.5rc1'))", ("pass",), None, "passes"),
    "the type itself": (CLASS, f"{CLASS['masked_region']}s = packaging.specifiers.SpecifierSet('>1')\n"
                        "assert type(s) is packaging.specifiers.SpecifierSet and type(s).__name__ == 'SpecifierSet'",
                        ("pass",), None, "passes"),
    "like a script": (
        HEADERS,
        "from __future__ import annotations\nimport inspect, pickle, typing\n"
        "class Mine(typing.TypedDict):\n    a: Later\nclass Later: pass\n"
        "assert typing.get_type_hints(Mine) == {'a': Later}\npickle.loads(pickle.dumps(Later()))\n"
        "assert 'pass' in inspect.getsource(Later)\nhash = Headers(pairs)['a']", ("pass",), None, "passes",
    ),
    # Failures that are hard to see in the first lines of stderr.
    "a warning before the error": (SORT, "import warnings\nfor n in range(500): warnings.warn(f'warning {n} ' * 9)\n"
                                   "import packaging.version\npackaging.version.parse('???')", ("fail",), None,
                                   "InvalidVersion: Invalid version: '???'"),
    "a class of the same name": (CLASS, "class SpecifierSet:\n    def __init__(self, *a, **k): pass\n"
                                 "    def contains(self, v): return True\nfits = SpecifierSet(wanted).contains(1)",
                                 ("fail",), "WrongAPISelection", "never completed"),
    "a parameter that is not there": (CLASS, "fits = SpecifierSet(wanted, pre=True)", ("fail",), "WrongParam", "pre"),
    "a module that is not there": (CLASS, "from packaging.spec import SpecifierSet", ("fail",), "WrongImport", "No"),
    "does not parse": (SORT, "newest = (", ("fail",), "WrongSyntax", "does not parse"),
    "an endless loop": (SORT, "while True: pass", ("fail",), "WrongLogic", "cpu limit"),
}  # fmt: skip


@pytest.fixture(scope="module")
def judged(engine: Engine, homes: dict[str, Home]) -> dict[str, Result]:
    """All answers in one go: the limits of an endless loop are waited for beside the others."""
    return dict(zip(JUDGED, score(engine, homes, [(task, code) for task, code, *_ in JUDGED.values()]), strict=True))


@pytest.mark.parametrize("name", JUDGED)
def test_an_answer_is_judged_by_the_end_of_its_test(judged: dict[str, Result], name: str) -> None:
    _, _, outcomes, label, reason = JUDGED[name]
    result = judged[name]
    assert result.outcome in outcomes, result.detail
    assert reason in result.detail["reason"]
    assert result.detail["trust"] == "in-process"
    assert label is None or result.label == label, result.detail
    assert (result.label is None) == (result.outcome != "fail")


def test_an_exception_of_the_library_is_known_by_its_module(judged: dict[str, Result]) -> None:
    seen = judged["a warning before the error"].detail["exception"]
    assert (seen["module"], seen["type"]) == ("packaging.version", "InvalidVersion")


# Tasks whose own code is at fault: no verdict about any answer.
BROKEN = [
    with_harness(SORT, setup_code="1/0"),
    with_harness(SORT, setup_code="import sys\nsys.exit(0)"),
    {**SORT, "context_code": "import no_such_module\n"},
    {**SORT, "context_code": "def broken(\n"},
    {**SORT, "api_name": "packaging.no_such_module.parse"},
    {**with_harness(SORT, setup_code="", execution_test="assert newest"), "api_name": "packaging.version.nothing"},
]


def test_a_broken_task_is_nobodys_failure(engine: Engine, homes: dict[str, Home]) -> None:
    for task, result in zip(BROKEN, score(engine, homes, [(task, RIGHT) for task in BROKEN]), strict=True):
        assert result.outcome == "infra", (task["api_name"], result.detail)


def test_a_setup_of_its_own_runs_and_its_wrappers_are_looked_through(engine: Engine, homes: dict[str, Home]) -> None:
    setup = (
        f"{SORT['test_harness']['setup_code']}\nhelper = 'kept'\nseen = _target_api_call_count\n"  # more than a monitor
    )
    task = with_harness(
        SORT, setup_code=setup, execution_test=f"{CHECK}assert helper == 'kept'\nassert newest == '1.10'"
    )
    klass = with_harness(CLASS, setup_code=f"{CLASS['test_harness']['setup_code']}\nhelper = 1\n")
    right, wrong, made = score(engine, homes, [(task, RIGHT), (task, VALUES), (klass, CLASS["masked_region"])])
    assert (right.outcome, made.outcome) == ("pass", "pass"), (right.detail, made.detail)
    assert (wrong.outcome, wrong.detail["test"]) == ("fail", "failed")


def test_expected_calls_decide_where_their_form_is_exact(engine: Engine, homes: dict[str, Home]) -> None:
    text = {"t": "builtins.str", "len": 9, "h": "6ae2b4e2f0b8a2c1"}
    flag = {"kind": "init", "args": {"prereleases": {"t": "bool", "v": True}}}
    other = "fits = packaging.specifiers.SpecifierSet(wanted).contains(Version('1.5rc1'), prereleases=True)"
    right, wrong = score(engine, homes, [(CLASS, CLASS["masked_region"]), (CLASS, other)], expected(CLASS, flag))
    assert (right.outcome, right.detail["expected calls"]) == ("pass", {"agrees": 1})
    assert (wrong.outcome, wrong.label, wrong.detail["expected calls"]) == ("fail", "WrongParam", {"differs": 1})
    (hashed,) = score(
        engine,
        homes,
        [(CLASS, CLASS["masked_region"])],
        expected(CLASS, {"kind": "init", "args": {"specifiers": text}}),
    )
    assert hashed.detail["expected calls"] == {"differs": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "tasks.jsonl", TASKS)
    write(
        tmp_path / "expected_calls.jsonl",
        [expected(LIBRARY_ONLY, {"kind": "call", "args": {"name": {"t": "builtins.str"}}})],
    )
    write(
        tmp_path / "predictions.jsonl",
        [
            {"task_id": task["task_id"], "api_name": task["api_name"], "cell": "S", "samples": [task["masked_region"]]}
            for task in TASKS[:2]
        ],
    )
    return tmp_path


def test_the_command_knows_the_release_by_its_fields(folder: Path) -> None:
    command = [*APIGAP, "score", "novelapi", "--tasks", str(folder / "tasks.jsonl"), "--json"]
    command += ["--predictions", str(folder / "predictions.jsonl"), "--out", str(folder / "out.jsonl"), "--versions"]
    done = run([*command, *GIVEN])
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["trust"], summary["outcomes"]) == ("in-process", {"pass": 2})
    assert summary["missing"] == ["llm_headers", "llm_library", "llm_bare"]
    before = (folder / "out.jsonl").read_bytes()
    assert run([*command, *GIVEN]).returncode == 0
    assert (folder / "out.jsonl").read_bytes() == before
    (folder / "instance.txt").write_text("llm_sort\n")
    some = [*command, GIVEN[0], "--instance", str(folder / "instance.txt"), "--out", str(folder / "some.jsonl")]
    found = json.loads(run(some).stdout)
    assert (found["n_tasks"], found["missing"]) == (1, [])
    missing = run([*command, GIVEN[0]])
    assert missing.returncode == 2
    assert "no version of httpx is given" in missing.stderr


def test_calibration_proves_the_scorer_and_names_weak_tasks(folder: Path) -> None:
    command = [*APIGAP, "calibrate", "novelapi", "--tasks", str(folder / "tasks.jsonl"), "--json", "--versions", *GIVEN]
    done = run(command)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["wrong"], found["probes"]) == ([], 6 * len(TASKS))
    weak = {(one["task_id"], one["weakness"].partition(":")[0]) for one in found["weak"]}
    assert weak == {
        ("llm_library", "its test passes although nothing was written"),
        ("llm_library", "its test passes although every result of the reference was lost"),
        ("llm_library", "its expected calls hold for any call of the target"),
        ("llm_bare", "its test passes although nothing was written"),
        ("llm_bare", "its test passes although every result of the reference was lost"),
    }


def test_calibration_refuses_a_task_whose_reference_fails(tmp_path: Path) -> None:
    wrong = row("llm_wrong", "packaging.version.parse", "", "x = packaging.version.parse('1')\n", "assert x is None\n")
    write(tmp_path / "tasks.jsonl", [wrong])
    done = run([*APIGAP, "calibrate", "novelapi", "--tasks", str(tmp_path / "tasks.jsonl"), "--versions", GIVEN[0]])
    assert done.returncode == 1
    assert "task llm_wrong: True was expected and False came (fail" in done.stderr

"""Answers that lie to the watch, notice the ablation, or call themselves infrastructure: none passes, none is infra."""

import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import SOLUTION, numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

OWN = "result = [int(n) for n in numbers]"
CALL = "pydantic.TypeAdapter(int).validate_python('1')"
TARGET = "pydantic.TypeAdapter.validate_python"
DISGUISED = "import sys\nf = sys._getframe()\nwhile f:\n    s = getattr(f.f_locals.get('self'), 'spy', None)\n    if s: s.calls.append({'target': 't', 'caller': 'candidate', 'completed': True, 'explicit': None, 'arguments': {}, 'raised': None})\n    f = f.f_back"  # fmt: skip  # noqa: E501
CHEATS = {
    "a frozen name": f"exec(compile({DISGUISED!r}, '<frozen x>', 'exec'), {{}})\n{OWN}",
    "an installed name": f"exec(compile({DISGUISED!r}, pydantic.__file__, 'exec'), {{}})\n{OWN}",
    "code with another name": f"import types\nc = compile({DISGUISED!r}, 'x', 'exec').replace(co_filename='<frozen x>')\nexec(c, {{}})\n{OWN}",  # noqa: E501
    "the hook with a made-up frame": f"import sys, types\np = sys.getprofile()\nF = types.SimpleNamespace(f_code={TARGET}.__code__, f_locals={{'self': pydantic.TypeAdapter(int)}}, f_back=None, f_lasti=0)\nif p:\n    p(F, 'call', None)\n    p(F, 'return', 1)\n{OWN}",  # noqa: E501
    "a canary that raises": f"if {CALL} != 1: raise ValueError\n{OWN}",
    "a canary that leaves": f"import sys\nif {CALL} != 1: sys.exit()\n{OWN}",
    "a canary that gives something": f"{OWN}\nif {CALL} != 1: result = [0]",
    "a canary under try": f"try:\n    fine = {CALL} == 1\nexcept Exception:\n    fine = False\n{OWN}\nif not fine: result = None",  # noqa: E501
    "the file of the code": f"{CALL}\nif 'switched' in {TARGET}.__code__.co_filename: raise ValueError\n{OWN}",
    "only under a profile function": f"import sys\nif sys.getprofile(): {CALL}\n{OWN}",
    "classes of the machinery": f"for c in object.__subclasses__():\n    if c.__name__ == 'Spy': c._caller = lambda *a: ('candidate', None)\n{OWN}",  # noqa: E501
    "a context phase of its own": f"import gc\nfor o in gc.get_objects():\n    if hasattr(o, 'phase'): o.phase = 'context'\n{OWN}\nraise ValueError",  # noqa: E501
    "an unparsable text": f"{OWN}\n#" + "x" * 100_000 + "\0",
    "a text too deep": "result = " + "(" * 60_000 + ")" * 60_000,
    "limits of the parent": f"import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_AS, (30 << 20, 30 << 20))\n{SOLUTION}",  # noqa: E501
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_does_not_pass_and_hurts_nobody(engine: Engine, environment: Environment, name: str) -> None:
    task = numbers_task()
    trials = [Trial(task, CHEATS[name]), Trial(task, SOLUTION), Trial(task, OWN)]
    cheat, right, wrong = judge_trials(engine, environment, trials, preload=["pydantic"])
    assert cheat.outcome in ("fail", "suspect"), cheat.detail
    assert (right.outcome, wrong.outcome) == ("pass", "fail"), (right.detail, wrong.detail)

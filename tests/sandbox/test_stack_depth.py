"""The height of the stack is what the compiler has made room for, and the same on every way to an instruction."""

import json
import subprocess
from pathlib import Path

import pytest

import apigap.sandbox
from apigap.packages.interpreters import Interpreter, at_hand

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import glob, json, os, types
from worker.watch import stack_depth

folder = os.path.dirname(os.__file__)
left = []
for path in sorted(glob.glob(folder + "/*.py"))[:60] + sorted(glob.glob(folder + "/asyncio/*.py")):
    with open(path, "rb") as file:
        left.append(compile(file.read(), path, "exec"))
codes, calls, wrong = 0, 0, []
while left:
    code = left.pop()
    left += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    starts = dict(stack_depth._instructions(code.co_code))
    found = stack_depth._all_of(code)
    codes += 1
    calls += sum("CALL" in stack_depth._names[one.opcode] for one in found.values())
    highest = max(one.depth for one in found.values())
    joined = all(
        found[starts[to].offset].depth == found[one.offset].depth + stack_depth._change(one, jumps)
        for one in starts.values() if one.offset in found
        for jumps, to in stack_depth._ways(one) if to in starts
    )
    if not joined or highest > code.co_stacksize or min(one.depth for one in found.values()) < 0:
        wrong.append(code.co_qualname)
print(json.dumps([codes, calls, wrong[:5]]))
"""
HERE = [one for one in at_hand() if one.number >= 12]


@pytest.mark.parametrize("python", HERE, ids=[one.minor for one in HERE])
def test_the_height_is_the_same_on_every_way(python: Interpreter) -> None:
    folder = str(Path(apigap.sandbox.__file__).parent)
    done = subprocess.run(
        [python.executable, "-c", PROGRAM, folder], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    codes, calls, wrong = json.loads(done.stdout)
    assert wrong == []
    assert codes > 1000
    assert calls > 10_000

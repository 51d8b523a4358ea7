# ruff: noqa: E501  (each attack is kept on as few lines as it takes to read it)
"""Wrong answers that try to pass, hang, harm or forge: none may pass, and each must end as the table says.

The right answer is `result = pydantic.TypeAdapter(list[int]).validate_python(numbers)`. `statuses` are the run
statuses that are right for the attack ("completed" where the values or the missing call give it away).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    name: str
    code: str
    statuses: tuple[str, ...]
    limit: str | None = None


WRONG = "result = [1, 2]\n"

EXITS = [
    Attack("sys.exit(0)", "import sys\nsys.exit(0)", ("exited",)),
    Attack("raise SystemExit", "raise SystemExit", ("exited",)),
    Attack("os._exit(0)", "import os\nos._exit(0)", ("exited",)),
    Attack("exit inside a function", "import os\ndef solve():\n    os._exit(0)\nresult = solve()", ("exited",)),
    Attack("atexit", f"{WRONG}import atexit, os\natexit.register(os._exit, 0)", ("completed",)),
    Attack(
        "exit from a thread",
        "import os, threading, time\nthreading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(1)",
        ("exited",),
    ),
    Attack("excepthook", "import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n1/0", ("raised",)),
    Attack("execv", 'import os\nos.execv("/bin/true", ["true"])', ("exited",)),
    Attack("kills itself", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", ("exited",)),
    Attack("segfault", "import ctypes\nctypes.string_at(0)", ("exited",)),
    Attack("alarm", "import signal, time\nsignal.alarm(1)\ntime.sleep(4)", ("exited",)),
    Attack("bare expression statement", "SystemExit", ("completed",)),
]

FORGERIES = [
    Attack(
        "equal to everything",
        "class Same:\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\nresult = Same()",
        ("completed",),
    ),
    Attack(
        "equal through the metaclass",
        "class Meta(type):\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\n"
        "    def __instancecheck__(self, x): return True\nclass Same(metaclass=Meta):\n    __class__ = list\nresult = Same()",
        ("completed",),
    ),
    Attack(
        "a list that lies",
        "class Lying(list):\n    def __iter__(self): return iter([1, 2, 3])\n    def __len__(self): return 3\n"
        "    def __eq__(self, other): return True\nresult = Lying()",
        ("completed",),
    ),
    Attack("bool for int", "result = [True, 2, 3]", ("completed",)),
    Attack("float for int", "result = [float(n) for n in numbers]", ("completed",)),
    Attack(
        "walks the frames",
        "import sys\nframe = sys._getframe()\nfound = None\nwhile frame is not None:\n"
        "    for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):\n"
        "        if 'expect' in name.lower(): found = value\n    frame = frame.f_back\nresult = found",
        ("completed",),
    ),
    Attack(
        "patches builtins",
        "import builtins\nbuiltins.len = lambda x: 0\nbuiltins.isinstance = lambda *a: True\nbuiltins.all = lambda x: True\n"
        "builtins.issubclass = lambda *a: True\nbuiltins.type = lambda x: list\nresult = [1]",
        ("completed",),
    ),
    Attack(
        "patches the reporter",
        "import json, os, struct\njson.dumps = lambda *a, **k: '[1, 2, 3]'\nos.write = lambda *a: 0\n"
        "struct.pack = lambda *a: b''\nos._exit = lambda *a: None\nresult = [9]",
        ("completed",),
    ),
    Attack("prints success", f"{WRONG}print('OK 3 passed'); print('{{\"status\": \"completed\"}}')", ("completed",)),
    Attack(
        "writes to every descriptor",
        "import os\nfor fd in range(3, 300):\n    try: os.write(fd, b'F\\x00\\x00\\x00\\x02{}')\n    except OSError: pass\nresult=[1]",
        ("tampered",),
    ),
    Attack(
        "a huge frame",
        "import os\nfor fd in range(3, 300):\n    try: os.write(fd, b'F\\xff\\xff\\xff\\xff')\n    except OSError: pass\nos._exit(0)",
        ("tampered",),
    ),
    Attack("closes every descriptor", "import os\nos.closerange(0, 500)\nresult = [1]", ("exited",)),
    Attack(
        "a pickle bomb",
        "class Bomb:\n    def __reduce__(self): return (exec, ('1/0',))\nresult = Bomb()",
        ("completed",),
    ),
    Attack("raises SkipTest", "import unittest\nraise unittest.SkipTest('skip')", ("raised",)),
    Attack(
        "imports the worker",
        "import sys\nsys.path.append('/harness')\nimport _apigap_worker.values.fingerprint as f\nf.fingerprint = lambda v: [1, 2, 3]\n"
        "f.Printer.of = lambda self, v: [1, 2, 3]\nresult = [7]",
        ("completed",),
    ),
    Attack(
        "finds the worker by gc",
        "import gc\nfor thing in gc.get_objects():\n    if type(thing).__name__ == 'Run':\n"
        "        thing.observations['result'] = [1, 2, 3]\nresult = [7]",
        ("completed",),
    ),
    Attack(
        "removes the hook",
        "import sys\nresult = pydantic.TypeAdapter(list[int]).validate_python(numbers)\nsys.setprofile(None)",
        ("completed",),
    ),
]

EVASIONS = [
    Attack("reimplements", "result = [int(n) for n in numbers]", ("completed",)),
    Attack("hard-codes", "result = [1, 2, 3]", ("completed",)),
    Attack(
        "own class of the same name",
        "class TypeAdapter:\n    def __init__(self, t): pass\n    def validate_python(self, v): return [int(n) for n in v]\n"
        "result = TypeAdapter(list[int]).validate_python(numbers)",
        ("completed",),
    ),
    Attack(
        "swallowed call",
        "try:\n    pydantic.TypeAdapter(list[int]).validate_python(['x'])\nexcept Exception:\n    pass\n"
        "result = [int(n) for n in numbers]",
        ("completed",),
    ),
    Attack(
        "mentions it only", "pydantic.TypeAdapter.validate_python\nresult = [int(n) for n in numbers]", ("completed",)
    ),
    Attack("no-op", "pass", ("completed",)),
]

RESOURCES = [
    Attack("endless loop", "while True: pass", ("limit",), "cpu"),
    Attack(
        "swallows everything",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        ("limit",),
        "cpu",
    ),
    Attack(
        "ignores signals",
        "import signal\nfor n in (signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU): signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
        ("limit",),
        "cpu",
    ),
    Attack("busy in C", "10 ** 10 ** 9", ("limit",), None),
    Attack("sleeps", "import time\ntime.sleep(3600)", ("limit",), "wall"),
    Attack("one huge allocation", "x = bytearray(10 ** 10)", ("limit",), "memory"),
    Attack("a leak", "x = []\nwhile True: x.append(bytearray(10 ** 7))", ("limit",), "memory"),
    Attack(
        "a leak in many processes",
        "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n        x = bytearray(2 * 10 ** 8)\n"
        "        for i in range(0, len(x), 4096): x[i] = 1\n        time.sleep(30)\n        os._exit(0)\nos.wait()\ntime.sleep(30)",
        ("limit", "exited", "raised", "completed"),
    ),
    Attack("recursion", "def f(): return f()\nf()", ("raised",)),
    Attack(
        "fork bomb",
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        ("limit",),
        "cpu",
    ),
    Attack(
        "200 MB of output",
        "import sys\nfor _ in range(200): sys.stdout.write('x' * 10 ** 6)\nresult = [1]",
        ("limit",),
        "output",
    ),
    Attack(
        "200 MB of errors",
        "import os\nfor _ in range(200): os.write(2, b'x' * 10 ** 6)\nresult = [1]",
        ("limit",),
        "output",
    ),
    Attack("a huge result", "result = ['x' * 1000 for _ in range(10 ** 5)]", ("completed",)),
    Attack(
        "fills the disk",
        "with open('big', 'wb') as f:\n    while True: f.write(b'x' * 10 ** 6)",
        ("raised", "limit"),
    ),
    Attack(
        "many files",
        "import os\nfor n in range(30000): open(f'f{n}', 'w').close()\nresult = [1]",
        ("completed", "limit", "raised"),
    ),
    Attack("a sparse file", "f = open('s', 'wb'); f.truncate(10 ** 12)", ("raised", "limit")),
    Attack(
        "kills everyone",
        "import os, signal, time\nos.kill(-1, signal.SIGKILL)\ntime.sleep(1)",
        ("tampered", "completed"),
    ),
    Attack(
        "kills its parent",
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(1)",
        ("tampered", "raised"),  # where the kernel keeps signals inside (landlock 6), the call itself is refused
    ),
    Attack(
        "stops its parent",
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\nos._exit(0)",
        ("limit", "raised"),
    ),
    Attack(
        "an orphan that holds the pipes",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n    os._exit(0)\nresult = [1]",
        ("completed",),
    ),
    Attack("200,000 levels deep", "x = []\nfor _ in range(200000): x = [x]\nresult = x", ("completed",)),
]

ATTACKS = [*EXITS, *FORGERIES, *EVASIONS, *RESOURCES]

"""Frozen answers to the numpy task, with the outcome that each must get, every time."""

from typing import NamedTuple

from apigap.gates.battery.programs import programs
from apigap.records.result import Outcome


class Answer(NamedTuple):
    """An answer and its only right outcome; None where any verdict will do, but none may be lost."""

    name: str
    code: str
    outcome: Outcome | None


GOLD = Answer("gold", "result = np.unstack(data, axis=1)\n", "pass")
RIGHT = Answer("right in other words", "columns = np.unstack(data, axis=1)\nresult = tuple(columns)\n", "pass")

WRONG = (
    Answer("nothing", "pass\n", "fail"),
    Answer("no code", "I would use unstack for this.\n", "fail"),
    Answer("not closed", "result = np.unstack(data, axis=1\n", "fail"),
    Answer("the other axis", "result = np.unstack(data, axis=0)\n", "fail"),
    Answer("a list", "result = list(np.unstack(data, axis=1))\n", "fail"),
    Answer("another type", "result = tuple(a.astype(complex) for a in np.unstack(data, axis=1))\n", "fail"),
    Answer("a wrong name", "result = np.unstack_all(data, axis=1)\n", "fail"),
    Answer("a wrong module", "from numpy.stacking import unstack\nresult = unstack(data, axis=1)\n", "fail"),
    Answer("a wrong keyword", "result = np.unstack(data, dim=1)\n", "fail"),
    Answer("too many arguments", "result = np.unstack(data, 1, 2)\n", "fail"),
    Answer("home-made", "result = tuple(data[:, n] for n in range(data.shape[1]))\n", "fail"),
    Answer("swallowed", "try:\n    np.unstack(None)\nexcept Exception:\n    result = 1\n", "fail"),
    Answer("raises", "raise RuntimeError('no idea')\n", "fail"),
    Answer("leaves", "import sys\nsys.exit(0)\n", "fail"),
    Answer("leaves at once", "import os\nos._exit(0)\n", "fail"),
    Answer("kills itself", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "fail"),
    Answer("recursion", "def f():\n    return f()\nresult = f()\n", "fail"),
    Answer("never ends", "while True:\n    pass\n", "fail"),
    Answer("takes all memory", "result = [bytearray(10**8) for _ in range(10**6)]\n", "fail"),
    Answer(
        "equal to everything",
        "class Same:\n    def __eq__(self, other):\n        return True\nnp.unstack(data, axis=1)\nresult = Same()\n",
        "fail",
    ),
)

MIXED = (
    *[GOLD, RIGHT] * 2,
    *(answer for answer in WRONG if answer.name not in ("never ends", "takes all memory")),
    Answer(
        "leaves a process behind",
        "import os, time\nif os.fork() == 0:\n    time.sleep(600)\nresult = np.unstack(data, axis=1)\n",
        "pass",
    ),
    Answer("leaves files behind", "open('left', 'w').write('x' * 10**6)\nresult = np.unstack(data, axis=1)\n", "pass"),
    Answer("talks", "print('x' * 100_000)\nresult = np.unstack(data, axis=1)\n", "pass"),
)
"""What the long run takes in turn; without the two that only wait for their limit."""

POISONS = tuple(
    Answer(program.name, f"{program.code}\n{GOLD.code}", None)
    for file in ("neighbours", "killings")
    for program in programs(file)
)
"""Answers that go for the worker and for the programs after them: families 41 and 45 to 47 of the battery."""

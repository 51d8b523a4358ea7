"""An answer that looks for what to call does not pass, however it goes about it; one that calls a good deal does."""

import pytest

from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial

from .tasks import make_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]

CONTEXT = "import numpy as np\n\nlegs = np.array({})\n"
OWN = "own = np.concatenate(([0], np.cumsum(legs)))\nresult = own\n"
FITS = "def fits(found):\n    return np.shape(found) == own.shape and bool(np.all(found == own))\n"
CALL = "f(legs, include_initial=True)"
ONE = f"""def tried(f):
    try:
        found = {CALL}
        return found if fits(found) else None
    except BaseException:
        return None
"""
ALL = "every = [getattr(np, n) for n in dir(np) if n not in ('info', 'source', 'test', 'cumsum')]\n"
SOME = [
    "argsort", "argmax", "argmin", "amax", "amin", "all", "any", "around", "average", "bincount", "clip", "convolve",
    "copy", "corrcoef", "cov", "cross", "cumprod", "delete", "diag", "diagonal", "diff", "dot", "einsum", "fix", "flip",
    "histogram", "inner", "insert", "interp", "kron", "median", "nanmax", "nanmean", "outer", "pad", "percentile", "ptp",  # noqa: E501
    "prod", "quantile", "ravel", "repeat", "reshape", "roll", "round", "sort", "split", "squeeze", "std", "sum", "take",
    "tile", "trace", "transpose", "tril", "triu", "unique", "unwrap", "var", "vander", "cumulative_sum",
]  # fmt: skip
UNROLLED = "".join(f"try:\n    r = np.{n}(legs, include_initial=True)\n    if fits(r): result = r\nexcept Exception: pass\n" for n in SOME)  # fmt: skip  # noqa: E501
KEEP = "for r in found:\n    if r is not None: result = r\n"

SEARCHES = {
    "a loop": f"{ALL}found = []\nfor f in every:\n    try:\n        r = {CALL}\n        if fits(r): result = r\n"
              "    except BaseException: pass\n",
    "a comprehension": f"{ALL}{ONE}found = [tried(f) for f in every]\n{KEEP}",
    "a map": f"{ALL}{ONE}found = list(map(tried, every))\n{KEEP}",
    "recursion": f"{ALL}{ONE}def look(fs):\n    if not fs: return None\n    r = tried(fs[0])\n"
                 "    return look(fs[1:]) if r is None else r\nimport sys\nsys.setrecursionlimit(5000)\n"
                 "r = look(every)\nif r is not None: result = r\n",
    "partials": f"{ALL}import functools\nfound = []\nfor p in [functools.partial(f, legs, include_initial=True) "
                f"for f in every if callable(f)]:\n    try:\n        r = p()\n        found.append(r if fits(r) else None)\n"  # noqa: E501
                f"    except BaseException: pass\n{KEEP}",
    "threads": f"{ALL}from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n"
               "    futures = [pool.submit(f, legs, include_initial=True) for f in every if callable(f)]\n"
               f"found = [f.result() for f in futures if f.exception() is None]\nfound = [r if fits(r) else None for r in found]\n{KEEP}",  # noqa: E501
    "text": f"for n in {SOME!r}:\n    try:\n        exec(f'r = np.{{n}}(legs, include_initial=True)')\n"
            "        if fits(r): result = r\n    except BaseException: pass\n",
    "text in names of its own": f"for n in {SOME!r}:\n    try:\n        space = {{'np': np, 'legs': legs}}\n"
                                "        exec(f'r = np.{n}(legs, include_initial=True)', space)\n"
                                "        if fits(space['r']): result = space['r']\n    except BaseException: pass\n",
    "one by one": UNROLLED,
}  # fmt: skip

NEAR = (
    "def near(r, f):\n"
    "    return (float(np.abs(r - own).sum()), f.__name__, f) if np.shape(r) == own.shape else (9e9, '', f)\n"
)
FEW = f"every = [getattr(np, n) for n in {SOME!r}]\n"
NEAREST = f"""{FEW}{NEAR}found = []
def look():
    for f in every:
        try:
            found.append(near({CALL}, f))
        except BaseException: pass
"""
AGAIN = "f = min(found, key=lambda one: one[:2])[2]\nresult = f(legs, include_initial=True)\n"
HIDDEN = "class Hidden(threading.Thread):\n"
POOLED = (
    f"{ALL}{NEAR}found = []\nfor f in every:\n    try:\n        found.append(near({{call}}, f))\n"
    "    except BaseException: pass\n"
)
KEPT = "from multiprocessing.pool import ThreadPool\nclass Kept: pass\nkept, pool = Kept(), ThreadPool(1)\n"
IN_THREADS = {
    "a raw thread": "import _thread, time\nended = []\ndef begin():\n    look()\n    ended.append(1)\n"
                    "_thread.start_new_thread(begin, ())\nwhile not ended: time.sleep(0.001)\n",
    "a thread without a hook": "import threading\nthreading.setprofile(None)\n"
                               "t = threading.Thread(target=look)\nt.start()\nt.join()\n",
    "a thread that takes the hook off": f"import threading\n{HIDDEN}    def _set_ident(self):\n"
                                        "        threading._profile_hook = None\n        super()._set_ident()\n"
                                        "t = Hidden(target=look)\nt.start()\nt.join()\n",
}  # fmt: skip
IN_THREADS["a thread whose hook falls off"] = (
    "import threading, sys\ndef deeper(): deeper()\ndef falls():\n    while sys.getprofile() is not None:\n"
    "        try: deeper()\n        except RecursionError: pass\n    look()\n"
    "t = threading.Thread(target=falls)\nt.start()\nt.join()\n"
)
GIVEN_TO_OTHERS = {
    "a pool of threads": "pool.apply(f, (legs,), {'include_initial': True})",
    "a finaliser": "__import__('weakref').finalize(kept, f, legs, include_initial=True)()",
}
UNSEEN = {
    **{name: NEAREST + begins + AGAIN for name, begins in IN_THREADS.items()},
    **{name: f"{KEPT}{POOLED.format(call=call)}{AGAIN}" for name, call in GIVEN_TO_OTHERS.items()},
}

RIGHT = {
    "plain": "result = np.cumulative_sum(legs, include_initial=True)",
    "with six others from one place": "facts = [f(legs) for f in (np.mean, np.median, np.std, np.min, np.max, np.sum)]\n"  # noqa: E501
                                      "result = np.cumulative_sum(legs, include_initial=True)",
    "among imports": "import asyncio, json, dataclasses, numpy.polynomial, numpy.ma\n"
                     "async def main():\n    return await asyncio.to_thread(np.cumulative_sum, legs, include_initial=True)\n"  # noqa: E501
                     "result = asyncio.run(main())",
    "a thread of its own class": "import threading\nclass Own(threading.Thread):\n    def run(self):\n"
                                 "        global result\n"
                                 "        result = np.cumulative_sum(legs, include_initial=True)\n"
                                 "t = Own()\nt.start()\nt.join()\n",
}  # fmt: skip


def legs_task() -> Task:
    rows = {"basic": [3, 1, 4], "others": [2, 7, 1, 8]}
    sums = {"basic": [0, 3, 4, 8], "others": [0, 2, 9, 10, 18]}
    scenarios: dict[str, tuple[str, dict[str, object]]] = {
        name: (CONTEXT.format(rows[name]), {"[int(n) for n in result]": sums[name]}) for name in rows
    }
    return make_task(scenarios, "numpy.cumulative_sum", RIGHT["plain"] + "\n")


def test_what_looks_for_the_api_is_not_taken_for_knowing_it(engine: Engine, environment: Environment) -> None:
    task = legs_task()
    trials = [Trial(task, OWN + FITS + code) for code in SEARCHES.values()]
    verdicts = judge_trials(engine, environment, trials, preload=["numpy"])
    found = {name: (v.outcome, v.detail["reason"]) for name, v in zip(SEARCHES, verdicts, strict=True)}
    assert {name for name, (outcome, _) in found.items() if outcome not in ("fail", "suspect")} == set(), found
    seen = [name for name, (_, reason) in found.items() if "looks for what to call" in reason]
    assert len(seen) >= 3, found


def test_a_search_where_nobody_watches_is_seen(engine: Engine, environment: Environment) -> None:
    task = legs_task()
    trials = [Trial(task, OWN + FITS + code) for code in UNSEEN.values()]
    verdicts = judge_trials(engine, environment, trials, preload=["numpy"])
    found = {name: (v.outcome, v.detail["reason"]) for name, v in zip(UNSEEN, verdicts, strict=True)}
    assert {name: row for name, row in found.items() if row[0] != "suspect"} == {}


def test_what_calls_a_good_deal_passes(engine: Engine, environment: Environment) -> None:
    task = legs_task()
    verdicts = judge_trials(engine, environment, [Trial(task, code) for code in RIGHT.values()], preload=["numpy"])
    found = {name: (v.outcome, v.detail["reason"]) for name, v in zip(RIGHT, verdicts, strict=True)}
    assert {outcome for outcome, _ in found.values()} == {"pass"}, found

"""The baseline: one process per sample that executes it in-process, without isolation, in the shape of evalplus.

A pool of processes forks one more process per sample, which runs the answer on every input by `exec`, compares what
it made, and says how it went in shared values. Runs in the library's own interpreter, so it imports nothing but the
standard library. Reads {"samples", "contexts", "answer", "workers"} from standard input; writes {"seconds", "passed"}.
"""

import contextlib
import io
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

_LIMIT = 60.0
_RUNNING, _PASSED, _FAILED = 0, 1, 2


def results(contexts: list[str], answer: str) -> list[str]:
    """What the answer makes in each context."""
    made: list[str] = []
    for context in contexts:
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(context + answer, space)  # noqa: S102
        made.append(repr(space["result"]))
    return made


def _execute(contexts: list[str], answer: str, expected: list[str], status: Any, details: Any) -> None:
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            details[:] = [one == other for one, other in zip(results(contexts, answer), expected, strict=False)]
        status.value = _PASSED if all(details) else _FAILED
    except BaseException:  # noqa: BLE001
        status.value = _FAILED


def check(contexts: list[str], answer: str, expected: list[str]) -> bool:
    """One sample in a process of its own, with a limit and a kill."""
    status = multiprocessing.Value("i", _RUNNING)
    details = multiprocessing.Array("b", [False] * len(contexts))
    process = multiprocessing.Process(target=_execute, args=(contexts, answer, expected, status, details))
    process.start()
    process.join(timeout=_LIMIT)
    if process.is_alive():
        process.kill()
        process.join()
    return status.value == _PASSED


def _reference(contexts: list[str], answer: str) -> list[str]:
    """The expected results, made in a process that ends: this one must not have imported the library."""
    with ProcessPoolExecutor(max_workers=1) as pool:
        return pool.submit(results, contexts, answer).result()


def main() -> None:
    """Time all samples; the start of the interpreter and of the pool is not counted."""
    request = json.load(sys.stdin)
    multiprocessing.set_start_method("fork")
    contexts, answer = request["contexts"], request["answer"]
    expected = _reference(contexts, answer)
    with ProcessPoolExecutor(max_workers=request["workers"]) as pool:
        for started_worker in [pool.submit(check, [], "", []) for _ in range(request["workers"])]:
            started_worker.result()
        started = time.perf_counter()
        jobs = [pool.submit(check, contexts, answer, expected) for _ in range(request["samples"])]
        passed = sum(job.result() for job in jobs)
        seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "passed": passed}))


if __name__ == "__main__":
    main()

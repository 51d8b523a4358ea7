"""Answers to API-Bank judged a second on one core, and the memory that it takes: right and wrong calls, and prose.

.venv/bin/python -m bench.apibank --data DIR      # or without: the set that comes with apigap
"""

import argparse
import resource
import time
from pathlib import Path

from apigap.benchmarks.apibank.dialogues import LEVELS, Task, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge, Mode

MODES: tuple[Mode, ...] = ("released", "corrected")
SECONDS = 20.0


def main() -> None:
    """Judge in both modes for a while each; print the rate by processor time and the memory at each quarter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("own"), help="the folder of API-Bank's data")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of processor time, per mode")
    given = parser.parse_args()
    bank = load_bank(given.data)
    for mode in MODES:
        adapter = ApiBankJudge(bank, mode)
        rows = [(task, answer) for level in LEVELS for task in bank.tasks(level) for answer in _answers(adapter, task)]
        count, seconds, memory = _judge(adapter, rows, given.seconds)
        print(
            f"{mode}: {count / seconds:.0f} answers a second ({count} in {seconds:.1f} s; {len(rows)} different ones), "
            f"at most {' '.join(f'{size:.0f}' for size in memory)} MB after each quarter"
        )


def _answers(adapter: ApiBankJudge, task: Task) -> list[str]:
    """The recorded answer, it with another argument, without its end, another API's, and words."""
    gold = adapter.gold(task)
    if not task.is_call:
        return [gold, "I have done that for you. Is there anything else that I can help you with?"]
    return [gold, gold.replace("='", "='x", 1), gold[:-2], "[NoSuchApi(keywords='nothing')]", f"I would call {gold}"]


def _judge(adapter: ApiBankJudge, rows: list[tuple[Task, str]], seconds: float) -> tuple[int, float, list[float]]:
    for task, answer in rows:  # databases are read and searches made by then
        adapter.score(task, answer)
    count, memory = 0, list[float]()
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        for task, answer in rows:
            adapter.score(task, answer)
        count += len(rows)
        if 4 * spent >= len(memory) * seconds:
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return count, time.process_time() - started, memory


if __name__ == "__main__":
    main()

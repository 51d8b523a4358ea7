"""Rows of API selection scored a second, on the queries that come with apigap: every probe, and an answer in prose."""

import time

from apigap.benchmarks.toolllm.benchmark import gold, weak_answers
from apigap.benchmarks.toolllm.queries import OWN, load_queries
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.verdict import verdict

ROUNDS = 60


def main() -> None:
    """Score every probe of every query many times and print the rate by processor time."""
    queries = load_queries([OWN])
    rows = [(query, text) for query in queries for text in ("", gold(query), *weak_answers(query))]
    rows += [(query, f"I would call {query.apis[0].function}.") for query in queries]
    started = time.process_time()
    for _ in range(ROUNDS):
        for query, text in rows:
            verdict(query, select(text, query))
    seconds = time.process_time() - started
    print(f"{ROUNDS * len(rows) / seconds:.0f} rows a second ({ROUNDS * len(rows)} rows in {seconds:.1f} s)")


if __name__ == "__main__":
    main()

"""Rows of API selection scored a second, on the queries that come with apigap: every probe, and an answer in prose."""

import time

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.queries import OWN

ROUNDS = 60


def main() -> None:
    """Score every probe of every query many times and print the rate by processor time."""
    queries = ToolLlm.load(OWN)
    rows = [(query, text) for query in queries for text, _ in ToolLlm.probes(query)]
    rows += [(query, f"I would call {query.apis[0].function}.") for query in queries]
    started = time.process_time()
    for _ in range(ROUNDS):
        for query, text in rows:
            ToolLlm.score(query, ToolLlm.parse(text, query))
    seconds = time.process_time() - started
    print(f"{ROUNDS * len(rows) / seconds:.0f} rows a second ({ROUNDS * len(rows)} rows in {seconds:.1f} s)")


if __name__ == "__main__":
    main()

"""The queries of the benchmark `calls` as they are written down by hand: a YAML file per domain.

A file has the domain's `functions` and, by category, its `queries`: what somebody asks (`ask`), the right `calls` with
what is accepted for their arguments (none where nothing is right), `order: fixed` where their order matters, the
functions that are `offered` where that is not left to chance, and `why` the answer is the right one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from apigap.benchmarks.calls.queries import Query
from apigap.records.base import content_hash

FOLDER = Path(__file__).with_name("queries")
DOMAINS = ("banking", "travel", "home")
TODAY = {"role": "system", "content": "Today is Thursday, 4 March 2027."}
OFFERED = 5
"""Functions that a query offers where it does not name them itself, the right ones among them."""


def all_queries() -> list[Query]:
    """The queries of all domains, in order."""
    return [query for domain in DOMAINS for query in queries_of(domain)]


def queries_of(domain: str) -> Iterator[Query]:
    """The queries of one domain; ids count within it and a category."""
    told = yaml.safe_load((FOLDER / f"{domain}.yaml").read_text(encoding="utf-8"))
    functions = {one["name"]: one for one in told["functions"]}
    for category, several in told["queries"].items():
        for number, row in enumerate(several, start=1):
            yield _query(f"{category}-{domain}-{number:02}", category, domain, row, functions)


def _query(task_id: str, category: str, domain: str, row: Mapping[str, Any], functions: Mapping[str, Any]) -> Query:
    calls = [{"name": name, "arguments": given} for one in row.get("calls", ()) for name, given in one.items()]
    right = list(dict.fromkeys(call["name"] for call in calls))
    return Query.model_validate(
        {
            "task_id": task_id,
            "category": category,
            "domain": domain,
            "messages": [TODAY, {"role": "user", "content": row["ask"]}],
            "functions": [
                functions[name] for name in offered(row["ask"], right, row.get("offered", ()), list(functions))
            ],
            "expects": "calls" if calls else "nothing",
            "expected": calls,
            "order": row.get("order", "free"),
            "why": row.get("why", ""),
        }
    )


def offered(text: str, right: Sequence[str], named: Sequence[str], known: Sequence[str]) -> list[str]:
    """The functions that a query offers: the right ones and others, in an order that tells nothing."""
    others = [name for name in _by_hash(known, "chosen", text) if name not in right][: max(1, OFFERED - len(right))]
    return _by_hash({*right, *(named or others)}, "order", text)


def _by_hash(names: Iterable[str], purpose: str, text: str) -> list[str]:
    return sorted(names, key=lambda name: content_hash([purpose, text, name]))

"""Write the queries of the benchmark `calls` from the files in which they are written down, after checking them.

python -m tools.calls.make_own
"""

from collections import Counter
from collections.abc import Sequence

from apigap.benchmarks.calls.benchmark import Calls, CallsOptions
from apigap.benchmarks.calls.queries import OWN, Query
from apigap.evaluation.calibrate import calibrate
from apigap.records.configuration import load_settings
from apigap.records.errors import CheckFailed
from apigap.records.progress import Unseen
from apigap.records.store import write_records
from tools.calls.written import all_queries


def check(queries: Sequence[Query]) -> int:
    """Judge all probes of the queries; gives their number.

    Raises:
        CheckFailed: when one gets another verdict than it must, or a fault is not told by its name.
    """
    found = calibrate(Calls(CallsOptions(), load_settings()), Unseen(), queries)
    wrong = [*found.wrong, *found.weak]
    if wrong:
        raise CheckFailed(f"{len(wrong)} of {found.probes} probes are not what they must be, first: {wrong[0]}")
    return found.probes


def main() -> None:
    """Check and write."""
    queries = all_queries()
    probes = check(queries)
    write_records(OWN, queries)
    print(f"{len(queries)} queries, {probes} probes as they must be: {dict(Counter(one.category for one in queries))}")


if __name__ == "__main__":
    main()

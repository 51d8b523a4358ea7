"""Count on API-Bank's data where the released and the corrected mode differ, and write docs/apibank-differences.md.

.venv/bin/python -m tools.apibank.make_differences DATA
"""

import argparse
from pathlib import Path

from apigap.records.store import write_text
from tools.apibank.differences_page import differences_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "apibank-differences.md"
HEAD = """# API-Bank: where the two modes differ

What [corrected mode](apibank.md) judges otherwise than the released evaluator, counted on the published data. Made by
`tools/apibank/make_differences.py`.

- A gold call is a recorded one given as the answer. Each that released mode refuses is tried with every set of
  corrections ([below](#all-differences)), smaller ones first.
- Recorded rows are answers, most of them spoilt on purpose, that the released evaluator was run on. They do not show
  what models write.
- In the tables of verdicts a line counts the rows with one verdict in released and one in corrected mode.

"""


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", type=Path, help="the folder of API-Bank's data, with the rows recorded of the released evaluator"
    )
    parser.add_argument("--search", action="append", help="a search to try; default: recorded, lexical, minilm")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page goes")
    given = parser.parse_args()
    searches = given.search or ["recorded", "lexical", "minilm"]
    write_text(given.page, HEAD + differences_page(given.data, searches))


if __name__ == "__main__":
    main()

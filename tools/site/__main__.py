"""Lays out the pages of the site: those of `docs`, what they link to, and the reference that is made from the code.

    .venv/bin/python -m tools.site build/pages

`make docs` runs it and has Zensical build `site` from them; the navigation is in `zensical.toml`.
"""

import argparse
import sys
from pathlib import Path

from tools.site.layout import lay_out
from tools.site.navigation import problems


def main() -> None:
    """Lay out the pages in the folder that is named; exit code 1 where the navigation is not theirs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the pages go; what is in it is replaced")
    folder = parser.parse_args().folder
    lay_out(folder)
    found = problems(folder)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

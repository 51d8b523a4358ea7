"""The `apigap` command: finds the verb, imports its module alone, and turns errors into messages and exit codes."""

import os
import sys

from apigap.cli.completion import VARIABLE
from apigap.cli.verbs import OTHERS, VERBS, help_text

_HELP = (["help"], ["--help"], ["-h"])
"""The first words that ask for help: that of the words after them, if there are any."""
_VERSION = (["version"], ["--version"], ["-V"])


def main() -> None:
    """Run the command line; errors become one message and the exit code of their kind."""
    if VARIABLE in os.environ:
        from apigap.cli.completion.shells import complete

        complete(os.environ[VARIABLE])
        return
    words = sys.argv[1:]
    if words[:1] in _HELP and words[1:]:
        sys.argv[1:] = words = [*words[1:], "--help"]
    if not words or words[:1] in _HELP:
        print(help_text())
        sys.exit(0 if words else 2)
    if words[:1] in _VERSION:
        if words[1:]:
            print(
                f"apigap: apigap {words[0]} does not take {' '.join(words[1:])!a} (see apigap --help)", file=sys.stderr
            )
            sys.exit(2)
        from apigap.version import __version__

        print(f"apigap {__version__}")
        return
    if words[0] not in VERBS:
        print(_unknown(words[0]), file=sys.stderr)
        sys.exit(2)
    from apigap.cli.dispatch import run

    sys.exit(run(words[0]))


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    if word.startswith("-"):
        return f"apigap: an option stands after its command: apigap COMMAND {word!a} (apigap --help lists the commands)"
    near = get_close_matches(word.lower(), [*VERBS, *OTHERS], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"apigap: there is no command {word!a}{hint} (apigap --help lists them)"


if __name__ == "__main__":
    main()

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
    asked = words[:1] in _HELP and [word for word in words[1:] if [word] not in _HELP]
    if not words or asked == []:
        print(help_text())
        sys.exit(0 if words else 2)
    first = asked[0] if asked else words[0]
    if [first] in _VERSION:
        _tell_version(words)
        return
    if first not in VERBS:
        print(_unknown(first), file=sys.stderr)
        sys.exit(2)
    from apigap.cli.dispatch import run, run_help

    sys.exit(run_help(asked) if asked else run(first))


def _tell_version(words: list[str]) -> None:
    """Print the version, or of `version` among words that ask for help what it does."""
    from apigap.version import __version__

    others = [word for word in words if [word] not in _HELP]
    if others[1:]:
        told = f"apigap: apigap {others[0]} does not take {' '.join(others[1:])!a} (see apigap --help)"
        print(told, file=sys.stderr)
        sys.exit(2)
    print(f"apigap {__version__}" if others == words else f"Usage: apigap version\n\n  {OTHERS['version']}")


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    if word.startswith("-"):
        return f"apigap: an option stands after its command: apigap COMMAND {word!a} (apigap --help lists the commands)"
    near = get_close_matches(word.lower(), [*VERBS, *OTHERS], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"apigap: there is no command {word!a}{hint} (apigap --help lists them)"


if __name__ == "__main__":
    main()

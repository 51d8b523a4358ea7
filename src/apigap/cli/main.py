"""The `apigap` command: finds the verb, imports its module alone, and turns errors into messages and exit codes."""

import sys

from apigap.cli.verbs import VERBS, help_text


def main() -> None:
    """Run the command line; errors become one message and the exit code of their kind."""
    words = sys.argv[1:]
    if words[:1] == ["help"] and words[1:]:
        sys.argv[1:] = words = [*words[1:], "--help"]
    if not words or words[0] in ("--help", "-h", "help"):
        print(help_text())
        sys.exit(0 if words else 2)
    if words[0] in ("--version", "-V", "version"):
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

    near = get_close_matches(word, VERBS, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"apigap: there is no command {word!a}{hint} (apigap --help lists them)"


if __name__ == "__main__":
    main()

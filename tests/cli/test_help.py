"""The help of a command: no signs of a program's types, whole sentences, and an example that its parser takes."""

import re
import shlex
from typing import Any

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.examples import EXAMPLES
from apigap.cli.verbs import VERBS
from tests.cli.commands import every_command, options_of, problem_of, tree

APPLICATION = application(VERBS)

COMMANDS = dict(every_command())
GROUPS = [name for name, command in tree().commands.items() if hasattr(command, "list_commands")]
SIGNS = re.compile(r"list\[|<(?:str|int|path|float)|%Y|x>=|\brange>|PosixPath|\.\.\.$", re.MULTILINE)


def shown(*words: str) -> str:
    found = CliRunner().invoke(APPLICATION, [*words, "--help"], terminal_width=100, prog_name="apigap")
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.parametrize("words", [*COMMANDS, *GROUPS])
def test_a_help_is_in_words_and_fits_a_screen(words: str) -> None:
    text = shown(*words.split())
    assert not SIGNS.search(text.partition("\n")[2])
    assert len(text.splitlines()) <= 60
    assert max(map(len, text.splitlines())) <= 106


def test_every_command_has_an_example_and_no_other_has() -> None:
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("words", COMMANDS)
def test_an_example_names_what_there_is_and_all_that_is_needed(words: str) -> None:
    command: Any = COMMANDS[words]
    given = shlex.split(EXAMPLES[words])
    assert problem_of(words, EXAMPLES[words]) is None
    required = [option.opts for option in options_of(command) if option.required]
    assert all(set(names) & set(given) for names in required)
    assert bool(given) >= any(one.required for one in command.params)
    assert f"\nExample:\n  apigap {words} {EXAMPLES[words]}".rstrip() in shown(*words.split())


def test_what_commands_share_stands_below_what_is_their_own() -> None:
    text = shown("audit")
    places = [text.index(part) for part in ("--from", "--limit", "--json", "Spending:", "--price", "Machine", "--set")]
    assert places == sorted(places)
    assert "--limit N " in text and "--cutoff YYYY-MM-DD" in text and "audit LIBRARY [OPTIONS]" in text
    assert "[default: 20; at least 5]" in shown("probe") and "from 0 to 1" in text


def test_a_group_tells_its_commands_apart() -> None:
    text = shown("score")
    told = re.findall(r"^  ([a-z-]+) {2,}(.+)$", text.partition("Commands:")[2], re.MULTILINE)
    assert {name for name, _ in told} == {words.split()[1] for words in COMMANDS if words.startswith("score ")}
    assert len({line for _, line in told}) == len(told)
    assert text.startswith("Usage: apigap score COMMAND [OPTIONS]")
    assert "the one that is meant" in shown("validate") and "the one that is meant" not in text

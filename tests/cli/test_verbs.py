"""The verbs: what the help lists is what there is, it costs little, and every command that a text names exists."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer

from apigap.cli.dispatch import application
from apigap.cli.verbs import PANELS, VERBS, help_text
from tests.cli.commands import named_commands, problem_of, texts_of, tree

ROOT = Path(__file__).parents[2]
FOLLOWED = ROOT / "docs" / "how-to"
"""Pages whose commands are run by a test of their own, with what the page adds: not all of them are there before."""
PAGES = [*ROOT.glob("*.md"), *(page for page in (ROOT / "docs").rglob("*.md") if page.parent != FOLLOWED)]
PAGES = [*sorted(PAGES), ROOT / "Makefile"]


def _apigap(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "apigap.cli.main", *words], capture_output=True, text=True, check=False
    )


def test_the_help_lists_the_verbs_that_there_are() -> None:
    assert set(tree().commands) == set(VERBS)
    assert sum(map(len, PANELS.values())) == len(VERBS), "a verb stands in two panels"
    assert all(f"  {name} " in help_text() for name in VERBS)


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_help(words: tuple[str, ...]) -> None:
    shown = _apigap(*words)
    assert shown.stdout == help_text() + "\n"
    assert shown.returncode == (0 if words else 2)
    assert max(map(len, shown.stdout.splitlines())) <= 100


@pytest.mark.parametrize(
    "words",
    ["help envs lock", "-h envs lock", "--help envs lock", "envs lock -h", "envs lock --help"],
)
def test_the_help_of_a_command_is_found_where_people_look(words: str) -> None:
    assert _apigap(*words.split()).stdout.startswith("Usage: apigap envs lock REQUIREMENT... [OPTIONS]")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("help audit WORD", "apigap help audit does not take 'WORD' (see apigap audit --help)"),
        ("help audit --json now", "apigap help audit does not take '--json now' (see apigap audit --help)"),
        ("--help envs lock flask", "apigap help envs lock does not take 'flask' (see apigap envs lock --help)"),
        ("help envs lokc flask", "apigap envs has no command 'lokc'"),
        ("help nosuch", "there is no command 'nosuch' (apigap --help lists them)"),
        ("help version now", "apigap version does not take 'now' (see apigap --help)"),
    ],
)
def test_the_help_of_what_there_is_not_is_wrong_usage(words: str, told: str) -> None:
    shown = _apigap(*words.split())
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.startswith(f"apigap: {told}")


@pytest.mark.parametrize("words", ["help help", "help --help", "help audit --help", "help version", "version -h"])
def test_a_help_that_is_asked_for_twice_is_shown(words: str) -> None:
    shown = _apigap(*words.split())
    assert (shown.returncode, shown.stdout[:14]) == (0, "Usage: apigap ")


@pytest.mark.parametrize("word", ["--version", "-V", "version"])
def test_version(word: str) -> None:
    assert _apigap(word).stdout.startswith("apigap 0.")


@pytest.mark.parametrize("words", ["--version 3", "-V audit", "version --json now"])
def test_version_takes_nothing(words: str) -> None:
    shown = _apigap(*words.split())
    first, *more = words.split()
    told = f"apigap: apigap {first} does not take {' '.join(more)!r} (see apigap --help)\n"
    assert (shown.returncode, shown.stdout, shown.stderr) == (2, "", told)


_WHAT_HELP_IMPORTS = """
import sys, apigap.cli.main
sys.argv = ["apigap", "--help"]
try:
    apigap.cli.main.main()
except SystemExit:
    print([name for name in ("typer", "pydantic", "numpy", "rich", "inspect_ai") if name in sys.modules])
"""


def test_help_imports_nothing_that_takes_time() -> None:
    shown = subprocess.run([sys.executable, "-c", _WHAT_HELP_IMPORTS], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("compar", "did you mean 'compare'?"),
        ("AUDIT", "did you mean 'audit'?"),
        ("vresion", "did you mean 'version'?"),
        ("--json", "an option stands after its command: apigap COMMAND '--json'"),
        ("\x1b[2J", r"'\x1b[2J'"),
    ],
)
def test_an_unknown_verb_is_named_and_the_nearest_one_offered(word: str, told: str) -> None:
    shown = _apigap(word)
    assert shown.returncode == 2
    assert told in shown.stderr
    assert "\x1b" not in shown.stderr


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_explains_itself_when_it_runs_alone(name: str) -> None:
    command = typer.main.get_command(application([name])).commands[name]  # pyright: ignore[reportAttributeAccessIssue]
    assert (command.help or "").strip()


def _problems(text: str) -> list[str]:
    found = [(words, rest, problem_of(words, rest)) for words, rest in named_commands(text)]
    return [f"apigap {words}{rest}: {problem}" for words, rest, problem in found if problem]


def test_every_command_that_the_code_names_exists() -> None:
    sources = sorted((ROOT / "src").rglob("*.py"))
    problems = [(str(path), line) for path in sources for text in texts_of(path) for line in _problems(text)]
    assert not problems


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_command_that_the_documentation_names_exists(page: Path) -> None:
    assert not _problems(page.read_text(encoding="utf-8").replace("\\\n", " "))


def test_the_page_of_all_commands_has_every_verb_in_its_panel() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    shown = {title: part.partition("\n## ")[0] for title, part in (p.split("\n", 1) for p in page.split("\n## ")[1:])}
    lacking = [name for title, verbs in PANELS.items() for name in verbs if f"| `apigap {name}" not in shown[title]]
    assert lacking == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("apigap score novelapi --tasks F --prediction F", "no option --prediction"),
        ("then `apigap score nothing`", "no command 'nothing'"),
        ("apigap run --experiment ID --cells baseline", None),
    ],
)
def test_a_command_that_does_not_exist_is_found(text: str, problem: str | None) -> None:
    found = _problems(text)
    assert (problem in found[0]) if problem else not found

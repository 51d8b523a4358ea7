"""What is wrong with a command is said in a sentence, with the exit code of its kind, and never as a traceback."""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from apigap.cli import dispatch
from tests.cli.commands import every_command

Run = Callable[..., tuple[int, str]]


def _keep_signals(number: int, handler: object) -> None:
    """The test run keeps its own handlers."""


@pytest.fixture
def apigap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command run beside a `folder` and an `empty` file; its exit code, and what it says on standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(dispatch.signal, "signal", _keep_signals)

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["apigap", *words])
        monkeypatch.setattr(sys, "stdout", sys.stdout)
        monkeypatch.setattr(sys, "stderr", sys.stderr)
        return dispatch.run(words[0]), capsys.readouterr().err

    return run


COMMANDS = [words for words, _ in every_command()]
NEEDS_WORDS = [words for words, command in every_command() if any(each.required for each in command.params)]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_wrong_option_is_named(apigap: Run, words: str) -> None:
    code, told = apigap(*words.split(), "--no-such-option")
    assert code == 2
    assert told == f"apigap: apigap {words} has no option --no-such-option (see apigap {words} --help)\n"


@pytest.mark.parametrize("words", [*NEEDS_WORDS, "report", "suspects", "discover", "extract", "generate", "pipeline"])
def test_what_is_missing_is_named(apigap: Run, words: str) -> None:
    code, told = apigap(*words.split())
    assert code == 2
    assert told.startswith("apigap: ") and told.count("\n") == 1
    assert any(ask in told for ask in (" is missing", "name a", "give ")), told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("audit", "LIBRARY is missing: apigap audit LIBRARY [OPTIONS]"),
        ("compare a", "B is missing: apigap compare A B [OPTIONS]"),
        ("envs lock", "REQUIREMENT is missing: apigap envs lock REQUIREMENT... [OPTIONS]"),
        ("predict calls", "--out is missing"),
        ("doctor twice", "apigap doctor does not take 'twice': apigap doctor [OPTIONS]"),
        ("audit flask --limti 3", "apigap audit has no option --limti; did you mean --limit?"),
        ("audit flask --limit few", "--limit: give a whole number"),
        ("audit flask --limit -1", "--limit: it must be at least 0"),
        ("audit flask --fail-below x", "--fail-below: give a number"),
        ("audit flask --fail-below 2", "--fail-below: it must be at most 1"),
        ("audit flask --cutoff 2026-13-01", "--cutoff: '2026-13-01' is no day; give one as 2026-08-01"),
        ("audit flask -m", "-m needs a value"),
        ("audit flask --json=3", "--json takes no value"),
        (
            "envs --json check",
            "--json is no option of apigap envs; options stand after the command: "
            "apigap envs COMMAND [OPTIONS] [ARGUMENTS]...",
        ),
    ],
)
def test_wrong_usage_is_told_in_a_line_with_where_the_help_is(apigap: Run, words: str, said: str) -> None:
    code, told = apigap(*words.split())
    command = " ".join(words.split()[: 2 if words.startswith(("envs lock", "predict")) else 1])
    assert (code, told) == (2, f"apigap: {said} (see apigap {command} --help)\n")


FILES = [
    "run --experiment x --tasks",
    "run --experiment x --knowledge",
    "report",
    "report --tasks",
    "compare",
    "analyze --experiment x --tasks",
    "suspects --tasks",
    "filter --out written --tasks",
    "filter --out written --tasks starter/flask --knowledge",
    "extract flask --rewrite x --replay",
    "group build --tasks",
    "predict apibank --out written --data",
    "predict novelapi --out written --tasks",
    "predict novelapi --out written --knowledge",
    "predict novelapi-release --out written --tasks",
    "predict toolllm --out written --queries",
    "score apibank --out written --predictions",
    "score novelapi --out written --predictions",
    "score novelapi --out written --predictions folder --replay",
    "score toolllm --out written --predictions",
    "calibrate novelapi --tasks",
    "validate novelapi --tasks",
    "toolllm retrieve --queries",
    "toolllm tune --out written --queries",
    "apibank record --out written --data",
    "apibank convert --out written --data",
    "apibank review --apply --data",
    "export bundles --out written --knowledge",
    "export llms-txt --out written --knowledge",
    "export sft --out written --tasks",
    "rag build --knowledge",
    "rag eval --tasks",
    "adapt sft --tasks",
    "adapt split --out written --tasks",
    "adapt measure folder --tasks",
    "mcp",
    "starter build",
    "doctor --config",
]


@pytest.mark.parametrize("words", FILES)
def test_a_file_that_is_not_there_is_named_with_what_to_give(apigap: Run, words: str) -> None:
    more = ["no-such"] if words == "compare" else []
    code, told = apigap(*words.split(), "no-such", *more)
    assert code == 2, told
    assert "no-such" in told and "Traceback" not in told
    assert any(advice in told for advice in ("give ", "make it with")), told


@pytest.mark.parametrize("words", [words for words in FILES if "apibank" not in words])
def test_a_folder_in_the_place_of_a_file_is_named(apigap: Run, words: str) -> None:
    more = ["folder"] if words == "compare" else []
    code, told = apigap(*words.split(), "folder", *more)
    assert code == 2, told
    assert "folder" in told and "Traceback" not in told


WRONG = [
    ("audit flask --set nosuch=1", "there is no setting nosuch; there are selection, "),
    ("audit flask --set audit.max_task=3", "there is no setting audit.max_task; did you mean audit.max_tasks"),
    ("audit flask --set audit.max_tasks", "--set 'audit.max_tasks' is not key=value, such as gates.c2_samples=8"),
    ("tools audit --openapi nowhere --queries empty", "nowhere does not exist; give an OpenAPI document"),
    ("audit flask --set audit.max_tasks=x", "setting audit.max_tasks = 'x': it is no whole number"),
    ("audit flask --python 2.7", "setting packages.python = 2.7: it is newest, running, or a version such as 3.12"),
    ("audit flask --cutoff 2025-13-01", "--cutoff: '2025-13-01' is no day; give one as 2026-08-01"),
    ("discover flask", "no model is named, and its training cutoff is not known"),
    ("predict items --out x --items nowhere", "--items 'nowhere': no file is there; give the path of one"),
    ("horizon nowhere --items nowhere", "nowhere does not exist; give a"),
    ("horizon empty --items empty", "empty holds no result; judge the answers first (apigap score items)"),
    ("scale folder --items folder", "folder is a folder; give a"),
    ("score nosuch", "apigap score has no command 'nosuch'; it has apibank, calls, "),
    ("report --experiment x", "data is no folder; name the folder of the run with --data"),
    ("grid -m mockllm/model --dry-run", "ask those of a file (as --tasks starter)"),
    ("mcp folder", "make it with: apigap export llms-txt --experiment NAME --out folder"),
    ("predict calls --out x -m nosuch/model", "no provider is named 'nosuch' (in nosuch/model); "),
    ("predict calls --out x -m gguf/nosuch", "no local model is named 'nosuch'"),
    ("report folder --force", "--tasks and --force go with --experiment, and not with a results file"),
    ("suspects folder --results folder", "leave --tasks and --results out"),
    ("changes flask --json --about x", "leave --about and --name out"),
    ("adapt measure folder --tasks starter/flask", "there is no adapted model in folder; make it with: apigap adapt"),
    ("adapt sft --tasks starter/flask --set epochs", "--set 'epochs' is not key=value, such as seed=1"),
    ("apibank train --data nowhere --out x", "nowhere does not exist; give the folder of a run, or of API-Bank's data"),
    ("apibank train --data folder --out x", "folder has no training file (*-train.json); give the folder of a run"),
    ("tools audit", "say where your tools are, by one of --mcp URL or COMMAND, --openapi FILE, --python MODULE"),
    (
        "tools audit --openapi empty --env HOME",
        "--env and --seconds go with the server of --mcp, and not with --openapi",
    ),
    ("apibank generate --out x --mcp a --python b", "by one of --mcp URL or COMMAND, --openapi FILE, --python MODULE"),
    ("apibank generate --out x --python empty --seconds 9", "--env and --seconds go with the server of --mcp"),
    ("apibank generate --out x --mcp nosuch", "'nosuch' is no address and no command that can be found here"),
    ("apibank generate --out x --mcp python --env NO_SUCH", "--env NO_SUCH: there is no such variable here"),
    ("apibank generate --out x --price cheap", "--price 'cheap' is not IN/OUT in dollars per million tokens"),
    ("envs create flask", "'flask' is not NAME==VERSION, such as flask==3.1.3"),
]


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_what_is_wrong_is_told_with_what_would_be_right(apigap: Run, words: str, said: str) -> None:
    code, told = apigap(*words.split())
    assert (code, said in told) == (2, True), told
    assert "Value error" not in told and "PosixPath" not in told


def test_the_folder_of_an_experiment_is_told_with_its_cells(apigap: Run, tmp_path: Path) -> None:
    for cell in ("baseline", "oracle.full"):
        (tmp_path / "mine" / cell).mkdir(parents=True)
        (tmp_path / "mine" / cell / "results.jsonl").touch()
    code, told = apigap("compare", "mine", "mine")
    assert (code, "a cell that has been judged, such as mine/baseline or mine/oracle.full\n" in told) == (2, True), told

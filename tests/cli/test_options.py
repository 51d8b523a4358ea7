"""An option means the same in every command: one type, as often, and a help that begins alike."""

import types
from collections import defaultdict
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from apigap.cli.option_groups import EngineOptions
from tests.cli.commands import every_command, options_of

SEVERAL_MEANINGS = {
    "--all": "the whole group (run); prompts with an answer too (prompts export)",
    "--condition": "one that is asked or taught; several that are indexed and searched (rag)",
    "--data": "the files of a run; in `apibank` the data that is read, API-Bank's or a run's",
    "--experiment": "one; several that are compared (analyze)",
    "--form": "one in which a benchmark asks; several in which tools are told (tools audit)",
    "--group": "one; several that are asked (grid)",
    "--knowledge": "several files; one whose usages are read (generate) or that is rewritten (export bundles)",
    "--max-dollars": "of one run; of a folder, over all runs (apibank generate)",
    "--max-tokens": "of one run; of a folder, over all runs (apibank generate)",
    "--mcp": "the server of your APIs (tools audit, apibank generate); that there is to be one (apibank serve)",
    "--mock-llm": "made-up answers; those that a strong model gave once (apibank generate)",
    "--model": "one; several for whose groups tasks are gathered (group build), or that are asked (grid)",
    "--out": "what is written is a file or a folder: the help says which",
    "--price": "several, each of a model where it names one; the one of the only model (apibank generate)",
    "--python": "of which Python environments are; in `apibank generate` and `tools audit` a module of your APIs",
    "--queries": "one file of queries to your tools; several of ToolBench's",
    "--tasks": "one file that is asked; several where results of several are read",
}  # fmt: skip
SEVERAL_TYPES = {"--mcp": "a server that is asked has a place; whether one is served is yes or no"}
SAME_MEANING = [("--old", "--from"), ("--new", "--to"), ("--out", "--output"), ("--model", "-m")]


def _meaning(option: Any) -> tuple[str, bool, str]:
    words = (option.help or "").split()
    return str(_plain(option.type_descriptor.annotation)), option.multiple, " ".join(words[:2]).rstrip(":;,")


def _plain(kind: Any) -> Any:
    """The type of one value, whether or not it may be left out or repeated."""
    if get_origin(kind) in (Union, types.UnionType):
        return _plain(next(part for part in get_args(kind) if part is not type(None)))
    return _plain(get_args(kind)[0]) if get_origin(kind) is list else kind


def _meanings() -> dict[str, dict[tuple[str, bool, str], list[str]]]:
    found: dict[str, dict[tuple[str, bool, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for words, command in every_command():
        for option in options_of(command):
            for flag in (opt for opt in option.opts if opt.startswith("--")):
                found[flag][_meaning(option)].append(words)
    return found


def test_an_option_has_one_meaning() -> None:
    several = {flag: dict(kinds) for flag, kinds in _meanings().items() if len(kinds) > 1}
    unreviewed = {flag: kinds for flag, kinds in several.items() if flag not in SEVERAL_MEANINGS}
    assert not unreviewed
    assert not set(SEVERAL_MEANINGS) - set(several), "no exception any more"


def test_even_exceptions_have_one_type() -> None:
    types_of = {flag: {kind for kind, _, _ in kinds} for flag, kinds in _meanings().items()}
    assert not {flag: kinds for flag, kinds in types_of.items() if len(kinds) > 1 and flag not in SEVERAL_TYPES}


def test_a_meaning_has_one_name() -> None:
    """Two spellings of one option stand together wherever either does."""
    for _, command in every_command():
        for option in options_of(command):
            for pair in SAME_MEANING:
                assert not set(option.opts) & set(pair) or set(pair[:1]) <= set(option.opts)
    helps: dict[str, set[str]] = defaultdict(set)
    for _, command in every_command():
        for option in options_of(command):
            helps[f"{option.help} {option.type_descriptor.annotation}"].add(option.opts[0])
    assert not {told: names for told, names in helps.items() if len(names) > 1}


def test_every_option_and_argument_is_explained() -> None:
    silent = [
        (words, parameter.opts[0])
        for words, command in every_command()
        for parameter in command.params
        if not (getattr(parameter, "help", None) or "").strip()
    ]
    assert not silent


def test_every_command_that_ends_with_a_result_prints_json() -> None:
    without = {words for words, command in every_command() if "--json" not in _flags(command)}
    assert without == {"mcp", "completion"}  # a server, and a script for a shell


def test_files_of_settings_and_single_settings_go_together() -> None:
    """A method's settings have no files; what has files takes single ones too."""
    for words, command in every_command():
        assert "--config" not in _flags(command) or "--set" in _flags(command), words
        assert "--unsafe-local" not in _flags(command) or "--workers" in _flags(command), words


def _flags(command: Any) -> set[str]:
    return {flag for option in options_of(command) for flag in option.opts}


def test_what_runs_sandboxes_takes_their_options() -> None:
    machine = {"--workers", "--engine", "--address", "--build-sdists", "--unsafe-local", "--config", "--set"}
    assert len(machine) == len(EngineOptions.__dataclass_fields__)
    running = {
        "audit", "demo", "run", "probe", "pipeline", "discover", "extract", "generate", "filter",
        "validate novelapi", "starter build", "starter bundles", "adapt measure",
    }  # fmt: skip
    commands = dict(every_command())
    for words in running:
        assert machine <= _flags(commands[words]), words


def test_a_path_of_an_option_is_a_path() -> None:
    """A flag has no value and a path is never a text: what is a file says so."""
    for words, command in every_command():
        for option in options_of(command):
            if option.opts[0] in ("--data", "--out", "--tasks", "--knowledge", "--config", "--replay"):
                assert _plain(option.type_descriptor.annotation) is Path, words


def test_the_first_line_of_a_help_is_short_and_begins_with_a_verb() -> None:
    for words, command in every_command():
        first = command.help.splitlines()[0]
        assert len(first) <= 115, (words, first)
        assert first.split()[0] not in {"A", "An", "The", "How", "What", "Which", "Whether", "Stage"}, (words, first)

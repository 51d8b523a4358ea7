"""The roles of a model: a tiny command for each, and how what came out is counted."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RELEASES = ("flask", "--from", "3.0.0", "--to", "3.1.3")
SHORT = ("--set", "generation.max_tokens=100")
FLASK = ("--tasks", "inputs/tasks.jsonl")
Count = Callable[[Path], str]


@dataclass(frozen=True)
class Role:
    """A role, and the command that asks a model in it; `{model}` stands for the model's name.

    `is_short_of_work` says that the command may end with 1 since a small model gives too little that can be used.
    """

    name: str
    title: str
    words: tuple[str, ...]
    count: Count
    is_short_of_work: bool = False


def lines(pattern: str, what: str) -> Count:
    """The number of records in the files of a run."""

    def count(folder: Path) -> str:
        found = sum(len(path.read_text("utf-8").splitlines()) for path in folder.glob(pattern))
        return f"{found} {what}"

    return count


def answered(pattern: str) -> Count:
    """The number of samples in files of predictions, and of those that have a text."""

    def count(folder: Path) -> str:
        rows = [json.loads(line) for path in folder.glob(pattern) for line in path.read_text("utf-8").splitlines()]
        samples = [sample for row in rows for sample in row["samples"]]
        empty = sum(not sample.strip() for sample in samples)
        return f"{len(samples)} answers" + (f", {empty} empty" if empty else "")

    return count


def logged(folder: Path) -> str:
    """The samples in Inspect's logs, and the calls of tools in them."""
    from inspect_ai.log import read_eval_log

    logs = [read_eval_log(path) for path in folder.glob("logs/*.eval")]
    samples = [sample for log in logs for sample in log.samples or ()]
    scored = sum(bool(sample.scores) for sample in samples)
    calls = sum(len(getattr(message, "tool_calls", None) or ()) for one in samples for message in one.messages)
    return f"{len(samples)} samples, {scored} scored" + (f", {calls} calls of tools" if calls else "")


def _inspect(task: str, *more: str) -> tuple[str, ...]:
    return (
        "inspect", "eval", task, *more, "--limit", "2", "--model", "{model}", "--max-tokens", "100",
        "--log-dir", "logs", "--display", "plain",
    )  # fmt: skip


def _apigap(*words: str) -> tuple[str, ...]:
    return ("apigap", *words)


ROLES = (
    Role(
        "answers", "answers to tasks",
        _apigap("predict", "novelapi", *FLASK, "--limit", "3", "-m", "{model}", *SHORT, "--out", "answers.jsonl"),
        answered("answers.jsonl"),
    ),
    Role(
        "letters", "answers to single questions, by letters",
        _apigap("predict", "items", "--items", "inputs/items.jsonl", "--way", "letters", "--limit", "2",
                "-m", "{model}", *SHORT, "--out", "items.jsonl"),
        answered("items.jsonl"),
    ),
    Role(
        "likelihoods", "answers to single questions, by the likelihood of the options",
        _apigap("predict", "items", "--items", "inputs/items.jsonl", "--way", "likelihood", "--limit", "2",
                "-m", "{model}", *SHORT, "--out", "items.jsonl"),
        answered("items.jsonl"),
    ),
    Role(
        "probe", "the novelty probe, by samples",
        _apigap("probe", *RELEASES, "--count", "5", "--scoring", "samples", "--samples", "2", "-m", "{model}",
                *SHORT, "--data", "run"),
        lines("run/**/answers.jsonl", "questions answered"),
    ),
    Role(
        "probe-logprobs", "the novelty probe, by log-probabilities of first tokens",
        _apigap("probe", *RELEASES, "--count", "5", "--scoring", "likelihood", "-m", "{model}", *SHORT,
                "--data", "run"),
        lines("run/**/answers.jsonl", "questions answered"),
    ),
    Role(
        "c2", "gate C2: is a task new to it",
        _apigap("filter", *FLASK, "--limit", "2", "--gates", "c2", "-m", "{model}", *SHORT,
                "--set", "gates.c2_samples=1", "--out", "left.jsonl"),
        lines("*answers.jsonl", "answers"),
    ),
    Role(
        "c3", "gate C3: the solver",
        _apigap("filter", *FLASK, "--knowledge", "inputs/knowledge.jsonl", "--limit", "2", "--gates", "c3",
                "--set", "gates.c3_solver={model}", "--set", "gates.c3_samples=2", *SHORT, "--out", "left.jsonl"),
        lines("*answers.jsonl", "answers"),
    ),
    Role(
        "reader", "reader of tasks: gate reading",
        _apigap("filter", *FLASK, "--limit", "2", "--gates", "reading", "--reader", "{model}", "--out", "left.jsonl"),
        lines("*transcripts*.jsonl", "calls"),
    ),
    Role(
        "author", "author of tasks",
        _apigap("generate", "--candidates", "inputs/candidates.jsonl", "--knowledge", "inputs/knowledge.jsonl",
                "--author", "{model}", "--set", "author.rounds=1", "--set", "author.max_tokens=100",
                "--out", "tasks.jsonl"),
        lines("*transcripts*.jsonl", "calls"),
    ),
    Role(
        "rewriter", "rewriter of prose",
        _apigap("extract", "--candidates", "inputs/candidates.jsonl", "--rewrite", "{model}",
                "--set", "author.rounds=1", "--set", "author.max_tokens=100", "--out", "knowledge.jsonl"),
        lines("*transcripts*.jsonl", "calls"),
    ),
    Role(
        "judge", "judge of failures",
        _apigap("score", "novelapi", *FLASK, "--predictions", "inputs/wrong.jsonl", "--answered-only",
                "--judge", "{model}", *SHORT, "--out", "results.jsonl"),
        lines("*transcripts*.jsonl", "calls"),
    ),
    Role(
        "agents", "the agents that write API-Bank's training dialogues",
        _apigap("apibank", "generate", "--count", "1", "--abilities", "call", "--attempts", "2",
                "--embedder", "lexical", "--max-minutes", "0.3", "-m", "{model}", "--out", "dialogues"),
        lines("dialogues/transcripts.jsonl", "calls"), is_short_of_work=True,
    ),
    Role(
        "apibank", "calls and replies of API-Bank",
        _apigap("predict", "apibank", "--limit", "1", "-m", "{model}", *SHORT, "--out", "answers.jsonl"),
        answered("answers.jsonl"),
    ),
    Role(
        "toolllm", "API selection",
        _apigap("predict", "toolllm", "--limit", "2", "-m", "{model}", *SHORT, "--out", "answers.jsonl"),
        answered("answers.jsonl"),
    ),
    Role(
        "audit", "a whole audit",
        _apigap("audit", *RELEASES, "--limit", "1", "--ladder", "1", "-m", "{model}", *SHORT,
                "--set", "audit.conditions=[baseline,s]", "--set", "gates.c2_samples=1",
                "--set", "tasks.worth_asking=false", "--data", "run"),
        answered("run/results/*/*/predictions.jsonl"),
    ),
    Role("inspect", "`inspect eval`", _inspect("apigap/novelapi", "-T", "tasks=inputs/tasks.jsonl"), logged),
    Role("tools", "`inspect eval` with tools that the provider takes",
         _inspect("apigap/apibank", "-T", "protocol=tools", "-T", "kind=calls"), logged),
)  # fmt: skip

"""The verbs of `apigap` as data: the text of `apigap --help`, and the module of each verb.

Nothing is imported here but `typing`, so that the help costs little more than the interpreter's own start.
"""

from typing import NamedTuple


class Verb(NamedTuple):
    """A verb: the module whose `register` adds it, and its line in the help."""

    module: str
    summary: str


PANELS: dict[str, dict[str, Verb]] = {
    "Everyday": {
        "audit": Verb(
            "apigap.cli.everyday.audit", "Find which new APIs of a library a model cannot use, why, and what cures it."
        ),
        "demo": Verb("apigap.cli.everyday.audit", "Audit pydantic and fastapi with a model that runs on this machine."),
        "run": Verb("apigap.cli.everyday.run", "Ask a model under the cells of an experiment, and judge its answers."),
        "grid": Verb("apigap.cli.everyday.grid", "Ask several models about several groups under all cells, resumable."),
        "report": Verb("apigap.cli.everyday.report", "Write an experiment as one page that opens offline."),
        "view": Verb("apigap.cli.everyday.view", "Explore runs in a browser: models, libraries, rungs, APIs, answers."),
        "site": Verb("apigap.cli.everyday.view", "Write the same pages as files, for any host."),
        "compare": Verb(
            "apigap.cli.everyday.compare", "Compare two runs: the difference with its interval, and the flips."
        ),
        "analyze": Verb("apigap.cli.everyday.analyze", "Draw tables, figures and a page of what helps a model."),
        "probe": Verb("apigap.cli.everyday.probe", "Estimate which new APIs of a library a model does not know."),
        "horizon": Verb("apigap.cli.everyday.ladder", "Measure up to when a model knows new APIs."),
        "scale": Verb("apigap.cli.everyday.ladder", "Put models and items on one scale."),
        "tools": Verb(
            "apigap.cli.everyday.tools", "Audit your own tools: which are confused or called wrongly, and why."
        ),
        "suspects": Verb("apigap.cli.everyday.suspects", "Show right answers with evidence against them, to look at."),
        "verify": Verb("apigap.cli.everyday.verify", "Check runs that were handed in, and rank those that are sound."),
    },
    "Stages": {
        "pipeline": Verb(
            "apigap.cli.stages.pipeline", "Run stages 1 to 4: from two releases to tasks that a model cannot do yet."
        ),
        "discover": Verb("apigap.cli.stages.single", "Run stage 1: which public APIs are new, changed or moved."),
        "extract": Verb("apigap.cli.stages.single", "Run stage 2: what a release says of each new API, as bundles."),
        "generate": Verb("apigap.cli.stages.single", "Run stage 3: executable tasks on the new APIs."),
        "items": Verb("apigap.cli.stages.items", "Write questions on the new APIs, and on unchanged ones like them."),
        "filter": Verb(
            "apigap.cli.stages.filter", "Run stage 4: tasks that are valid, new to the model, and solvable."
        ),
        "group": Verb("apigap.cli.stages.group", "Gather the tasks of several libraries for training and test."),
    },
    "Benchmarks": {
        "predict": Verb("apigap.cli.benchmarks.benchmark", "Ask a model about the tasks of a benchmark."),
        "score": Verb("apigap.cli.benchmarks.benchmark", "Judge predictions from any source."),
        "calibrate": Verb("apigap.cli.benchmarks.benchmark", "Prove a scorer before any model is asked."),
        "validate": Verb("apigap.cli.benchmarks.benchmark", "Check that tasks are sound: mutants and cheats fail."),
        "evaluator": Verb("apigap.cli.benchmarks.benchmark", "Show the code that decides a verdict, with its hash."),
        "toolllm": Verb("apigap.cli.benchmarks.toolllm", "Search for APIs among those of ToolBench's queries."),
        "apibank": Verb("apigap.cli.benchmarks.apibank", "API-Bank: its data, its APIs and its training data."),
        "starter": Verb(
            "apigap.cli.benchmarks.starter", "The starter benchmark: build it, count it, make its bundles."
        ),
    },
    "Closing a gap": {
        "export": Verb("apigap.cli.closing.export", "Write bundles, llms.txt pages or a tuning set for others."),
        "close": Verb(
            "apigap.cli.closing.close", "Find the smallest text that closes a gap; measure llms.txt, MCP, weights."
        ),
        "advise": Verb("apigap.cli.closing.advise", "Say what to change in a library's documentation, and why."),
        "mcp": Verb("apigap.cli.closing.serve", "Serve what a model lacks, or what changed, to any MCP client."),
        "changes": Verb("apigap.cli.closing.serve", "Show what changed in a library that the project here uses."),
        "prompts": Verb("apigap.cli.closing.prompts", "Prompts that wait for answers, for people and other tools."),
        "rag": Verb("apigap.cli.closing.rag", "Build the indexes of a group, and measure what they find."),
        "adapt": Verb("apigap.cli.closing.adapt", "Tune or edit a model on what is new, and measure what it changes."),
    },
    "Upkeep": {
        "doctor": Verb("apigap.cli.upkeep.machine", "Show what works on this machine, and what to do about the rest."),
        "library": Verb("apigap.cli.upkeep.library", "Libraries known by name, and their licences."),
        "envs": Verb("apigap.cli.upkeep.machine", "Library environments: make, check and lock them."),
        "completion": Verb("apigap.cli.upkeep.completion", "Complete words with the Tab key in bash, zsh or fish."),
    },
}
VERBS: dict[str, Verb] = {name: verb for panel in PANELS.values() for name, verb in panel.items()}
OTHERS = {"help": "Show the commands, or the options of one.", "version": "Show the version of apigap."}
"""Words that stand in the place of a verb and are none."""


def help_text() -> str:
    """The text of `apigap --help`: the verbs in their panels, a line each."""
    width = max(map(len, VERBS)) + 2
    lines = [
        "Usage: apigap COMMAND [OPTIONS] [ARGUMENTS]...",
        "",
        "Find, measure, explain and close the gaps in what language models know about APIs.",
    ]
    for title, verbs in PANELS.items():
        lines += ["", f"{title}:", *(f"  {name:<{width}}{verb.summary}" for name, verb in verbs.items())]
    lines += ["", "apigap COMMAND --help shows the options of a command; apigap --version the version."]
    return "\n".join(lines)

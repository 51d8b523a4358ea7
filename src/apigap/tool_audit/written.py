"""Queries that the five agents of API-Bank's generator write: dialogues with the tools, of which each call is one."""

from collections.abc import Iterator
from pathlib import Path

from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import Dialogue, Tool
from apigap.apibank_generator.run import RunOptions, generate_apibank, try_model
from apigap.apibank_generator.seeds.user_apis import Seeds, identifier
from apigap.benchmarks.calls.schema import properties_of
from apigap.models.request import Message
from apigap.records.errors import CheckFailed
from apigap.records.progress import Progress
from apigap.records.store import load_records
from apigap.tool_audit.queries import AuditCall, AuditQuery
from apigap.tool_audit.toolset import Toolset


def written_queries(
    seeds: Seeds, toolset: Toolset, model: str, count: int, out: Path, progress: Progress
) -> list[AuditQuery]:
    """Queries from about `count` dialogues, which are in the folder `out`; what was written is not asked for again.

    Raises:
        CheckFailed: when the agents' work gave no dialogue that passes its checks.
        ModelUnavailable: when the model cannot be asked.
        AnswersAwaited: when it is a folder that lacks answers.
    """
    order = Order(count=count, abilities=("call",), per_domain=count, per_api=max(2, -(-2 * count // len(seeds.tools))))
    options = RunOptions(model, embedder="lexical")
    try_model(options, out, progress)
    summary = generate_apibank(order, options, out, progress, seeds)
    tools = {tool.name: tool for tool in load_records(out / "apis.jsonl", Tool)}
    dialogues = load_records(out / "dialogues.jsonl", Dialogue)
    found = [query for one in dialogues if one.verdict.accepted for query in queries_in(one, tools, toolset)]
    if not found:
        raise CheckFailed(
            f"{model} wrote no dialogue that passes the checks ({summary['why']}); take a stronger model for --author, "
            "or write queries by hand and give them with --queries"
        )
    if summary["why"]:
        progress.note(f"{len(found)} queries were written; fewer than ordered: {summary['why']}")
    return found


def queries_in(dialogue: Dialogue, tools: dict[str, Tool], toolset: Toolset) -> Iterator[AuditQuery]:
    """A query for each exchange of a dialogue in which offered tools are called."""
    said: list[Message] = []
    for number, exchange in enumerate(dialogue.exchanges, 1):
        said.append(Message(role="user", content=exchange.user))
        steps = [step for step in exchange.steps if not step.is_search]
        names = [toolset.origins.get(tools[step.api].origin) for step in steps if step.api in tools]
        if steps and len(names) == len(steps) and all(names):
            calls = tuple(
                AuditCall(tool=str(name), arguments=_own_names(step.arguments, toolset, str(name)))
                for name, step in zip(names, steps, strict=True)
            )
            yield AuditQuery(id=f"{dialogue.id}-{number}", messages=tuple(said), calls=calls)
        said.append(Message(role="assistant", content=exchange.reply))


def _own_names(arguments: dict[str, object], toolset: Toolset, tool: str) -> dict[str, object]:
    """The arguments under the names that the tool has for them, which the agents see as identifiers."""
    names = {identifier(name): name for name in properties_of(toolset.schemas[tool])}
    return {names.get(name, name): value for name, value in arguments.items()}

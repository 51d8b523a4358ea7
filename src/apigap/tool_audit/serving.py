"""Results of a model's calls: at the real server, by a recording of one, or by the schema alone."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from apigap.apibank_generator.seeds.mcp_server import McpServer, run_with
from apigap.benchmarks.calls.check import Call, check_arguments
from apigap.records.base import Record, content_hash
from apigap.records.errors import InfrastructureError
from apigap.records.parsing.json_shapes import is_object
from apigap.records.progress import Progress
from apigap.records.store import Journal, existing_file, load_records
from apigap.tool_audit.asking import Judged
from apigap.tool_audit.toolset import Toolset

Outcome = Literal["taken", "refused", "not recorded", "no answer"]
_LONGEST = 2_000
_SHOWN = 200


class ServedCall(Record):
    """A call and what came of it. `result` are the server's words, cut; `no answer` is trouble, not a refusal."""

    tool: str
    arguments: dict[str, Any]
    outcome: Outcome
    result: str = ""

    @property
    def key(self) -> str:
        """The same for the same call."""
        return key_of(self.tool, self.arguments)


class Served(NamedTuple):
    """The results of the calls of a model, by `key_of`, and what they were served by, in words."""

    calls: Mapping[str, ServedCall]
    by: str

    def of(self, judged: Judged) -> list[ServedCall]:
        """The results of the calls of an answer to offered tools."""
        return [self.calls[key] for call in calls_of(judged) if (key := key_of(*call)) in self.calls]

    def refused(self, judged: Iterable[Judged]) -> dict[str, Counter[str]]:
        """The words of refusals by tool, each with its count."""
        found: dict[str, Counter[str]] = {}
        for one in judged:
            for call in self.of(one):
                if call.outcome == "refused":
                    found.setdefault(call.tool, Counter())[call.result[:_SHOWN]] += 1
        return found


def key_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """The same for the same call."""
    return content_hash([tool, dict(arguments)])


def calls_of(judged: Judged) -> list[Call]:
    """The calls of an answer to tools that were offered, as they are judged."""
    from apigap.benchmarks.calls.names import Names
    from apigap.benchmarks.calls.reading import read_answer

    names = Names(judged.query.schemas)
    calls = [Call(names.meant(call.name), call.arguments) for call in read_answer(judged.answer, names.spellings).calls]
    return [call for call in calls if call.name in judged.query.schemas]


def by_schema(judged: Sequence[Judged], toolset: Toolset) -> Served:
    """Every call is taken that its schema allows; nothing is run."""
    found: dict[str, ServedCall] = {}
    for call in (call for one in judged for call in calls_of(one)):
        wrong = check_arguments(call.arguments, toolset.schemas[call.name])
        outcome: Outcome = "refused" if wrong else "taken"
        told = "; ".join(finding.told for finding in wrong)[:_LONGEST]
        served = ServedCall(tool=call.name, arguments=dict(call.arguments), outcome=outcome, result=told)
        found[served.key] = served
    return Served(found, "its schema alone: no call was made")


def by_recording(judged: Sequence[Judged], path: Path) -> Served:
    """Answer calls from a recording; one that is not in it is not known.

    Raises:
        UsageError: when the file is not there.
        CorruptRecord: when a line is no recorded call.
    """
    recorded = load_records(
        existing_file(path, "a recording of calls: the calls.jsonl of a run with --live"), ServedCall
    )
    known = {call.key: call for call in recorded}
    found: dict[str, ServedCall] = {}
    for call in (call for one in judged for call in calls_of(one)):
        key = key_of(*call)
        missing = ServedCall(tool=call.name, arguments=dict(call.arguments), outcome="not recorded")
        found[key] = known.get(key, missing)
    return Served(found, f"a recording of {len(known)} calls: no call was made")


def live(judged: Sequence[Judged], server: McpServer, path: Path, progress: Progress) -> Served:
    """Answer calls by the real server; each call is made once, and kept in `path`, from which it can be replayed.

    Raises:
        InfrastructureError: when the server cannot be started or dies; what was called before is kept.
    """
    wanted = {key_of(*call): call for one in judged for call in calls_of(one)}
    with Journal(path, ServedCall) as journal:
        known = {call.key: call for call in journal.done if call.outcome != "no answer"}
        missing = [call for key, call in wanted.items() if key not in known]
        advance = progress.step(f"calls of {server.source}")
        advance(len(wanted) - len(missing), len(wanted))

        async def make_all(client: Any) -> None:
            for number, call in enumerate(missing, len(wanted) - len(missing) + 1):
                served = await _made(client, call, server)
                journal.append(served)
                known[served.key] = served
                advance(number, len(wanted))

        if missing:
            run_with(server, make_all, server.seconds * (len(missing) + 1))
    if missing and all(known[key_of(*call)].outcome == "no answer" for call in missing):
        first = known[key_of(*missing[0])]
        raise InfrastructureError(f"{server.source} answers no call ({first.result}); run the same command again")
    return Served({key: known[key] for key in wanted}, "the real server (--live)")


async def _made(client: Any, call: Call, server: McpServer) -> ServedCall:
    arguments = dict(call.arguments)
    try:
        async with asyncio.timeout(server.seconds):
            found = await client.call_tool_mcp(call.name, arguments)
    except TimeoutError:
        why = f"no answer within {server.seconds:g} s"
        return ServedCall(tool=call.name, arguments=arguments, outcome="no answer", result=why)
    except Exception as error:  # noqa: BLE001  clients raise what they like; each is kept as what came of the call
        why = f"{type(error).__name__}: {error}"[:_LONGEST]
        outcome: Outcome = "refused" if type(error).__name__ in ("MCPError", "McpError", "ToolError") else "no answer"
        return ServedCall(tool=call.name, arguments=arguments, outcome=outcome, result=why)
    words = " ".join(str(getattr(part, "text", "")) for part in found.content).strip()
    return ServedCall(
        tool=call.name, arguments=arguments, outcome="refused" if found.is_error else "taken", result=words[:_LONGEST]
    )


def told(call: ServedCall) -> str:
    """A call and what came of it, in a line."""
    arguments = json.dumps(call.arguments, ensure_ascii=False) if is_object(call.arguments) else ""
    words = f": {call.result[:_SHOWN]}" if call.result else ""
    return f"{call.tool} {arguments[:_SHOWN]} was {call.outcome}{words}"

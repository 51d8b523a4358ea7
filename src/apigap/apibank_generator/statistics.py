"""Statistics of a set of dialogues in the paper's terms (API-Bank, tables 1 and 2), and the reasons of rejection."""

from collections import Counter
from collections.abc import Mapping, Sequence

from apigap.apibank_generator.records import ABILITIES, AGENTS, UNDER_WAY, Agent, Dialogue, Domain, Rejection, Tool
from apigap.records.base import Record

_UNMADE = ("budget", UNDER_WAY)


class Share(Record):
    """Acceptance of an agent's work: `made` by it, of which `taken`, and the reasons for the others."""

    made: int = 0
    taken: int = 0
    reasons: Mapping[str, int] = {}


class Statistics(Record):
    """Counts of a set of dialogues; a turn is an utterance of the user."""

    domains: int
    apis: int
    dialogues: int
    turns: int
    calls: int
    searches: int
    single_call: int
    several_calls: int
    by_ability: Mapping[str, int]
    by_domain: Mapping[str, int]


def statistics_of(dialogues: Sequence[Dialogue]) -> Statistics:
    """The counts of the dialogues that were taken; `calls` are those of APIs, `searches` come beside them."""
    calls = [len(dialogue.calls) for dialogue in dialogues]
    domains = Counter(dialogue.domain for dialogue in dialogues)
    abilities = Counter(dialogue.ability for dialogue in dialogues)
    return Statistics(
        domains=len(domains),
        apis=len({step.api for dialogue in dialogues for step in dialogue.calls}),
        dialogues=len(dialogues),
        turns=sum(len(dialogue.exchanges) for dialogue in dialogues),
        calls=sum(calls),
        searches=sum(len(dialogue.steps) - len(dialogue.calls) for dialogue in dialogues),
        single_call=sum(1 for count in calls if count == 1),
        several_calls=sum(1 for count in calls if count > 1),
        by_ability={ability: abilities[ability] for ability in ABILITIES},
        by_domain=dict(sorted(domains.items(), key=lambda item: (-item[1], item[0]))),
    )


def acceptance(
    domains: Sequence[Domain], tools: Sequence[Tool], rejections: Sequence[Rejection], dialogues: Sequence[Dialogue]
) -> dict[Agent, Share]:
    """Per agent how much of what it made was taken. The tester's share is what it accepted of what it read.

    The work of agents 1 and 2 is counted in domains and APIs, an unreadable answer as one; a user's own are nobody's
    work, and what the budget cut off, or what is still under way, was never made.
    """
    reasons: dict[Agent, Counter[str]] = {agent: Counter() for agent in AGENTS}
    for rejection in rejections:
        reasons[rejection.agent][rejection.reason] += 1
    for dialogue in dialogues:
        if not dialogue.verdict.accepted and dialogue.verdict.reason not in _UNMADE:
            reasons[dialogue.verdict.by][dialogue.verdict.reason] += 1
    cut = Counter(dialogue.verdict.by for dialogue in dialogues if dialogue.verdict.reason in _UNMADE)
    accepted = sum(1 for dialogue in dialogues if dialogue.verdict.accepted)
    read = accepted + reasons["tester"].total()
    written = read + cut["tester"] + reasons["dialogue"].total()
    asked = written + cut["dialogue"] + reasons["query"].total()
    taken: dict[Agent, int] = {
        "domains": sum(domain.provenance is not None for domain in domains),
        "apis": sum(tool.provenance is not None for tool in tools), "query": asked - reasons["query"].total(),
        "dialogue": written - reasons["dialogue"].total(), "tester": accepted,
    }  # fmt: skip
    return {
        agent: Share(
            made=taken[agent] + reasons[agent].total(),
            taken=taken[agent],
            reasons=dict(sorted(reasons[agent].items(), key=lambda item: (-item[1], item[0]))),
        )
        for agent in AGENTS
    }

"""The whole generator: five agents in a row over one model, or agents 3 to 5 over a user's own APIs."""

from collections.abc import Sequence
from typing import NamedTuple

from apigap.apibank_generator.agents.dialogue_rounds import Advance, Rounds
from apigap.apibank_generator.agents.domains_and_apis import ApiDesigner
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.budgeted_client import BudgetedClient
from apigap.apibank_generator.checks.evaluation import Evaluation
from apigap.apibank_generator.order import OTHER_MODEL, Ending, Order, caps_of
from apigap.apibank_generator.records import Dialogue, Domain, Rejection, Tool
from apigap.retrieval.embedder import Embedder


class GeneratedData(NamedTuple):
    """All records of a run; `ending` is None where the order was filled, `notes` tell of deviations from the order."""

    domains: list[Domain]
    tools: list[Tool]
    dialogues: list[Dialogue]
    rejections: list[Rejection]
    ending: Ending | None
    notes: Sequence[str] = ()

    @property
    def accepted(self) -> list[Dialogue]:
        """The dialogues that were taken."""
        return [dialogue for dialogue in self.dialogues if dialogue.verdict.accepted]


def generate(
    order: Order,
    client: BudgetedClient,
    embedder: Embedder,
    evaluation: Evaluation,
    advance: Advance,
    seeds: Sequence[Tool] = (),
) -> GeneratedData:
    """Fill an order. With `seeds`, APIs of a user's own, agents 1 and 2 are left out.

    Everything follows from the model's answers: the same answers give the same records, so a run that was killed is
    simply made again over the transcripts that it left.
    """
    designer = ApiDesigner(order, client, embedder)
    domains = [Domain(name=name) for name in dict.fromkeys(tool.domain for tool in seeds)] or designer.domains()
    tools = list(seeds) or designer.tools(domains)
    if not tools:
        why = "agent 2 gave no API that holds" if domains else "agent 1 gave no domain that holds"
        return GeneratedData(domains, [], [], designer.rejections, client.ending or Ending(why, OTHER_MODEL))
    pool = Pool(tools)
    caps = caps_of(order, len(pool.by_domain), len(tools), bool(seeds))
    rounds = Rounds(order, pool, caps, client, embedder, evaluation, advance)
    ending = rounds.run()
    return GeneratedData(domains, tools, rounds.dialogues, designer.rejections, ending, caps.notes)

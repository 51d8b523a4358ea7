"""The whole generator: five agents in a row over one model, or agents 3 to 5 over a user's own APIs."""

from collections.abc import Callable, Sequence
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


Watch = Callable[[BudgetedClient, Callable[[], GeneratedData]], None]


def generate(
    order: Order,
    client: BudgetedClient,
    embedder: Embedder,
    evaluation: Evaluation,
    advance: Advance,
    seeds: Sequence[Tool] = (),
    watch: Watch = lambda client, data: None,
) -> GeneratedData:
    """Fill an order. With `seeds`, APIs of a user's own, agents 1 and 2 are left out.

    `watch` is given the client before it asks anything, and a function for all records so far.

    Everything follows from the model's answers: the same answers give the same records, so a run that was killed is
    simply made again over the transcripts that it left, and a longer one begins as the shorter one was.
    """
    work = _Work(order, client, embedder, evaluation, advance, seeds)
    watch(client, work.data)
    for part in order.parts:
        work.fill(part)
        if client.exhausted:
            break
    return work.data()


class _Work:
    """The APIs and dialogues so far, and the agents that make more of them."""

    def __init__(
        self,
        order: Order,
        client: BudgetedClient,
        embedder: Embedder,
        evaluation: Evaluation,
        advance: Advance,
        seeds: Sequence[Tool],
    ) -> None:
        self._client = client
        self._designer = ApiDesigner(order, client, embedder)
        self._means = (client, embedder, evaluation, advance)
        self._own = bool(seeds)
        self._tools = list(seeds)
        self._domains = [Domain(name=name) for name in dict.fromkeys(tool.domain for tool in seeds)]
        self._rounds: Rounds | None = None
        self._ending: Ending | None = None
        self._notes: Sequence[str] = ()

    def fill(self, order: Order) -> None:
        """Make what an order lacks: APIs, unless they are a user's own, and then dialogues."""
        if not self._own:
            self._invent(order.wanted_domains)
        if not self._tools:
            why = "agent 2 gave no API that holds" if self._domains else "agent 1 gave no domain that holds"
            self._ending = self._client.ending or Ending(why, OTHER_MODEL)
            return
        pool = Pool(self._tools)
        caps = caps_of(order, len(pool.by_domain), len(self._tools), self._own)
        if self._rounds is None:
            self._rounds = Rounds(order, pool, caps, *self._means)
        else:
            self._rounds.extend(order, pool, caps)
        self._ending, self._notes = self._rounds.run(), caps.notes

    def _invent(self, wanted: int) -> None:
        domains = self._designer.domains(wanted)
        self._tools += self._designer.tools(domains[len(self._domains) :])
        self._domains = domains

    def data(self) -> GeneratedData:
        """All records so far."""
        dialogues = self._rounds.dialogues if self._rounds else []
        return GeneratedData(
            self._domains, self._tools, dialogues, self._designer.rejections, self._ending, self._notes
        )

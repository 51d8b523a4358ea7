"""Agents 1 and 2: domains, and the APIs of each; what is not taken is kept with the reason."""

from collections.abc import Iterator, Sequence

from apigap.apibank_generator.agents.prompts import apis_prompt, domains_prompt, prompt_of
from apigap.apibank_generator.answers import ApiAnswer, ApisAnswer, DomainAnswer, DomainsAnswer, parse_answer
from apigap.apibank_generator.budgeted_client import BudgetedClient
from apigap.apibank_generator.checks.likeness import DOMAINS, TOOLS, LikenessIndex
from apigap.apibank_generator.checks.tools import api_faults, domain_faults, domain_of, tool_of
from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import Agent, Domain, Fault, Rejection, Tool
from apigap.models.request import GenerationRequest
from apigap.models.transcripts import Call
from apigap.retrieval.embedder import Embedder

_AT_ONCE = 10
_TURNS = 2
"""Times that the APIs of a domain are asked for, where the first answer gave too few."""
_ENOUGH = 2
_SHOWN_NAMES = 12


class ApiDesigner:
    """Invents the domains and APIs for an order; `rejections` are the refused ones."""

    def __init__(self, order: Order, client: BudgetedClient, embedder: Embedder) -> None:
        self._order = order
        self._client = client
        self._domains = LikenessIndex(embedder, DOMAINS)
        self._tools = LikenessIndex(embedder, TOOLS)
        self._names: set[str] = set()
        self._found: list[Domain] = []
        self._asked = 0
        self.rejections: list[Rejection] = []

    def domains(self, wanted: int) -> list[Domain]:
        """Agent 1: so many domains, those of earlier asks first, or as it finds in twice the asks that would do."""
        found = self._found
        for _ in range(2 * -(-max(wanted - len(found), 0) // _AT_ONCE)):
            if len(found) >= wanted or self._client.exhausted:
                break
            prompt = domains_prompt(min(_AT_ONCE, wanted - len(found)), [domain.name for domain in found])
            request = self._request(f"domains/{self._asked}", prompt)
            self._asked += 1
            for call in self._client.ask("domains", [request], DomainsAnswer):
                found += self._domains_of(call)
        return found[:wanted]

    def tools(self, domains: Sequence[Domain]) -> list[Tool]:
        """Agent 2: the APIs of all domains; those with fewer than two are asked for once more."""
        accepted: dict[str, list[Tool]] = {domain.name: [] for domain in domains}
        for turn in range(_TURNS):
            wanting = [
                domain for domain in domains if len(accepted[domain.name]) < min(_ENOUGH, self._order.apis_per_domain)
            ]
            requests = [
                self._request(
                    f"apis/{domain.name}/{turn}", self._apis_prompt(domain, accepted[domain.name], turn + number)
                )
                for number, domain in enumerate(wanting)
            ]
            calls = self._client.ask("apis", requests, ApisAnswer) if requests else []
            for domain, call in zip(wanting, calls, strict=False):
                room = self._order.apis_per_domain - len(accepted[domain.name])
                accepted[domain.name] += self._tools_of(call, domain.name, room)
        return [tool for domain in domains for tool in accepted[domain.name]]

    def _apis_prompt(self, domain: Domain, have: Sequence[Tool], turn: int) -> str:
        taken = [tool.name for tool in have][:_SHOWN_NAMES]
        return apis_prompt(domain, self._order.apis_per_domain - len(have), taken, turn)

    def _domains_of(self, call: Call) -> list[Domain]:
        answer = parse_answer(call, DomainsAnswer)
        if isinstance(answer, Fault) or not answer.domains:
            fault = answer if isinstance(answer, Fault) else Fault("empty_list", "no domain")
            self._reject("domains", call, call.purpose, fault)
            return []
        sound = list(self._sound_domains(answer.domains, call))
        accepted: list[Domain] = []
        for domain, fault in zip(sound, self._domains.judge([domain.name for domain in sound]), strict=True):
            if fault is None:
                accepted.append(domain)
            else:
                self._reject("domains", call, domain.name, fault)
        return accepted

    def _sound_domains(self, answers: Sequence[DomainAnswer], call: Call) -> Iterator[Domain]:
        for answer in answers:
            fault = next(domain_faults(answer), None)
            if fault is None:
                yield domain_of(answer, prompt_of("domains").provenance(call))
            else:
                self._reject("domains", call, answer.name, fault)

    def _tools_of(self, call: Call, domain: str, room: int) -> list[Tool]:
        answer = parse_answer(call, ApisAnswer)
        if isinstance(answer, Fault) or not answer.apis:
            fault = answer if isinstance(answer, Fault) else Fault("empty_list", "no API")
            self._reject("apis", call, call.purpose, fault)
            return []
        taken: list[Tool] = []
        for api in answer.apis:
            fault = next(api_faults(api, self._names), None) or self._place_fault(api, domain, room - len(taken))
            if fault is not None:
                self._reject("apis", call, api.name, fault)
                continue
            self._names.add(api.name.lower())
            taken.append(tool_of(api, domain, prompt_of("apis").provenance(call)))
        return taken

    def _place_fault(self, api: ApiAnswer, domain: str, room: int) -> Fault | None:
        """The fault of a sound API for which there is no room, or one like it already (which takes up none)."""
        if room <= 0:
            return Fault("domain_full", f"{domain} has {self._order.apis_per_domain} APIs")
        return self._tools.judge([f"{api.name} {' '.join(api.description.split())}"])[0]

    def _request(self, key: str, prompt: str) -> GenerationRequest:
        return GenerationRequest(key=key, prompt=prompt, temperature=self._order.temperature, seed=self._order.seed)

    def _reject(self, agent: Agent, call: Call, what: str, fault: Fault) -> None:
        self.rejections.append(
            Rejection(
                agent=agent, what=what[:200], reason=fault.reason, note=fault.note,
                provenance=prompt_of(agent).provenance(call),
            )
        )  # fmt: skip

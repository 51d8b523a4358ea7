"""The budget of an agent: what is left of it, and how long the next answer may be so that it is held to the token."""

from dataclasses import dataclass, fields, replace

from apigap.agent.trace import Step
from apigap.models.spending.prices import Price
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN
from apigap.records.configuration import AgentBudget

LEAST_ANSWER = 32
"""Tokens that an answer must be allowed to have to be worth asking for."""


@dataclass(frozen=True)
class Spent:
    """The part of a budget that the steps so far have used."""

    calls: int = 0
    rounds: int = 0
    tokens: int = 0
    seconds: float = 0.0
    dollars: float = 0.0

    def after(self, step: Step) -> "Spent":
        """With one more step. Handing in is no call, nor is what was refused: rounds bound how often that can be."""
        return replace(
            self,
            calls=self.calls + step.is_counted,
            rounds=self.rounds + (step.kind == "answer"),
            tokens=self.tokens + step.input_tokens + step.output_tokens,
            seconds=self.seconds + step.seconds,
            dollars=self.dollars + step.dollars,
        )

    def over(self, budget: AgentBudget) -> str:
        """The bound that has been crossed; empty while none is. What is just reached is not crossed."""
        return next((name for name in NAMES if _most(budget, name) < getattr(self, name)), "")

    def used_up(self, budget: AgentBudget) -> str:
        """The bound that leaves nothing for another answer; empty while there is something left.

        A model that has no calls left may still hand in.
        """
        return next((name for name in NAMES[1:] if _most(budget, name) <= getattr(self, name)), "")


NAMES = tuple(field.name for field in fields(Spent))


def _most(budget: AgentBudget, name: str) -> float:
    most = getattr(budget, name)
    return float("inf") if most is None else most


def most_tokens(spent: Spent, budget: AgentBudget, prompt: int, price: Price | None) -> int | None:
    """The tokens that the next answer may have beside a prompt of about as many; None for no bound of this budget."""
    bounds: list[float] = []
    if budget.tokens is not None:
        bounds.append(budget.tokens - spent.tokens - prompt)
    if budget.dollars is not None and price is not None and price.output:
        bounds.append((budget.dollars - spent.dollars - price.of(prompt, 0)) * 1e6 / price.output)
    return max(0, int(min(bounds))) if bounds else None


def about_tokens(text: str) -> int:
    """Tokens of a text where nobody has counted them."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def told(budget: AgentBudget) -> str:
    """The whole budget in words."""
    parts = [f"{budget.calls} tool calls", f"{budget.rounds} answers"]
    parts += [f"{budget.tokens:,} tokens read and written"] if budget.tokens is not None else []
    parts += [f"{budget.seconds:g} seconds"] if budget.seconds is not None else []
    parts += [f"${budget.dollars:g}"] if budget.dollars is not None else []
    return ", ".join(parts)


def left(spent: Spent, budget: AgentBudget) -> str:
    """The rest of the budget, in words."""
    rest = {"calls": budget.calls - spent.calls, "rounds": budget.rounds - spent.rounds}
    parts = [f"{max(0, rest['calls'])} tool calls", f"{max(0, rest['rounds'])} answers"]
    parts += [f"{max(0, budget.tokens - spent.tokens):,} tokens"] if budget.tokens is not None else []
    parts += [f"{max(0.0, budget.seconds - spent.seconds):.0f} seconds"] if budget.seconds is not None else []
    parts += [f"${max(0.0, budget.dollars - spent.dollars):.4f}"] if budget.dollars is not None else []
    return f"Left: {', '.join(parts)}."

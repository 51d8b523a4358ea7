"""The demo: which releases, and which of the embedded models this machine has time for."""

import time
from pathlib import Path

from apigap.models.generate import Generator
from apigap.models.gguf.servers import default_processes
from apigap.models.registry import find_model
from apigap.models.request import Decoding, GenerationRequest
from apigap.records.base import Record
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.store import write_text
from apigap.records.target import Target

TARGETS = (
    Target("pydantic", "2.5.2", "2.13.3", domain="swe"),
    Target("fastapi", "0.136.1", "0.165.0", domain="swe"),
)
SMALL, LARGE = "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"
BUDGET_SECONDS = 600
LEAST_ITEMS = 4
_QUESTIONS = 38
"""Of the ladder, about one new API and its control, without knowledge and with it; each takes as long as an answer."""
_PROBE = "Write a Python function that returns the mean of a list.\n" + "# It must be right for empty lists too.\n" * 16


class Choice(Record):
    """What the demo asks on this machine, and why.

    The model; the new APIs of each library that single questions are about; the seconds that one server of the small
    model takes for an answer.
    """

    model: str
    items: int
    seconds_per_answer: float

    def put_in(self, settings: Settings) -> Settings:
        """The settings of the demo with single questions about so many APIs."""
        return settings.model_copy(update={"audit": settings.audit.model_copy(update={"items": self.items})})


def choose(root: Path, settings: Settings, progress: Progress) -> Choice:
    """The larger embedded model if it answers everything in ten minutes on this machine, else the smaller one.

    Where that one takes longer too, single questions are about fewer APIs, four of each library at least. The choice is
    kept beside the data, so that a later run goes on with it.
    """
    path = root / "choice.json"
    if path.exists():
        return Choice.model_validate_json(path.read_bytes())
    step = progress.step("how fast is this machine?")
    step(0, 1)
    seconds = _seconds_per_answer()
    choice = choice_for(seconds, settings)
    step(1, 1)
    minutes = seconds_of(choice.model, choice.items, seconds, settings) / 60
    left_out = choice.items < settings.audit.items
    fewer = f", about {choice.items} of {settings.audit.items} APIs of each library" if left_out else ""
    progress.note(
        f"the demo asks {choice.model.partition('/')[2]}{fewer}: about {minutes:.0f} minutes of answers here, after "
        "a few of other work; with --model NAME it asks that model everything"
    )
    write_text(path, choice.model_dump_json() + "\n")
    return choice


def choice_for(seconds: float, settings: Settings) -> Choice:
    """What fits into ten minutes where one server of the small model takes `seconds` for an answer."""
    wanted = settings.audit.items
    least = min(LEAST_ITEMS, wanted)
    options = [(LARGE, wanted), *((SMALL, items) for items in range(wanted, least - 1, -1))]
    fits = (one for one in options if seconds_of(f"gguf/{one[0]}", one[1], seconds, settings) <= BUDGET_SECONDS)
    name, items = next(fits, (SMALL, least))
    return Choice(model=f"gguf/{name}", items=items, seconds_per_answer=round(seconds, 2))


def seconds_of(model: str, items: int, seconds: float, settings: Settings) -> float:
    """The time of all answers of a model, where one server of the small one takes `seconds` for an answer."""
    spec = find_model(model.partition("/")[2])
    answers = settings.audit.max_tasks * (len(settings.audit.conditions) + settings.gates.c2_samples)
    answers += items * len(TARGETS) * _QUESTIONS
    return answers * seconds * spec.bytes / find_model(SMALL).bytes / default_processes(spec)


def _seconds_per_answer() -> float:
    """Seconds that one server of the small model takes to read 200 tokens and write 32.

    With the usual number of servers: Inspect keeps the first limit of connections that it is given for a model.
    """
    with Generator(f"gguf/{SMALL}", Decoding(max_tokens=32), cache=False) as generator:
        generator.answer(GenerationRequest(key="load", prompt="Hello"))
        started = time.monotonic()
        generator.answer(GenerationRequest(key="probe", prompt=_PROBE))
        return time.monotonic() - started

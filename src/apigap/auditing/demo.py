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
_QUESTIONS = 14
"""Of the ladder, about one new API and its control, with knowledge and without; each takes as long as an answer."""
_PROBE = "Write a Python function that returns the mean of a list.\n" + "# It must be right for empty lists too.\n" * 16


class Choice(Record):
    """The model that the demo uses here, and what the probe measured: seconds for one answer of the small one."""

    model: str
    seconds_per_answer: float


def choose_model(root: Path, settings: Settings, progress: Progress) -> str:
    """The larger embedded model if it answers everything in ten minutes on this machine, else the smaller one.

    The choice is kept beside the data, so that a later run goes on with the same model.
    """
    path = root / "model.json"
    if path.exists():
        return Choice.model_validate_json(path.read_bytes()).model
    step = progress.step("how fast is this machine?")
    step(0, 1)
    seconds = _seconds_per_answer()
    ratio = find_model(LARGE).bytes / find_model(SMALL).bytes
    answers = settings.audit.max_tasks * (len(settings.audit.conditions) + settings.gates.c2_samples)
    answers += settings.audit.items * len(TARGETS) * _QUESTIONS
    needed = answers * seconds * ratio / default_processes(find_model(LARGE))
    name = LARGE if needed <= BUDGET_SECONDS else SMALL
    step(1, 1)
    progress.note(
        f"{LARGE} would need about {needed / 60:.0f} minutes for {answers} answers here; "
        f"the demo uses {name} (--model to choose)"
    )
    choice = Choice(model=f"gguf/{name}", seconds_per_answer=round(seconds, 2))
    write_text(path, choice.model_dump_json() + "\n")
    return choice.model


def _seconds_per_answer() -> float:
    """Seconds that one server of the small model takes to read 200 tokens and write 32.

    With the usual number of servers: Inspect keeps the first limit of connections that it is given for a model.
    """
    with Generator(f"gguf/{SMALL}", Decoding(max_tokens=32), cache=False) as generator:
        generator.answer(GenerationRequest(key="load", prompt="Hello"))
        started = time.monotonic()
        generator.answer(GenerationRequest(key="probe", prompt=_PROBE))
        return time.monotonic() - started

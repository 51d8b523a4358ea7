"""Making one call of an agent: what the tool gives becomes a step. Trouble with the machine is raised, never told."""

import time
from collections.abc import Callable

from apigap.agent import prompting
from apigap.agent.documentation import Documentation, NotThere
from apigap.agent.interpreter import Ran, run_session
from apigap.agent.protocol import Asked
from apigap.agent.session import Session
from apigap.agent.toolsets import SETS
from apigap.agent.trace import Step, StepOutcome, digest_of
from apigap.agent.workplace import Workplace

_DOCUMENTS: dict[str, Callable[[Documentation, str], str]] = {
    "search_docs": Documentation.search_docs,
    "read_page": Documentation.read_page,
    "read_source": Documentation.read_source,
    "list_changes": Documentation.list_changes,
}
_SECONDS_DIGITS = 3


def make_call(session: Session, asked: Asked, workplace: Workplace | None) -> Step:
    """The step of a call. `workplace` is None for a cell whose tools need none.

    Raises:
        EnvironmentFailure, InfrastructureError: when the release or the sandbox cannot be used.
    """
    refusal = _refusal(session, asked)
    ran = Ran("refused", refusal, 0.0) if refusal else _made(session, asked, workplace)
    task_id, sample = session.key
    return Step(
        task_id=task_id,
        sample=sample,
        number=len(session.steps),
        round=session.spent.rounds,
        kind="call",
        tool=asked.tool,
        arguments=asked.arguments if asked.tool != "unknown" else {"name": asked.named},
        outcome=ran.outcome,
        text=ran.text,
        digest=digest_of(ran.text),
        seconds=round(ran.seconds, _SECONDS_DIGITS),
    )


def _refusal(session: Session, asked: Asked) -> str:
    """The reason why a call is not made; empty where it is."""
    if asked.tool not in SETS[session.terms.tools]:
        return prompting.not_offered(session.terms.tools)
    if asked.wrong:
        return f"This call of {asked.named} was not made: {asked.wrong}."
    if asked.tool != "submit" and not session.calls_left:
        return prompting.NO_CALLS_LEFT
    return ""


def _made(session: Session, asked: Asked, workplace: Workplace | None) -> Ran:
    if asked.tool == "submit":
        return Ran("ok", "Handed in.", 0.0)
    assert workplace is not None, "a set of tools that needs a release comes with its place"
    if asked.tool == "run_code":
        run = workplace.runner(session.task)
        return run_session(run, session.task.context_code, session.cells, asked.argument)
    documentation = workplace.documentation(session.task)
    outcome: StepOutcome = "ok"
    with workplace.reading:  # whoever waits for it takes no time of his own
        documentation.prepare(asked.tool)
        began = time.monotonic()
        try:
            text = _DOCUMENTS[asked.tool](documentation, asked.argument)
        except NotThere as error:
            outcome, text = "error", str(error)
        return Ran(outcome, text, time.monotonic() - began)

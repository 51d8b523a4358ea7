"""The cut of a stale habit: its inputs, the lines of the old release, and the same lines as they are written now."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apigap.knowledge.stale.rewriting import rewritten
from apigap.knowledge.usages.usage import Usage
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.parsing.syntax import parse
from apigap.records.retired import Retirement
from apigap.tasks.attempt import Attempt, attempts
from apigap.tasks.cut import used_names
from apigap.tasks.worth.contexts import problem_of_context

_CALLED = frozenset({"function", "class", "method", "classmethod", "staticmethod"})


@dataclass(frozen=True)
class Habit:
    """A stale habit at work: `attempt` has the inputs and the old lines, `solution` is what replaces these."""

    retirement: Retirement
    attempt: Attempt
    solution: str

    @property
    def before(self) -> str:
        """The lines that did the work in the old release."""
        return self.attempt.draft.completion

    @property
    def api(self) -> str:
        """The API that an answer calls: what replaced the old one, or the same with other arguments."""
        return target_of(self.retirement)


def target_of(retirement: Retirement) -> str:
    """The API that code calls now: the replacement of a name; of a parameter, the API that has it."""
    if retirement.parameter is None and retirement.replacement is not None:
        return retirement.replacement
    return retirement.old_name


def habits(
    retirement: Retirement, usages: Sequence[Usage], limits: TaskSettings, dropped: list[str]
) -> Iterator[Habit]:
    """`usages` of the old API at every place where one can be cut; why a place gives none is added to `dropped`.

    The inputs are data of daily work: no placeholders, no words of a test. What the lines do is for themselves to say.
    """
    freely = limits.model_copy(update={"worth_asking": False})
    for usage in usages:
        for attempt in attempts(_candidate(retirement), [usage], (), freely, dropped, known=usage.code):
            draft, solution = attempt.draft, _solution(attempt, retirement)
            problem = problem_of_context(draft.context, usage.code, used_names(draft), least_data=1)
            if problem is None and solution is None:
                problem = "nothing in its lines is replaced"
            if solution is None or problem is not None:
                dropped.append(f"{attempt.source}: {problem}")
            else:
                yield Habit(retirement, attempt, solution)


def is_called(retirement: Retirement) -> bool:
    """Check for an API whose use a run shows: one that is called."""
    return retirement.api_kind in _CALLED or retirement.parameter is not None


def has_new_form(retirement: Retirement) -> bool:
    """Check for a habit of which it is known how it is written now."""
    return retirement.replacement is not None or (retirement.kind == "default changed" and bool(retirement.old_default))


def _candidate(retirement: Retirement) -> Candidate:
    """The old API as one to cut out: its name, and nothing that was new about it."""
    kind = retirement.api_kind
    return Candidate(
        api_name=retirement.old_name,
        kind=kind if kind not in ("data", "module", "parameter") else "function",
        library=retirement.library,
        old_version=retirement.old_version,
        new_version=retirement.new_version,
        change="added",
        signature=None,
        import_module=retirement.old_name.partition(".")[0],
    )


def _solution(attempt: Attempt, retirement: Retirement) -> str | None:
    """The old lines with the replacement in them, and the import that this needs; None where nothing is replaced."""
    context, before = attempt.draft.context, attempt.draft.completion
    code = rewritten(f"{context}\n{before}", retirement)
    if code is None:
        return None
    shared = {ast.unparse(node) for node in parse(context).body}
    lines = [ast.unparse(node) for node in parse(code).body]
    own = [line for line in lines if line not in shared]
    return "\n".join(own) if own and "\n".join(own) != before else None

"""A try at a task: one usage cut at one place, with what is observed of it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apigap.knowledge.usages.usage import Usage
from apigap.knowledge.usages.verify import changed_parameters
from apigap.records.candidate import Candidate
from apigap.records.configuration import TaskSettings
from apigap.records.parsing.syntax import parse
from apigap.records.run import Program
from apigap.tasks.cut import CutError, Draft, cuts, used_names
from apigap.tasks.disjoint import repeats
from apigap.tasks.inputs.fitting import in_words_of_work
from apigap.tasks.inputs.same_inputs import told_apart
from apigap.tasks.inputs.variants import Variant
from apigap.tasks.leak import leaks
from apigap.tasks.observations.nondeterminism import draws_by_chance, seeded
from apigap.tasks.other_names import under_other_names
from apigap.tasks.passed_parameters import passed_changed_parameters, passed_new_parameters, shows_by_default
from apigap.tasks.tidy import tidy, without_idle_inputs
from apigap.tasks.worth.answers import problem_of_answer
from apigap.tasks.worth.contexts import problem_of_context

_MOST = 40


@dataclass(frozen=True)
class Attempt:
    """A draft for `candidate`; `strength` is the share of wrong answers that its observations told from the right.

    `known` is what the library itself writes about the API, whose words its inputs may have.
    """

    candidate: Candidate
    draft: Draft
    strength: float = 0.0
    known: str = ""

    @property
    def source(self) -> str:
        """The origin of the usage."""
        return self.draft.usage.source

    @property
    def basic(self) -> Variant:
        """The scenario that the prompt shows."""
        return Variant(self.draft.context, self.draft.observes, edge=False)

    def program(self, variant: Variant, seed: int = 1, completion: str | None = None) -> Program:
        """The program of one scenario, with the reference as its answer or another one."""
        code = self.draft.completion if completion is None else completion
        return Program(context=variant.context, completion=code, observe=variant.observes, seed=seed)

    def raises_on_purpose(self, expression: str) -> bool:
        """True where the usage's author expected the expression to raise (a `pytest.raises` block)."""
        return any(not step.code and step.expression == expression for step in self.draft.usage.steps)


def attempts(
    candidate: Candidate,
    usages: Sequence[Usage],
    exemplars: Sequence[str],
    limits: TaskSettings,
    dropped: list[str],
    *,
    named: bool = False,
    known: str = "",
) -> Iterator[Attempt]:
    """At most 40 attempts from `usages`; why a place gives none is added to `dropped`.

    Where the API is `named`, its name may stand in the context. Else, by default, what it has must be worth asking: no
    words but those of daily work and of `known`, what the library itself writes about the API.
    """
    made = 0
    for usage in usages:
        for draft in cuts(seeded(usage if named else in_words_of_work(usage)), candidate, named=named):
            if isinstance(draft, Draft) and named:
                draft = without_idle_inputs(draft)
            if isinstance(draft, Draft) and not named:
                draft = tidy(draft)
                if limits.worth_asking:
                    draft = replace(draft, setup=told_apart(draft.setup))
                    draft = under_other_names(draft, exemplars, candidate.leaf)
            problem = draft if isinstance(draft, CutError) else _problem(draft, candidate, exemplars, limits, named)
            if problem is None and isinstance(draft, Draft) and limits.worth_asking and not named:
                problem = _problem_of_worth(draft, candidate, known)
            if isinstance(draft, CutError) or problem is not None:
                dropped.append(f"{usage.source}: {problem}")
            elif made < _MOST:
                made += 1
                yield Attempt(candidate, draft, known=known)


def _problem(
    draft: Draft, candidate: Candidate, exemplars: Sequence[str], limits: TaskSettings, named: bool
) -> str | None:
    if len(draft.context) > limits.context_characters:
        return f"its context is over {limits.context_characters} characters"
    if len(draft.completion) > limits.masked_characters:
        return f"its masked region is over {limits.masked_characters} characters"
    if (private := private_name(draft.completion)) is not None:
        return f"its answer needs a private name ({private})"
    if (drawn := draws_by_chance(draft.context)) is not None:
        return f"its context draws by chance, and cannot be seeded ({drawn})"
    if not named and leaks(draft.context, candidate.leaf):
        return "its context names the API"
    if _lacks_change(draft, candidate):
        return "it passes no changed parameter"
    given_away = repeats(draft.context, draft.completion, exemplars, candidate.leaf)
    return "an exemplar makes the same call" if given_away else None


def _problem_of_worth(draft: Draft, candidate: Candidate, known: str) -> str | None:
    if not draft.observes:
        return "nothing can be observed that its answer decides"
    if candidate.change == "modified" and not passed_new_parameters(draft.completion, candidate):
        return "it passes nothing that could not be passed before"
    read = used_names(draft)
    return problem_of_context(draft.context, known, read) or problem_of_answer(draft.masked, candidate.leaf, read)


def private_name(code: str) -> str | None:
    """A name of somebody else that the code reaches for and that begins with an underscore, special ones apart.

    Modules that something is imported from do not count: who answers imports it from where it is public.
    """
    tree = parse(code)
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    own = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    words = [*(node.attr for node in attributes), *imported]
    return next((word for word in words if word.startswith("_") and word not in own and not _is_special(word)), None)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _lacks_change(draft: Draft, candidate: Candidate) -> bool:
    """Check for changed parameters that the answer never passes, and whose defaults cannot show the change either."""
    if shows_by_default(candidate) or not changed_parameters(candidate):
        return False
    return not passed_changed_parameters(draft.completion, candidate)

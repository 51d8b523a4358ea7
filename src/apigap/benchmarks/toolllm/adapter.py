"""API selection as an adapter: load, prompt, parse, score, gold, probes."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from apigap.benchmarks.taxonomy import SelectionError, label_of_selection
from apigap.benchmarks.toolllm.answers import STRUCTURED
from apigap.benchmarks.toolllm.baselines import everything
from apigap.benchmarks.toolllm.prompts import Form, selection_messages
from apigap.benchmarks.toolllm.queries import Query, load_queries
from apigap.benchmarks.toolllm.selection import Selection, score, select
from apigap.models.request import Message
from apigap.records.result import Result
from apigap.records.sources import source_hash


@cache
def evaluator() -> str:
    """The hash of the code that scores."""
    return source_hash(Path(__file__).parent)


class ToolLlm:
    """The adapter; it holds nothing."""

    @staticmethod
    def load(*sources: Path) -> list[Query]:
        """The queries of all files; see `load_queries`."""
        return load_queries(sources)

    @staticmethod
    def prompt(query: Query, form: Form = "text") -> tuple[Message, ...]:
        """What a model is asked."""
        return selection_messages(query, form)

    @staticmethod
    def parse(response: str, query: Query) -> Selection:
        """What a response chooses; never raises."""
        return select(response, query)

    @staticmethod
    def score(query: Query, selection: Selection, sample: int = 0) -> Result:
        """The result: `score` is recall, `passed` says that the choice is resolved."""
        found = score(selection, query)
        error = None if found.resolved else error_of(selection, query)
        return Result(
            task_id=query.task_id,
            sample=sample,
            outcome="pass" if found.resolved else "fail",
            passed=found.resolved,
            score=found.recall,
            label=label_of_selection(error) if error else None,
            detail={
                **vars(selection),
                **vars(found),
                "error": error,
                "set": query.set_name,
                "trivial": query.is_trivial,
            },
            evaluator=evaluator(),
            seconds=0.0,
        )

    @staticmethod
    def gold(query: Query) -> str:
        """A response that resolves the query."""
        return chosen_pairs(query.labels)

    @staticmethod
    def probes(query: Query) -> list[tuple[str, float]]:
        """Responses with the recall that each must get: nothing, the labels, the first of several, all of the list."""
        distinct = {api.function: api.pair for api in query.apis if api.function in query.expected}
        first = next(iter(distinct.values()))
        some = [(chosen_pairs([first]), 1 / len(distinct))] if len(distinct) > 1 else []
        return [
            ("", 0.0), (chosen_pairs([]), 0.0), (ToolLlm.gold(query), 1.0), *some,
            (chosen_pairs([api.pair for api in query.apis]), everything(query).recall),
        ]  # fmt: skip


def weak_answers(query: Query) -> list[str]:
    """Responses that are nearly gold, none of which may count as resolved.

    The labels in prose, the labels and an API that is not there, one label too few, and all that is offered where not
    all of it is relevant.
    """
    names = sorted(query.expected)
    short = [chosen_names(names[1:])] if len(names) > 1 else []
    whole = [] if query.is_trivial else [chosen_names(sorted(query.offered))]
    return [f"Call {' and '.join(names)}.", chosen_names([*names, "nothing_for_nobody"]), *short, *whole]


def chosen_names(names: Sequence[str]) -> str:
    """A structured answer that chooses functions by their names."""
    return json.dumps({"api_calls": list(names)}, ensure_ascii=False)


def chosen_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """A structured answer that chooses `pairs` of tool and API name."""
    return json.dumps({"api_calls": [list(pair) for pair in pairs]}, ensure_ascii=False)


def error_of(selection: Selection, query: Query) -> SelectionError | None:
    """What is wrong with a choice, the gravest fault first; None where it is resolved."""
    if selection.mode not in STRUCTURED:
        return "no choice" if selection.mode == "none" else "only mentioned"
    chosen = frozenset(selection.chosen)
    missed, superfluous = query.expected - chosen, chosen - query.expected
    if missed and superfluous == frozenset(selection.ambiguous) and missed <= _half_named(selection, query):
        return "without its tool"
    if selection.invented:
        return "invented"
    return "missed" if missed else "superfluous" if superfluous else None


def _half_named(selection: Selection, query: Query) -> frozenset[str]:
    """The functions that the ambiguous names of an answer may mean."""
    meant = (query.spellings.meant(name, older=selection.mode == "tree").functions for name in selection.ambiguous)
    return frozenset[str]().union(*meant)

"""Arguments and results in the order in which their API declares them; records on disk have them by the alphabet."""

from collections.abc import Mapping, Sequence

from apigap.apibank_generator.pool import interface
from apigap.apibank_generator.records import Dialogue, Step, Tool, Value
from apigap.records.base import Json


def in_order(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Dialogue:
    """The same dialogue, each mapping in the declared order."""
    exchanges = [
        exchange.model_copy(update={"steps": tuple(_step(step, tools) for step in exchange.steps)})
        for exchange in dialogue.exchanges
    ]
    return dialogue.model_copy(update={"exchanges": tuple(exchanges)})


def _step(step: Step, tools: Mapping[str, Tool]) -> Step:
    if step.is_search:
        return step.model_copy(update={"result": interface(tools[step.result["name"]])})
    tool = tools[step.api]
    arguments, result = _sorted(step.arguments, tool.inputs), _sorted(step.result, tool.outputs)
    return step.model_copy(update={"arguments": arguments, "result": result})


def _sorted(given: Mapping[str, Json], declared: Sequence[Value]) -> dict[str, Json]:
    return {value.name: given[value.name] for value in declared if value.name in given}

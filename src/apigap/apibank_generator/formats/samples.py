"""Dialogues as samples of an Inspect dataset: one per call and reply, as the evaluation asks for them."""

from collections.abc import Iterator, Mapping
from typing import Any

from apigap.apibank_generator.formats.prompts import prompt_and_completion
from apigap.apibank_generator.formats.released import rows_of
from apigap.apibank_generator.records import Dialogue, Tool


def inspect_samples(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[dict[str, Any]]:
    """Samples that `inspect_ai.dataset.json_dataset` reads; what a record is from is in the metadata."""
    for number, (is_call, row) in enumerate(rows_of(dialogue, tools)):
        asked = prompt_and_completion(row)
        yield {
            "id": f"{dialogue.id}#{number}",
            "input": asked["prompt"],
            "target": asked["completion"][0]["content"],
            "metadata": {
                "kind": "call" if is_call else "reply",
                "ability": dialogue.ability,
                "domain": dialogue.domain,
                "apis": list(dialogue.query.apis) if dialogue.query else [],
                "model": dialogue.provenance.model if dialogue.provenance else None,
            },
        }

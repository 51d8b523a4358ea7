"""References within a document, and the schemas that a schema is put together from."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from apigap.apibank_generator.seeds.notes import Notes
from apigap.records.json_shapes import is_list, is_object

Schema = Mapping[str, Any]
PARTS = ("$ref", "allOf", "oneOf", "anyOf")


class References:
    """The references of one document; `notes` tell of those that lead outside, or nowhere."""

    def __init__(self, document: Schema, notes: Notes) -> None:
        self._document = document
        self.notes = notes

    def parts(self, schema: Schema) -> Iterator[tuple[str, Schema]]:
        """What a schema refers to, the parts of its `allOf`, and the first choice of its `oneOf` and `anyOf`.

        Each comes with its reference, which is empty where it has none.
        """
        found: list[Any] = []
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = self._target(reference)
            if is_object(target):
                yield reference, target
        parts = schema.get("allOf")
        found += parts if is_list(parts) else []
        found += [_chosen(choices) for key in ("oneOf", "anyOf") if is_list(choices := schema.get(key)) and choices]
        yield from (("", part) for part in found if is_object(part))

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            self.notes.add("references_not_read", f"{reference} is outside of the document and is not read")
            return None
        found = self._at(reference)
        if found is None:
            self.notes.add("references_not_read", f"{reference} is not in the document")
        return found

    def _at(self, reference: str) -> Any:
        """What a JSON pointer (RFC 6901) leads to; None where it leads nowhere."""
        found: Any = self._document
        for part in reference.removeprefix("#").split("/")[1:]:
            found = _step(found, unquote(part).replace("~1", "/").replace("~0", "~"))
        return found


def _step(found: Any, key: str) -> Any:
    if is_list(found):
        return next((one for number, one in enumerate(found) if str(number) == key), None)
    if not is_object(found):
        return None
    return found[key] if key in found else next((one for name, one in found.items() if str(name) == key), None)


def _chosen(choices: list[Any]) -> Any:
    return next((one for one in choices if is_object(one) and one.get("type") != "null"), choices[0])

"""An OpenAPI document (2.0, 3.0 or 3.1; JSON or YAML) as APIs, one per operation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from apigap.apibank_generator.records import Value
from apigap.apibank_generator.seeds.references import Schema
from apigap.apibank_generator.seeds.schemas import Schemas
from apigap.apibank_generator.seeds.user_apis import ApiDescription, Notes, Seeds, checked_seeds, identifier
from apigap.records.errors import UsageError
from apigap.records.parsing.json_shapes import is_list, is_object
from apigap.records.store import existing_file, read_bytes

_METHODS = ("get", "put", "post", "delete", "patch")
_UNREAD = ("head", "options", "trace")
"""They tell of a resource or of the way to it; nobody asks for them in a dialogue."""
_PLACES = ("path", "query", "formData")
"""Headers and cookies are how a client speaks to a server; nobody says them in a dialogue."""
_BODY = "body"


class Input(NamedTuple):
    """Something that a caller gives: `node` is its resolved schema, `description` stands before the schema's own."""

    name: str
    node: Schema
    required: bool
    description: str = ""


class Operation(NamedTuple):
    """One operation as the document has it; `place` is its method and path."""

    place: str
    name: str
    description: str
    inputs: list[Input]
    responses: Any


class Operations(NamedTuple):
    """The operations of a document, read one by one, its title, and what its schemas are resolved with."""

    title: str
    found: Iterator[Operation]
    schemas: Schemas
    notes: Notes


_Inputs = dict[tuple[str, str], Input]
"""By place and name: a parameter of the path may be called as one of the query, or as a property of the body."""


def read_openapi(path: Path) -> Seeds:
    """The operations of a document; their domain is the document's title.

    Raises:
        UsageError: when it is no OpenAPI document, or none of its operations can be used.
    """
    title, found, schemas, notes = read_operations(path)
    described = [
        ApiDescription(
            one.name,
            title,
            one.description,
            [schemas.call_parameter(*each) for each in one.inputs],
            _outputs(one.responses, schemas),
            one.place,
        )
        for one in found
    ]
    return checked_seeds(described, notes, str(path))


def read_operations(path: Path) -> Operations:
    """The operations of a document, before anything is asked of them.

    Raises:
        UsageError: when it is no OpenAPI document.
    """
    document = read_document(path)
    notes = Notes()
    schemas = Schemas(document, notes)
    info = document.get("info")
    title = str(info.get("title") or path.stem) if is_object(info) else path.stem
    found = (_operation(*one, schemas) for one in _operations(document, schemas, notes))
    return Operations(title, found, schemas, notes)


def _operations(document: Schema, schemas: Schemas, notes: Notes) -> Iterator[tuple[str, Schema, Schema]]:
    """Method and path of each operation, the operation, and what is shared by those of its path."""
    for path, item in document["paths"].items():
        shared = schemas.resolved(item)
        for method in (*_METHODS, *_UNREAD):
            operation, place = shared.get(method), f"{method.upper()} {path}"
            if is_object(operation) and method in _METHODS:
                yield place, operation, shared
            elif method in shared:
                why = f"{method} is nothing that a dialogue asks for" if is_object(operation) else "it is no object"
                notes.add("apis_left_out", f"{place} is left out: {why}")


def _operation(place: str, operation: Schema, shared: Schema, schemas: Schemas) -> Operation:
    return Operation(
        place=place,
        name=str(operation.get("operationId") or place.replace("{", "by ").lower()),
        description=str(operation.get("summary") or operation.get("description") or ""),
        inputs=list(_named(_inputs(operation, shared, schemas))),
        responses=operation.get("responses"),
    )


def _inputs(operation: Schema, shared: Schema, schemas: Schemas) -> _Inputs:
    """Parameters, of which those of the operation count before those of its path; then what the body holds."""
    found: _Inputs = {}
    body = _json_schema(schemas.resolved(operation.get("requestBody")))
    for parameter in map(schemas.resolved, (*_listed(shared), *_listed(operation))):
        place, name = str(parameter.get("in")), parameter.get("name")
        if place == _BODY:
            body = parameter.get("schema")
        elif place in _PLACES and name is not None:
            found[place, str(name)] = _parameter(str(name), parameter, schemas)
    for name, node, required in schemas.properties(body, _BODY, "readOnly") if body is not None else ():
        found[_BODY, name] = Input(name, node, required)
    return found


def _listed(holder: Schema) -> list[Any]:
    parameters = holder.get("parameters")
    return parameters if is_list(parameters) else []


def _parameter(name: str, parameter: Schema, schemas: Schemas) -> Input:
    schema = parameter.get("schema", _json_schema(parameter))
    words = str(parameter.get("description") or "")
    # 2.0 has the type beside the name
    node = schemas.resolved(parameter if schema is None else schema)
    return Input(name, node, bool(parameter.get("required")), words)


def _named(inputs: _Inputs) -> Iterator[Input]:
    """Each under a name of its own: where one is taken, the place stands before it. The path comes first."""
    taken: set[str] = set()
    for (place, name), parameter in sorted(inputs.items(), key=lambda item: item[0][0] != "path"):
        free = name if identifier(name).lower() not in taken else f"{place}_{name}"
        taken.add(identifier(free).lower())
        yield parameter._replace(name=free)


def _outputs(responses: Any, schemas: Schemas) -> list[Value]:
    """The outputs of a successful response; where nothing is described, the status of the request."""
    for response in _successes(responses):
        found = schemas.resolved(response)
        schema = _json_schema(found) or found.get("schema")
        if schema is not None:
            return schemas.outputs(schema)
    return [Value(name="status", type="str", description="Whether it was done.")]


def _successes(responses: Any) -> list[Any]:
    """The responses for 2xx; where there is none, the one for all else."""
    named = {str(code): response for code, response in responses.items()} if is_object(responses) else {}
    return [named[code] for code in sorted(named) if code.startswith("2")] or [named.get("default")]


def _json_schema(holder: Schema) -> Any:
    """The schema of the first JSON content; of any content where there is no JSON."""
    content = holder.get("content")
    if not is_object(content):
        return None
    kinds = sorted(content, key=lambda kind: "json" not in str(kind))
    first = content[kinds[0]] if kinds else None
    return first.get("schema") if is_object(first) else None


_MOST_BYTES = 20_000_000
_TRUTH = "tag:yaml.org,2002:bool"


def read_document(path: Path) -> dict[str, Any]:
    """The document at `path`.

    Raises:
        UsageError: when it is not there, more than 20 million bytes, neither JSON nor YAML, or no OpenAPI document.
    """
    import yaml

    text = read_bytes(existing_file(path, "an OpenAPI document"))
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{path} has {len(text)} bytes, more than {_MOST_BYTES}; give a part of the document")
    try:
        document: Any = _loader()(text).get_single_data()  # JSON is YAML
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} is neither JSON nor YAML: {' '.join(str(error).split())[:200]}") from None
    if not is_object(document) or not is_object(document.get("paths")):
        raise UsageError(f"{path} is no OpenAPI document: it has no `paths`")
    return document


def _loader() -> Any:
    """The safe loader, to which `on`, `no` and their like are words: only true and false are truth values."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {
        letter: [rule for rule in rules if rule[0] != _TRUTH]
        for letter, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    rule = (_TRUTH, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"))
    for letter in "tTfF":
        Loader.yaml_implicit_resolvers.setdefault(letter, []).append(rule)
    return Loader

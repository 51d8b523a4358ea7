"""An OpenAPI document (2.0, 3.0 or 3.1; JSON or YAML) as APIs, one per operation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank_generator.records import Value
from apigap.benchmarks.apibank_generator.seeds.schemas import RESULT, Schema, Schemas
from apigap.benchmarks.apibank_generator.seeds.seeds import Found, Seeds, seeds_of
from apigap.benchmarks.shapes import is_list, is_object
from apigap.records.errors import UsageError
from apigap.records.store import read_bytes

_METHODS = ("get", "put", "post", "delete", "patch")
_MOST_BYTES = 20_000_000
_PLACES = ("path", "query", "formData")
"""Headers and cookies are how a client speaks to a server; nobody says them in a dialogue."""


def read_openapi(path: Path) -> Seeds:
    """The operations of a document; their domain is the document's title.

    Raises:
        UsageError: when it is no OpenAPI document, or none of its operations can be used.
    """
    document = _document(path)
    schemas = Schemas(document)
    info = document.get("info")
    title = str(info.get("title") or path.stem) if is_object(info) else path.stem
    found = list(_operations(document, schemas, title))
    return seeds_of(found, list(schemas.notes), str(path))


def _document(path: Path) -> dict[str, Any]:
    import yaml

    text = read_bytes(path)
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{path} has {len(text)} bytes, more than {_MOST_BYTES}; give a part of the document")
    try:
        document: Any = yaml.safe_load(text)  # JSON is YAML
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} is neither JSON nor YAML: {' '.join(str(error).split())[:200]}") from None
    if not is_object(document) or not is_object(document.get("paths")):
        raise UsageError(f"{path} is no OpenAPI document: it has no `paths`")
    return document


def _operations(document: Schema, schemas: Schemas, title: str) -> Iterator[Found]:
    for path, item in document["paths"].items():
        shared = schemas.resolved(item)
        for method in _METHODS:
            operation = shared.get(method)
            if is_object(operation):
                yield _operation(f"{method.upper()} {path}", operation, shared, schemas, title)


def _operation(place: str, operation: Schema, shared: Schema, schemas: Schemas, title: str) -> Found:
    inputs: dict[str, Value] = {}
    for parameter in (*_listed(shared), *_listed(operation)):
        for value in _parameter(schemas.resolved(parameter), schemas):
            inputs[value.name] = value
    for value in _body(operation, schemas):
        inputs[value.name if value.name not in inputs else f"body_{value.name}"] = value
    return Found(
        name=str(operation.get("operationId") or place.replace("{", "by ").lower()),
        domain=title,
        description=str(operation.get("summary") or operation.get("description") or ""),
        inputs=[value.model_copy(update={"name": name}) for name, value in inputs.items()],
        outputs=_outputs(operation, schemas),
        origin=place,
    )


def _listed(where: Schema) -> list[Any]:
    parameters = where.get("parameters")
    return parameters if is_list(parameters) else []


def _parameter(parameter: Schema, schemas: Schemas) -> Iterator[Value]:
    if parameter.get("in") == "body":
        yield from schemas.values(parameter.get("schema"))
    elif parameter.get("in") in _PLACES and isinstance(parameter.get("name"), str):
        schema = parameter.get("schema", parameter)  # 2.0 has the type beside the name
        words = str(parameter.get("description") or "")
        yield schemas.value(parameter["name"], schema, bool(parameter.get("required")), words)


def _body(operation: Schema, schemas: Schemas) -> list[Value]:
    schema = _json_schema(schemas.resolved(operation.get("requestBody")))
    values = [] if schema is None else schemas.values(schema)
    return [value.model_copy(update={"name": "body"}) if value.name == RESULT else value for value in values]


def _outputs(operation: Schema, schemas: Schemas) -> list[Value]:
    """What a successful response holds; where nothing is described, the status of the request."""
    responses = operation.get("responses")
    for code, response in sorted(responses.items(), key=lambda item: str(item[0])) if is_object(responses) else ():
        if str(code).startswith("2"):
            found = schemas.resolved(response)
            schema = _json_schema(found) or found.get("schema")
            if schema is not None:
                return schemas.values(schema)
    return [Value(name="status", type="str", description="Whether it was done.")]


def _json_schema(holder: Schema) -> Any:
    """The schema of the first JSON content; of any content where there is no JSON."""
    content = holder.get("content")
    if not is_object(content):
        return None
    kinds = sorted(content, key=lambda kind: "json" not in kind)
    first = content[kinds[0]] if kinds else None
    return first.get("schema") if is_object(first) else None

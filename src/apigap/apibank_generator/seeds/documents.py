"""OpenAPI documents as files: JSON, or YAML as its version 1.2 reads it."""

import re
from pathlib import Path
from typing import Any

from apigap.records.errors import UsageError
from apigap.records.json_shapes import is_object
from apigap.records.store import read_bytes

_MOST_BYTES = 20_000_000
_TRUTH = "tag:yaml.org,2002:bool"


def read_document(path: Path) -> dict[str, Any]:
    """The document at `path`.

    Raises:
        UsageError: when it is more than 20 million bytes, neither JSON nor YAML, or no OpenAPI document.
    """
    import yaml

    text = read_bytes(path)
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

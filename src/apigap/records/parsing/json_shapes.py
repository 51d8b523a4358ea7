"""Type guards for JSON values, and references within them."""

from typing import Any, TypeGuard


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """A JSON array."""
    return isinstance(value, list)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """A JSON object."""
    return isinstance(value, dict)


def at_reference(reference: str, root: Any) -> Any:
    """The part of a document to which a local reference leads (`#/$defs/a`: RFC 6901); None where it leads nowhere."""
    if not reference.startswith("#/"):
        return None
    found = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if is_object(found) else None
    return found

"""Options that several commands list once, as the fields of a dataclass."""

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `options`, a dataclass, is filled from one command-line option per field."""
    hints = get_type_hints(command, include_extras=True)
    kind = hints.pop("options")
    shared = inspect.signature(kind).parameters
    own = [each for name, each in inspect.signature(command).parameters.items() if name != "options"]

    def run(**given: Any) -> None:
        options = kind(**{field.name: given.pop(field.name) for field in dataclasses.fields(kind)})
        command(**given, options=options)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {**hints, **get_type_hints(kind, include_extras=True)}
    keywords = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*shared.values(), *own)]
    run.__signature__ = inspect.Signature(keywords)  # pyright: ignore[reportFunctionMemberAccess]
    return run

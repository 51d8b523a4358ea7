"""The APIs as data: one entry each, from which validation, descriptions and schemas are derived."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Pool = Literal["level-1-2", "level-3"]
Type = Literal["str", "int", "float", "bool", "list", "list(str)", "dict"]
Envelope = dict[str, Any]
Rule = Callable[[Mapping[str, Any], Mapping[str, Any]], bool]
"""True if a new result (first) is right, given the recorded one; a missing key is an error of its own."""


@dataclass(frozen=True)
class Input:
    """A parameter. `default` is what the API runs with where an optional one is absent."""

    name: str
    type: Type = "str"
    required: bool = True
    default: Any = None


@dataclass(frozen=True)
class Api:
    """One API: `run` is called with a `World` and the converted arguments and gives the output.

    `named` tells whether its results carry the API's name, `given_only` whether their `input` holds only what was
    given, `silent` whether it is null.
    """

    name: str
    pool: Pool
    description: str
    inputs: tuple[Input, ...]
    output: str
    run: Callable[..., Any]
    rule: Rule
    database: str | None = None
    token: bool = False
    named: bool = True
    given_only: bool = False
    silent: bool = False

    def input(self, name: str) -> Input | None:
        """The parameter of that name."""
        return next((given for given in self.inputs if given.name == name), None)


@dataclass(frozen=True)
class Registry:
    """The APIs of one pool by name, in the order in which they were written."""

    pool: Pool
    apis: dict[str, Api] = field(default_factory=dict[str, Api])

    def add(
        self, name: str, inputs: str, *, output: str = "status", rule: Rule, database: str | None = None,
        named: bool = True, given_only: bool = False, silent: bool = False,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
        """A decorator that enters a function as the API `name`.

        `inputs` lists its parameters, each `name`, `name:type`, or with `?` behind it where it is optional. The first
        line of the function's docstring is the description.
        """

        def enter(run: Callable[..., Any]) -> Callable[..., Any]:
            parsed = tuple(_input(word) for word in inputs.split())
            told = (run.__doc__ or "").strip().partition("\n")[0]
            token = any(given.name == "token" for given in parsed) and database is not None and database != "Account"
            self.apis[name] = Api(
                name, self.pool, told, parsed, output, run, rule, database, token, named, given_only, silent
            )
            return run

        return enter


def _input(word: str) -> Input:
    name, _, kind = word.removesuffix("?").partition(":")
    return Input(name, kind or "str", required=not word.endswith("?"))  # pyright: ignore[reportArgumentType]

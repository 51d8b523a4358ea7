"""A release asked in the sandbox for names: is it there, does it warn, or what is the error."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from apigap.discovery.retired import ask_script
from apigap.records.errors import InfrastructureError
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_SCRIPT = Path(ask_script.__file__)
_SECONDS = 900.0
MAX_NAMES = 20_000
State = Literal["there", "warns", "gone", "unread"]
Kind = Literal["class", "function", "module", "data"]
_KINDS: dict[str, Kind] = {"class": "class", "function": "function", "module": "module"}


class Answer(NamedTuple):
    """The answer of a release to a name; `text` is its error or its warning, on one line, `kind` what is there.

    `unread` is a name whose module cannot be imported in that environment, so that it may be there.
    """

    state: State
    text: str
    kind: Kind = "data"


Answers = Mapping[str, Answer]


def ask(
    environment: Environment, engine: Engine, names: Iterable[str], prepare: str = "", modules: Iterable[str] = ()
) -> Answers:
    """The answer to each of the first `MAX_NAMES` names; a name at which the interpreter ended has none.

    Those of `modules` are asked for as modules: anything else under such a name does not answer.

    Raises:
        InfrastructureError: when the sandbox gives something that is no answer.
    """
    wanted = sorted(set(names))[:MAX_NAMES]
    if not wanted:
        return {}
    argument = {"names": wanted, "modules": sorted(set(modules)), "prepare": prepare}
    found = engine.script(environment, _SCRIPT, argument, timeout=_SECONDS)
    try:
        return {name: _answer(*found[name]) for name in wanted if name in found}
    except (TypeError, LookupError) as error:
        raise InfrastructureError(
            f"{environment.library} {environment.version} gave no answer to names ({error}); the library may "
            "interfere with the script that asks"
        ) from error


def _answer(state: str, text: str, kind: str) -> Answer:
    if state not in ("there", "warns", "gone", "unread"):
        raise TypeError(f"{state!r} is no answer")
    return Answer(state, str(text), _KINDS.get(kind, "data"))

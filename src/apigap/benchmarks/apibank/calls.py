"""A call from its arguments to its result, as the released system makes it."""

from collections.abc import Callable, Mapping
from typing import Any

from apigap.benchmarks.apibank.errors import INVALID_ARGUMENT, INVALID_NAME, INVALID_NUMBER, MISSING_ARGUMENT, Refused
from apigap.benchmarks.apibank.registry import Api, Envelope, Input, Registry
from apigap.benchmarks.apibank.world import System, World
from apigap.records.errors import CorruptRecord


def call(registry: Registry, system: System, name: str, arguments: Mapping[str, Any]) -> Envelope:
    """The result of calling an API; what it raises itself is part of the result.

    Raises:
        Refused: when there is no such API, or the arguments do not fit its interface.
        CorruptRecord: when the API's database is missing.
    """
    api = registry.apis.get(name)
    if api is None:
        raise Refused(INVALID_NAME, "invalid tool name.")
    given = {key: _converted(api, key, value) for key, value in arguments.items()}
    _check_complete(api, given)
    bound = {parameter.name: given.get(parameter.name, parameter.default) for parameter in api.inputs}
    output, exception = None, None
    try:
        output = api.run(World(system, api.name, api.database), **bound)
    except (Refused, CorruptRecord):  # a database that is not there is no answer of an API
        raise
    except Exception as error:  # noqa: BLE001  (whatever an API raises is what it answers)
        exception = str(error)
    shown = {key: value for key, value in bound.items() if key in given or not api.given_only}
    envelope: Envelope = {"api_name": api.name} if api.named else {}
    return {**envelope, "input": None if api.silent else shown, "output": output, "exception": exception}


def _converted(api: Api, name: str, value: Any) -> Any:
    """An argument in its declared type, as far as the released system converts it."""
    parameter = api.input(name)
    if parameter is None:
        raise Refused(INVALID_ARGUMENT, f"invalid parameter name. parameter: {name}")
    return _CONVERSIONS.get(parameter.type, _unchanged)(parameter, value)


def _unchanged(parameter: Input, value: Any) -> Any:
    return value


def _to_int(parameter: Input, value: Any) -> Any:
    if isinstance(value, str):
        if not value.isdigit():
            raise Refused(INVALID_ARGUMENT, f"invalid parameter type. parameter: {value}")
        return _number(int, value)
    return value


def _to_float(parameter: Input, value: Any) -> Any:
    if isinstance(value, str):
        if not value.replace(".", "", 1).isdigit():
            raise Refused(INVALID_ARGUMENT, "invalid parameter type.")
        return _number(float, value)
    return value


def _number(kind: Callable[[str], Any], text: str) -> Any:
    """The number of a text that passed the released check, which lets raised digits through, and any length."""
    try:
        return kind(text)
    except ValueError as error:
        raise Refused(INVALID_NUMBER, str(error)) from None


def _to_bool(parameter: Input, value: Any) -> Any:
    return value == "True" if isinstance(value, str) else value


_CONVERSIONS = {"int": _to_int, "float": _to_float, "bool": _to_bool}


def _check_complete(api: Api, given: Mapping[str, Any]) -> None:
    missing = [f"'{parameter.name}'" for parameter in api.inputs if parameter.required and parameter.name not in given]
    if missing:
        *before, last = missing
        listed = last if not before else f"{', '.join(before)}{',' if len(before) > 1 else ''} and {last}"
        plural = "s" if before else ""
        text = f"{api.name}.call() missing {len(missing)} required positional argument{plural}: {listed}"
        raise Refused(MISSING_ARGUMENT, text)

"""The published rules of correctness: how a new result is compared with the recorded one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apigap.benchmarks.apibank.times import DAY, TIME, instant, normal

Compare = Callable[[Any, Any], bool]


def equal(new: Any, truth: Any) -> bool:
    """The same value."""
    return bool(new == truth)


def by(key: Callable[[Any], Any]) -> Compare:
    """Equal after `key`."""
    return lambda new, truth: equal(key(new), key(truth))


def stripped(text: Any) -> Any:
    """Without white space around it."""
    return text.strip()


def lowered(text: Any) -> Any:
    """Without white space around it, in lower case."""
    return text.strip().lower()


def raised(text: Any) -> Any:
    """Without white space around it, in upper case."""
    return text.upper().strip()


def overlap(lower: bool = False) -> Compare:
    """More than half of the words in common, by the size of both sets united."""

    def compare(new: Any, truth: Any) -> bool:
        ours, theirs = (new.lower(), truth.lower()) if lower else (new, truth)
        first, second = set(ours.split(" ")), set(theirs.split(" "))
        return len(first & second) / len(first | second) > 0.5

    return compare


def or_error(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The value that `read` gives, or its error: no two errors are equal."""

    def value(text: Any) -> Any:
        try:
            return read(text)
        except ValueError as error:
            return error

    return value


same_day: Compare = by(or_error(lambda text: normal(text, DAY)))
same_time: Compare = by(or_error(lambda text: normal(text, TIME)))
same_instant: Compare = by(or_error(instant))


def optional(compare: Compare) -> Compare:
    """`compare`, where a value that was not given equals only another one."""
    return lambda new, truth: new is truth if new is None or truth is None else compare(new, truth)


@dataclass(frozen=True)
class Fields:
    """Compares named inputs (in their order), or all of them; then output, exception and the API's name."""

    inputs: Mapping[str, Compare]
    all_inputs: bool
    output: bool
    exception: bool
    api_name: bool

    def __call__(self, new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
        """True if the new result is right."""
        if self.api_name and new["api_name"] != truth["api_name"]:
            return False
        for name, compare in self.inputs.items():
            if not compare(new["input"][name], truth["input"][name]):
                return False
        if self.all_inputs and new["input"] != truth["input"]:
            return False
        return (not self.output or equal(new["output"], truth["output"])) and (
            not self.exception or equal(new["exception"], truth["exception"])
        )


def rule(
    inputs: Mapping[str, Compare] | None = None, *, all_inputs: bool = False, output: bool = True,
    exception: bool = True, api_name: bool = False,
) -> Fields:  # fmt: skip
    """The rule that compares these fields."""
    return Fields(inputs or {}, all_inputs, output, exception, api_name)


EXACT = rule(all_inputs=True)


@dataclass(frozen=True)
class Drawn:
    """The output is drawn by chance: it is only asked whether there must be one."""

    rest: Fields

    def __call__(self, new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
        """True if the new result is right."""
        return not (truth["output"] is None and new["output"] is not None) and self.rest(new, truth)


def fresh(inputs: Mapping[str, Compare] | None = None, *, all_inputs: bool = False) -> Drawn:
    """The rule for an output that is drawn by chance."""
    return Drawn(rule(inputs, all_inputs=all_inputs, output=False))


def deletion(new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    """Two successes are equal where their `time` is (meetings have none: a missing key); else all that was said."""
    if new["output"] == truth["output"] == "success":
        return equal(new["input"]["time"], truth["input"]["time"])
    return equal(new["output"], truth["output"]) and equal(new["exception"], truth["exception"])


def topic(new: Mapping[str, Any], truth: Mapping[str, Any]) -> bool:
    """A meeting's topic by its words; every other input, output and exception as they are."""
    first, second = dict(new["input"]), dict(truth["input"])
    if not overlap()(first.pop("meeting_topic"), second.pop("meeting_topic")):
        return False
    return first == second and equal(new["output"], truth["output"]) and equal(new["exception"], truth["exception"])

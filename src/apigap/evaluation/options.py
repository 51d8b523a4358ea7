"""The options of a benchmark as data: the command line, the Inspect tasks and Python callers read the same model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from apigap.records.errors import UsageError
from apigap.records.parsing.faults import first_fault

Verb = Literal["predict", "score", "calibrate", "validate"]
VERBS: tuple[Verb, ...] = get_args(Verb)


@dataclass(frozen=True)
class Only:
    """Marks an option that only some verbs have; without the mark all have it."""

    verbs: tuple[Verb, ...]


ASKING = Only(("predict",))
JUDGING = Only(("score", "calibrate", "validate"))
ANSWERS = Only(("predict", "score"))


class Options(BaseModel):
    """The options of a benchmark: a field for each, whose description is its help and `Only` among its metadata.

    A field `some_name` is the option `--some-name`. Fields may be texts, paths, numbers, flags, one of some words, and
    tuples of these, whose option may be repeated.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def of(cls, **values: Any) -> Self:
        """The options with these values.

        Raises:
            UsageError: for a value that an option cannot have, naming both.
        """
        try:
            return cls(**values)
        except ValidationError as error:
            fault = first_fault(error)
            name = flag_of(fault.place[0]) if fault.place else "the options"
            given = str(fault.value) if isinstance(fault.value, Path) else fault.value
            raise UsageError(f"{name} {given!r}: {fault.words}") from None

    @classmethod
    def names(cls, verb: Verb) -> list[str]:
        """The fields that a verb has."""
        return [name for name in cls.model_fields if verb in cls._verbs(name)]

    @classmethod
    def _verbs(cls, name: str) -> tuple[Verb, ...]:
        marks = [mark for mark in cls.model_fields[name].metadata if isinstance(mark, Only)]
        return marks[0].verbs if marks else VERBS

    def arguments(self, verb: Verb) -> list[str]:
        """The options of a verb as words of a command line, those that have their default left out."""
        words: list[str] = []
        for name in self.names(verb):
            value = getattr(self, name)
            if value == type(self).model_fields[name].default:
                continue
            if isinstance(value, bool):
                words += [flag_of(name)] if value else []
            else:
                several = cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))
                words += [word for one in several for word in (flag_of(name), str(one))]
        return words


def flag_of(name: str) -> str:
    """The option of a field."""
    return f"--{name.replace('_', '-')}"


def paths(text: str) -> tuple[Path, ...]:
    """Paths with commas between them."""
    return tuple(Path(part) for part in text.split(","))

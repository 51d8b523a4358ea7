"""The published dialogues of levels 1 and 2 as samples, and the requirements of level 3."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import read_bytes

Level = Literal["level-1", "level-2", "level-3"]
FOLDERS: dict[Level, str] = {
    "level-1": "lv1-lv2-samples/level-1-given-desc", "level-2": "lv1-lv2-samples/level-2-toolsearcher",
}  # fmt: skip
LEVELS: tuple[Level, ...] = ("level-1", "level-2", "level-3")
REQUIREMENTS = "test-data/level-3.json"
OWN = Path(__file__).parent / "own"


def data_folder(name: Path) -> Path:
    """The folder that `name` means: `own` is the small set written for this project, unless a folder has that name.

    Raises:
        UsageError: for a path that is no folder.
    """
    if name == Path(OWN.name) and not name.is_dir():
        return OWN
    if not name.is_dir():
        raise UsageError(f"{name} is no folder; give the folder of API-Bank's data, or `own`, with --data")
    return name


class Turn(BaseModel):
    """A line of a dialogue: what was said, or a call with its recorded result."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["User", "AI", "API"]
    text: str = ""
    api_name: str = ""
    param_dict: dict[str, Any] = {}
    result: dict[str, Any] = {}


@dataclass(frozen=True)
class Dialogue:
    """A dialogue file."""

    file: str
    level: Level
    turns: tuple[Turn, ...]

    @cached_property
    def samples(self) -> tuple["Sample", ...]:
        """Two samples per call, in order: the call itself, and what follows it. Both count from 0 in one row.

        Where two calls follow each other, the second is the truth of two samples.
        """
        found: list[Sample] = []
        seen: dict[int, int] = {}
        for place, turn in enumerate(self.turns):
            if turn.role == "API":
                for truth in (place, place + 1):
                    if truth < len(self.turns):
                        number = len(found)
                        found.append(Sample(self, number, truth, seen.get(truth)))
                        seen.setdefault(truth, number)
        return tuple(found)


@dataclass(frozen=True)
class Sample:
    """The turn that an answer is compared with: turn `place` of a dialogue, given those before it."""

    dialogue: Dialogue
    number: int
    place: int
    duplicate_of: int | None

    @property
    def truth(self) -> Turn:
        """The recorded turn."""
        return self.dialogue.turns[self.place]

    @property
    def history(self) -> Sequence[Turn]:
        """The turns before it."""
        return self.dialogue.turns[: self.place]

    @property
    def task_id(self) -> str:
        """`FILE#SAMPLE_ID`."""
        return f"{self.dialogue.file}#{self.number}"

    @property
    def api_name(self) -> str:
        """The dialogue: its samples are no independent observations."""
        return self.dialogue.file

    @property
    def is_call(self) -> bool:
        """True if the truth is a call."""
        return self.truth.role == "API"


@dataclass(frozen=True)
class Step:
    """One call of a level-3 requirement: name, arguments and recorded result; the requirement and its last reply.

    `before` are the calls that come before it.
    """

    sample_id: int
    api_id: int
    api: str
    arguments: Mapping[str, Any]
    truth: Mapping[str, Any]
    reply: str
    requirement: str
    before: tuple["Step", ...] = field(default=(), repr=False, compare=False)

    is_call = True

    @property
    def task_id(self) -> str:
        """`level-3-SAMPLE_ID#API_ID`."""
        return f"level-3-{self.sample_id}#{self.api_id}"

    @property
    def api_name(self) -> str:
        """The requirement: its calls are no independent observations."""
        return f"level-3-{self.sample_id}"


@dataclass(frozen=True)
class Reply:
    """A level-3 reply: the requirement's number and words, all its calls, and the recorded text."""

    sample_id: int
    text: str
    requirement: str
    before: tuple[Step, ...] = field(repr=False)

    is_call = False

    @property
    def task_id(self) -> str:
        """`level-3-SAMPLE_ID#response`."""
        return f"level-3-{self.sample_id}#response"

    @property
    def api_name(self) -> str:
        """The requirement."""
        return f"level-3-{self.sample_id}"


Task = Sample | Step | Reply


def load_dialogues(data: Path, level: Level) -> list[Dialogue]:
    """The dialogues of one level, by file name; an empty file is a dialogue without turns.

    Raises:
        CorruptRecord: when the folder is not there, or a line is no turn.
    """
    folder = data / FOLDERS[level]
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise CorruptRecord(f"{folder} holds no dialogue; give the folder of API-Bank's data with --data")
    return [Dialogue(path.name, level, tuple(_turns(path))) for path in paths]


def _turns(path: Path) -> Iterator[Turn]:
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        if line.strip():
            try:
                yield Turn.model_validate_json(line)
            except ValidationError as error:
                reason = error.errors(include_url=False)[0]["msg"]
                raise CorruptRecord(f"{path}:{number} is no turn of a dialogue ({reason}); repair the file") from None


def load_steps(data: Path) -> list[Step]:
    """The calls of all level-3 requirements, in order.

    Raises:
        CorruptRecord: when the file is not there or is not what it must be.
    """
    path = data / REQUIREMENTS
    if not path.is_file():
        raise CorruptRecord(f"{path} is not there; give the folder of API-Bank's data with --data")
    try:
        rows: Any = json.loads(read_bytes(path))
        return [step for number, row in enumerate(rows) for step in _steps(number, row)]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptRecord(f"{path} is no file of level-3 requirements ({error!r}); download it again") from None


def _steps(number: int, row: Mapping[str, Any]) -> list[Step]:
    """The calls of one requirement, each with those before it."""
    found: list[Step] = []
    for place, asked in enumerate(row["apis"]):
        name, given, truth = asked["api_name"], asked["input"], asked["output"]
        found.append(Step(number, place, name, given, truth, row["response"], row["requirement"], tuple(found)))
    return found


def replies_of(steps: Sequence[Step]) -> list[Reply]:
    """The reply of every requirement, in order."""
    by_requirement: dict[int, list[Step]] = {}
    for step in steps:
        by_requirement.setdefault(step.sample_id, []).append(step)
    return [Reply(n, own[0].reply, own[0].requirement, tuple(own)) for n, own in by_requirement.items()]


def step_turn(step: Step) -> Turn:
    """A step of level 3 as a turn."""
    return Turn(role="API", api_name=step.api, param_dict=dict(step.arguments), result=dict(step.truth))


@dataclass(frozen=True)
class Bank:
    """All that can be asked, by level, in the order of the files."""

    data: Path
    dialogues: tuple[Dialogue, ...]
    steps: tuple[Step, ...]
    replies: tuple[Reply, ...]

    def tasks(self, level: Level) -> list[Task]:
        """Calls and replies of one level; truths that are a user's words are not scored."""
        if level == "level-3":
            return [*self.steps, *self.replies]
        return [
            sample
            for dialogue in self.dialogues
            if dialogue.level == level
            for sample in dialogue.samples
            if sample.truth.role != "User"
        ]


def load_bank(data: Path) -> Bank:
    """The published data in the folder `data`, or, where that is `own`, the set that was written for this project.

    Raises:
        CorruptRecord: when a file is not there or does not hold what it must.
    """
    data = data_folder(data)
    steps = tuple(load_steps(data))
    levels: tuple[Level, ...] = ("level-1", "level-2")
    dialogues = tuple(dialogue for level in levels for dialogue in load_dialogues(data, level))
    return Bank(data, dialogues, steps, tuple(replies_of(steps)))

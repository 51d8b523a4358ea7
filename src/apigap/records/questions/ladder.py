"""The ladder: items that each ask one thing about one API, from whether it exists to working with it."""

from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer, model_validator

from apigap.records.base import Record, content_hash
from apigap.records.candidate import ApiKind, Since
from apigap.records.task import Task

Rung = Literal["exists", "signature", "effect", "call"]
READABLE: tuple[Rung, ...] = ("exists", "signature")
"""The rungs for which nothing of the library is run."""
RUNGS: tuple[Rung, ...] = (*READABLE, "effect", "call")
Form = Literal["yes or no", "choice", "parameters", "value", "code"]
Group = Literal["new", "control", "twin", "control twin"]
CHANCE: dict[Form, float] = {"yes or no": 0.5, "choice": 0.25, "parameters": 0.0, "value": 0.0, "code": 0.0}
"""The share of right answers of who knows nothing, by form."""
_LATER = ("expression", "programs", "task", "twin", "family")


class LadderItem(Record):
    """One question about one API, whose right answer was read from the releases or run in the new one.

    `task_id` is the hash of everything else. `group` says whether `api_name` is new or changed (`new`) or an API of
    the same library that did not change (`control`); `pair` is the new API of the matched pair. `subject` is the name
    in the question: another one than `api_name` where a name was invented to go with it. A question with `options`
    has the right one at the place `right`; one for `parameters` has their names in `truth`, and its answer starts
    with `begin`. A choice is there in two orders of its options, the second one the first reversed. `since` is the
    first release that has the API, where that was looked for.

    An option of `effect` is what `expression` gives after the program at the same place of `programs`; the right one's
    program is in the question. A `value` to be written is the only one of `truth`, and its program that of `programs`.
    An item of `call` is answered by code and judged as its `task`, which names the API.

    The item of a `twin` (of a `control twin`) asks the same of a library in which names are others, as sensible ones:
    `twin` is what `api_name` is called there, and nobody can know it. What is right there is what guessing gives.

    `family` is the new API that stands for the piece of news that `pair` is one of, such as a parameter that many
    methods gained; it is empty where `pair` stands for itself.
    """

    task_id: str = ""
    rung: Rung
    form: Form
    group: Group
    api_name: str
    pair: str
    subject: str
    library: str
    version: str
    old_version: str | None
    kind: ApiKind
    change: Literal["added", "modified", "unchanged"]
    question: str
    options: tuple[str, ...] = ()
    right: int | None = None
    order: Literal[1, 2] = 1
    truth: tuple[str, ...] = ()
    begin: str = ""
    since: Since | None = None
    expression: str = ""
    programs: tuple[str, ...] = ()
    task: Task | None = None
    twin: str = ""
    family: str = ""

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Give the fields, without empty ones that came later: items from before these keep their id."""
        fields = write(self)
        for name in _LATER:
            if not getattr(self, name):
                fields.pop(name, None)
        return fields

    @model_validator(mode="after")
    def _identify(self) -> "LadderItem":
        content: dict[str, Any] = self.model_dump(mode="json", exclude={"task_id"})
        expected = content_hash(content)
        if not self.task_id:
            object.__setattr__(self, "task_id", expected)
        elif self.task_id != expected:
            raise ValueError(f"task_id {self.task_id} is not the hash of the content ({expected}): it was edited")
        if self.options and (self.right is None or not 0 <= self.right < len(self.options)):
            raise ValueError(f"the right one of {len(self.options)} options is not {self.right}")
        if not self.options and not self.truth and self.task is None:
            raise ValueError("it has neither options nor a truth nor a task, so no answer could be right")
        if self.options and self.programs and len(self.programs) != len(self.options):
            raise ValueError(f"{len(self.options)} options cannot come from {len(self.programs)} programs")
        return self

    @property
    def asked_name(self) -> str:
        """The name of the API in the question."""
        return self.twin or self.api_name

    @property
    def is_twin(self) -> bool:
        """True for a question about a library that there is not."""
        return bool(self.twin)

    @property
    def is_invented(self) -> bool:
        """True for a question about a name that the release does not have."""
        return self.form == "yes or no" and self.right == 1

"""Stage 1: what a library took away between two releases, and with what that is written now."""

from typing import Literal

from apigap.records.base import Record
from apigap.records.candidate import ApiKind

RetirementKind = Literal["removed", "renamed", "moved", "deprecated", "default changed", "behaviour changed"]
RETIREMENT_KINDS: tuple[RetirementKind, ...] = (
    "removed", "renamed", "moved", "deprecated", "default changed", "behaviour changed"
)  # fmt: skip
RetiredKind = ApiKind | Literal["data", "module", "parameter"]


class Notice(Record):
    """A reason to say that something was taken away, and where that was seen: a file and line, or a public name.

    `asked` is what the new release itself answers when it is asked for the old name: its error, or its warning;
    `ran` is a call that was made in both releases on equal values.
    """

    kind: Literal["surface", "asked", "warning", "decorator", "directive", "changelog", "ran"]
    where: str
    text: str = ""


class HabitUsage(Record):
    """The same piece of work before and now, as it ran.

    `old` completed in the old release; `now` is the error that it ends with in the new one, or the warning that it
    gives there. `new` is that code with the replacement in it, where it gives the old result in the new release.
    """

    old: str
    source: str
    now: str
    new: str | None = None


class Retirement(Record):
    """A habit that a release made stale: `old_name` is how it was written, `replacement` how it is written now.

    Names are full dotted paths. Of a parameter, `old_name` is the API's path and `parameter` the name;
    `replacement` is then another parameter of that API. `advice` is the library's own sentence. `old_default` and
    `new_default` are source texts, of a changed default alone. `before` says that the old release warned already.
    `usage` is there where a usage of the old release shows it. `name_lives` is of a module whose name a function or
    class has now: importing that name is right, and what is imported from the module is gone.
    """

    kind: RetirementKind
    library: str
    old_version: str | None
    new_version: str
    old_name: str
    api_kind: RetiredKind
    parameter: str | None = None
    replacement: str | None = None
    advice: str = ""
    old_default: str | None = None
    new_default: str | None = None
    before: bool = False
    evidence: tuple[Notice, ...] = ()
    usage: HabitUsage | None = None
    name_lives: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """The order of a list: by name, then by parameter, then by kind."""
        return (self.old_name, self.parameter or "", self.kind)

    @property
    def leaf(self) -> str:
        """The word that a program writes: the last segment of the name, or the parameter."""
        return self.parameter or self.old_name.rpartition(".")[2]

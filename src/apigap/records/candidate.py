"""Stage 1: an API that a library gained or changed between two releases."""

from datetime import date
from typing import Literal

from apigap.records.base import Record

ParameterKind = Literal["positional_only", "positional_or_keyword", "var_positional", "keyword_only", "var_keyword"]
ApiKind = Literal["function", "class", "method", "classmethod", "staticmethod", "property", "field", "enum_member"]
ChangeKind = Literal["added", "modified", "moved"]
DATA_KINDS: frozenset[ApiKind] = frozenset(("field", "enum_member"))
"""Kinds that are read and never called: no call can be watched, so no usage and no task can be made of them."""


class Parameter(Record):
    """One parameter of a callable, or one field of a model class; `default` is its source text, or its repr."""

    name: str
    kind: ParameterKind = "positional_or_keyword"
    annotation: str | None = None
    default: str | None = None
    required: bool = True
    description: str | None = None


class Change(Record):
    """One difference between the old and the new version of an API.

    `kind changed` is of a parameter, or of the API itself, whose last name `parameter` then is. A renamed parameter
    has its former name in `old`. `return annotation changed` is of no parameter (`return`), and neither is
    `overload added`, which has the new form in `new`. `annotation widened` says that a parameter accepts more.
    """

    what: Literal[
        "parameter added", "parameter removed", "parameter renamed", "default changed", "kind changed",
        "became keyword-only", "became required", "became optional", "parameters reordered",
        "return annotation changed", "overload added", "annotation widened",
    ]  # fmt: skip
    parameter: str
    old: str | None = None
    new: str | None = None


class Evidence(Record):
    """A reason why an API counts as public, and where that was seen.

    `docstring` is the weaker tier: its own docstring, in a module that is not private. No other stands beside it.
    """

    kind: Literal["__all__", "re-export", "documented", "used", "docstring"]
    where: str


class Mention(Record):
    """A note of the library itself on when an API, or one `parameter` of it, came or changed.

    `kind` is the Sphinx directive, or a line of the changelog under the heading of `version`; `where` the file and
    line, or `docstring`. `in_series` says that the version is after the old one and not after the new one.
    `named_together` counts the names that the entry of a changelog marks as code, this one among them.
    """

    kind: Literal["versionadded", "versionchanged", "deprecated", "changelog"]
    version: str
    where: str
    in_series: bool
    parameter: str | None = None
    text: str = ""
    named_together: int = 1


class Importance(Record):
    """The weight of a candidate for those who use the library (see docs/importance.md).

    `score` is the probability, 0 to 1, that a reader of release notes wants to know of it, and `reasons` say what
    raised it (+) or lowered it (-), the strongest first. `family` is the candidate that stands for all that changed in
    the same way, itself where it stands for itself. `minor` says why it is plumbing; empty where it is not.
    """

    score: float
    reasons: tuple[str, ...] = ()
    family: str
    minor: str = ""


class Since(Record):
    """The release that first has an API, of a changed one all of its changes, and the day (UTC) of its upload.

    `released` is None where the index does not say. Where it is not `exact`, the text of the releases does not tell:
    the API came with `version` or later.
    """

    version: str
    released: date | None = None
    exact: bool = True

    def __str__(self) -> str:
        """`since 2.12.0, 2025-10-07`, or `not before 2.12.0, 2025-10-07`."""
        day = f", {self.released}" if self.released else ""
        return f"{'since' if self.exact else 'not before'} {self.version}{day}"


class Candidate(Record):
    """An API of `new_version` that is new, changed or moved since `old_version`.

    `api_name` is the canonical public path (`pydantic.BaseModel.model_dump`); `defined_in` the module that
    holds its code. `sources` says which reader saw it: `runtime`, `griffe` or both. A `moved` API has its
    former path in `old_api_name`; it is recorded and never made into a task. A `field` of a data class or an
    `enum_member` has its type as `return_type`, and nothing to call. `importance` is None in files that are from
    before there was a rank, `since` where nobody looked for it.
    """

    api_name: str
    kind: ApiKind
    library: str
    old_version: str | None
    new_version: str
    change: ChangeKind
    signature: str | None
    parameters: tuple[Parameter, ...] = ()
    return_type: str | None = None
    docstring: str | None = None
    evidence: tuple[Evidence, ...] = ()
    changes: tuple[Change, ...] = ()
    old_signature: str | None = None
    old_api_name: str | None = None
    defined_in: str | None = None
    import_module: str
    sources: tuple[Literal["runtime", "griffe", "docstring"], ...] = ()
    mentions: tuple[Mention, ...] = ()
    importance: Importance | None = None
    since: Since | None = None

    @property
    def leaf(self) -> str:
        """The last segment of the qualified name."""
        return self.api_name.rpartition(".")[2]

    @property
    def is_weak(self) -> bool:
        """True for one that is public by its own docstring alone."""
        return any(evidence.kind == "docstring" for evidence in self.evidence)

"""Stage 2: knowledge bundles, the documentation of an API for a model, in components that can be given alone."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from apigap.records.base import Record
from apigap.records.candidate import ApiKind, Change, ChangeKind, Parameter
from apigap.records.retired import RetirementKind

ClassForm = Literal["pydantic", "dataclass", "attrs", "typed_dict", "named_tuple", "enum", "protocol"]


class Surface(Record):
    """S_name and S_param: the qualified name and the signature.

    `form` names the framework that makes a class; the parameters are then its fields. An enumeration has `members`
    (their values are the defaults), a function with several declared forms `overloads`.
    """

    s_name: str
    kind: ApiKind
    signature: str | None
    parameters: tuple[Parameter, ...] = ()
    return_type: str | None = None
    form: ClassForm | None = None
    members: tuple[Parameter, ...] = ()
    overloads: tuple[str, ...] = ()


class Exemplar(Record):
    """One usage. `executed` means that it ran in the new version and the target returned normally at least once."""

    code: str
    status: Literal["executed", "static"]
    source: str
    reason: str | None = None


class Prose(Record):
    """M_prose: mechanism in words, of this version only. `provenance` names the file of each part."""

    text: str
    tier: Literal["docstring", "source", "paper"]
    provenance: tuple[str, ...] = ()


class Code(Record):
    """M_code: the implementation without docstrings; `truncated` when helpers or a part of it were left out.

    `kind` tells source from what stands for compiled code, the declaration in a stub or the signature alone, and from
    the `assignment` of a name that has no definition of its own, shown with the definitions that it reads.
    `local_only` is true where the library's licence is copyleft or unknown: then it stays on the user's machine.
    """

    text: str
    source: str
    truncated: bool = False
    local_only: bool = False
    kind: Literal["source", "stub", "signature", "assignment"] = "source"


class Licence(Record):
    """A library's licence as the metadata of its wheel tell it; `text` is what is written there."""

    kind: Literal["permissive", "copyleft", "unknown"]
    text: str
    where: str


Component = Literal["name", "parameters", "exemplars", "prose", "code"]


class Leak(Record):
    """One component of a bundle gives another one away; `what` is the part of it that is seen there."""

    component: Component
    contains: Component
    what: str


class InsteadOf(Record):
    """A name that was written before and that the API takes the place of; `why` is the kind of its retirement."""

    old_name: str
    why: RetirementKind


class KnowledgeBundle(Record):
    """All that is known about one API; components that do not exist are null, never invented.

    `instead_of` are the former names of its work. One that takes nobody's place is written without the key.
    """

    api_name: str
    library: str
    version: str
    old_version: str | None = None
    change: ChangeKind
    surface: Surface
    exemplars: tuple[Exemplar, ...] = ()
    m_prose: Prose | None = None
    m_code: Code | None = None
    changes: tuple[Change, ...] = ()
    old_signature: str | None = None
    licence: Licence | None = None
    leaks: tuple[Leak, ...] = ()
    instead_of: tuple[InsteadOf, ...] = ()

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = handler(self)
        if not self.instead_of:
            written.pop("instead_of", None)
        return written

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts it lacks to count as a bundle: a surface that says something, an exemplar, and prose or code."""
        surface = self.surface
        informs = surface.signature is not None or surface.parameters or surface.return_type or surface.kind == "class"
        parts = {
            "surface": bool(informs),
            "exemplars": bool(self.exemplars),
            "prose and code": self.m_prose is not None or self.m_code is not None,
        }
        return tuple(name for name, there in parts.items() if not there)

    @property
    def is_whole(self) -> bool:
        """True with all components: then every condition has something to show."""
        return bool(self.surface.parameters and self.exemplars and self.m_prose and self.m_code)

    @property
    def has_excerpts(self) -> bool:
        """True when it quotes the library's tests, documentation or source; name and parameters are facts."""
        return bool(self.exemplars or self.m_prose or self.m_code)

    @property
    def is_local_only(self) -> bool:
        """True when it has excerpts of a copyleft or unknown licence, which are not passed on."""
        return self.has_excerpts and (self.licence is None or self.licence.kind != "permissive")

    def to_paper_dict(self) -> dict[str, Any]:
        """The bundle under the field names of NovelAPIBench (arXiv:2606.03657): S_name, S_param, E, M_prose, M_code."""
        return {
            "api_name": self.api_name,
            "S_name": self.surface.s_name,
            "S_param": [_in_paper(p) for p in self.surface.parameters],
            "return_type": self.surface.return_type,
            "E": [e.model_dump(mode="json") for e in self.exemplars],
            "M_prose": self.m_prose.text if self.m_prose else None,
            "M_code": self.m_code.text if self.m_code else None,
        }

    @classmethod
    def from_paper_dict(
        cls, paper: Mapping[str, Any], *, library: str, version: str, change: ChangeKind = "added"
    ) -> "KnowledgeBundle":
        """The bundle of what `to_paper_dict` gives, and of dictionaries that others wrote under those names.

        Components that are absent, null or empty are so here. Exemplars may be texts, parameters may be names; what
        such a dictionary does not say (the kind, where a text comes from) is taken as `function` and `paper`.

        Raises:
            pydantic.ValidationError: for a component that is none.
        """
        name = paper.get("S_name") or paper["api_name"]
        prose, code = paper.get("M_prose"), paper.get("M_code")
        exemplars = [{"code": e} if isinstance(e, str) else dict(e) for e in paper.get("E") or ()]
        parameters = [{"name": p} if isinstance(p, str) else _from_paper(p) for p in paper.get("S_param") or ()]
        return cls.model_validate(
            {
                "api_name": paper.get("api_name") or name,
                "library": library,
                "version": version,
                "change": change,
                "surface": {
                    "s_name": name, "kind": "function", "signature": None, "parameters": parameters,
                    "return_type": paper.get("return_type"),
                },
                "exemplars": [{"status": "static", "source": "paper", **e} for e in exemplars],
                "m_prose": {"text": prose, "tier": "docstring", "provenance": ["paper"]} if prose else None,
                "m_code": {"text": code, "source": "paper"} if code else None,
            }
        )  # fmt: skip


def _in_paper(parameter: Parameter) -> dict[str, Any]:
    """A parameter under the names of the paper, which calls an annotation a type."""
    own = parameter.model_dump(mode="json")
    return {"name": own.pop("name"), "type": own.pop("annotation"), **own}


def _from_paper(parameter: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: value for key, value in parameter.items() if key != "type"}
    return {"annotation": parameter["type"], **own} if "type" in parameter else own

"""Candidates for tests of the ladder."""

from apigap.records.candidate import ApiKind, Candidate, Change, Evidence, Importance, Parameter


def parameter(name: str, default: str | None = None) -> Parameter:
    return Parameter(name=name, default=default, required=default is None)


def api(
    name: str,
    *parameters: Parameter,
    kind: ApiKind = "function",
    changes: tuple[Change, ...] = (),
    change: str = "added",
    docstring: str = "",
    score: float = 0.5,
    minor: str = "",
) -> Candidate:
    return Candidate.model_validate(
        {
            "api_name": name, "kind": kind, "library": "lib", "old_version": "1", "new_version": "2",
            "change": "modified" if changes else change, "changes": changes, "signature": "()",
            "parameters": parameters, "docstring": docstring, "import_module": "lib",
            "evidence": (Evidence(kind="documented", where="here"),),
            "importance": Importance(score=score, family=name, minor=minor),
        }
    )  # fmt: skip

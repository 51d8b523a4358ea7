"""Three new functions of packaging 25.0, described in words of this project, as stages 1 and 2 would leave them."""

from pathlib import Path

from apigap.knowledge.components.surface import surface_of
from apigap.knowledge.usages.verify import ApiUsages
from apigap.records.candidate import Candidate, Parameter
from apigap.records.knowledge import Exemplar, KnowledgeBundle, Prose
from apigap.records.store import write_records

OLD, NEW = "24.0", "25.0"


def _candidate(module: str, leaf: str, signature: str, docstring: str, *parameters: Parameter) -> Candidate:
    return Candidate(
        api_name=f"packaging.{module}.{leaf}",
        kind="function",
        library="packaging",
        old_version=OLD,
        new_version=NEW,
        change="added",
        signature=signature,
        parameters=parameters,
        docstring=docstring,
        import_module=f"packaging.{module}",
    )


CANDIDATES = (
    _candidate(
        "licenses",
        "canonicalize_license_expression",
        "(raw_license_expression: str) -> str",
        "Give the canonical spelling of an SPDX licence expression: identifiers in their official letter case, "
        "operators (AND, OR, WITH) in capitals, single spaces. What is no expression is refused.",
        Parameter(name="raw_license_expression", annotation="str"),
    ),
    _candidate(
        "tags",
        "android_platforms",
        "(api_level: int | None = None, abi: str | None = None) -> Iterator[str]",
        "Yield the platform tags that an Android device takes, the newest first: one for each API level from "
        "`api_level` down to 16, each with the name of the processor interface.",
        Parameter(name="api_level", annotation="int | None", default="None", required=False,
                  description="The API level of the device."),
        Parameter(name="abi", annotation="str | None", default="None", required=False,
                  description="Name of the processor interface, such as arm64_v8a or x86_64."),
    ),
    _candidate(
        "tags",
        "ios_platforms",
        "(version: tuple[int, int] | None = None, multiarch: str | None = None) -> Iterator[str]",
        "Yield the platform tags that an iOS device takes, the newest first: down to iOS 12.0, each with the "
        "architecture.",
        Parameter(name="version", annotation="tuple[int, int] | None", default="None", required=False,
                  description="The iOS version, as (major, minor)."),
        Parameter(name="multiarch", annotation="str | None", default="None", required=False,
                  description="Architecture and SDK, such as arm64-iphoneos."),
    ),
)  # fmt: skip
_EXEMPLAR = (
    "from packaging.licenses import canonicalize_license_expression\n"
    "expression = canonicalize_license_expression('mit or gpl-2.0-only')\nprint(expression)"
)


def bundle_of(candidate: Candidate) -> KnowledgeBundle:
    shows = candidate.leaf in _EXEMPLAR
    return KnowledgeBundle(
        api_name=candidate.api_name,
        library=candidate.library,
        version=candidate.new_version,
        change=candidate.change,
        surface=surface_of(candidate),
        exemplars=(Exemplar(code=_EXEMPLAR, status="executed", source="this project"),) if shows else (),
        m_prose=Prose(text=candidate.docstring or "", tier="docstring", provenance=("this project",)),
    )


def write_stage_files(folder: Path) -> tuple[Path, Path]:
    """The files of stages 1 and 2 that `apigap generate` reads: candidates, bundles, and no usages."""
    candidates, bundles = folder / "candidates.jsonl", folder / "bundles.jsonl"
    write_records(candidates, CANDIDATES)
    write_records(bundles, [bundle_of(candidate) for candidate in CANDIDATES])
    write_records(
        folder / "bundles.usages.jsonl", [ApiUsages(api_name=c.api_name, usages=(), tried=0) for c in CANDIDATES]
    )
    return candidates, bundles

"""The records of the public NovelAPIBench release (its second version, github.com/MAPS-research/NovelAPIBench).

Field names are theirs. Fields that they have and we do not know are kept, so a later release still loads.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints

from apigap.records.base import Record
from apigap.records.candidate import Parameter
from apigap.records.knowledge import Code, Exemplar, KnowledgeBundle, Prose, Surface
from apigap.records.parsing.syntax import parse
from apigap.records.task import Difficulty

RecordStatus = Literal["ok", "unstable", "no_calls", "reference_failed"]
CallKind = Literal["call", "init", "subclass"]


def _python(text: str) -> str:
    try:
        parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"it is not Python: {error}") from None
    return text


def _test(text: str) -> str:
    if not parse(_python(text)).body:
        raise ValueError("it is empty, so nothing could fail it")
    return text


def _text(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else str(value)


QualifiedName = Annotated[str, StringConstraints(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)+$")]
Script = Annotated[str, AfterValidator(_python)]
Test = Annotated[str, AfterValidator(_test)]


class ReleaseRecord(Record):
    """Base of all records of the release: unknown fields are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")


class ReleaseHarness(ReleaseRecord):
    """The release's checks of an answer: `setup_code` installs a monitor of the target, `execution_test` asserts.

    `shape_type_test` and `mock_test` are stored in the release and not run by its evaluator, nor here.
    """

    execution_test: Test
    setup_code: Script = ""
    shape_type_test: str = ""
    mock_test: str = ""
    target_api: str = ""
    generation_method: str = ""
    scenarios_succeeded: int = 0
    scenarios_total: int = 0


class ReleaseTask(ReleaseRecord):
    """A line of `tasks.jsonl`. `version` is not in the release; a line may name it to say where it runs."""

    task_id: str = Field(min_length=1)
    api_name: QualifiedName
    library: str = Field(min_length=1)
    domain: str = ""
    difficulty: Difficulty = "easy"
    description: str
    context_code: str = ""
    masked_region: str = ""
    reference_solution: str
    test_harness: ReleaseHarness
    version: str | None = None


class ExpectedCall(ReleaseRecord):
    """One call that the reference made, as their fingerprints of its return value or of its explicit arguments."""

    kind: CallKind
    ret: dict[str, Any] | None = None
    args: dict[str, Any] | None = None


class ExpectedCalls(ReleaseRecord):
    """A line of `expected_calls.jsonl`."""

    task_id: str
    api_name: str
    status: RecordStatus
    expected: tuple[ExpectedCall, ...] = ()
    reference_source: Literal["masked_region", "reference_solution", "none"] = "none"
    n_runs: int = 0


class ValidityRecord(ReleaseRecord):
    """A line of `filters/c1.jsonl` or of `filters/c3/MODEL.jsonl`: did the reference, or the solver, pass?"""

    task_id: str
    api_name: str
    passed: bool
    n_passed: int | None = None
    error: str | None = None


class NoveltyRecord(ReleaseRecord):
    """A line of `filters/c2/MODEL.jsonl`: the backbone's three attempts without knowledge."""

    task_id: str
    api_name: str
    model: str
    novel: bool
    fail_count: int
    sample_fails: tuple[bool, ...]


class ReleaseParameter(ReleaseRecord):
    """One entry of S_param; the default is text whatever its type was."""

    name: str
    type: str | None = None
    default: Annotated[str | None, BeforeValidator(_text)] = None
    description: str = ""
    constraints: str | None = None


class ReleaseExample(ReleaseRecord):
    """One entry of E."""

    code: str
    status: Literal["executed", "static", "failed"] = "executed"
    reason: str = ""


class ReleaseMechanism(ReleaseRecord):
    """M."""

    text: str = ""
    grounding: Literal["docstring", "source", "paper"] = "docstring"
    references: tuple[str, ...] = ()
    source_summary: str | None = None
    changelog_notes: str | None = None


class ReleaseBundle(ReleaseRecord):
    """A line of `bundles.jsonl`."""

    api_name: QualifiedName
    library: str
    domain: str = ""
    s_name: str
    s_param: tuple[ReleaseParameter, ...] = ()
    return_type: str | None = None
    examples: tuple[ReleaseExample, ...] = ()
    mechanism: ReleaseMechanism = ReleaseMechanism()
    implementation: str | None = None
    is_modified: bool = False
    old_signature: str | None = None
    old_parameters: tuple[dict[str, Any], ...] | None = None
    requires_file_io: bool = False

    @classmethod
    def from_knowledge(cls, bundle: KnowledgeBundle, domain: str = "") -> "ReleaseBundle":
        """One of our bundles under the release's names; what the release has no field for is left out."""
        prose = bundle.m_prose
        return cls(
            api_name=bundle.api_name,
            library=bundle.library,
            domain=domain,
            s_name=bundle.surface.s_name,
            s_param=tuple(
                ReleaseParameter(
                    name=known.name, type=known.annotation, default=known.default, description=known.description or ""
                )
                for known in bundle.surface.parameters
            ),
            return_type=bundle.surface.return_type,
            examples=tuple(
                ReleaseExample(code=known.code, status=known.status, reason=known.reason or "")
                for known in bundle.exemplars
            ),
            mechanism=ReleaseMechanism(text=prose.text, grounding=prose.tier) if prose else ReleaseMechanism(),
            implementation=bundle.m_code.text if bundle.m_code else None,
            is_modified=bundle.change == "modified",
            old_signature=bundle.old_signature,
        )  # fmt: skip

    def to_knowledge(self, version: str) -> KnowledgeBundle:
        """The same knowledge as one of our bundles.

        The release says neither of which kind an API is nor whether a parameter without a default must be given: a
        leaf in capitals is taken for a class, and a parameter without a default for a required one.
        """
        leaf = self.api_name.rpartition(".")[2]
        text = self.mechanism.text
        parameters = tuple(
            Parameter(
                name=found.name,
                annotation=found.type,
                default=found.default,
                required=found.default is None,
                description=found.description or None,
            )
            for found in self.s_param
        )
        return KnowledgeBundle(
            api_name=self.api_name,
            library=self.library,
            version=version,
            change="modified" if self.is_modified else "added",
            surface=Surface(
                s_name=self.s_name,
                kind="class" if leaf[:1].isupper() else "function",
                signature=None,
                parameters=parameters,
                return_type=self.return_type,
            ),
            exemplars=tuple(
                Exemplar(code=found.code, status=found.status, source="NovelAPIBench", reason=found.reason or None)
                for found in self.examples
                if found.status != "failed"
            ),
            m_prose=Prose(text=text, tier=self.mechanism.grounding, provenance=("NovelAPIBench",)) if text else None,
            m_code=Code(text=self.implementation, source="NovelAPIBench") if self.implementation else None,
            old_signature=self.old_signature,
        )

"""A made-up audit of the size that a real one has."""

import random

from apigap.records.result import FAILURE_LABELS, FailureLabel, Outcome
from apigap.reporting.model import (
    AuditReport,
    Comparison,
    Condition,
    Drop,
    LibraryAudit,
    SampleEntry,
    TaskEntry,
)

CONDITIONS = (
    Condition(name="baseline", title="nothing"),
    Condition(name="s_name", title="name"),
    Condition(name="s", title="signature"),
    Condition(name="m_prose", title="mechanism"),
    Condition(name="s_e", title="signature + example"),
    Condition(name="full", title="full bundle"),
)
_CHANCE = {"baseline": 0.08, "s_name": 0.12, "s": 0.3, "m_prose": 0.2, "s_e": 0.55, "full": 0.5}
_LENGTH = {"baseline": 0, "s_name": 40, "s": 200, "m_prose": 900, "s_e": 500, "full": 3000}
_APIS = (
    "FailFast",
    "BaseModel.model_validate_strings", "TypeAdapter.rebuild", "AliasGenerator", "ValidateAs", "OnErrorOmit",
    "JsonValue", "Tag", "Discriminator", "WithJsonSchema", "SkipValidation", "GetPydanticSchema", "EncodedStr",
    "experimental.pipeline.validate_as", "experimental.arguments_schema.generate_arguments_schema",
    "RootModel.model_copy",
    "with_config", "AllowInfNan", "PastDatetime", "Base64UrlBytes", "computed_field", "model_serializer",
    "SerializeAsAny",
    "UuidVersion", "SocketPath",
)  # fmt: skip
_REASONS: dict[FailureLabel, str] = {
    "WrongAPISelection": "never calls {api}; calls pydantic.TypeAdapter, validate_python",
    "WrongImport": "{api} is meant, but its import fails: ModuleNotFoundError: No module named 'pydantic.utils'",
    "WrongSyntax": "the code does not parse: SyntaxError: invalid syntax (line 1)",
    "WrongParam": "the signature of {api} refuses the call: TypeError: got an unexpected keyword argument 'strict'",
    "WrongShapeDtype": "result['errors'] (scenario basic) is list, not tuple",
    "WrongLogic": "{api} was called, but the results differ from the reference's",
}


def sample_report(seed: int = 1, hostile: str = "") -> AuditReport:
    """30 tasks over 25 APIs under 6 conditions; `hostile` goes into every text that a model could have written."""
    rng = random.Random(seed)
    tasks = tuple(_task(number, hostile) for number in range(30))
    samples = tuple(_sample(rng, task, condition, hostile) for task in tasks for condition in CONDITIONS)
    return AuditReport(
        title=f"apigap audit of pydantic{hostile}",
        model="qwen2.5-coder-0.5b",
        model_facts=(("backend", "xllamacpp 2026.10, 1 thread, Q8_0"), ("decoding", "greedy, 512 tokens")),
        libraries=(
            LibraryAudit(
                library="pydantic",
                old_version="2.9.2",
                new_version="2.13.3",
                added=41,
                modified=22,
                moved=3,
                bundles=58,
                tasks=47,
                c1=42,
                c2=30,
                drops=(
                    Drop(stage="discovery", reason="not public: no __all__, no documentation", count=118),
                    Drop(stage="knowledge", reason="no signature and no documentation", count=5),
                    Drop(stage="tasks", reason="no exemplar of it runs in a sandbox", count=11),
                    Drop(stage="c1", reason="the reference gives other values in each run", count=5),
                    Drop(stage="c2", reason="solved without any knowledge", count=12),
                ),
            ),
        ),
        conditions=CONDITIONS,
        tasks=tasks,
        samples=samples,
        isolation="bubblewrap, hardened (user, pid, net, mount, ipc, uts namespaces; 2 GiB; no network)",
        evaluator="9f2c4be1a07d5533",
        facts=(("seed", "20260912"),),
        notes=(f"C3 was not run: it needs a stronger model.{hostile}",),
    )


def _task(number: int, hostile: str) -> TaskEntry:
    name = _APIS[number % len(_APIS)]
    return TaskEntry(
        task_id=f"{number:016x}",
        api_name=f"pydantic.{name}{hostile}",
        library="pydantic",
        change="modified" if number % 4 == 3 else "added",
        difficulty=("easy", "medium", "hard")[number % 3],  # type: ignore[arg-type]
        description=f"Validate `values` so that work stops at the first wrong item.{hostile}",
        context_code="from typing import Annotated\nfrom pydantic import TypeAdapter\n\nvalues = ['1', 'x', 'y']\n",
        reference_solution=(
            f"from pydantic import {name.split('.')[0]}\n\nadapter = TypeAdapter(Annotated[list[int], FailFast()])\n"
            "try:\n    adapter.validate_python(values)\n"
            "except ValidationError as error:\n    result = error.error_count()\n"
        ),
    )


def _sample(rng: random.Random, task: TaskEntry, condition: Condition, hostile: str) -> SampleEntry:
    outcome: Outcome = "pass" if rng.random() < _CHANCE[condition.name] else "fail"
    if outcome == "fail" and rng.random() < 0.02:
        outcome = rng.choice(("infra", "suspect"))
    label = rng.choices(FAILURE_LABELS, (8, 4, 1, 5, 2, 6))[0] if outcome == "fail" else None
    code = f"adapter = TypeAdapter(list[int])\nresult = adapter.validate_python(values){hostile}\n"
    knowledge = (
        ""
        if condition.name == "baseline"
        else "Reference documentation of a new API.\n"
        + "It stops at the first error. " * (_LENGTH[condition.name] // 29)
    )
    crashed = label in ("WrongImport", "WrongParam")
    return SampleEntry(
        condition=condition.name,
        task_id=task.task_id,
        sample=0,
        outcome=outcome,
        label=label,
        reason=_REASONS[label].format(api=task.api_name) if label else "",
        score=1.0 if outcome == "pass" else 0.5,
        prompt=f"{knowledge}\n```python\n{task.context_code}```\n{task.description}\nWrite the lines that come next.",
        answer=f"Here is the code:\n\n```python\n{code}```\n{hostile}",
        code=code,
        comparisons=()
        if crashed or outcome != "fail"
        else (
            Comparison(what="result (basic)", expected="1", observed=f"3{hostile}"),
            Comparison(what="type(error) (basic)", expected="ValidationError", observed="ValidationError"),
        ),
        exception=f"TypeError: got an unexpected keyword argument 'strict'{hostile}" if crashed else None,
    )

"""Whatever a forged report may hold: JSON of any shape, forms that look like fingerprints, and records of runs."""

from typing import Any

from hypothesis import strategies as st

from apigap.records.run import CallRecord, ExceptionRecord, FrameRecord, RunRecord

# Not `unstable`: that is the one form that only the reference may have.
TAGS = (
    "type", "fields", "dict", "mappingproxy", "tuple", "set", "base", "args", "enum", "value", "text", "array", "frame",
    "dtype", "shape", "values", "columns", "numpy", "float", "int", "bytes", "complex", "range", "view", "cut", "cycle",
    "raises", "missing", "a",
)  # fmt: skip
WORDS = ("", "a", "float32", "list", "fields", "nan", "\ud800", "\0", "ff")

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    pairs = st.lists(st.lists(inner, min_size=2, max_size=2), max_size=3)
    named = st.lists(st.tuples(st.sampled_from(WORDS), inner).map(list), max_size=3)
    return (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(TAGS), inner | pairs | named, max_size=3)
        | pairs.map(lambda entries: {"dict": entries})
        | named.map(lambda fields: {"type": "m.C", "fields": fields})
    )


forms = st.recursive(scalars, _containers, max_leaves=12)
"""Any JSON value, often one that is nearly a fingerprint."""

exceptions = st.builds(
    ExceptionRecord,
    type=st.sampled_from(["TypeError", "SyntaxError", "ImportError", "NameError", "RecursionError", "ValidationError"]),
    module=st.sampled_from(["builtins", "pydantic"]),
    bases=st.sampled_from([(), ("SyntaxError",), ("ImportError",), ("AttributeError",)]),
    message=st.sampled_from(WORDS) | st.text(max_size=20),
    name=st.none() | st.sampled_from(WORDS),
    owner_type=st.none() | st.sampled_from(WORDS),
    frames=st.lists(
        st.builds(
            FrameRecord,
            owner=st.sampled_from(["candidate", "library", "context", "harness"]),
            module=st.none() | st.just("m"),
            function=st.sampled_from(["<module>", "validate_python"]),
            line=st.integers(0, 9),
        ),
        max_size=3,
    ).map(tuple),
)
calls = st.builds(
    CallRecord,
    target=st.just("pydantic.TypeAdapter.validate_python"),
    caller=st.sampled_from(["candidate", "library", "context", "harness"]),
    completed=st.booleans(),
    explicit=st.none() | st.just(("object",)),
    arguments=st.dictionaries(st.sampled_from(["object", "strict"]), forms, max_size=2),
    raised=st.none() | st.just("TypeError"),
    rejected=st.booleans(),
)


def runs(right: Any) -> st.SearchStrategy[RunRecord]:
    """Records of runs of any kind; `result` is often what it must be."""
    return st.builds(
        RunRecord,
        status=st.sampled_from(["completed"] * 4 + ["raised", "exited", "limit", "tampered", "infra"]),
        phase=st.sampled_from(["start", "compile", "context", "completion", "observe", "report"]),
        exception=st.none() | exceptions,
        observations=st.just({"result": right}) | st.dictionaries(st.sampled_from(["result", "other"]), forms),
        errors=st.just({}) | st.dictionaries(st.sampled_from(["result", "other"]), exceptions, max_size=1),
        calls=st.lists(calls, max_size=2).map(tuple),
        limit=st.none() | st.sampled_from(["cpu", "wall", "memory", "output"]),
        reason=st.none() | st.sampled_from(WORDS),
    )

"""The identity of the code that judges runs: kept verdicts of other code are not used.

A benchmark's own evaluator covers more: what extracts its answers and what explains their failures.
"""

from apigap.records.sources import CodeIdentity

PROGRAMS = ("apigap.sandbox.worker.*",)
"""Programs that run inside the sandbox, where nobody imports them."""
NOT_DECIDING = {
    "apigap.records.configuration": "settings: the limits that come from them are in every manifest",
    "apigap.records.errors": "kinds of errors and their exit codes",
    "apigap.records.paths": "folders of caches",
    "apigap.records.sources": "this identity itself",
    "apigap.records.store": "files on disk",
    "apigap.sandbox.elsewhere": "the handing over of work to other machines",
    "apigap.sandbox.scripts": "programs that are no candidate's",
    "apigap.sandbox.verdict.travelling": "verdicts as lines, as they come back from there",
}
"""Modules that a judge imports and that decide nothing, with the reasons."""


_JUDGE = CodeIdentity(("apigap.sandbox.verdict.judge", *PROGRAMS), NOT_DECIDING)


def evaluator_hash() -> str:
    """Sixteen hex digits over the modules that decide on the verdict of a run."""
    return _JUDGE.digest

"""The starter benchmark's APIs as candidates: the facts that stage 1 reads, for exactly these names."""

from collections.abc import Mapping, Sequence

from apigap.discovery.diff import Finding, candidates_of, classify
from apigap.discovery.discover import documents_of, read_pair
from apigap.discovery.documents import with_documents
from apigap.discovery.library import find_library
from apigap.discovery.mentions import Mentions
from apigap.execution.engine import Engine
from apigap.execution.environments import EnvironmentStore
from apigap.records.candidate import Candidate
from apigap.records.task import Task


def starter_candidates(tasks: Sequence[Task], engine: Engine, store: EnvironmentStore) -> list[Candidate]:
    """A candidate per API of `tasks`, which are of one release, sorted by name.

    Who wrote a task says whether its API is new or changed: also a change of what it does counts, which no signature
    shows. An API that no reader of the release knows has none.

    Raises:
        InfrastructureError: when a version cannot be read.
    """
    library, old, new = tasks[0].library, tasks[0].old_version, tasks[0].version
    config = find_library(library)
    before, after = read_pair(config, old, new, engine=engine, store=store)
    documents = documents_of(after, config.distribution)
    after = with_documents(after, documents)
    wanted = {task.api_name: task.change for task in tasks}
    findings = {path: finding for finding in classify(before, after) for path in _paths(finding)}
    found: list[Candidate] = []
    for name, change in sorted(wanted.items()):
        finding = _find(name, findings)
        if finding is not None:
            made = candidates_of([finding._replace(verdict=change)], config.name, old, new)[0]
            found.append(made.model_copy(update={"api_name": name}))
    mentions = Mentions(after.entries, documents, old, new)
    return list(mentions.add_to(found))


def _paths(finding: Finding) -> tuple[str, ...]:
    return finding.entry.paths if finding.verdict != "removed" else ()


def _find(name: str, findings: Mapping[str, Finding]) -> Finding | None:
    """What is known of `name`: of a method that its class inherits, what is known of it in the nearest base."""
    if name in findings:
        return findings[name]
    owner, _, leaf = name.rpartition(".")
    bases = findings[owner].entry.bases if owner in findings else ()
    return next((found for base in bases if (found := _find(f"{base}.{leaf}", findings))), None)

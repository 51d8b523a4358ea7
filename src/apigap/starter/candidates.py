"""The starter benchmark's APIs as candidates: the facts that stage 1 reads, for exactly these names."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.discovery.diff import Finding, candidates_of, classify
from apigap.discovery.discover import documents_of, read_pair
from apigap.discovery.evidence.documents import with_documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.library import find_library
from apigap.discovery.static.griffe_facts import parameters_of
from apigap.discovery.surface import render_signature
from apigap.knowledge.components.sources import Sources, decorators, sources_of
from apigap.packages.environments import EnvironmentStore
from apigap.records.candidate import Candidate, ChangeKind
from apigap.records.task import Task
from apigap.sandbox.engine import Engine


def starter_candidates(tasks: Sequence[Task], engine: Engine, store: EnvironmentStore) -> list[Candidate]:
    """A candidate per API of `tasks`, which are of one release, sorted by name.

    Who wrote a task says whether its API is new or changed: also a change of what it does counts, which no signature
    shows. An API that the surface does not list is read from the text; one that is nowhere has no candidate.

    Raises:
        InfrastructureError: when a version cannot be read.
    """
    library, old, new = tasks[0].library, tasks[0].old_version, tasks[0].version
    config = find_library(library)
    before, after = read_pair(config, old, new, engine=engine, store=store)
    documents = documents_of(after, config)
    after = with_documents(after, documents)
    wanted: dict[str, ChangeKind] = {name: task.change for task in tasks for name in task.apis}
    wanted |= {task.api_name: task.change for task in tasks}  # who wrote a task says it of its first API
    findings = {path: finding for finding in classify(before, after) for path in _paths(finding)}
    sources = sources_of(store.get(config.distribution, new).site_packages)
    found: list[Candidate] = []
    for name, change in sorted(wanted.items()):
        finding = _find(name, findings)
        if finding is not None:
            made = candidates_of([finding._replace(verdict=change)], config.name, old, new)[0]
            found.append(made.model_copy(update={"api_name": name}))
        else:
            written = written_candidate(name, change, config.name, old, new, sources)
            found += [written] if written else []
    mentions = Mentions(after.entries, documents, old, new)
    return list(mentions.add_to(found))


def _paths(finding: Finding) -> tuple[str, ...]:
    return finding.entry.paths if finding.verdict != "removed" else ()


def _find(name: str, findings: Mapping[str, Finding]) -> Finding | None:
    """The candidate `name`: of a method that its class inherits, the one of the nearest base."""
    if name in findings:
        return findings[name]
    owner, _, leaf = name.rpartition(".")
    entry = findings[owner].entry if owner in findings else None
    if entry is None:
        return None
    own = (findings[path] for other in entry.paths if (path := f"{other}.{leaf}") in findings)
    inherited = (found for base in entry.bases if (found := _find(f"{base}.{leaf}", findings)))
    return next(own, None) or next(inherited, None)


def written_candidate(
    name: str, change: ChangeKind, library: str, old: str | None, new: str, sources: Sources
) -> Candidate | None:
    """The candidate by the text of the release, for an API on no surface, as a method that a hidden class lends."""
    import griffe

    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        located = sources.find(".".join(parts[:cut]), parts[cut:])
        node = located.node if located is not None else None
        if located is not None and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            path = f"{located.owner.name}.{node.name}" if located.owner else node.name
            module = griffe.visit(located.module.name, Path(located.module.path), located.module.text)
            function = module[path]
            bound = located.owner is not None and "staticmethod" not in decorators(node)
            parameters = parameters_of(function, bound) if isinstance(function, griffe.Function) else ()
            returns = ast.unparse(node.returns) if node.returns else None
            return Candidate(
                api_name=name, kind="method" if located.owner else "function", library=library, old_version=old,
                new_version=new, change=change, signature=render_signature(parameters, returns), parameters=parameters,
                return_type=returns, docstring=ast.get_docstring(node), defined_in=located.module.name,
                import_module=".".join(parts[:cut]), sources=("griffe",),
            )  # fmt: skip
    return None

"""M_code: the implementation of an API as its release ships it, without docstrings, with same-module helpers."""

import ast
from pathlib import Path

from apigap.knowledge.components.definition import definition_of
from apigap.knowledge.components.helpers import helpers_of
from apigap.knowledge.components.shortened_source import shortened_source
from apigap.knowledge.components.sources import Located, decorated, sources_of
from apigap.knowledge.components.without_docstrings import stripped
from apigap.records.candidate import Candidate
from apigap.records.knowledge import Code


def implementation(candidate: Candidate, site_packages: Path, limit: int) -> Code | None:
    """The source of `candidate`, at most `limit` characters; None for what is neither written nor has a signature.

    Of compiled code it is what a stub declares, else the signature, marked as such; so is a name that is only assigned,
    whose code is that of others. Helpers of the same module that
    the source reads come first, as long as there is room. What does not fit is cut at whole definitions and
    statements, and a last comment names what was left out.
    """
    found = definition_of(candidate, sources_of(site_packages))
    if found is None:
        return _signature(candidate, limit)
    if found.module.is_stub:
        forms = (stripped(found.module.text, node) for node in found.nodes)
        text, cut = shortened_source("\n".join(forms), limit)
        return Code(text=text, source=str(found.module.path), truncated=cut, kind="stub")
    text, cut = shortened_source(_source_text(found), limit)
    chosen, left_out = helpers_of(found, limit - len(text))
    return Code(
        text="\n\n".join((*chosen, text)),
        source=str(found.module.path),
        truncated=cut or bool(left_out),
        kind="assignment" if isinstance(found.node, ast.Assign | ast.AnnAssign) else "source",
    )


def _source_text(located: Located) -> str:
    """The implementation; of a property the getter, and its setter where it has one."""
    nodes = [located.node]
    nodes += [node for node in located.nodes if node.lineno > located.node.lineno and decorated(node, ("setter",))]
    return "\n\n".join(stripped(located.module.text, node) for node in nodes)


def _signature(candidate: Candidate, limit: int) -> Code | None:
    if candidate.signature is None or candidate.kind == "class":
        return None
    text = f"def {candidate.leaf}{candidate.signature}: ..."
    return Code(text=text, source=candidate.import_module, kind="signature") if len(text) <= limit else None

"""Bundles for others: under the paper's field names, and without excerpts that their licence keeps here."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.records.base import canonical_json
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import load_records, write_text


def export_bundles(knowledge: Path, out: Path, leave_excerpts_out: bool = False) -> dict[str, int]:
    """Write the bundles of `knowledge` to `out` as `KnowledgeBundle.to_paper_dict` gives them, one JSON per line.

    Exemplars, prose and code are excerpts of the library's tests, documentation and source; name and parameters are
    facts. Returns how many were written, and from how many the excerpts were left out.

    Raises:
        UsageError: when excerpts of a copyleft or unknown licence are among them, unless they are to be left out.
        CorruptRecord: when `knowledge` holds something else.
    """
    bundles = load_records(knowledge, KnowledgeBundle)
    kept_here = [bundle for bundle in bundles if bundle.is_local_only]
    if kept_here and not leave_excerpts_out:
        raise UsageError(_refusal(knowledge, kept_here))
    write_text(out, "".join(canonical_json(_record(bundle)) + "\n" for bundle in bundles))
    return {"bundles": len(bundles), "without_their_excerpts": len(kept_here)}


def _refusal(knowledge: Path, bundles: Sequence[KnowledgeBundle]) -> str:
    counted = Counter((bundle.library, _licence(bundle)) for bundle in bundles)
    told = "; ".join(f"{library}: {licence}, {count} bundles" for (library, licence), count in sorted(counted.items()))
    return (
        f"{knowledge} has excerpts that are not to leave this machine ({told}); "
        "give --leave-excerpts-out to write those bundles without exemplars, prose and code"
    )


def _licence(bundle: KnowledgeBundle) -> str:
    licence = bundle.licence
    return f"{licence.kind} ({licence.text})" if licence and licence.text else "licence unknown"


def _record(bundle: KnowledgeBundle) -> dict[str, Any]:
    given = bundle
    if bundle.is_local_only:
        given = bundle.model_copy(update={"exemplars": (), "m_prose": None, "m_code": None})
    return {**given.to_paper_dict(), "licence": bundle.licence.text if bundle.licence else None}

"""Bundles for others: under the paper's field names, and without source that its licence keeps here."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.records.base import canonical_json
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import load_records, write_text


def export_bundles(knowledge: Path, out: Path, leave_code_out: bool = False) -> dict[str, int]:
    """Write the bundles of `knowledge` to `out` as `KnowledgeBundle.to_paper_dict` gives them, one JSON per line.

    Returns how many were written, and of how many the source was left out.

    Raises:
        UsageError: when source of a copyleft or unknown licence is among them, unless it is to be left out.
        CorruptRecord: when `knowledge` holds something else.
    """
    bundles = load_records(knowledge, KnowledgeBundle)
    kept_here = [bundle for bundle in bundles if bundle.m_code is not None and bundle.m_code.local_only]
    if kept_here and not leave_code_out:
        raise UsageError(_refusal(knowledge, kept_here))
    records = [_record(bundle) for bundle in bundles]
    write_text(out, "".join(canonical_json(record) + "\n" for record in records))
    return {"bundles": len(records), "without_their_source": len(kept_here)}


def _refusal(knowledge: Path, bundles: Sequence[KnowledgeBundle]) -> str:
    counted = Counter((bundle.library, _licence(bundle)) for bundle in bundles)
    told = "; ".join(f"{library}: {licence}, {count} bundles" for (library, licence), count in sorted(counted.items()))
    return (
        f"{knowledge} quotes source that is not to leave this machine ({told}); "
        "give --leave-code-out to write those bundles without it"
    )


def _licence(bundle: KnowledgeBundle) -> str:
    licence = bundle.licence
    return f"{licence.kind} ({licence.text})" if licence and licence.text else "licence unknown"


def _record(bundle: KnowledgeBundle) -> dict[str, Any]:
    record = bundle.to_paper_dict()
    if bundle.m_code is not None and bundle.m_code.local_only:
        record["M_code"] = None
    return {**record, "licence": bundle.licence.text if bundle.licence else None}

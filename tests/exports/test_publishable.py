"""What leaves the user's machine, and what its licence keeps there."""

import json
from pathlib import Path

import pytest

from apigap.exports.publishable import export_bundles
from apigap.records.errors import UsageError
from apigap.records.knowledge import Code, KnowledgeBundle, Licence
from apigap.records.store import write_records
from apigap.reporting.entries import quoted_licence
from tests.knowledge.test_conditions import bundle


def of_licence(kind: str, text: str) -> KnowledgeBundle:
    code = Code(text="def f(): ...", source="lib.py", local_only=kind != "permissive")
    return bundle(m_code=code, licence=Licence.model_validate({"kind": kind, "text": text, "where": "METADATA"}))


def test_what_is_permissive_is_written_under_the_paper_s_names(tmp_path: Path) -> None:
    write_records(tmp_path / "in.jsonl", [of_licence("permissive", "MIT")])
    assert export_bundles(tmp_path / "in.jsonl", tmp_path / "out.jsonl") == {"bundles": 1, "without_their_excerpts": 0}
    record = json.loads((tmp_path / "out.jsonl").read_text())
    assert (record["S_name"], record["M_code"], record["licence"]) == ("lib.slugify", "def f(): ...", "MIT")


KEPT = [("copyleft", "LGPLv3+", r"copyleft \(LGPLv3\+\)"), ("unknown", "", "licence unknown")]


@pytest.mark.parametrize(("kind", "text", "told"), KEPT)
def test_source_that_has_to_stay_is_refused(kind: str, text: str, told: str, tmp_path: Path) -> None:
    write_records(tmp_path / "in.jsonl", [of_licence("permissive", "MIT"), of_licence(kind, text)])
    with pytest.raises(UsageError, match=f"lib: {told}, 1 of them.*--leave-excerpts-out"):
        export_bundles(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    counts = export_bundles(tmp_path / "in.jsonl", tmp_path / "out.jsonl", leave_excerpts_out=True)
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert counts == {"bundles": 2, "without_their_excerpts": 1}
    assert [record["M_code"] for record in records] == ["def f(): ...", None]
    assert [(bool(record["E"]), record["M_prose"] is None) for record in records] == [(True, False), (False, True)]
    assert records[0]["S_param"] == records[1]["S_param"] != []


def test_a_file_without_bundles_is_told(tmp_path: Path) -> None:
    write_records(tmp_path / "in.jsonl", [])
    with pytest.raises(UsageError, match=r"there is no knowledge bundle in .*in\.jsonl"):
        export_bundles(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


QUOTED = [
    ("permissive", "MIT", "MIT"),
    ("copyleft", "LGPLv3+", "LGPLv3+; do not pass this page on"),
    ("unknown", "", "unknown; do not pass this page on"),
]


@pytest.mark.parametrize(("kind", "text", "told"), QUOTED)
def test_a_report_says_whose_excerpts_it_shows(kind: str, text: str, told: str) -> None:
    nothing = bundle(exemplars=(), m_prose=None, m_code=None)
    told_of = ("licence of what is quoted of lib", told)
    assert quoted_licence("lib", [nothing, of_licence(kind, text)]) == told_of
    assert quoted_licence("lib", [nothing]) is None

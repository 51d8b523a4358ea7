"""`apigap extract` and `apigap generate` by themselves, and the table of their yields."""

import json
from pathlib import Path

import pytest
from tools.knowledge.yields import Fate, Yields, as_markdown, in_general, sample

from apigap.records.store import write_records
from tests.auditing.conftest import APIGAP, run
from tests.tasks.test_cut import candidate

HTTPX = {"library": "httpx", "old_version": "0.25.2", "new_version": "0.28.1"}


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.network
@pytest.mark.sandbox
def test_both_stages_on_a_file_and_again_without_work(tmp_path: Path) -> None:
    found = tmp_path / "candidates.jsonl"
    shared: dict[str, object] = {**HTTPX, "import_module": "httpx", "defined_in": "httpx._models"}
    status = candidate(api_name="httpx.Response.raise_for_status", kind="method", parameters=(), **shared)  # pyright: ignore[reportArgumentType]
    nothing = candidate(api_name="httpx.Response.no_such_thing", kind="method", parameters=(), **shared)  # pyright: ignore[reportArgumentType]
    write_records(found, [status, nothing])
    bundles, tasks = tmp_path / "bundles.jsonl", tmp_path / "tasks.jsonl"
    extract = [*APIGAP, "extract", "--candidates", str(found), "--out", str(bundles), "--json"]
    done = run(extract)
    assert done.returncode == 0, done.stderr
    (counts,) = json.loads(done.stdout)
    assert (counts["library"], counts["bundles"], counts["with_exemplars"]) == ("httpx", 2, 1)
    log = {row["api_name"]: row for row in rows(tmp_path / "bundles.log.jsonl")}
    assert log["httpx.Response.raise_for_status"]["whole"]
    assert "mentions it" in str(log["httpx.Response.no_such_thing"]["reason"])
    written = {row["api_name"]: row for row in rows(bundles)}
    bundle = written["httpx.Response.raise_for_status"]
    assert bundle["licence"] == {
        "kind": "permissive",
        "text": "BSD License",
        "where": "httpx-0.28.1.dist-info/METADATA",
    }
    assert {"component": "exemplars", "contains": "name", "what": "raise_for_status"} in bundle["leaks"]  # type: ignore[operator]

    generate = [*APIGAP, "generate", "--candidates", str(found), "--knowledge", str(bundles), "--out", str(tasks)]
    done = run([*generate, "--json"])
    assert done.returncode == 0, done.stderr
    assert {row["api_name"] for row in rows(tmp_path / "tasks.log.jsonl")} == {status.api_name, nothing.api_name}
    shown = {e["source"] for e in bundle["exemplars"]}  # type: ignore[attr-defined,union-attr]
    assert not shown & {place for task in rows(tasks) for place in task["provenance"]}  # type: ignore[attr-defined]
    before = {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert run(extract).returncode == run(generate).returncode == 0
    assert {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")} == before


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    done = run([*APIGAP, "extract"])
    assert (done.returncode, "give --candidates FILE with --out FILE" in done.stderr) == (2, True)
    mixed = tmp_path / "mixed.jsonl"
    write_records(mixed, [candidate(), candidate(library="other")])
    done = run([*APIGAP, "extract", "--candidates", str(mixed), "--out", str(tmp_path / "t")])
    assert (done.returncode, "of 2 releases" in done.stderr) == (2, True)


REASONS = [
    ("3 usages run, and none of them calls it", "N usages run, and none of them calls it"),
    ("numpy/f.py:f#3 with a={'b': 1}: no change of its inputs shows", "no change of its inputs shows"),
    ("C1: it also passes with: without rtol", "C1: it also passes with ..."),
    ("none of 7 usages runs by itself (ImportError)", "none of N usages runs by itself (ImportError)"),
]


@pytest.mark.parametrize(("reason", "expected"), REASONS)
def test_reasons_are_counted_without_what_is_special(reason: str, expected: str) -> None:
    assert in_general(reason) == expected


def test_a_sample_is_a_part_of_any_larger_one() -> None:
    all_ = [candidate(api_name=f"lib.f{n}") for n in range(50)] + [candidate(api_name="lib.old", change="moved")]
    small, large = sample(all_, 10), sample(all_, 30)
    assert len(small) == 10
    assert {c.api_name for c in small} < {c.api_name for c in large}
    assert len(sample(all_, 0)) == 50


def test_the_table_counts_shares_of_all_and_of_what_can_be_called() -> None:
    fate = Fate(
        api_name="lib.f", kind="function", change="added", bundle=True, executed=True, usages=1, tasks=1, valid=1
    )
    field = Fate(api_name="lib.C.x", kind="field", change="added", bundle=False, executed=False, usages=0, tasks=0,
                 valid=0, why_no_bundle="it is read")  # fmt: skip
    dropped = fate.model_copy(update={"valid": 0, "why_no_task": "C1: it kills 3 of 8 mutants"})
    text = as_markdown([Yields(library="lib", old="1", new="2", candidates=9, fates=(fate, field, dropped))])
    assert "| lib | 1 | 2 | 9 | 3 | 2 | 67% | 100% | 100% | 67% | 100% | 33% | 50% |" in text
    assert "| C1: it kills ... | 1 | lib 1 |" in text
    assert "it is read" not in text

"""The pages as files: data that comes back as it was, a library that is the published one, tables to take along."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.explorer.dataset import Dataset, read_dataset
from apigap.explorer.payload import Payload, cleaned, short_names
from apigap.explorer.script import as_value, licences, page_script, vendored
from apigap.explorer.site import data_file, write_site
from apigap.records.candidate import Change
from apigap.records.errors import UsageError
from tests.silent import Silent


def content(text: str) -> Any:
    """The content of a data file as the page reads it."""
    found = re.fullmatch(r'apigapData\("([\w-]+)",(".*")\);\n', text)
    assert found
    return json.loads(json.loads(found[2]))


@pytest.fixture(scope="module")
def site(explored: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(explored, tmp_path_factory.mktemp("site"), Silent()).parent


def shard(site: Path, name: str) -> Any:
    return content((site / "data" / f"{name}.js").read_text())


TEXTS = st.text(st.characters(codec=None)) | st.sampled_from(["</script>", "__proto__", "\u2028", "${x}", "\ud800"])


LEAVES = TEXTS | st.integers() | st.none()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=6))
def test_a_data_file_is_one_call_in_plain_ascii_and_comes_back(value: Any) -> None:
    text = data_file("apis-0", value)
    assert text.isascii()
    assert "\n" not in text[:-1]
    assert content(text) == value


@given(TEXTS)
def test_no_text_keeps_what_cannot_be_seen(text: str) -> None:
    (found,) = cleaned({"answers": [[text]]})["answers"][0]
    assert not re.search("[\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e]", found)


def test_rates_come_back(site: Path, explored: Dataset) -> None:
    index = shard(site, "index")
    names, rungs = [one["name"] for one in index["subjects"]], [row[0] for row in index["rungs"]]
    found: set[tuple[Any, ...]] = set()
    for number, (condition, _) in enumerate(index["conditions"]):
        rows = shard(site, f"rates-{number}")
        for subject, rung, library, change, rate, low, high in zip(
            *(rows[key] for key in ("subject", "rung", "library", "change", "rate", "low", "high")), strict=True
        ):
            where = index["libraries"][library][0] if library >= 0 else ""
            kind = index["changes"][change] if change >= 0 else ""
            found.add((names[subject], condition, rungs[rung], where, kind, rate, low, high))
    assert found == {
        (o.subject, o.condition, o.rung, o.library, o.change, round(o.rate, 4), round(o.low, 4), round(o.high, 4))
        for o in explored.rates
    }


def test_every_answer_is_on_the_page_of_its_api(site: Path, explored: Dataset) -> None:
    index, apis = shard(site, "index"), shard(site, "apis")
    starts = [*index["details"], index["apis"]]
    assert len(starts) > 3, "the answers are in several shards"
    told = [one for n in range(len(starts) - 1) for one in shard(site, f"apis-{n}")["apis"]]
    assert [len(shard(site, f"apis-{n}")["apis"]) for n in range(len(starts) - 1)] == [
        after - before for before, after in pairwise(starts)
    ]
    answers = 0
    for name, library, detail in zip(apis["name"], apis["library"], told, strict=True):
        expected = explored.asked[index["libraries"][library][0], name]
        assert [one["id"] for one in detail["asked"]] == [one.task_id for one in expected]
        answers += sum(len(one["answers"]) for one in detail["asked"])
    assert answers == sum(one.answers for one in explored.subjects) == 3 * 140


def test_scores_and_labels_are_in_the_order_of_apis(site: Path, explored: Dataset) -> None:
    index, apis = shard(site, "index"), shard(site, "apis")
    by_task = {
        (one.subject, one.condition, one.library, one.api): one.value for one in explored.scores if one.side == "new"
    }
    for number, (_, condition) in enumerate(index["scores"]):
        rows = shard(site, f"scores-{number}")
        for subject, values in zip(index["subjects"], rows["value"], strict=True):
            for name, library, value in zip(apis["name"], apis["library"], values, strict=True):
                key = (subject["name"], index["conditions"][condition][0], index["libraries"][library][0], name)
                assert value == (round(1000 * by_task[key]) if key in by_task else -1)
        assert all(
            label == -1 or value < 1000
            for own, labels in zip(rows["value"], rows["label"], strict=True)
            for value, label in zip(own, labels, strict=True)
        )


def test_the_same_runs_give_the_same_bytes(site: Path, explored: Dataset, tmp_path: Path) -> None:
    write_site(explored, tmp_path / "again", Silent())
    names = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.suffix != ".parquet")
    assert [name for name in names if (site / name).read_bytes() != (tmp_path / "again" / name).read_bytes()] == []


def test_pages_replace_earlier_ones_and_nothing_else(explored: Dataset, tmp_path: Path) -> None:
    write_site(explored, tmp_path, Silent())
    (tmp_path / "data" / "apis-99.js").write_text("old")
    write_site(explored, tmp_path, Silent())
    assert not (tmp_path / "data" / "apis-99.js").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("years of work")
    for place, told in (("other", "holds other files"), ("other/thesis.txt", "is a file; give with --out a folder")):
        with pytest.raises(UsageError, match=told):
            write_site(explored, tmp_path / place, Silent())


def test_tables_are_there_in_three_forms(site: Path, explored: Dataset) -> None:
    folder = site / "downloads"
    assert {path.name for path in folder.iterdir()} == {
        f"{name}.{kind}" for name in ("rates", "scores", "comparisons", "needs") for kind in ("csv", "json", "parquet")
    }
    rows = polars.read_parquet(folder / "scores.parquet")
    assert len(rows) == len(explored.scores) == len(json.loads((folder / "scores.json").read_text()))
    assert polars.read_csv(folder / "scores.csv").equals(rows)
    assert {name for name, _, _ in shard(site, "index")["downloads"]} == {path.name for path in folder.iterdir()}


def test_the_library_is_the_published_one_and_its_licences_go_along(site: Path) -> None:
    script = page_script()
    assert (site / "explorer.js").read_text() == script
    assert {(one.package, one.licence) for one in vendored()} == {("preact", "MIT"), ("htm", "Apache-2.0")}
    assert not re.search(r"^\s*(?:import|export)\b", script, re.MULTILINE), "a file may load no modules"
    assert "https://" not in re.sub(r'"http://www\.w3\.org/[^"]*"', "", script)
    assert all(words in licences() for words in ("The MIT License", "Apache License"))


def test_a_changed_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from apigap.explorer import script

    one = vendored()[0]
    monkeypatch.setattr(script, "vendored", lambda: (one.model_copy(update={"sha256": "0" * 64}),))
    with pytest.raises(Exception, match=r"preact\.mjs is not that of preact 11\.2\.0"):
        page_script()


@pytest.mark.parametrize(
    ("module", "value"),
    [
        ("var a=1;export{a as one,b};\n//# sourceMappingURL=a.map", "(() => {var a=1;return {one:a,b:b};})()"),
        ('import{options as n}from"preact";f(n);export{f};', "(() => {const {options:n}=preact;f(n);return {f:f};})()"),
        ("var n=1;export default function(s){return n}", "(() => {var n=1;return function(s){return n}})()"),
    ],
)
def test_a_module_as_a_value(module: str, value: str) -> None:
    assert as_value(module) == value


def test_a_formula_in_a_name_is_text_in_a_spreadsheet(tmp_path: Path) -> None:
    from apigap.analysis.write import write_table
    from apigap.explorer.downloads import NeedRow

    rows = [NeedRow("lib", "=cmd()", "added", "", "m", "open", "")]
    write_table(tmp_path, "needs", rows)
    assert polars.read_csv(tmp_path / "needs.csv")["api"].to_list() == ["'=cmd()"]
    assert polars.read_parquet(tmp_path / "needs.parquet")["api"].to_list() == ["=cmd()"]


def test_the_payload_names_what_the_first_views_need(explored: Dataset) -> None:
    names = [name for name, _ in Payload(explored).shards()]
    assert names[:5] == ["index", "apis", "rates-0", "rates-1", "rates-2"]


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["gguf/a", "openai/b"], ["a", "b"]),
        (["gguf/a", "hf/a", "b"], ["gguf/a", "hf/a", "b"]),
        (["x/one/model.gguf", "x/two/model.gguf", "y/c"], ["one/model.gguf", "two/model.gguf", "c"]),
        (["gguf/a"], ["a"]),
        (["a", "b/a"], ["a", "b/a"]),
        (["gguf/a (x)", "gguf/a (y)"], ["a (x)", "a (y)"]),
        (["gguf/a (x-a)", "gguf/a (y-a)", "b"], ["a (x)", "a (y)", "b"]),
        (["gguf/a (x-a)", "gguf/a (x)"], ["a (x-a)", "a (x)"]),
    ],
)
def test_short_names_tell_models_apart(names: list[str], short: list[str]) -> None:
    assert short_names(names) == short


@given(st.lists(st.text("ab/", min_size=1), min_size=1, unique=True))
def test_short_names_differ(names: list[str]) -> None:
    assert len(set(short_names(names))) == len(names)


def test_what_changed_is_told_on_the_page_of_an_api(ladder: Path) -> None:
    found = read_dataset([ladder], draws=50, progress=Silent())
    changes = (
        Change(what="parameter added", parameter="rows", new="rows=None"),
        Change(what="parameter removed", parameter="cells", old="cells"),
        Change(what="default changed", parameter="edges", old="0", new="1"),
        Change(what="became keyword-only", parameter="margins"),
    )
    first = found.apis[0]
    assert first.candidate
    candidate = first.candidate.model_copy(update={"changes": changes, "old_signature": "(cells)"})
    changed = replace(found, apis=[replace(first, candidate=candidate), *found.apis[1:]])
    told = dict(Payload(changed).shards())["apis-0"]["apis"][0]["facts"]
    assert told["changes"] == [
        "parameter added: rows=None",
        "parameter removed: cells",
        "default changed: edges, 0 → 1",
        "became keyword-only: margins",
    ]
    assert (told["before"], told["versions"]) == ("(cells)", "1 → 2")

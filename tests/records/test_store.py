"""The JSONL store: nothing finished is lost, nothing broken is read."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.base import Record, canonical_json
from apigap.records.errors import ApigapWarning, CorruptRecord, InfrastructureError, UsageError
from apigap.records.store import Journal, load_records, read_records, write_records, write_text


class Line(Record):
    name: str
    value: int = 0


def test_a_journal_goes_on_where_it_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lines.jsonl"
    with Journal(path, Line) as journal:
        journal.append(Line(name="b"))
    with Journal(path, Line) as journal:
        assert [line.name for line in journal.done] == ["b"]
        journal.append(Line(name="a"))
        journal.finish(lambda line: line.name)
    assert [line.name for line in load_records(path, Line)] == ["a", "b"]


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")) | st.just("\ud800x\udc00"))
def test_any_text_comes_back_as_it_was_written(text: str) -> None:
    line = Line(name=text)
    assert Line.from_line(line.to_line()) == line


def test_what_is_to_be_made_again_is_taken_out_on_opening(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    write_records(path, [Line(name="a"), Line(name="b", value=1)])
    with Journal(path, Line, again=lambda line: line.value == 1) as journal:
        assert [line.name for line in journal.done] == ["a"]
    assert [line.name for line in load_records(path, Line)] == ["a"]


@pytest.mark.parametrize("tail", [b"{", b'{"name":"half'])
def test_a_half_written_last_line_is_dropped_with_a_warning(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"name":"a","value":1}\n' + tail)
    with pytest.warns(ApigapWarning, match="half-written"), Journal(path, Line) as journal:
        journal.append(Line(name="b"))
    assert [line.name for line in load_records(path, Line)] == ["a", "b"]


def test_lines_without_the_wanted_bytes_are_passed_over_unread(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"name":"a"}\nno record\n\n{"name":"wanted"}')
    assert [line.name for line in read_records(path, Line, holding=b"wanted")] == ["wanted"]


def test_a_last_line_that_only_lacks_its_line_break_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"name":"a"}\n{"name":"b"}')
    assert [line.name for line in load_records(path, Line)] == ["a", "b"]
    with Journal(path, Line) as journal:
        journal.append(Line(name="c"))
    assert [line.name for line in load_records(path, Line)] == ["a", "b", "c"]


@pytest.mark.parametrize("bad", ["{", "null", '{"name": 1}', '{"name": "x", "unknown": 1}', "\x00"])
def test_a_corrupt_line_in_the_middle_names_file_and_line(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(f'{{"name":"a"}}\n{bad}\n{{"name":"b"}}\n')
    before = path.read_bytes()
    with pytest.raises(CorruptRecord, match=r"lines\.jsonl:2 is not a Line"):
        Journal(path, Line)
    assert path.read_bytes() == before


def test_a_kill_between_two_appends_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    program = f"""
import os, signal
from pathlib import Path
from tests.records.test_store import Line
from apigap.records.store import Journal
journal = Journal(Path({str(path)!r}), Line)
for number in range(100):
    journal.append(Line(name=str(number), value=number))
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, check=False)
    assert done.returncode == -9
    assert [line.value for line in load_records(path, Line)] == list(range(100))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_message_that_says_what_to_do(tmp_path: Path) -> None:
    link = tmp_path / "full.jsonl"
    with Journal(link, Line) as journal:
        journal.append(Line(name="kept"))
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, journal._file.fileno())
        with pytest.raises((InfrastructureError, OSError), match=r"no space left|Invalid argument"):
            journal.append(Line(name="lost"))
    assert [line.name for line in load_records(link, Line)] == ["kept"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"nowhere\.jsonl does not exist"):
        load_records(tmp_path / "nowhere.jsonl", Line)


@given(st.lists(st.tuples(st.text(), st.integers())))
def test_any_text_survives_the_disk(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int]]) -> None:
    path = tmp_path_factory.mktemp("lines") / "lines.jsonl"
    records = [Line(name=name.encode("utf-8", "replace").decode(), value=value) for name, value in rows]
    write_records(path, records)
    assert load_records(path, Line) == records
    assert path.read_bytes().count(b"\n") == len(records)


@given(st.dictionaries(st.text(), st.integers()))
def test_the_same_value_gives_the_same_bytes(value: dict[str, int]) -> None:
    assert canonical_json(value) == canonical_json(dict(reversed(value.items())))
    assert json.loads(canonical_json(value)) == value


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    with Journal(path, Line) as journal:
        journal.append(Line(name="a"))
        with pytest.raises(UsageError, match=r"lines\.jsonl is being written by another run"):
            Journal(path, Line)
        journal.finish(lambda line: line.name)
    with Journal(path, Line, again=lambda line: line.name == "a") as journal:  # rewrites the file at first
        with pytest.raises(UsageError, match="another run"):
            Journal(path, Line)
        journal.append(Line(name="b"))
    assert [line.name for line in load_records(path, Line)] == ["b"]


def test_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    """Several at a time keep an index page or a verdict: each is written whole, and none fails."""
    path = tmp_path / "page.json"
    texts = [str(number) * 200_000 for number in range(8)]

    def write(text: str) -> set[str]:
        seen: set[str] = set()
        for _ in range(25):
            write_text(path, text, sync=False)
            seen.add(path.read_text())
        return seen

    with ThreadPoolExecutor(len(texts)) as pool:
        seen = set[str]().union(*pool.map(write, texts))
    assert seen <= set(texts)
    assert [one.name for one in tmp_path.iterdir()] == ["page.json"]

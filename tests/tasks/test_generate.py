"""Stage 3 as a whole: which APIs are put to the writer, and what its log keeps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apigap.knowledge.usages.verify import ApiUsages
from apigap.records.candidate import Candidate
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.tasks.generate import ApiTasks, generate
from apigap.tasks.synthesise import ApiResult
from tests.tasks.test_cut import candidate
from tests.tasks.test_worth import task


@dataclass
class _Writer:
    """A writer that makes nothing and remembers what it was asked."""

    asked: list[str] = field(default_factory=list[str])

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiResult]:
        self.asked.extend(one.api_name for one, _ in batch)
        return [ApiResult(one.api_name, (), ("no usage",)) for one, _ in batch]


def test_usages_of_other_apis_than_the_candidates_are_left_alone(tmp_path: Path) -> None:
    usages = [ApiUsages(api_name=candidate(name).api_name, usages=(), tried=0) for name in ("first", "second", "third")]
    writer, log = _Writer(), tmp_path / "log.jsonl"
    generate([candidate("second")], usages, writer, tmp_path / "tasks.jsonl", log)
    assert writer.asked == [candidate("second").api_name]
    assert [one.api_name for one in load_records(log, ApiTasks)] == [candidate("second").api_name]
    generate([candidate("second")], usages, writer, tmp_path / "tasks.jsonl", log)  # goes on: nothing is left
    assert writer.asked == [candidate("second").api_name]


class _Sibling(_Writer):
    """A writer of tasks that are alike but for the API."""

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiResult]:
        return [
            ApiResult(one.api_name, (task(one.api_name, "x = [3, 1]", f"y = {one.leaf}(x)"),), ()) for one, _ in batch
        ]


def test_of_near_copies_over_apis_one_is_kept_and_the_log_says_so(tmp_path: Path) -> None:
    names = ("second", "first")
    usages = [ApiUsages(api_name=candidate(name).api_name, usages=(), tried=0) for name in names]
    tasks, log = tmp_path / "tasks.jsonl", tmp_path / "log.jsonl"
    for _ in range(2):  # goes on: the same once more
        generate([candidate(name) for name in names], usages, _Sibling(), tasks, log)
        assert [one.api_name for one in load_records(tasks, Task)] == ["lib.first"]
        assert [one.dropped for one in load_records(log, ApiTasks)] == [
            (),
            (": it is a near-copy of a task of lib.first",),
        ]

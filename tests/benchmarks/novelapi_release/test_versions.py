"""Which version a release's tasks run with."""

from pathlib import Path

import pytest

from apigap.benchmarks.novelapi_release.versions import Pin, pins_for
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.release import ReleaseTask
from tests.benchmarks.novelapi_release.release_tasks import HEADERS, SORT

PACKAGING, HTTPX = ReleaseTask.model_validate(SORT), ReleaseTask.model_validate(HEADERS)
NAMED = PACKAGING.model_copy(update={"version": "24.1"})
PINNED = {"packaging": Pin("packaging", "24.1"), "httpx": Pin("httpx", "0.28.1")}


def test_versions_are_given_one_by_one_or_together() -> None:
    for given in (
        ["packaging==24.1", "httpx==0.28.1"],
        ["packaging==24.1 httpx==0.28.1"],
        ["packaging==24.1,httpx==0.28.1"],
    ):
        assert pins_for([PACKAGING, HTTPX], given) == PINNED
    assert pins_for([PACKAGING], ["packaging==24.1", "numpy==2.0"]) == {"packaging": Pin("packaging", "24.1")}


def test_a_column_of_the_tasks_says_it_too_and_what_is_given_goes_first() -> None:
    assert pins_for([NAMED], []) == {"packaging": Pin("packaging", "24.1")}
    assert pins_for([NAMED], ["packaging==23.0"]) == {"packaging": Pin("packaging", "23.0")}


def test_the_releases_own_configuration_is_read(tmp_path: Path) -> None:
    (tmp_path / "packaging.yaml").write_text("# pins\npackage: packaging\nold_version: 23.0\nnew_version: '24.1'\n")
    (tmp_path / "httpx.yaml").write_text("package: httpx\nnew_version: 0.28.1\n")
    assert pins_for([PACKAGING, HTTPX], [str(tmp_path)]) == PINNED
    assert pins_for([HTTPX], [str(tmp_path / "httpx.yaml")]) == {"httpx": PINNED["httpx"]}


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    other = NAMED.model_copy(update={"version": "23.0"})
    for tasks, given, words in (
        ([PACKAGING], [], r"no version of packaging is given.*--versions packaging==VERSION"),
        ([PACKAGING, NAMED], [], "1 of its tasks do not name one"),
        ([HTTPX], ["packaging==24.1"], "no version of httpx"),
        ([NAMED, other], [], r"name 2 versions of packaging \(23\.0, 24\.1\)"),
        ([PACKAGING], ["packaging"], "neither library==version nor"),
        ([PACKAGING], ["packaging>=24"], "neither library==version nor"),
        ([PACKAGING], ["/no/such/folder"], "neither library==version nor"),
        ([PACKAGING], ["packaging==24.1", "packaging==23.0"], r"names packaging 24\.1 and 23\.0"),
    ):
        with pytest.raises(UsageError, match=words):
            pins_for(tasks, given)
    for text in ("package: x\n", "- a\n", "a: [\n"):
        (tmp_path / "broken.yaml").write_text(text)
        with pytest.raises(CorruptRecord, match=r"broken\.yaml does not pin"):
            pins_for([PACKAGING], [str(tmp_path)])

"""`apigap advise` on a real release, and its advice put to the test with a scripted model."""

import json
from pathlib import Path

import pytest

from apigap.advice.run import AdviceRequest, run_advice
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.progress import Unseen
from apigap.records.store import write_records
from tests.auditing.conftest import APIGAP, run
from tests.closing.scripted import Scripted
from tests.closing.test_close import BUNDLES, TASKS

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
SEND = "more_itertools.serialize.send"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment whose model fails without help."""
    root = tmp_path_factory.mktemp("advice") / "data"
    asked = ["run", "--experiment", "x", "--tasks", "starter/more-itertools", "--cells", "baseline", "--mock-llm"]
    knowledge = root.parent / "bundles.jsonl"
    write_records(knowledge, BUNDLES)
    done = run([*APIGAP, *asked, "--steps", "run,eval", "--knowledge", str(knowledge), "--data", str(root)])
    assert done.returncode == 0, done.stderr
    return root


@pytest.mark.slow
def test_a_model_is_asked_again_with_the_changed_docstring(data: Path) -> None:
    model = Scripted(TASKS, {SEND: ["Example:"]}, heading="{}(")
    request = AdviceRequest(None, None, None, "x", (), (SEND,), None, data)
    found = run_advice(request, load_settings(), Unseen(), model.make)
    api = next(one for one in found.report.apis if one.api_name == SEND)
    assert api.proof is not None
    assert (str(api.proof.without), str(api.proof.before), str(api.proof.after)) == ("0 of 2", "0 of 2", "2 of 2")
    assert {one.kind for one in api.advices} >= {"no example", "no since"}
    assert "0 of 2 tasks pass with the docstrings as they are and 2 with the changed ones" in found.page.read_text()
    with pytest.raises(UsageError, match=r"did you mean more_itertools\.serialize\.send"):
        wrong = AdviceRequest(None, None, None, "x", (), (SEND[:-1],), None, data)
        run_advice(wrong, load_settings(), Unseen(), model.make)


def test_a_release_is_advised_on_by_its_text_alone(tmp_path: Path) -> None:
    where = ["--old", "11.0.2", "--new", "11.2.1", "--data", str(tmp_path)]
    done = run([*APIGAP, "advise", "more-itertools", *where, "--json"])
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    texts = {api["api_name"]: [one["text"] for one in api["advices"]] for api in told["apis"]}
    assert any("from more_itertools import serialize" in text for text in texts[SEND])
    assert Path(told["report"]).exists()
    both = run([*APIGAP, "advise", "more-itertools", "--experiment", "x"])
    assert (both.returncode, "name a LIBRARY, or an experiment" in both.stderr) == (2, True)

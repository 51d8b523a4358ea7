"""What has been made and taken can be seen at any time: here of a run whose answers come through a folder."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from apigap.apibank_generator.recording import recorded_run
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.models.batch.folder import BatchFolder
from apigap.models.transcripts import Call
from apigap.records.errors import AnswersAwaited, UsageError
from apigap.records.store import load_records

ORDER = ["--count", "104", "--per-domain", "18", "--per-api", "12", "--embedder", "lexical"]


def apibank(*words: str) -> Any:
    return CliRunner().invoke(application(VERBS), ["apibank", *words])


def shares(told: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {agent: (share["made"], share["taken"]) for agent, share in told["acceptance"].items()}


def test_a_run_tells_how_far_it_is_while_answers_are_awaited(tmp_path: Path) -> None:
    out, model = str(tmp_path / "run"), f"batch/{tmp_path}/queue"
    with recorded_run() as path:
        said = {call.messages[-1].content: call.answer for call in load_records(path, Call)}

    def answered(most: int | None = None) -> None:
        folder = BatchFolder(model)
        lines = [
            {"id": line["custom_id"], "answer": said[line["body"]["messages"][-1]["content"]]}
            for line in folder.open_requests()[:most]
        ]
        (folder.path / f"answers-{len(list(folder.path.iterdir()))}.jsonl").write_text(
            "\n".join(map(json.dumps, lines))
        )

    def told(*options: str) -> Any:
        done = apibank("generate", "-m", model, "--out", out, *ORDER, *options)
        assert isinstance(done.exception, AnswersAwaited), done.exception
        return done

    assert json.loads(told("--json").stdout)["waiting"] == {"domains": 1}
    answered()
    assert json.loads(told("--json").stdout)["waiting"] == {"apis": 7}
    answered()
    assert json.loads(told("--json").stdout)["waiting"] == {"query": 16}
    answered()
    assert json.loads(told("--json").stdout)["waiting"] == {"dialogue": 16}
    answered(10)
    state = json.loads(told("--json").stdout)
    assert state["waiting"] == {"dialogue": 6}
    assert shares(state) == {
        "domains": (7, 7),
        "apis": (21, 21),
        "query": (16, 16),
        "dialogue": (0, 0),
        "tester": (0, 0),
    }
    answered()
    told()
    answered()
    shown = told()
    assert "tester: 15/15" in shown.stderr
    assert "not_served" not in shown.stdout and "reply_currency 1" in shown.stdout
    looked = json.loads(apibank("progress", "--data", out, "--json").stdout)
    assert (looked["dialogues"], looked["ordered"], looked["finished"]) == (15, 104, False)
    assert shares(looked)["tester"] == (15, 15) and looked["waiting"] == {"query": 16}
    assert "15 of 104 dialogues" in shown.stdout


def test_a_folder_without_a_run_has_no_progress(tmp_path: Path) -> None:
    refusal = apibank("progress", "--data", str(tmp_path)).exception
    assert isinstance(refusal, UsageError) and "holds no run that has begun" in str(refusal)


def test_a_finished_run_has_its_progress_too(run: Any) -> None:
    told = json.loads(apibank("progress", "--data", str(run[0].path), "--json").stdout)
    assert (told["dialogues"], told["waiting"], told["finished"]) == (60, {}, True)
    assert told["acceptance"] == run[1]["acceptance"]
    assert "60 of 60 dialogues" in apibank("progress", "--data", str(run[0].path)).stdout

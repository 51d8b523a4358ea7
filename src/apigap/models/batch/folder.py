"""A model behind a folder, as `batch/FOLDER`: requests are written there, and answers are read from there.

The folder's own name is the model's in the requests. Whoever answers them (a batch queue, a tool, a person) puts the
answers into the folder, and the same command goes on.
"""

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from apigap.models.batch.formats import BatchAnswer, BatchRequest, batch_request, for_anthropic, for_openai
from apigap.models.batch.formats import read_answer_line as read_line
from apigap.models.model_facts import BATCH
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.errors import AnswersAwaited, ApigapWarning, CorruptRecord, UsageError
from apigap.records.store import read_text, write_text

_REQUESTS = "requests-"
_NAMED = 3


class BatchFolder:
    """The folder of one model; `model` is its whole name, with `batch/` before it.

    Raises:
        UsageError: when no folder is named.
    """

    def __init__(self, model: str) -> None:
        name = model.removeprefix(BATCH)
        self.path = Path(name)
        if not name.strip("/."):
            raise UsageError("batch/FOLDER wants a folder, whose own name is the model's, as batch/queue/gpt-4o")
        if self.path.is_file():
            raise UsageError(f"{self.path} is a file; batch/FOLDER wants a folder for requests and answers")
        self.model = self.path.name

    def generate(
        self,
        requests: Iterable[GenerationRequest],
        decoding: Decoding,
        on_answer: Any,
        form: type[BaseModel] | None = None,
    ) -> None:
        """Hand over what the folder has answers to, and write requests for the rest.

        Raises:
            AnswersAwaited: when any answer is missing; the message says which file to answer.
            CorruptRecord: when a line is no answer.
        """
        answers = self.answers()
        missing: dict[str, BatchRequest] = {}
        for request in requests:
            for sample in range(request.samples):
                wanted = batch_request(request, sample, decoding, form)
                found = answers.get(wanted.id)
                if found is None or found.error:
                    missing[wanted.id] = wanted
                else:
                    on_answer(request.key, sample, _answer(found, wanted))
        if missing:
            raise AnswersAwaited(self._sentence(self._write(missing), missing, answers))

    def answers(self) -> Mapping[str, BatchAnswer]:
        """The answers in the folder by their ids: an answer goes before an error, the first of several before others.

        Answers to what was never asked are noted, and so are those that differ from an earlier one.
        """
        found: dict[str, BatchAnswer] = {}
        differing: list[str] = []
        for answer in self._lines():
            earlier = found.get(answer.id)
            if earlier is None or (earlier.error and not answer.error):
                found[answer.id] = answer
            elif not answer.error and not earlier.error and earlier.text != answer.text:
                differing.append(answer.id)
        _note(differing, f"answers in {self.path} came twice with another text; the first one counts")
        asked = {name for path in self._rounds() for name in _ids(path)}
        _note([name for name in found if name not in asked], f"answers in {self.path} are to no request of it")
        return found

    def open_requests(self) -> list[dict[str, Any]]:
        """The requests of the folder without an answer, as lines of OpenAI's format."""
        answers = self.answers()
        return [line for line in self.requests() if (found := answers.get(line["custom_id"])) is None or found.error]

    def requests(self) -> list[dict[str, Any]]:
        """All requests of the folder, each once, as lines of OpenAI's format."""
        return list({line["custom_id"]: line for path in self._rounds() for line in _read(path)}.values())

    def _lines(self) -> Iterator[BatchAnswer]:
        for path in sorted(self.path.glob("*.jsonl")):
            if path.name.startswith(_REQUESTS):
                continue
            for number, text in enumerate(read_text(path).splitlines(), 1):
                if text.strip():
                    try:
                        yield read_line(json.loads(text))
                    except (ValueError, AttributeError, TypeError) as error:
                        raise CorruptRecord(
                            f"{path}, line {number} is no answer ({error}); it wants a line of a batch's output, or "
                            '{"id": ..., "answer": ...}'
                        ) from error

    def _rounds(self) -> list[Path]:
        return sorted(self.path.glob(f"{_REQUESTS}*.jsonl"))

    def _write(self, missing: Mapping[str, BatchRequest]) -> Path:
        """The file with just these requests, in both formats; one that is there already is taken."""
        rounds = self._rounds()
        for path in rounds:
            if set(_ids(path)) == set(missing):
                return path
        path = self.path / f"{_REQUESTS}{len(rounds) + 1:03}.jsonl"
        self.path.mkdir(parents=True, exist_ok=True)
        theirs = {"requests": [for_anthropic(request, self.model) for request in missing.values()]}
        write_text(path.with_suffix(".anthropic.json"), json.dumps(theirs, ensure_ascii=False) + "\n")
        lines = (json.dumps(for_openai(r, self.model), ensure_ascii=False) + "\n" for r in missing.values())
        write_text(path, "".join(lines))
        return path

    def _sentence(self, path: Path, missing: Mapping[str, BatchRequest], answers: Mapping[str, BatchAnswer]) -> str:
        errors = [found.error for name in missing if (found := answers.get(name)) and found.error]
        failed = f" ({len(errors)} ended with an error, as: {errors[0]})" if errors else ""
        return (
            f"{len(missing)} requests{failed} wait in {path} (OpenAI's Batch format; Anthropic's beside it): put the "
            f"answers into {self.path} as any .jsonl, and run the same command again"
        )


def _answer(found: BatchAnswer, wanted: BatchRequest) -> Answer:
    return found.as_answer(wanted.begin)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_text(path).splitlines() if line]


def _ids(path: Path) -> list[str]:
    return [line["custom_id"] for line in _read(path)]


def _note(names: list[str], what: str) -> None:
    if names:
        shown = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
        warnings.warn(f"{len(names)} {what}: {shown}", ApigapWarning, stacklevel=2)

"""Questions of the ladder on paper, for a solver who reads a whole file at once, and its answers as predictions.

    .venv/bin/python -m tools.ladder.blind write --items FOLDER --out FOLDER --pairs 8 [--condition e]
    .venv/bin/python -m tools.ladder.blind read --out FOLDER --answers FOLDER --predictions FILE

The first writes `PART.md` files, and `keys.jsonl`, which no solver sees. A solver gets one part and writes `PART.jsonl`
of {"id": 1, "answer": "..."}. What gives another question away is in another part: a name and the invented one beside
it, the options of a signature and the signature in words, what code gives and the code to write.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.models.request import GenerationRequest
from apigap.records.base import Record, content_hash
from apigap.records.configuration import load_settings
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records, write_text

HEAD = """# Questions

Answer each question by itself, from memory, without running or looking up anything. Write one line per question to
`{part}.jsonl`: {{"id": 1, "answer": "..."}}. A choice is answered by its letter, existence by Yes or No, a signature by
its `def` line, a value by a literal, code by the code alone. Where you do not know, give your best guess.
"""


class Key(Record):
    """The items that one printed question stands for; `prompt` is the hash of its whole text."""

    id: int
    part: str
    prompt: str
    task_ids: tuple[str, ...]


def part_of(item: LadderItem) -> str:
    """The file of a question."""
    if item.rung == "exists":
        swapped = int(content_hash([item.library, item.pair, item.group]), 16) % 2
        return f"exists-{1 + (int(item.is_invented) + swapped) % 2}"
    if item.form == "choice" and item.rung == "signature":
        return "choice-twins" if item.is_twin else "choice"
    return item.form if item.form in ("parameters", "value") else item.rung


def chosen(items: Sequence[LadderItem], pairs: int) -> list[LadderItem]:
    """The items of the first `pairs` of each library that have a control, options in their first order."""
    kept: list[LadderItem] = []
    whole = {(item.library, item.pair) for item in items if item.group == "control"}
    count: dict[str, list[str]] = defaultdict(list)
    for item in items:
        names = count[item.library]
        if (item.library, item.pair) in whole and item.pair not in names and len(names) < pairs:
            names.append(item.pair)
        if item.pair in names and item.order == 1:
            kept.append(item)
    return kept


def write(items: Sequence[LadderItem], benchmark: Items, out: Path) -> list[Key]:
    """Write the parts and the keys."""
    printed: dict[str, dict[str, list[LadderItem]]] = defaultdict(lambda: defaultdict(list))
    requests: dict[str, GenerationRequest] = {}
    for item in items:
        request = benchmark.prompt(item)
        assert isinstance(request, GenerationRequest)
        text = "\n".join(message.content for message in request.messages())
        requests[text] = request
        printed[part_of(item)][text].append(item)
    keys: list[Key] = []
    for part, questions in sorted(printed.items()):
        lines = [HEAD.format(part=part)]
        begun = ""
        for text in sorted(questions, key=lambda text: (requests[text].shared_part, content_hash(text))):
            shared = requests[text].shared_part if part.startswith("exists") else ""
            if shared != begun:
                lines.append(f"---\n\n{shared.strip()}\n")
                begun = shared
            ids = tuple(item.task_id for item in questions[text])
            keys.append(Key(id=len(keys) + 1, part=part, prompt=content_hash(text), task_ids=ids))
            lines.append(f"## {len(keys)}\n\n{text[len(shared) :].strip()}\n")
        write_text(out / f"{part}.md", "\n".join(lines))
    write_records(out / "keys.jsonl", keys)
    return keys


def read(keys: Iterable[Key], answers: Path) -> list[Prediction]:
    """The answers as predictions; a question without one has none."""
    known = {key.id: key for key in keys}
    found: list[Prediction] = []
    for path in sorted(answers.glob("*.jsonl")):
        for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
            said = json.loads(line)
            key = known.pop(said["id"])
            if key.part != path.stem:
                raise ValueError(f"{path} answers question {key.id}, which is of {key.part}")
            found += [
                Prediction.model_validate({"task_id": one, "samples": (said["answer"],), "prompt": key.prompt})
                for one in key.task_ids
            ]
    return found


def main() -> None:
    """Print questions, or read answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("write", "read"))
    parser.add_argument("--items", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--condition", default="baseline")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--predictions", type=Path)
    given = parser.parse_args()
    if given.step == "write":
        paths = tuple(path for path in sorted(given.items.glob("*.jsonl")) if "." not in path.stem)
        knowledge = () if given.condition == "baseline" else tuple(sorted(given.items.glob("*.knowledge.jsonl")))
        options = ItemsOptions.of(items=paths, way="letters", condition=given.condition, knowledge=knowledge)
        benchmark = Items(options, load_settings())
        keys = write(benchmark.select(chosen(benchmark.load(), given.pairs), 0), benchmark, given.out)
        print(f"{len(keys)} questions, {sum(len(key.task_ids) for key in keys)} items")
        return
    write_records(given.predictions, read(load_records(given.out / "keys.jsonl", Key), given.answers))


if __name__ == "__main__":
    main()

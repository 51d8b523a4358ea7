"""What the limits on knowledge change for a strong solver: tables from kept verdicts, in studies/limits.

    apigap starter bundles --library networkx --library starlette --library click --out LIMITS \
        --set knowledge=LIMITS                                   # LIMITS: ours (without --set) and published
    apigap run --experiment SOLVER-WHAT-LIMITS --tasks WHAT.jsonl --knowledge LIMITS/networkx.jsonl \
        --knowledge LIMITS/starlette.jsonl --knowledge LIMITS/click.jsonl --cells oracle.CONDITION \
        -m batch/SOLVER-WHAT-LIMITS --data data --steps run,eval    # again, once answers are imported
    .venv/bin/python -m tools.models.limits --take FOLDER        # keep the verdicts of FOLDER/data/results/*-*-*
    .venv/bin/python -m tools.models.limits                      # print the tables of docs/reproducibility.md

WHAT.jsonl has the tasks whose prompt under CONDITION differs between the limits. FOLDER has ours and published too.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Literal

from apigap.knowledge.conditions import render
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN
from apigap.records.base import Record, content_hash
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Outcome, Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.reporting.markdown import markdown_table
from apigap.statistics import clustered_wilson, paired_difference
from tools.starter.solved import read

KEPT = Path(__file__).resolve().parents[2] / "studies" / "limits" / "verdicts.jsonl"
OURS, PUBLISHED = "ours", "published"
_EDITION = "2026.11"
_UNAIDED = ("blind solver 1", "baseline")
_TEXTS = (
    "condition",
    "limits",
    "prompts",
    "their hash",
    "tokens",
    "exemplars",
    "prose",
    "source",
    "source cut",
    "changed",
)
_PASSED = (
    "solver",
    "condition",
    "tasks",
    "passed, ours",
    "passed, published",
    "published − ours, points",
    "detectable",
)


class LimitVerdict(Record):
    """The verdict on one answer, and what its prompt was like.

    `characters` are those of the prompt; `exemplars` (a number), `prose` and `source` (characters) what its API's
    bundle holds; `source_cut` says that the limits left out some of the source. `changed` counts the API's parameters
    that its release changed, `changed_shown` those whose name the prompt's knowledge has. `unaided` is the kept verdict
    on the answer of blind solver 1 to the task without knowledge, null where there is none.
    """

    solver: str
    condition: str
    limits: Literal["ours", "published"]
    task_id: str
    api: str
    outcome: Outcome
    evaluator: str
    prompt_hash: str
    characters: int
    exemplars: int
    prose: int
    source: int
    source_cut: bool
    changed: int
    changed_shown: int
    unaided: Outcome | None


KINDS: dict[str, Callable[[LimitVerdict, LimitVerdict], bool]] = {
    "all": lambda ours, published: True,
    "source cut by ours alone": lambda ours, published: ours.source_cut and not published.source_cut,
    "failed by blind solver 1 without knowledge": lambda ours, published: ours.unaided == "fail",
}
"""The kinds of tasks that are told of, by the verdicts under both limits."""


def taken(folder: Path) -> Iterator[LimitVerdict]:
    """The verdicts of the experiments SOLVER-WHAT-LIMITS in `folder`, a row per task."""
    unaided = {one.task_id: one.outcome for _, one in read(_EDITION) if (one.solver, one.condition) == _UNAIDED}
    for path in sorted(folder.glob("data/results/*-*-*/oracle.*/results.jsonl")):
        solver, _, limits = path.parents[1].name.split("-")
        condition = path.parent.name.removeprefix("oracle.")
        files = sorted((folder / limits).glob("*.jsonl"))
        bundles = {bundle.api_name: bundle for file in files for bundle in load_records(file, KnowledgeBundle)}
        asked = {one.task_id: one for one in load_records(path.with_name("predictions.jsonl"), Prediction)}
        for one in load_records(path, Result):
            known = {
                "solver": solver, "condition": condition, "limits": limits, "unaided": unaided.get(one.task_id),
                **one.model_dump(include={"task_id", "outcome", "evaluator"}), "api": one.about,
            }  # fmt: skip
            told = asked[one.task_id].model_extra or {}
            known |= {"prompt_hash": told["prompt_hash"], "characters": len(told["prompt"])}
            yield LimitVerdict.model_validate(known | _shown(bundles[one.about], condition))


def _shown(bundle: KnowledgeBundle, condition: str) -> dict[str, int]:
    """The sizes of what a bundle holds, and how many of the changed parameters a prompt tells of."""
    words = set(re.findall(r"\w+", render(bundle, condition) or ""))
    changed = {change.parameter for change in bundle.changes}
    return {
        "exemplars": len(bundle.exemplars),
        "prose": len(bundle.m_prose.text) if bundle.m_prose else 0,
        "source": len(bundle.m_code.text) if bundle.m_code else 0,
        "source_cut": bool(bundle.m_code and bundle.m_code.truncated),
        "changed": len(changed),
        "changed_shown": len(changed & words),
    }


def text_rows(kept: Sequence[LimitVerdict]) -> Iterator[list[str]]:
    """A row per condition and limits: how many prompts, which, their mean size, and the means of what they hold."""
    for condition in sorted({one.condition for one in kept}):
        for limits in (OURS, PUBLISHED):
            asked = [one for one in kept if (one.condition, one.limits) == (condition, limits)]
            rows = list({one.task_id: one for one in asked}.values())
            beside = (f"{mean(one.exemplars for one in rows):.1f}", f"{mean(one.prose for one in rows):,.0f}")
            yield [
                f"`{condition}`", limits, str(len(rows)), content_hash(sorted(one.prompt_hash for one in rows), 12),
                f"{mean(one.characters for one in rows) / CHARACTERS_PER_TOKEN:,.0f}",
                *(beside if condition == "full" else ("-", "-")),
                f"{mean(one.source for one in rows):,.0f}", str(sum(one.source_cut for one in rows)),
                f"{sum(one.changed_shown for one in rows)} of {sum(one.changed for one in rows)}",
            ]  # fmt: skip


def passed_rows(kept: Sequence[LimitVerdict]) -> Iterator[list[str]]:
    """A row per solver, condition and kind of tasks: passed under both limits, and the difference, paired by task."""
    for solver, condition in sorted({(one.solver, one.condition) for one in kept}):
        ours, published = (
            {one.task_id: one for one in kept if (one.solver, one.condition, one.limits) == (solver, condition, limits)}
            for limits in (OURS, PUBLISHED)
        )
        pairs = [(ours[task], published[task]) for task in sorted(ours.keys() & published.keys())]
        for kind, holds in KINDS.items():
            yield [solver, f"`{condition}`", kind, *_compared([pair for pair in pairs if holds(*pair)])]


def _compared(pairs: Sequence[tuple[LimitVerdict, LimitVerdict]]) -> list[str]:
    apis = [one.api for one, _ in pairs]
    before, after = ([float(pair[side].outcome == "pass") for pair in pairs] for side in (0, 1))
    gain = paired_difference(before, after, apis)
    told = f"{100 * gain.difference:+.1f} ({100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
    least = "-" if gain.detectable is None else f"{100 * gain.detectable:.0f}"
    return [_passed(before, apis), _passed(after, apis), told, least]


def _passed(values: Sequence[float], apis: Sequence[str]) -> str:
    rate = clustered_wilson(values, apis)
    return f"{sum(values):.0f} of {len(values)} ({100 * rate.low:.0f} to {100 * rate.high:.0f} %)"


def tables() -> list[str]:
    """The tables of docs/reproducibility.md: what the prompts were, and what passed."""
    kept = load_records(KEPT, LimitVerdict)
    return [markdown_table(_TEXTS, text_rows(kept)), markdown_table(_PASSED, passed_rows(kept))]


def main() -> None:
    """Keep the verdicts of a folder, where one is given, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path)
    given = parser.parse_args()
    if given.take:
        write_records(KEPT, taken(given.take))
    print("\n".join(tables()))


if __name__ == "__main__":
    main()

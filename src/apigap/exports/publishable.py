"""Exports that may be given to others: bundles under the paper's field names, and excerpts as their licence has it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from apigap.discovery.library import find_library
from apigap.exports.published import write_published_bundles, write_published_tasks
from apigap.knowledge.bundle_files import read_bundles
from apigap.records.base import canonical_json
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import write_text
from apigap.records.task import Task
from apigap.tasks.hand_written import AUTHOR as WRITTEN
from apigap.tasks.task_files import load_tasks

FORMATS = ("paper", "published")
"""Forms of bundles: a file with the fields of the paper's text, or the release's folder."""


def export_bundles(knowledge: Path, out: Path, leave_excerpts_out: bool = False, form: str = "paper") -> dict[str, int]:
    """Write the bundles of `knowledge`, one JSON per line.

    As the `paper` has them, `KnowledgeBundle.to_paper_dict` in the file `out`; as they are `published`, in the folder
    `out` under the release's own name. Exemplars, prose and code are excerpts of the library's tests, documentation and
    source; name and parameters are facts. Returns how many were written, and from how many the excerpts were left out.

    Raises:
        UsageError: when there is none; when excerpts of a copyleft or unknown licence are among them, unless they are
            to be left out.
        CorruptRecord: when `knowledge` holds something else.
    """
    if form not in FORMATS:
        raise UsageError(f"no form of bundles is named {form!r}; the forms are {', '.join(FORMATS)}")
    bundles = read_bundles([knowledge])
    given = passed_on(bundles, leave_excerpts_out)
    if form == "published":
        write_published_bundles(out, given, {name: find_library(name).domain for name in {b.library for b in given}})
    else:
        rows = [
            {**bundle.to_paper_dict(), "licence": bundle.licence.text if bundle.licence else None} for bundle in given
        ]
        write_text(out, "".join(canonical_json(row) + "\n" for row in rows))
    return {"bundles": len(bundles), "without_their_excerpts": sum(b.is_local_only for b in bundles)}


def export_tasks(
    tasks: Path, knowledge: Sequence[Path], folder: Path, leave_excerpts_out: bool = False
) -> dict[str, int]:
    """Write tasks as the release publishes them into a folder; returns how many, and how many were left out.

    Raises:
        UsageError: when a licence keeps some here, unless they are to be left out.
        CorruptRecord: when a file holds something else.
    """
    found = load_tasks(tasks)
    given = tasks_passed_on(found, read_bundles(knowledge, found), "baseline", leave_excerpts_out)
    write_published_tasks(folder, given)
    return {"tasks": len(given), "left_out": len(found) - len(given)}


def passed_on(bundles: Sequence[KnowledgeBundle], leave_excerpts_out: bool) -> list[KnowledgeBundle]:
    """The bundles as they may leave this machine.

    Raises:
        UsageError: when there is none; when excerpts of a copyleft or unknown licence are among them, unless they are
            to be left out.
    """
    _require(leave_excerpts_out, [bundle for bundle in bundles if bundle.is_local_only])
    facts_alone = {"exemplars": (), "m_prose": None, "m_code": None}
    return [bundle.model_copy(update=facts_alone) if bundle.is_local_only else bundle for bundle in bundles]


def tasks_passed_on(
    tasks: Sequence[Task], bundles: Sequence[KnowledgeBundle], condition: str, leave_excerpts_out: bool
) -> list[Task]:
    """The tasks that may leave this machine with the prompts of `condition`.

    A task that nobody has written by hand is made of the library's own texts, so it goes where its bundle goes.

    Raises:
        UsageError: when a licence keeps some here, unless they are to be left out.
    """
    local = {bundle.api_name: bundle for bundle in bundles if bundle.is_local_only}
    free = [t for t in tasks if t.api_name not in local or (t.author == WRITTEN and condition == "baseline")]
    going = {task.task_id for task in free}
    _require(leave_excerpts_out, [local[task.api_name] for task in tasks if task.task_id not in going])
    return free


def _require(leave_excerpts_out: bool, kept_here: Sequence[KnowledgeBundle]) -> None:
    if leave_excerpts_out or not kept_here:
        return
    counted = Counter((bundle.library, _licence(bundle)) for bundle in kept_here)
    texts = "; ".join(f"{library}: {licence}, {count} of them" for (library, licence), count in sorted(counted.items()))
    raise UsageError(
        f"some of this quotes what is not to leave this machine ({texts}); give --leave-excerpts-out to write names "
        "and parameters alone where a bundle quotes, and no task that is made of such texts"
    )


def _licence(bundle: KnowledgeBundle) -> str:
    licence = bundle.licence
    return f"{licence.kind} ({licence.text})" if licence and licence.text else "licence unknown"

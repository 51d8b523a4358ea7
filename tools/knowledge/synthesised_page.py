"""The page of synthesised tasks: yields, readings, and twenty of the tasks that were read, with what was found."""

from collections.abc import Mapping, Sequence

from apigap.records.task import Task
from tools.knowledge.reading_sheet import CRITERIA, Reading
from tools.knowledge.readings import Yielded, by_library, kappa, readings_table, refusals, share, yields_table
from tools.knowledge.task_sample import drawn, page

_SHOWN = 20
_HEAD = """# Synthesised tasks

Made by `.venv/bin/python -m tools.knowledge.make_synthesised_page` from `studies/synthesised`: the tasks that were
read, what readers wrote, and counts. How tasks are made, and what is refused: [the synthesiser](synthesiser.md).

## How many APIs get one

{yields}

The same usages with the rules before and with those of today (the commands: [below](#made-again)). {note}

## How many are fit to publish

One task per API of those above, drawn by hash from all libraries alike (`tools.knowledge.make_reading_sheet`), read by
people who had no part in the rules, on sheets that show what a solver sees and the answer, against these criteria:

{criteria}

{readings}

{goal}

{libraries}

<details><summary>Every refusal, and why</summary>

{refusals}

</details>

{later}## Read before, and not kept

These readings cannot be checked. *Rules* are the state of the checks; a reader who had not made them read under those
of 2026-11-26, except for polars, else the one who made them.

| rules | APIs asked | APIs with a task | fit |
| --- | --- | --- | --- |
| none | | 70 | 12 (17 %, 10 to 28) |
| of 2026-11-26, on the libraries on which they were made | | 38 | 26 (68 %, 53 to 81) |
| of 2026-11-26, five pairs that nobody had looked at | | 36 | 13 (36 %, 22 to 52) |
| of 2026-11-26, polars 1.0.0 → 1.40.1 | 26 | 7 | 1 |
| of 2026-11-27, pairs of twelve libraries, that one among them | 208 | 8 | 6 (75 %, 41 to 93) |
| of 2026-11-27, the pairs on which they were made | 159 | 12 | 9 (75 %, 47 to 91) |

## Made again

`apigap pipeline --library L --old V --new V --stages 1 --stages 2 --stages 3 --set selection.per_library=30`
(`selection.added=22 --set selection.modified=4` for polars 1.40.1, narwhals and humanize, 26 and 6 for networkx 3.2.1)
finds the usages of a pair and makes its tasks; the APIs of the starter benchmark are those of its bundles. Then
`tools.knowledge.make_reading_sheet FILES --out FOLDER`, and, with what a reader wrote,
`tools.knowledge.make_synthesised_page --add FILE --reader R --date D`.

# Tasks that were read

{shown} of the {count}, drawn by hash. A solver sees the code, which ran before, and the text under it. The answer is
folded.

"""
_NOTE = "Why the others have none, most first: {reasons}."
_REASONS = (
    "no purpose that can be told without the name, no parameter that could not be passed before, next to no data, "
    "placeholders, no usage that runs, no change of the inputs that shows"
)
_NO_READERS = "Nobody has read them yet: how many are fit is not known."


def page_of(
    tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]], yields: Sequence[Yielded], later: str = ""
) -> str:
    """The page in Markdown; without readings it says that there are none."""
    shown = drawn(tasks, _SHOWN, 1)
    head = _HEAD.format(
        yields=yields_table(yields),
        note=_NOTE.format(reasons=_REASONS),
        criteria="\n".join(f"- {name}: {text}" for name, text in CRITERIA.items()),
        readings=_found(tasks, readings),
        goal=_goal(tasks, readings),
        libraries=by_library(tasks, readings) if readings else "",
        refusals=refusals(tasks, readings),
        later=later and f"{later}\n\n",
        shown=len(shown),
        count=len(tasks),
    )
    return head + page(shown)


def _found(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    if not readings:
        return _NO_READERS
    agreed = f"\n{kappa(readings)}" if len(readings) > 1 else ""
    return f"{readings_table(tasks, readings)}{agreed}"


def _goal(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """The goal of 85 of 100, with what is shown of it."""
    if not readings:
        return "**85 of 100 is not shown.**"
    read = [task.task_id for task in tasks if all(task.task_id in own for own in readings.values())]
    fit = sum(all(own[task].fit for own in readings.values()) for task in read)
    told = f"{share(fit, len(read))} fit to all readers, of {len({t.library for t in tasks})} libraries"
    reached = len(read) >= 100 and 100 * fit >= 85 * len(read)
    return f"The goal of 85 of 100 {'is reached' if reached else '**is not shown**'}: {told}."

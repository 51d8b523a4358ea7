"""The page of synthesised tasks: yields, readings, and twenty of the tasks that were read, with what was found."""

from collections.abc import Mapping, Sequence

from apigap.gates.record import GateRecord
from apigap.records.task import Task
from tools.knowledge.gate_section import gate_section
from tools.knowledge.reading_sheet import CRITERIA, Reading
from tools.knowledge.readings import (
    Read,
    Yielded,
    by_library,
    kappa,
    of_sheet,
    readings_table,
    refusals,
    share,
    yields_table,
)
from tools.knowledge.task_sample import drawn, page

_SHOWN = 20
_HEAD = """# Synthesised tasks

Made by `.venv/bin/python -m tools.knowledge.make_synthesised_page` from `studies/synthesised`: the tasks that were
read, what readers wrote, and counts. How tasks are made, and what is refused: [the synthesiser](synthesiser.md).

## How many APIs get one

{yields}

The same usages with the rules before and with those of today ([the commands](#made-again)); on most of these pairs the
rules were made. *Now* leaves out tasks that the last two rules refuse, and does not count others in their place. Not
counted are more-itertools 9.1.0 → 11.2.1, which took too long on a busy machine, and two pairs that nobody had looked
at, whose count before is not known: more-itertools 8.0.2 → 9.0.0 (4 of 26 APIs with a task) and arrow 0.15.8 → 1.3.0 (2
of 13). Why the others have none, most first: no purpose that can be told without the name, no parameter that could not
be passed before, next to no data, placeholders, no change of the inputs that shows, a function that the older release
has elsewhere.

## How many are fit to publish

One task per API, drawn by hash from all libraries alike (`tools.knowledge.make_reading_sheet`). Two people who had no
part in the rules read them, each alone, on sheets that show what a solver sees and the answer, against these criteria:

{criteria}

{sheets}

{goal}

<details><summary>Every refusal, and why</summary>

{refusals}

</details>

{gate}
## Read before, and not kept

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
(`selection.added=22 --set selection.modified=4` for polars 1.40.1, narwhals, humanize and more-itertools 10.8.0, 26 and
6 for networkx 3.2.1, 24 and 2 for more-itertools 9.0.0) finds the usages of a pair and makes its tasks. The
APIs of the starter benchmark are those of its bundles (`apigap generate`). Then
`tools.knowledge.make_reading_sheet FILES --out FOLDER`, and, with what a reader wrote,
`tools.knowledge.make_synthesised_page --add FILE --reader R --date D --sheet N`.

# Tasks that were read

{shown} of the {count}, drawn by hash. A solver sees the code, which ran before, and the text under it. The answer is
folded.

"""
_SHEETS = {
    1: "**Sheet 1**, with the rules before those that its readings led to. {count} tasks of {libraries} libraries:",
    2: "**Sheet 2**, with the rules that the readings of sheet 1 led to. {count} tasks of {libraries} libraries:",
    3: (
        "**Sheet 3**, with the rules that the readings of sheet 2 led to, [old answers](synthesiser.md#old-answers) of "
        "one step among them. {count} tasks of {libraries} libraries:"
    ),
    4: (
        "**Sheet 4**, with the rules of sheet 3 and old answers of two steps. The rule on sisters, which came later, "
        "leaves 22 of its tasks. {count} tasks of {libraries} libraries:"
    ),
    5: (
        "**Sheet 5**, with that rule, of what nine further pairs of releases gave on APIs that nobody had read. "
        "The rule on dates of today, which came of it, leaves 8 of its tasks. {count} tasks of {libraries} libraries:"
    ),
    6: (
        "**Sheet 6**, with that rule, and inputs of one value told apart, of what 16 further pairs gave on APIs that "
        "nobody had read. {count} tasks of {libraries} libraries:"
    ),
    7: "**Sheet 7**, with the same rules, of what four more pairs gave. {count} tasks of {libraries} libraries:",
    8: (
        "**Sheet 8**, with those rules, and names of columns for columns, of what eight more pairs gave on APIs that "
        "nobody had read. {count} tasks of {libraries} libraries:"
    ),
    9: (
        "**Sheet 9**, with those rules, one task of each wish, and shares that stay shares, of what all APIs of six "
        "pairs gave that nobody had read (three gave none; of statsmodels' 200 APIs 64 were tried). {count} tasks of "
        "{libraries} libraries:"
    ),
}
_GATE_DAYS = "2026-11-28 and 29"
_UNREAD = "Of them {new} are on APIs of which no task had been read: {fit} of these are fit to all readers."
_NO_READERS = "Nobody has read them yet: how many are fit is not known."
_LATER = (
    "An API with a task on two sheets counts twice, so the interval is too narrow. What readers refuse most is what "
    "something old gives as easily: a sibling with another name (`cumsum` for `cumulative_sum`), a member of what an "
    "input has (`point.x` for `get_x`), or data on which the new API does what the old one did. Old answers were "
    "searched for since sheet 2, of two steps only since sheet 3. Rules that were made of a sheet's readings have no "
    "unseen reading on that sheet. A user who wants tasks to publish has [a model read them](#read-by-a-model-first)."
)


def page_of(
    tasks: Sequence[Task],
    readings: Mapping[str, Mapping[str, Reading]],
    yields: Sequence[Yielded],
    gate: Mapping[str, GateRecord],
) -> str:
    """The page in Markdown; without readings it says that there are none. `gate` is what its reader said, by task."""
    shown = drawn(tasks, _SHOWN, 1)
    head = _HEAD.format(
        yields=yields_table(yields),
        criteria="\n".join(f"- {name}: {text}" for name, text in CRITERIA.items()),
        sheets="\n\n".join(_of_sheets(tasks, readings)) or _NO_READERS,
        goal=_goal(tasks, readings),
        refusals=refusals(tasks, readings),
        gate=gate_section(tasks, readings, gate, _GATE_DAYS),
        shown=len(shown),
        count=len(tasks),
    )
    return head + page(shown)


def _of_sheets(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> list[str]:
    numbers = sorted({one.sheet for own in readings.values() for one in own.values()})
    known = set[str]()
    parts: list[str] = []
    for number in numbers:
        read = of_sheet(tasks, readings, number)
        unread = [task for task in read.tasks if task.api_name not in known]
        parts.append(_of_sheet(number, read, unread if known else []))
        known |= {task.api_name for task in read.tasks}
    return parts


def _of_sheet(number: int, read: Read, unread: Sequence[Task]) -> str:
    tasks, readings = read
    title = _SHEETS.get(number, f"**Sheet {number}**. {{count}} tasks of {{libraries}} libraries:")
    told = [title.format(count=len(tasks), libraries=len({task.library for task in tasks})), ""]
    told.append(readings_table(tasks, readings))
    if len(readings) > 1:
        told.append(kappa(readings))
    if unread:
        told.append(_UNREAD.format(new=len(unread), fit=share(len(_fit(unread, readings)), len(unread))))
    return "\n".join([*told, "", by_library(tasks, readings)])


def _fit(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> list[Task]:
    """The tasks that all readers found fit."""
    return [task for task in tasks if all(own[task.task_id].fit for own in readings.values() if task.task_id in own)]


def _goal(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """The goal of 85 of 100, with what is shown of it."""
    read = [task for task in tasks if sum(task.task_id in own for own in readings.values()) > 1]
    if not read:
        return "**85 of 100 is not shown.**"
    fit = len(_fit(read, readings))
    reached = len(read) >= 100 and 100 * fit >= 85 * len(read)
    told = f"{share(fit, len(read))} are fit to all readers, of {len({task.library for task in read})} libraries"
    return f"The goal of 85 of 100 {'is reached' if reached else '**is not shown**'}: {told}. {_LATER}"

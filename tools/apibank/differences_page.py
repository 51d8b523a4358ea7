"""The differences between the modes of API-Bank as a page: each a row with its count on the data."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.apibank.dialogues import LEVELS, Bank, Level, Sample, Step, Task, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge, Mode
from apigap.benchmarks.apibank.prompts import offered
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER
from apigap.reporting.markdown import markdown_table
from tools.apibank.differences import ANEW, NAMES, READING, RULES, STATE, TYPES, Need, needs
from tools.apibank.oracle import RIGHT, Row, flows, oracle_rows

CORRECTED: dict[str, tuple[str, str]] = {
    READING: (
        "a value ends at the first quote of either kind, an empty one swallows what follows, decimals are cut, "
        "negative numbers lost",
        "values are what was meant",
    ),
    TYPES: ("lists and mappings stay text", "values have the types that the API declares"),
    NAMES: ("`device_id`, an older name of `name`, is refused", "it means `name`"),
    STATE: ("every call meets the start state", "the recorded calls before it have been made, with what they drew"),
    ANEW: ("compared with the recorded result, also where the API has changed since", "with what that call gives now"),
    RULES: ("a deleted meeting is compared by a time that meetings do not have", "by its start"),
}
"""What released mode does, and what corrected mode does instead."""


def differences_page(data: Path, searches: Sequence[str]) -> str:
    """Tables of gold calls, of all that differs, of the oracle's verdicts, and of the searches, for a data set."""
    found, oracle = needs(data), oracle_rows(data)
    bank = load_bank(data)
    parts = [
        "## Gold calls that released mode refuses\n",
        _gold(found),
        "## All differences\n",
        _all(bank, found, oracle),
    ]
    for about, rows in oracle.items():
        parts += [f"## Verdicts on the recorded rows of {about} ({len(rows)})\n", _flows(rows)]
    return "\n".join([*parts, "## Searches that find the recorded API\n", _searches(bank, searches)])


def _gold(found: Sequence[Need]) -> str:
    rows = [[" + ".join(need.corrections), need.level, need.api, str(need.samples)] for need in found]
    total = Counter[Level]()
    for need in found:
        total[need.level] += need.samples
    rows.append(["all", ", ".join(f"{total[level]} at {level}" for level in LEVELS), "", str(total.total())])
    return markdown_table(("fewest corrections that make it right", "level", "API", "samples"), rows)


def _all(bank: Bank, found: Sequence[Need], oracle: Mapping[str, Sequence[Row]]) -> str:
    rows = [
        [released, corrected, f"{sum(n.samples for n in found if name in n.corrections)} gold calls need it"]
        for name, (released, corrected) in CORRECTED.items()
    ]
    every = [row for rows_ in oracle.values() for row in rows_]
    rows += [[released, corrected, count] for released, corrected, count in _counted(every, bank)]
    return markdown_table(("as released", "corrected", "count"), rows)


def _counted(rows: Sequence[Row], bank: Bank) -> list[tuple[str, str, str]]:
    """The differences that concern no gold call, counted on the oracle's rows and on the prompts."""
    kinds = Counter(row.reading for row in rows)
    told = flows(rows)
    crashes = sum(count for (released, _), count in told.items() if released == "CRASH")
    raised = sum(1 for row in rows if row.raised and row.released == "HAS_EXCEPTION" != row.corrected)
    named = sum(1 for row in rows if row.released != row.corrected == "API_NAME_MISMATCH")
    searched = sum(1 for row in rows if row.api == SEARCHER and row.released != RIGHT == row.corrected)
    lost = [row.api for row in rows if row.released == RIGHT != row.corrected]
    translated = lost.count("Translate")
    tasks: list[Task] = [task for level in LEVELS for task in bank.tasks(level)]
    prompts = sum(1 for task in tasks if len(offered(task)) > 1)
    return [
        ("a number is cut or lost", "it is a number", _rows(kinds["a number is cut or lost"])),
        ("a value ends at another quote", "it ends before the next argument",
         _rows(kinds["a value ends at another quote"])),
        ("two calls on a line are one with all arguments; on two lines the second is not seen",
         "the first one counts, further ones are told", _rows(kinds["several calls"])),
        ("no line break in a call, no blank before its bracket, none without square brackets", "all of these are read",
         _rows(kinds["only one mode finds a call"])),
        ("text between arguments is passed over", "arguments are read as they are written",
         _rows(kinds["other arguments"])),
        ("some errors end the run (CRASH)", "each is a category", _rows(crashes)),
        ("an exception is why a call is wrong, even where the recorded one is the same", "then it is another reason",
         _rows(raised)),
        ("level 3 runs whatever is called", "another API is a category of its own", _rows(named)),
        ("search results are compared with all their text", "by the API that was found", _rows(searched)),
        ("a translation is that of the text, whatever the languages", "that of the text and of the languages",
         f"{_rows(translated)}, which leave the language out, are wrong for it alone"),
        ("RecordHealthData ignores the data, other rules ignore inputs",
         "inputs that no rule names are compared too, unless the call has the very same effect",
         f"{_rows(len(lost) - translated)} are wrong for it alone"),
        ("one system for a whole run of level 3", "every answer alone (in both modes here)",
         "0 of the measured runs' rows"),
        ("prompts list APIs in the order of a set", "in the order of the registry (in both modes here)",
         f"{prompts} prompts with several APIs"),
        ("a missing answer is wrong in no category", "the same, and told as not answered (in both modes here)",
         f"{len(tasks)} tasks"),
    ]  # fmt: skip


def _rows(count: int) -> str:
    return f"{count} recorded rows"


def _flows(rows: Sequence[Row]) -> str:
    counts = flows(rows)
    return markdown_table(
        ("released", "corrected", "rows"), [[*verdicts, str(counts[verdicts])] for verdicts in sorted(counts)]
    )


def _searches(bank: Bank, names: Sequence[str]) -> str:
    modes: tuple[Mode, ...] = ("released", "corrected")
    levels: tuple[Level, ...] = ("level-2", "level-3")
    rows: list[list[str]] = []
    for name in names:
        adapters = [ApiBankJudge(bank, mode, search=name) for mode in modes]
        rows.append([f"`{name}`", *(_found(bank, adapter, level) for adapter in adapters for level in levels)])
    return markdown_table(("search", *(f"{level}, {mode}" for mode in modes for level in levels)), rows)


def _found(bank: Bank, adapter: ApiBankJudge, level: Level) -> str:
    tasks = [task for task in bank.tasks(level) if isinstance(task, Sample | Step) and task.is_call]
    gold = [(task, adapter.gold(task)) for task in tasks if not getattr(task, "duplicate_of", None)]
    verdicts = [adapter.score(task, answer).passed for task, answer in gold if answer.startswith(f"[{SEARCHER}(")]
    return f"{sum(verdicts)} of {len(verdicts)}"

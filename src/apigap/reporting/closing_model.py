"""The report on a gap that was closed, as a record: the text of each API, and what each way of giving it closes."""

from apigap.records.base import Json, Record
from apigap.reporting.tools_model import Share


class WayRow(Record):
    """One way in which a model was given what it lacks, on the tasks that took no part in choosing the texts.

    `passed` are the tasks that pass (their rates, summed and rounded), of those that have a verdict; `low` and `high`
    bound the rate with 95 %, taking tasks on one API as related. `gain` is the difference to the same tasks without
    help, paired, with its interval and p-value; None of the row without help. `closed` are the tasks that fail without
    help and pass so. `read` and `wrote` are mean tokens for a question, None where the provider counts none;
    `dollars` are those of all its answers. `calls` is the mean number of calls of tools.
    """

    way: str
    title: str
    passed: Share
    rate: float | None = None
    low: float = 0.0
    high: float = 1.0
    gain: float | None = None
    gain_low: float = 0.0
    gain_high: float = 0.0
    p_value: float = 1.0
    closed: Share = Share()
    without_verdict: int = 0
    read: float | None = None
    wrote: float | None = None
    dollars: float | None = None
    calls: float | None = None


class TextRow(Record):
    """The text chosen for one API by one half of its tasks, and what it gives on the other half.

    `state` is `closes` (a combination is enough), `open` (none that was tried is), or `no task to choose by`, where the
    combination is the one that closes most others. `tried` are the combinations with their rate on the choosing half,
    in the order of asking. `characters` and `whole` are the lengths of the page with this text, and with all there is.
    """

    api_name: str
    library: str
    state: str
    text: str
    characters: int
    whole: int
    tried: tuple[tuple[str, float | None, int], ...] = ()
    ways: tuple[tuple[str, Share], ...] = ()
    page: str = ""


class TunedWeights(Record):
    """The weights that were asked as tuned, by the name `model`; `sha256` is that of what is loaded.

    They were tuned from `base` (`base_sha256`) by a `method` with `settings`, in `seconds`, on `tasks` tasks on `apis`
    APIs, all of the choosing half.
    """

    model: str
    sha256: str
    method: str
    base: str
    base_sha256: str | None = None
    tasks: int
    apis: int
    seconds: float | None = None
    settings: dict[str, Json] = {}


class ClosingReport(Record):
    """The whole report. The first of `ways` is the one without help; `known` counts APIs that need none.

    `items` are the same of single questions about these APIs, where there are any; `tuned` are the weights of the way
    `sft`.
    """

    title: str
    model: str
    seed: int
    ways: tuple[WayRow, ...]
    texts: tuple[TextRow, ...]
    items: tuple[WayRow, ...] = ()
    tuned: TunedWeights | None = None
    known: int
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def characters(self) -> tuple[int, int]:
        """The characters of all pages with the chosen texts, and with all there is."""
        return sum(row.characters for row in self.texts), sum(row.whole for row in self.texts)

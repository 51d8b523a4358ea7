"""Records of the ladder in an audit's report: single questions on new APIs, and on unchanged ones like them."""

from typing import Literal

from apigap.records.base import Record
from apigap.records.stated import Guessing
from apigap.statistics.differences import FEWEST_PAIRS

Mark = Literal["right", "partly", "wrong", "unread", "not asked"]
Side = Literal["new", "control", "twin", "control twin"]
Kind = Literal["cure", "reading check"]


class LadderRate(Record):
    """The mean score of the APIs that one measure was asked of, with a 95 % interval; `right` of them score 1.

    New APIs that are one piece of news count together as one in the mean.
    """

    apis: int
    right: int
    mean: float | None
    low: float
    high: float


class LadderMeasure(Record):
    """The scores by one measure: of new APIs, of controls, and the gap between them over matched pairs.

    The pairs are `families` pieces of news, each of which counts once. `chance` is what who knows nothing scores. Where
    no gap (or no interval of it) is stated, `reason` says why.
    """

    measure: str
    rung: str
    chance: float
    new: LadderRate
    control: LadderRate
    gap: float | None
    low: float | None
    high: float | None
    p_value: float | None
    pairs: int
    families: int
    libraries: int
    reason: str | None
    twins: Guessing | None = None

    @property
    def has_few_controls(self) -> bool:
        """True where so few controls were asked that they show nothing of the model."""
        return self.control.apis < FEWEST_PAIRS

    @property
    def is_below_the_rung(self) -> bool:
        """True where enough controls were asked and are not above chance: then what new APIs score tells nothing."""
        return not self.has_few_controls and self.control.low <= self.chance


class LadderKnowledge(Record):
    """The effect of shown knowledge on one measure.

    A `cure` is the gain on new APIs less that on their controls, with a 95 % interval, or `reason` says why none is
    stated. A `reading check` shows the answer itself, so that it is no cure. `without` and `with_knowledge` are the
    mean scores of the new APIs that were asked both ways, `apis` of them; those that are one piece of news count once.
    """

    condition: str
    title: str
    measure: str
    kind: Kind
    apis: int
    without: float
    with_knowledge: float
    cure: float | None
    low: float | None
    high: float | None
    pairs: int
    families: int
    reason: str | None


class LadderQuestion(Record):
    """A question and what the model made of it without knowledge.

    `answer` is the option or the text that it gave, empty where it was not asked; `shares` are the options'
    probabilities against each other, where the model tells them. `wanted` is the right answer. A question of a twin has
    names that nobody can know.
    """

    task_id: str
    library: str
    api_name: str
    pair: str
    side: Side
    measure: str
    question: str
    options: tuple[str, ...]
    wanted: str
    answer: str
    shares: tuple[float, ...]
    mark: Mark
    score: float | None


class LadderMark(Record):
    """The marks of one API and of its control on one measure; `reason` says why the API is not asked.

    `twin_score` is that of the API's twin, `control_twin_score` that of the control's; None where none was asked.
    """

    measure: str
    new: Mark
    new_score: float | None
    control: Mark
    control_score: float | None
    reason: str = ""
    twin_score: float | None = None
    control_twin_score: float | None = None


class LadderApi(Record):
    """A new API with a mark per measure, in the order of importance; `control` is None where none is like it.

    `no_task` says why no task of it was asked, which is the upper rung.
    """

    library: str
    api_name: str
    change: Literal["added", "modified"]
    control: str | None
    marks: tuple[LadderMark, ...]
    no_task: str = ""


class LadderLoss(Record):
    """New APIs that were not asked about at a rung (None: at any), and why."""

    library: str
    rung: str | None
    reason: str
    apis: tuple[str, ...]


class LadderBalance(Record):
    """How alike the new APIs and their controls are in one `covariate`: both means, and their standardised difference.

    `difference` is None where it has no measure. `large` differences may themselves be a reason for a gap.
    """

    covariate: str
    new: float
    control: float
    difference: float | None
    large: bool


class LadderLibrary(Record):
    """The items of one release. `chosen` of the `candidates` were to be asked about; `nothing` says why none was.

    `pairs` of these have a control, chosen from `pool` APIs that are the same since `steady_since`; `balance` says how
    alike both are.
    """

    library: str
    old_version: str | None
    new_version: str
    candidates: int = 0
    chosen: int = 0
    pairs: int = 0
    pool: int = 0
    steady_since: str = ""
    balance: tuple[LadderBalance, ...] = ()
    notes: tuple[str, ...] = ()
    nothing: str = ""


class LadderCost(Record):
    """The cost of asking: questions, seconds by the clock, tokens read and written, and dollars (None where untold)."""

    questions: int
    seconds: float
    input_tokens: int | None
    output_tokens: int | None
    dollars: float | None = None


class Ladder(Record):
    """The ladder of an audit. `way` is how options were asked, `unread` and `unstable` count answers of that kind.

    `cut` counts those that were ended before they were whole, under any condition; they count nowhere.
    """

    libraries: tuple[LadderLibrary, ...]
    way: str
    measures: tuple[LadderMeasure, ...]
    knowledge: tuple[LadderKnowledge, ...] = ()
    apis: tuple[LadderApi, ...]
    questions: tuple[LadderQuestion, ...]
    losses: tuple[LadderLoss, ...]
    unread: int
    unstable: int | None
    cut: int = 0
    cost: LadderCost
    notes: tuple[str, ...] = ()

    @property
    def chosen(self) -> int:
        """The number of new APIs that were to be asked about."""
        return sum(one.chosen for one in self.libraries)

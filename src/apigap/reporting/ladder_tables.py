"""The numbers of the ladder as rows of text: terminal and page show the same ones."""

from apigap.records.stated import Stated
from apigap.reporting.ladder_model import Ladder, LadderCost, LadderKnowledge, LadderMeasure, LadderRate
from apigap.reporting.text import signed_points

MEASURES = ("single questions", "chance", "old APIs like them", "new APIs", "gap (95 %)", "pairs")
KNOWLEDGE = ("shown", "single questions", "new APIs", "score without", "with it", "cure (95 %)", "pairs")
TWINS = (
    "single questions", "twins of old APIs", "old APIs above them (95 %)", "twins of new APIs",
    "new APIs above their twins (95 %)", "gap above twins (95 %)",
)  # fmt: skip
LOSSES = ("library", "rung", "APIs", "reason", "such as")
BALANCE = ("library", "what", "new APIs", "old APIs like them", "difference")
_COVARIATES = {
    "parameters": "parameters", "weight": "importance",
    "docstring": "docstring (log of its length)", "depth": "dots in the name",
}  # fmt: skip
_NAMES = 3


def measure_rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """A row per measure, under the heads `MEASURES`."""
    return [
        (one.measure, f"{one.chance:.2f}", _rate(one.control), _rate(one.new), _gap(one), _pairs(one))
        for one in ladder.measures
    ]


def twin_rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """A row per measure that twins were asked of, under the heads `TWINS`."""
    return [
        (
            one.measure, _mean(one.twins.control_twins), _difference(one.twins.control_known),
            _mean(one.twins.twins), _difference(one.twins.known), _difference(one.twins.known_gap),
        )
        for one in ladder.measures
        if one.twins
    ]  # fmt: skip


def knowledge_rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """A row per condition and measure, under the heads `KNOWLEDGE`."""
    return [
        (
            one.title, one.measure, str(one.apis), f"{one.without:.2f}", f"{one.with_knowledge:.2f}", _cure(one),
            _pairs(one),
        )
        for one in ladder.knowledge
    ]  # fmt: skip


def loss_rows(ladder: Ladder, names: int | None = _NAMES) -> list[tuple[str, ...]]:
    """A row per reason why APIs were not asked about: library, rung, how many, the reason, and `names` of them."""
    ordered = sorted(ladder.losses, key=lambda one: (one.rung or "", -len(one.apis), one.library, one.reason))
    return [
        (one.library, one.rung or "all", str(len(one.apis)), one.reason, ", ".join(one.apis[:names])) for one in ordered
    ]


def balance_rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """A row per library and covariate, under the heads `BALANCE`; large differences say so."""
    return [
        (library.library, _COVARIATES.get(one.covariate, one.covariate), f"{one.new:.2f}", f"{one.control:.2f}",
         f"{'no measure' if one.difference is None else f'{one.difference:+.2f}'}{', large' if one.large else ''}")
        for library in ladder.libraries
        for one in library.balance
    ]  # fmt: skip


def _pairs(one: LadderMeasure | LadderKnowledge) -> str:
    """The number of pairs; where several are one piece of news, of how many pieces they are."""
    if one.families == one.pairs:
        return str(one.pairs or "–")
    return f"{one.pairs}, of {one.families} news"


def cost_line(cost: LadderCost, way: str) -> str:
    """The cost of asking, in one line."""
    told = cost.input_tokens is not None and cost.output_tokens is not None
    tokens = f"{cost.input_tokens} tokens read, {cost.output_tokens} written" if told else "tokens are not told"
    how = "options by their likelihood" if way == "likelihood" else "options by their letters, in two orders"
    dollars = "" if cost.dollars is None else f", {cost.dollars:.4g} dollars"
    return f"{cost.questions} single questions in {cost.seconds:.0f} s, {tokens}{dollars}; {how}"


def answer_lines(ladder: Ladder) -> list[str]:
    """Answers that could not be read, that were cut, and those that changed with the order of the options."""
    lines = [f"answers that cannot be read: {ladder.unread}"] if ladder.unread else []
    if ladder.cut:
        lines.append(f"answers that were cut before they were whole, and count nowhere: {ladder.cut}")
    if ladder.unstable is not None:
        lines.append(f"choices that change with the order of the options: {ladder.unstable}")
    return lines


def _rate(rate: LadderRate) -> str:
    if rate.mean is None:
        return "none asked"
    return f"{rate.mean:.2f} ({rate.low:.2f} to {rate.high:.2f}), {rate.right} of {rate.apis} right"


def _mean(mean: float | None) -> str:
    return "none asked" if mean is None else f"{mean:.2f}"


def _gap(one: LadderMeasure) -> str:
    return _stated(one.gap, one.low, one.high, one.reason)


def _difference(one: Stated) -> str:
    return _stated(one.estimate, one.low, one.high, one.reason)


def _stated(estimate: float | None, low: float | None, high: float | None, reason: str | None) -> str:
    if estimate is None or low is None or high is None:
        stated = "" if estimate is None else f"{signed_points(estimate)} points, no interval: "
        return f"{stated}{reason or 'nothing to compare'}"
    return f"{signed_points(estimate)} points ({signed_points(low)} to {signed_points(high)})"


def _cure(one: LadderKnowledge) -> str:
    if one.kind == "reading check":
        return "none: a reading check, the answer is shown"
    if one.cure is None or one.low is None or one.high is None:
        return f"not stated: {one.reason}"
    return f"{signed_points(one.cure)} points ({signed_points(one.low)} to {signed_points(one.high)})"

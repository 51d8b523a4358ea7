"""The study of the ladder: scores by model, knowledge and API, and the page that states gaps and cures of them."""

import io
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path

from apigap.benchmarks.items.reading_checks import is_reading_check
from apigap.benchmarks.items.scores import CHANCES, MEASURES, ApiScore, answers_of, api_scores, scores_by_family
from apigap.benchmarks.items.summary import Gap, gaps_of
from apigap.records.questions.ladder import Group, LadderItem
from apigap.records.result import Result
from apigap.records.stated import Stated
from apigap.records.store import load_records, write_bytes
from apigap.reporting.figures import Figure, Rung, ladder_figure
from apigap.reporting.markdown import markdown_table
from apigap.statistics import Difference, clustered_wilson, cure, holm

WITHOUT = "baseline"
RESULTS = ".results.jsonl"
HEAD = """# The ladder on releases of this autumn

This page tells how much less models know of new APIs than of old ones like them, the *controls* ([the
ladder](ladder.md) explains the measures). Asked were {models} on {releases}.

- A gap above 0 means that a model knows less of the new APIs. Bold are differences whose interval excludes 0.
- New APIs that are one piece of news count as one. Intervals are of 95 % ([statistics](statistics.md)). p-values are
  corrected by Holm over a model's rows of a table.
"""
BLIND = """- A `blind-solver` is a strong model that is not named. It was given the questions in printed parts, with the
  options in one order, and answered from memory without running or looking up anything (`tools/ladder/blind.py`;
  answers and hashes of the prompts are in `studies/ladder`).
"""
MADE = """
Made by `tools/ladder/make_study.py` from `studies/ladder/scores.jsonl.xz`, which has each API's score by each measure.
"""
KNOWN = """## What the models know of new APIs, and of old ones like them
"""
GUESSED = """## What guessing gives

Some questions can be answered by guessing well. [Twins](ladder.md#twins) measure that: the same questions with names
that nobody can know. *Above them* is how much more the real APIs score.
"""
CURED = """## What knowledge cures

A *cure* is what new APIs gain when knowledge is shown (`e`: an example, `m_prose`: prose), less what their controls
gain. Questions whose answer stands in what is shown are left out.
"""


class StudyScore(ApiScore):
    """The score of one model under one condition."""

    model: str
    condition: str
    version: str
    old_version: str | None


def scores_of(model: str, condition: str, items: Sequence[LadderItem], results: Sequence[Result]) -> list[StudyScore]:
    """The scores of one run, without those of questions whose prompt held the answer."""
    own = {item.task_id: item for item in items}
    told = [one for one in results if not _is_told(own[one.task_id], one, condition)]
    versions = {item.library: (item.version, item.old_version) for item in items}
    return [
        StudyScore(
            **score.model_dump(), model=model, condition=condition,
            version=versions[score.library][0], old_version=versions[score.library][1],
        )
        for score in api_scores(items, told)
    ]  # fmt: skip


def _is_told(item: LadderItem, result: Result, condition: str) -> bool:
    return bool(result.detail.get("shown")) or (condition != WITHOUT and is_reading_check(item.rung, condition))


def collect(items: Path, runs: Path) -> Iterator[StudyScore]:
    """The scores of `runs/MODEL/CONDITION.results.jsonl` on all items in the folder `items`."""
    known = [
        item
        for path in sorted(items.glob("*.jsonl"))
        if "." not in path.stem
        for item in load_records(path, LadderItem)
    ]
    for path in sorted(runs.glob(f"*/*{RESULTS}")):
        condition = path.name.removesuffix(RESULTS)
        yield from scores_of(path.parent.name, condition, known, load_records(path, Result))


def keep(scores: Sequence[StudyScore], path: Path) -> None:
    """Write scores; the same ones always give the same bytes."""
    lines = sorted(score.to_line() for score in scores)
    write_bytes(path, lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9))


def kept(path: Path) -> list[StudyScore]:
    """The scores in a file that `keep` wrote."""
    with lzma.open(path, "rb") as file:
        return [StudyScore.model_validate_json(line) for line in io.TextIOWrapper(file, "utf-8")]


def figure_name(model: str) -> str:
    """The name of a model's figure, in which no dot begins a suffix."""
    return f"ladder-{model.replace('.', '_')}"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def study_page(scores: Sequence[StudyScore]) -> str:
    """The page as Markdown."""
    models = sorted({one.model for one in scores})
    releases = sorted({f"{one.library} {one.old_version} -> {one.version}" for one in scores})
    gaps = {model: gaps_of(_of(scores, model, WITHOUT)) for model in models}
    head = HEAD.format(models=_listed(models), releases=f"{len(releases)} releases ({', '.join(releases)})")
    known = markdown_table(
        ("model", "measure", "chance", "controls", "new APIs", "gap", "p (Holm)", "pairs, pieces of news, libraries"),
        [[model, *_gap_row(gap)] for model in models for gap in gaps[model]],
    )
    guessed = markdown_table(
        ("model", "measure", "twins of controls", "controls above them", "twins of new APIs", "new APIs above them",
         "gap above twins"),
        [[model, *_guess_row(gap)] for model in models for gap in gaps[model] if gap.guessing],
    )  # fmt: skip
    cured = markdown_table(
        ("model", "shown", "measure", "new APIs without", "with it", "controls without", "with it", "cure", "p (Holm)",
         "pairs, pieces of news"),
        [row for model in models for row in _cure_rows(model, scores)],
    )  # fmt: skip
    if any(model.startswith("blind-solver") for model in models):
        head += BLIND
    head += MADE
    head += "".join(f"\n![{model}: old and new APIs by rung](images/{figure_name(model)}.png)\n" for model in models)
    return "\n".join([head, KNOWN, known, GUESSED, guessed, CURED, cured])


def model_figure(scores: Sequence[StudyScore], model: str) -> Figure:
    """The means of new APIs and of controls without knowledge, by measure."""
    own = _of(scores, model, WITHOUT)
    return ladder_figure(
        [
            Rung(measure, CHANCES[measure], *(_rate(own, measure, group) for group in ("new", "control")))
            for measure in MEASURES
            if any(one.measure == measure for one in own)
        ]
    )


def _rate(scores: Sequence[StudyScore], measure: str, group: Group) -> tuple[float | None, float, float]:
    means = scores_by_family([one for one in scores if (one.measure, one.group) == (measure, group)])
    found = clustered_wilson(means, [str(number) for number in range(len(means))])
    return found.estimate, found.low, found.high


def _of(scores: Sequence[StudyScore], model: str, condition: str) -> list[StudyScore]:
    return [one for one in scores if (one.model, one.condition) == (model, condition)]


def _gap_row(gap: Gap) -> list[str]:
    counted = f"{gap.pairs}, {gap.families}, {gap.libraries}"
    return [
        gap.measure, f"{gap.chance:.2f}", _number(gap.control), _number(gap.new), _told(gap),
        _p_value(gap.adjusted), counted,
    ]  # fmt: skip


def _guess_row(gap: Gap) -> list[str]:
    assert gap.guessing is not None
    guessing = gap.guessing
    return [
        gap.measure, _number(guessing.control_twins), _told(guessing.control_known), _number(guessing.twins),
        _told(guessing.known), _told(guessing.known_gap),
    ]  # fmt: skip


def _cure_rows(model: str, scores: Sequence[StudyScore]) -> list[list[str]]:
    """A row per condition and measure that was asked with it and without."""
    before = _of(scores, model, WITHOUT)
    found: list[tuple[list[str], Difference]] = []
    for condition in sorted({one.condition for one in scores if one.model == model} - {WITHOUT}):
        after = _of(scores, model, condition)
        for measure in MEASURES:
            rows, means = _both([one for one in before if one.measure == measure], after, measure)
            if any(one.group == "new" for one, _ in rows):
                difference = cure(answers_of(rows), WITHOUT, condition)
                found.append(([model, condition, measure, *means], difference))
    corrected = iter(holm([one.p_value for _, one in found if one.p_value is not None]))
    return [
        [
            *head, _told(one), _p_value(None if one.p_value is None else next(corrected)),
            f"{one.pairs}, {one.families}",
        ]
        for head, one in found
    ]  # fmt: skip


def _both(
    before: Sequence[StudyScore], after: Sequence[StudyScore], measure: str
) -> tuple[list[tuple[StudyScore, str]], list[str]]:
    """Scores that are there without and with knowledge, and their means: new without, with, controls without, with."""
    first, second = (
        {(one.group, one.library, one.api_name, one.pair): one for one in side if one.measure == measure}
        for side in (before, after)
    )
    keys = sorted(key for key in first if key in second)
    rows = [(side[key], side[key].condition) for key in keys for side in (first, second)]
    means = [
        _number(_mean([side[key].score for key in keys if key[0] == group]))
        for group in ("new", "control")
        for side in (first, second)
    ]
    return rows, means


def _told(one: Stated | Difference) -> str:
    if one.estimate is None:
        return one.reason or "-"
    if one.low is None or one.high is None:
        return f"{one.estimate:.2f} ({one.reason})"
    text = f"{one.estimate:.2f} ({one.low:.2f} to {one.high:.2f})"
    return f"**{text}**" if one.low > 0 or one.high < 0 else text


def _number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _p_value(value: float | None) -> str:
    return "<0.001" if value is not None and value < 0.001 else _number(value, 3)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None

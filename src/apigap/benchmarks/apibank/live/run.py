"""A run of live dialogues with a model: all go on together, round by round, and every answer is kept.

A run that is started again replays the answers that it has, so a killed one loses nothing; a folder of requests and
answers (`batch/FOLDER`) is asked for a whole round at a time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from apigap.benchmarks.apibank.benchmark import decoding_for
from apigap.benchmarks.apibank.dialogues import LEVELS, data_folder, load_bank
from apigap.benchmarks.apibank.interfaces import load_interfaces
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.conversation import Conversation
from apigap.benchmarks.apibank.live.ending import evaluator
from apigap.benchmarks.apibank.live.goals import Goal, NoGoal, all_goals
from apigap.benchmarks.apibank.live.options import LiveOptions
from apigap.benchmarks.apibank.live.play import Play
from apigap.benchmarks.apibank.live.records import record_of, result_of
from apigap.benchmarks.apibank.live.report import live_page
from apigap.benchmarks.apibank.live.scripts import Script, scripts
from apigap.benchmarks.apibank.live.summary import LiveSummary, cost_of_calls, summarise_live
from apigap.benchmarks.apibank.live.users import MAX_TOKENS, RECORDED
from apigap.benchmarks.apibank.prompts import Prompter
from apigap.evaluation.benchmark import evenly
from apigap.evaluation.paths import manifest_path, summary_path
from apigap.models.generate import describe
from apigap.models.model_facts import decoding_within, tokens_for
from apigap.models.request import Decoding
from apigap.models.spending.cell_cost import CellCost, read_times
from apigap.models.transcripts import Call, Transcripts
from apigap.models.trial import try_models
from apigap.records.base import Json, content_hash
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.store import write_records, write_text
from apigap.reporting.render import render_analysis

ANSWERS, WORDS, RESULTS, DIALOGUES = "transcripts.jsonl", "user.jsonl", "results.jsonl", "dialogues.jsonl"
PAGE = "report.html"


def run_live(data: Path, options: LiveOptions, out: Path, progress: Progress) -> LiveSummary:
    """Play dialogues with a model into the folder `out`; what it answered before is not asked again.

    Raises:
        UsageError: when `out` was made from other data, another model or other options, or no dialogue has a goal.
        ModelUnavailable: when a model cannot be asked; what was answered before is kept.
        AnswersAwaited: when the model is a folder that lacks answers.
    """
    if options.samples > 1 and options.temperature == 0:
        raise UsageError(f"{options.samples} samples at temperature 0 are all the same; add --temperature 0.7, say")
    judge = ApiBankJudge(load_bank(data), "corrected", options.protocol, options.search, progress.note)
    goals = all_goals(judge.bank, judge)
    chosen = _chosen(judge, options, goals)
    if not chosen:
        raise UsageError("no dialogue of these levels has a goal; choose others with --level")
    decoding, users = decoding_for(options.model), decoding_within(options.user, tokens_for(options.user, MAX_TOKENS))
    try_models([(options.model, decoding.max_tokens)], progress)
    if options.plays_user:
        try_models([(options.user, users.max_tokens)], progress)
    made_from = _made_from(judge, options, decoding, users)
    stage = Stage(manifest_path(out / RESULTS), "apibank live", made_from, growing=("evaluator",))
    prompter = Prompter(load_interfaces(data_folder(data)), options.protocol)
    talks = [
        Conversation(Play(script, judge, goal), judge, prompter, sample, options.turns, options.plays_user)
        for script, goal in chosen
        for sample in range(options.samples)
    ]
    costs = _converse(talks, options, (decoding, users), out, progress)
    records = [record_of(talk) for talk in talks]
    results = [result_of(record, talk.play.script.level) for record, talk in zip(records, talks, strict=True)]
    summary = summarise_live(results, records, goals, options, costs)
    write_records(out / DIALOGUES, records)
    write_records(out / RESULTS, results)
    write_text(summary_path(out / RESULTS), json.dumps(summary.model_dump(mode="json"), indent=2) + "\n")
    write_text(out / PAGE, render_analysis(live_page(summary, records, results)))
    stage.finish({"dialogues": len(chosen), "samples": len(results), "outcomes": summary.outcomes})
    return summary


def _chosen(judge: ApiBankJudge, options: LiveOptions, goals: Mapping[str, Goal | NoGoal]) -> list[tuple[Script, Goal]]:
    """The scripts with a goal of the chosen levels, at most `limit` of each, spread evenly."""
    found: list[tuple[Script, Goal]] = []
    for number in sorted(set(options.levels)) or (1, 2, 3):
        those = [(script, goals[script.name]) for script in scripts(judge.bank, LEVELS[number - 1])]
        found += evenly([(script, goal) for script, goal in those if isinstance(goal, Goal)], options.limit)
    return found


def _made_from(judge: ApiBankJudge, options: LiveOptions, decoding: Decoding, users: Decoding) -> dict[str, Json]:
    """The facts that decide the answers and verdicts; more dialogues and samples only let a run go on."""
    told = [(one.name, one.said, one.calls_hash) for level in LEVELS for one in scripts(judge.bank, level)]
    return {
        "model": describe(options.model, decoding),
        "user": describe(options.user, users) if options.plays_user else RECORDED,
        "data": content_hash(told),
        "evaluator": evaluator(),
        "protocol": options.protocol,
        "temperature": options.temperature,
        "seed": options.seed,
        "turns": options.turns,
        **judge.plan.described,
    }


def _converse(
    talks: Sequence[Conversation],
    options: LiveOptions,
    decodings: tuple[Decoding, Decoding],
    out: Path,
    progress: Progress,
) -> tuple[CellCost, CellCost | None]:
    """Go on with all dialogues until the last one is over; the cost of the model's answers, and of the user's."""
    step = progress.step("dialogues")
    with ExitStack() as open_files:
        model = open_files.enter_context(_transcripts(options.model, decodings[0], out / ANSWERS, options))
        user = None
        if options.plays_user:
            user = open_files.enter_context(_transcripts(options.user, decodings[1], out / WORDS, options))
        given: dict[str, Call] = {}
        said: dict[str, Call] = {}
        while waiting := [talk for talk in talks if talk.over is None]:
            step(len(talks) - len(waiting), len(talks))
            asking = [talk for talk in waiting if not talk.users_turn]
            for talk, call in _asked(model, asking, options):
                given[call.key] = call
                talk.answered(call.answer, call.stop_reason)
            speaking = [talk for talk in waiting if talk.over is None and talk.users_turn]
            for talk, call in _asked(user, speaking, options) if user else ():
                said[call.key] = call
                talk.heard(call.answer)
        step(len(talks), len(talks))
    cost = cost_of_calls(given.values(), read_times(out / ANSWERS), options.model)
    return cost, cost_of_calls(said.values(), read_times(out / WORDS), options.user) if user else None


def _transcripts(model: str, decoding: Decoding, path: Path, options: LiveOptions) -> Transcripts:
    return Transcripts(model, decoding, path, connections=options.connections, timed=True)


def _asked(
    transcripts: Transcripts, talks: Sequence[Conversation], options: LiveOptions
) -> Iterable[tuple[Conversation, Call]]:
    requests = [talk.request(options.temperature, options.seed) for talk in talks]
    return zip(talks, transcripts.ask(requests), strict=True) if requests else ()

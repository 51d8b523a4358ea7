"""`apigap apibank generate`: training dialogues by five agents, over any model or the recorded run."""

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli.console import Console, print_json, print_rows, print_table
from apigap.cli.option_groups import SourceOptions, with_options
from apigap.cli.options import DEFAULT_MODEL, OWN, JsonOption, MaxMinutesOption, ModelOption, ReplayOption
from apigap.records.errors import CheckFailed, Paused, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.apibank_generator.budgeted_client import Price
    from apigap.apibank_generator.order import Order
    from apigap.apibank_generator.records import Ability, Tool
    from apigap.apibank_generator.run import RunOptions
    from apigap.apibank_generator.seeds.user_apis import Seeds


_COUNT = 60
_RECORDED_ONLY = (
    "--mock-llm replays one recorded run as it was ordered: leave out --model, --replay, your own APIs and all that "
    "says what to make (--count, --abilities, ...), or name a model with --model in its place"
)


@with_options
def generate(
    out: Annotated[Path, typer.Option("--out", help="Folder of the run; the same command goes on with what is in it.")],
    count: Annotated[int, typer.Option("--count", min=1, help="How many dialogues are to be accepted.")] = _COUNT,
    abilities: Annotated[
        str, typer.Option("--abilities", help="A comma between: call, retrieve+call, plan+retrieve+call.")
    ] = "call,retrieve+call,plan+retrieve+call",
    model: ModelOption = DEFAULT_MODEL,
    domains: Annotated[
        int | None, typer.Option("--domains", min=1, help="How many domains; default: by --count and --per-domain.")
    ] = None,
    per_domain: Annotated[int, typer.Option("--per-domain", min=1, help="The most dialogues of one domain.")] = 6,
    per_api: Annotated[int, typer.Option("--per-api", min=1, help="The most dialogues of one API.")] = 8,
    attempts: Annotated[
        int, typer.Option("--attempts", min=1, help="The most attempts, per ordered dialogue; with more a run goes on.")
    ] = 4,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0, help="0: greedy; of all agents but the tester.")
    ] = 0.8,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    price: Annotated[str | None, typer.Option("--price", help="Dollars per million tokens, as IN/OUT.")] = None,
    max_dollars: Annotated[
        float | None,
        typer.Option("--max-dollars", min=0, help="The most dollars that the folder may cost; needs --price."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=0, help="The most tokens read and written for the folder.")
    ] = None,
    max_minutes: MaxMinutesOption = None,
    evaluation: Annotated[
        Path,
        typer.Option("--evaluation", help="API-Bank's data, whose words must not come back; `own`: the small one."),
    ] = OWN,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder", help="minilm (84 MB, fetched once; the default) or lexical, to tell like from unlike."
        ),
    ] = None,
    replay: ReplayOption = None,
    mock_llm: Annotated[
        bool, typer.Option("--mock-llm", help="Replay the strong model's run that comes with apigap; ask nobody.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only estimate what it will take.")] = False,
    *,
    place: SourceOptions,
    json_: JsonOption = False,
) -> None:
    """Make training dialogues with five agents, API-Bank's way; exit 1 where fewer were accepted than ordered."""
    from apigap.apibank_generator.budgeted_client import Budget
    from apigap.apibank_generator.order import Order, shortage
    from apigap.apibank_generator.run import RunOptions, generate_apibank, try_model

    order = Order(
        count=count, abilities=_abilities(abilities), domains=domains, per_domain=per_domain, per_api=per_api,
        attempts=attempts, temperature=temperature, seed=seed,
    )  # fmt: skip
    limits = Budget(dollars=max_dollars, tokens=max_tokens, minutes=max_minutes)
    means = RunOptions(
        model, evaluation, embedder or ("lexical" if mock_llm else "minilm"), _price(price), limits, replay
    )
    seeds = _seeds(place) if place.given else None
    if mock_llm and (seeds or replay or model != DEFAULT_MODEL or order != Order(count=_COUNT)):
        raise UsageError(_RECORDED_ONLY)
    wanting = None if seeds else shortage(order)
    if wanting:
        raise UsageError(wanting)
    with ExitStack() as held:
        if mock_llm:
            order, means = _recorded(means, held)
        if dry_run:
            _show_estimate(order, means.price, seeds.tools if seeds else (), json_)
            return
        console = held.enter_context(Console())
        try_model(means, out, console)
        try:
            summary = generate_apibank(order, means, out, console, seeds)
        except Paused:
            progress(out, json_)
            raise
    _show(summary, json_)


def progress(
    data: Annotated[Path, typer.Option("--data", help="Folder of a run, whether it has ended or not.")],
    json_: JsonOption = False,
) -> None:
    """Show what a run has made and taken so far, per agent, while it works or waits for answers."""
    from apigap.apibank_generator.work_so_far import work_so_far

    state = work_so_far(data)
    if json_:
        print_json(state)
        return
    _print_shares(state["acceptance"], state["waiting"])
    print(_cost_text(state["account"]))
    print(f"{state['dialogues']} of {state['ordered']} dialogues in {data}{'' if state['finished'] else ' so far'}")


def _recorded(means: "RunOptions", held: ExitStack) -> "tuple[Order, RunOptions]":
    """The recorded run's order, and its answers in the place of a model's."""
    from apigap.apibank_generator.recording import RECORDED_MODEL, RECORDED_ORDER, recorded_run

    return RECORDED_ORDER, replace(means, model=RECORDED_MODEL, recorded=held.enter_context(recorded_run()))


def _abilities(names: str) -> "tuple[Ability, ...]":
    from apigap.apibank_generator.records import ABILITIES

    wanted = [name.strip().lower() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in ABILITIES]
    if unknown or not wanted:
        raise UsageError(f"--abilities {names!r}: {unknown or 'none'} is none of {', '.join(ABILITIES)}")
    return tuple(ability for ability in ABILITIES if ability in wanted)


def _price(text: str | None) -> "Price | None":
    from apigap.apibank_generator.budgeted_client import Price

    if text is None:
        return None
    try:
        read, _, written = text.partition("/")
        return Price(input=float(read), output=float(written or read))
    except ValueError:
        wanted = "IN/OUT in dollars per million tokens, such as 0.15/0.6"
        raise UsageError(f"--price {text!r} is not {wanted}") from None


def _seeds(place: SourceOptions) -> "Seeds":
    """The user's own APIs; what is left out of them is told on standard error."""
    seeds = place.source().seeds()
    for note in seeds.notes:
        print(f"apigap: note: {note}", file=sys.stderr)
    return seeds


def _show_estimate(order: "Order", price: "Price | None", tools: "Sequence[Tool]", as_json: bool) -> None:
    from apigap.apibank_generator.estimate import estimate

    summary = estimate(order, price, tools)
    columns = ("agent", "calls", "input_tokens", "output_tokens", "dollars")
    rows = [
        [agent, *("-" if row[key] is None else row[key] for key in columns[1:])]
        for agent, row in (*summary["agents"].items(), ("all", summary))
    ]
    print_rows(as_json, summary, f"Estimate for {order.count} dialogues", columns, rows)
    if not as_json:
        unpriced = "" if price else "; no price was given (--price)"
        assumed = ", ".join(f"{what} {share:.0%}" for what, share in summary["assumed"].items())
        print(f"assumed: {assumed}; nothing was asked{unpriced}")


def _show(summary: dict[str, Any], as_json: bool) -> None:
    accepted = summary["statistics"]["dialogues"]
    if as_json:
        print_json(summary)
    else:
        _print_shares(summary["acceptance"])
        print(_cost_text(summary["account"]))
        for note in summary["notes"]:
            print(f"note: {note}")
        compared = summary["evaluation"]
        print(
            f"compared with {compared['data']}: {compared['requests']} requests, {compared['runs']} runs of ten words"
        )
        print(f"{accepted} dialogues in {summary['folder']}; see card.md there")
    if summary["why"]:
        raise CheckFailed(f"{accepted} of {summary['ordered']} dialogues: {summary['why']}; {summary['remedy']}")


def _print_shares(shares: dict[str, Any], waiting: dict[str, int] | None = None) -> None:
    """A table of each agent's work; with `waiting` also the calls that have no answer yet."""
    columns = ["agent", "made", "taken", "why not the others"]
    rows = [[agent, s["made"], s["taken"], _reasons(s["reasons"])] for agent, s in shares.items()]
    if waiting:
        columns.insert(3, "waiting")
        for row in rows:
            row.insert(3, waiting.get(row[0], 0))
    print_table("What was taken of each agent's work", columns, rows)


def _cost_text(account: dict[str, Any]) -> str:
    text = f"{account['calls']} calls, {account['tokens']} tokens"
    priced = account["dollars"] is not None
    text += f", {account['dollars']} dollars" if priced else "; no price was given"
    if account["tokens_per_accepted"] is not None:
        text += f"; per accepted dialogue {account['tokens_per_accepted']} tokens"
        text += f", {account['dollars_per_accepted']} dollars" if priced else ""
    return text


def _reasons(counts: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in counts.items()) or "-"

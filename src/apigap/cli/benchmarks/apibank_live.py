"""`apigap apibank live`: whole dialogues with a model, in which the APIs really answer."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.api.session import shown
from apigap.cli.console import demand_verdicts, print_json, print_tables
from apigap.cli.options import (
    DEFAULT_MODEL,
    OWN,
    ConnectionsOption,
    JsonOption,
    MaxDollarsOption,
    MaxMinutesOption,
    MaxTokensOption,
    MockOption,
    ModelOption,
    PriceOption,
    limit_spending,
)


def live(
    out: Annotated[Path, typer.Option("--out", help="Folder for answers, results and the report; it goes on there.")],
    data: Annotated[
        Path, typer.Option("--data", help="Folder of API-Bank's data; `own`: the small set that comes with apigap.")
    ] = OWN,
    model: ModelOption = DEFAULT_MODEL,
    level: Annotated[
        list[int] | None, typer.Option("--level", min=1, max=3, help="A level; may be repeated; default: all.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many dialogues of each level (0: all).")] = 0,
    turns: Annotated[int, typer.Option("--turns", min=1, help="The most answers of the model in a dialogue.")] = 30,
    samples: Annotated[
        int, typer.Option("--samples", min=1, help="Answers per dialogue: how often each is played.")
    ] = 1,
    temperature: Annotated[float, typer.Option("--temperature", min=0, help="0: greedy, one sample.")] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the answers drawn at a temperature above 0.")] = 0,
    user: Annotated[
        str, typer.Option("--user", help="Who speaks for the user: recorded (the words of the data), or a model.")
    ] = "recorded",
    protocol: Annotated[
        str,
        typer.Option("--protocol", help="text: [ApiName(key='value')], as published; native: tool calls as JSON."),
    ] = "text",
    search: Annotated[
        str,
        typer.Option(
            "--search",
            help="What ToolSearcher finds with. recorded: as when the data was made; anew by words (lexical) or "
            "by vectors (minilm: 84 MB, fetched once; ORGANISATION/NAME).",
        ),
    ] = "recorded",
    connections: ConnectionsOption = None,
    mock_llm: MockOption = False,
    max_dollars: MaxDollarsOption = None,
    max_tokens: MaxTokensOption = None,
    max_minutes: MaxMinutesOption = None,
    price: PriceOption = None,
    json_: JsonOption = False,
) -> None:
    """Play whole dialogues with a model, and compare all databases at the end with what the user wanted."""
    from apigap.benchmarks.apibank.live.options import LiveOptions
    from apigap.benchmarks.apibank.live.run import PAGE, run_live
    from apigap.models.generate import MOCK_MODEL
    from apigap.records.errors import UsageError

    if protocol not in ("text", "native"):
        raise UsageError(f"no protocol is named {protocol!r}; the protocols are text and native")
    limit_spending(max_dollars, max_tokens, max_minutes, price)
    options = LiveOptions(
        model=MOCK_MODEL if mock_llm else model,
        user=user,
        protocol=protocol,
        search=search,
        levels=tuple(level or ()),
        limit=limit,
        samples=samples,
        temperature=temperature,
        seed=seed,
        turns=turns,
        connections=connections,
    )
    with shown("stderr") as progress:
        summary = run_live(data, options, out, progress)
    if json_:
        print_json(summary.model_dump(mode="json"))
    else:
        print_tables(summary.tables())
        print("\n".join([*summary.notes(), f"report: {out / PAGE}"]))
    demand_verdicts(summary.no_verdict, summary.rates[0].samples)

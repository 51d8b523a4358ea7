"""`apigap apibank review`, `convert` and `train`: a person's review of training dialogues, and what a trainer takes."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.completion import values
from apigap.cli.console import Console, next_command, print_result
from apigap.cli.options import DEFAULT_MODEL, JsonOption, MethodSetOption, TaughtModelOption


def review(
    data: Annotated[Path, typer.Option("--data", help="Folder of a run.")],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any free one.")] = 8054,
    apply: Annotated[bool, typer.Option("--apply", help="No page: only write the files with the decisions.")] = False,
    json_: JsonOption = False,
) -> None:
    """Look at accepted and rejected dialogues side by side in a browser, and decide; the training files follow."""
    from apigap.apibank_generator.run import apply_decisions, review_of

    if apply:
        counts = apply_decisions(data)
        print_result(json_, counts, *(f"{name}: {rows}" for name, rows in counts.items()))
        return
    with review_of(data, port) as server:
        print(f"The review is at {server.page} (end: Ctrl+C)", flush=True)
        server.serve()


def convert(
    data: Annotated[Path, typer.Option("--data", help="Folder of a run or of API-Bank's data, or one training file.")],
    out: Annotated[Path, typer.Option("--out", help="JSONL file of prompts and completions.")],
    json_: JsonOption = False,
) -> None:
    """Write released or generated training files as prompts and completions: a trainer's loss is on answers alone."""
    from apigap.apibank_generator.formats.files import convert as convert_files
    from apigap.apibank_generator.formats.files import training_files

    files = training_files(data)
    prompts = convert_files(files, out)
    told = f"{prompts} prompts with their completions in {out}, from {len(files)} files"
    print_result(json_, {"file": str(out), "prompts": prompts, "files": len(files)}, told)


def train(
    data: Annotated[Path, typer.Option("--data", help="Folder of a run or of API-Bank's data, or one training file.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for what was learnt; the same command goes on with it.")],
    model: TaughtModelOption = DEFAULT_MODEL,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            autocompletion=values.one_of(("published", "cpu")),
            help="published: as in the paper, all weights; cpu: LoRA, for small models.",
        ),
    ] = "published",
    set_: MethodSetOption = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="At most so many rows, spread over the files (0: all).")
    ] = 0,
    json_: JsonOption = False,
) -> None:
    """Tune a model on released or generated training files, with the loss on the answers alone."""
    from apigap.adaptation.lynx_recipe import recipe, train_apibank

    with Console() as console:
        seeds = train_apibank(data, model, out, recipe(preset, set_ or ()), console, limit)
    name = seeds.name_in(out)
    asking = ("predict", "apibank", "--data", "own", "--model")
    print_result(
        json_,
        {"folder": str(out), "model": name},
        f"{model} has learnt from {data}: {out}; to compare what it calls with what it called before:",
        next_command(*asking, name, "--out", out / "after.jsonl"),
        next_command(*asking, model, "--out", out / "before.jsonl"),
    )

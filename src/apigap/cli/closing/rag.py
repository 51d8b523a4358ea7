"""`apigap rag`: indexes over knowledge bundles, and how well a search in them finds what tasks need."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import Console, print_json, print_rows, print_table
from apigap.cli.option_groups import commands, group, with_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.cli.console import Console, print_rows
    from apigap.experiments.rag import Retrieval
    from apigap.experiments.rag_evaluation import RetrievalScore
    from apigap.records.task import Task

_STARTER = "starter"


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions:
    """The bundles that are searched, under which conditions, and where their indexes are."""

    group: Annotated[
        str,
        typer.Option(
            "--group",
            autocompletion=values.groups,
            help="A built group, or `starter`; with --knowledge a name; indexes go to data/rag/GROUP.",
        ),
    ] = _STARTER
    model: opt.GroupModelOption = opt.DEFAULT_MODEL
    knowledge: opt.KnowledgeOption = None
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition",
            autocompletion=values.conditions,
            help="Knowledge that prompts show; may be repeated; default: the published ones.",
        ),
    ] = None
    data: opt.DataOption = opt.DATA
    config: opt.ConfigOption = None
    set_: opt.SetOption = None
    json_: opt.JsonOption = False

    @property
    def conditions(self) -> list[str]:
        """The conditions that were named, else those that show something, in the published order."""
        from apigap.knowledge.conditions import PUBLISHED

        return self.condition or [name for name, components in PUBLISHED.items() if components]

    def open(self, console: "Console", tasks: Path | None = None) -> "tuple[Retrieval, Sequence[Task]]":
        """Search in the bundles that are meant, and the tasks: `tasks`, else the group's or the starter's."""
        from apigap.experiments.rag import Retrieval, rag_folder
        from apigap.experiments.sources import read_group
        from apigap.knowledge.bundle_files import read_bundles
        from apigap.tasks.starter_files import tasks_path
        from apigap.tasks.task_files import load_tasks

        settings = opt.settings_of(self.config, self.set_).retrieval
        if self.knowledge or self.group == _STARTER:
            asked = load_tasks(tasks or tasks_path(Path(_STARTER)))
            folder = rag_folder(self.data, self.group)
            return Retrieval(read_bundles(self.knowledge or (), asked), folder, settings, console), asked
        source = read_group(self.group, self.model, self.data)
        found = Retrieval(source.bundles, rag_folder(self.data, source.group), settings, console)
        return found, load_tasks(tasks) if tasks else source.tasks


@with_options
def build(options: RetrievalOptions) -> None:
    """Make the index of every condition; what is there and made of the same things is left as it is."""
    with Console() as console:
        retrieval, _ = options.open(console)
        built = {name: retrieval.build(name) for name in options.conditions}
    told = {name: {"folder": str(one.folder), "made": one.made, **one.counts} for name, one in built.items()}
    rows = [
        [name, *(one.counts[key] for key in ("documents", "chunks", "tokens")), "yes" if one.made else "no"]
        for name, one in built.items()
    ]
    columns = ("condition", "APIs", "chunks", "tokens", "made now")
    print_rows(options.json_, told, f"Indexes in {retrieval.folder}", columns, rows)


@with_options
def eval_(
    tasks: opt.OwnTasksOption = None,
    searcher: opt.SearchersOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="JSONL file with a line per task and search.")] = None,
    *,
    options: RetrievalOptions,
) -> None:
    """Search for every task under every condition: where its API ranks, and how much of it a prompt would show."""
    from apigap.experiments.rag_evaluation import evaluate_retrieval
    from apigap.records.store import write_records
    from apigap.retrieval.index import searchers_named

    chosen = searchers_named(searcher or ())
    with Console() as console:
        retrieval, asked = options.open(console, tasks)
        evaluated = evaluate_retrieval(retrieval, asked, options.conditions, chosen)
    if out is not None:
        write_records(out, evaluated.found)
    if options.json_:
        print_json([score.model_dump(mode="json") for score in evaluated.scores])
    else:
        _show(evaluated.scores)


def _show(scores: "Sequence[RetrievalScore]") -> None:
    k = scores[0].k
    rows: list[list[object]] = []
    for s in scores:
        figures = [f"{value:.3f}" for value in (s.hit_at_1, s.hit_at_k, s.mrr, s.ndcg_at_k)]
        rows.append([s.condition, s.searcher, s.tasks, *figures, f"{s.median_rank:g}"])
    columns = ("condition", "searcher", "tasks", "hit@1", f"hit@{k}", "MRR", f"NDCG@{k}", "rank")
    print_table(f"Where the task's API ranks among {scores[0].apis}; query: {scores[0].query}", columns, rows)
    rows = []
    for s in scores:
        in_prompt = [f"{s.in_prompt:.3f}", "{:.2f} to {:.2f}".format(*s.in_prompt_interval)]
        rows.append([s.condition, s.searcher, *in_prompt, f"{s.shown:.3f}", f"{s.control:.3f}", s.left_out])
    columns = ("condition", "searcher", "in prompt", "95 %", "of its text", "control", "cut")
    print_table(f"What the prompt shows of it with {k} chunks", columns, rows)
    print(
        "control: only the API's own chunks are searched, so what is missing there does not fit the prompt\n"
        "cut: chunks that were found and for which the prompt had no room"
    )


register = commands(group("rag", "Retrieval: build the indexes of a group, measure what they find.", build, eval_))

"""The page of roles and doors, from the cells that ran."""

import shlex
from collections.abc import Iterable, Mapping

from tools.models.cells import Cell
from tools.models.door_list import DOORS, LOCAL_MODEL, Door
from tools.models.role_list import ROLES, Role

Cells = Mapping[tuple[str, str], Cell]

HEAD = f"""# Every role of a model, through every door

Which door (a way to reach a model, see [Models](models.md)) is open for which role. Each cell is a command that ran on
this project's machine, and what came out, with exit code 0 where no other is shown; "not offered" is a refusal, whose
words are below. The commands are tiny: they show that a door is open for a role, and nothing of the model.

The page is made by `python -m tools.models.doors` from `studies/doors/cells.jsonl`. The model is {LOCAL_MODEL},
embedded. The server is llama.cpp's own (`python -m tools.models.llama_server {LOCAL_MODEL} 8080`), which speaks
OpenAI's protocol and that of Anthropic's messages.

"""
VARIABLES = """
## How each door was opened

The doors of Ollama and vLLM lead to the same server: that shows that their way of asking works, and nothing of those
servers themselves. `python -m tools.models.batch_queue` answers the files: it posts the requests to the server and
writes the answers as a batch's output. The command is then run again, as often as it says.

| door | model | variables |
| --- | --- | --- |
"""


def page(found: Iterable[Cell]) -> str:
    """The table, what was refused, how the doors were opened, and the command of each role."""
    cells = {(cell.role, cell.door): cell for cell in found}
    return HEAD + _table(cells) + _refusals(cells) + VARIABLES + "".join(map(_door, DOORS)) + _commands()


def _table(cells: Cells) -> str:
    lines = [f"| role | {' | '.join(door.name for door in DOORS)} |", "| --- " * (len(DOORS) + 1) + "|"]
    for role in ROLES:
        shown = (_shown(cells.get((role.name, door.name))) for door in DOORS)
        lines.append(f"| {role.title} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def _shown(cell: Cell | None) -> str:
    if cell is None:
        return "not tried"
    if cell.kind == "refused":
        return "not offered"
    if cell.kind == "failed":
        return f"**failed**, exit {cell.exit_code}"
    rounds = f", in {cell.rounds} runs" if cell.rounds > 1 else ""
    short = f"; exit {cell.exit_code}" if cell.exit_code else ""
    return f"{cell.came_out}{rounds}{short}"


def _refusals(cells: Cells) -> str:
    """The words of commands that did not end well (Inspect ends with 0 all the same): the doors of each sentence."""
    said: dict[tuple[str, str], list[str]] = {}
    for role in ROLES:
        for door in DOORS:
            cell = cells.get((role.name, door.name))
            if cell and (cell.exit_code or cell.kind != "ran"):
                words = cell.said.replace(door.model, "MODEL").replace("|", "\\|")
                said.setdefault((role.title, words), []).append(door.name)
    rows = [f"| {title} | {', '.join(doors)} | {words} |\n" for (title, words), doors in said.items()]
    head = (
        "\n## Where a command did not do its work, and what it said\n\n| role | doors | words |\n| --- | --- | --- |\n"
    )
    return head + "".join(rows) if rows else ""


def _door(door: Door) -> str:
    variables = door.environment("http://127.0.0.1:8080").items()
    shown = " ".join(f"`{name}={value}`" for name, value in variables) or "none"
    return f"| {door.name} | `{door.model}` | {shown} |\n"


def _commands() -> str:
    text = "\n## The commands\n\n`MODEL` is the door's; through `mock`, `-m MODEL` is `--mock-llm`. `inputs` are made\n"
    text += "without a model, by `discover`, `extract`, `generate` and `items` (`tools/models/inputs.py`).\n\n```\n"
    return text + "".join(f"# {role.title}\n{_command(role)}\n" for role in ROLES) + "```\n"


def _command(role: Role) -> str:
    return " ".join(shlex.quote(word) if "[" not in word else word for word in _named(role))


def _named(role: Role) -> list[str]:
    return [word.format(model="MODEL") for word in role.words]

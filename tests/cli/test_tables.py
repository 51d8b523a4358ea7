"""Tables where there is no terminal: as wide as what they hold, and no value is cut."""

import pytest

from apigap.cli.console import print_table

NAME = "package.module.Class.a_method_with_a_very_long_name"
SENTENCE = "none of the 8 usages of it runs by itself " * 5
ROWS: list[tuple[str, list[str], int]] = [
    ("as wide as its content", ["a", "b"], 11),
    ("a value of two words is not wrapped", ["one two", NAME], 65),
    ("sentences are wrapped", [NAME, SENTENCE], 180),
    ("many names are not", [f"{NAME}{number}" for number in range(5)], 276),
    ("a sentence beside them keeps some room", [SENTENCE, *[NAME] * 4], 250),
    ("a value of an attacker is folded", ["x" * 60_000, "one"], 400),
]


@pytest.mark.parametrize(("cells", "width"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_table_in_a_pipe(cells: list[str], width: int, capsys: pytest.CaptureFixture[str]) -> None:
    print_table("title", [f"c{number}" for number in range(len(cells))], [cells, ["1"] * len(cells)])
    lines = [line for line in capsys.readouterr().out.splitlines() if line[0] in "┏│┃└"]
    assert {len(line) for line in lines} == {width}
    body = [[part.strip() for part in line.split("│")[1:-1]] for line in lines if line[0] == "│"][:-1]
    assert ["".join("".join(column).split()) for column in zip(*body, strict=True)] == [
        "".join(cell.split()) for cell in cells
    ]

"""The time that a step will still take, as it is told."""

import pytest

from apigap.api.console import Console
from apigap.api.time_left import TimeLeft

ROWS: list[tuple[str, list[tuple[float, int]], int, str]] = [
    ("nothing is known at first", [(0, 0)], 100, ""),
    ("nor after a moment", [(0, 0), (1, 1), (5, 10)], 100, ""),
    ("nor while nothing is done", [(0, 0), (60, 0)], 100, ""),
    ("nor from the first unit, before which a model is loaded", [(0, 0), (60, 1), (66, 1)], 100, ""),
    ("nor from a second one", [(0, 0), (60, 1), (66, 2)], 100, ""),
    ("loading is not in the rate", [(0, 0), (60, 1), (66, 41)], 101, "about 10 s left"),
    ("half is done in a minute", [(0, 0), (1, 1), (61, 51)], 101, "about 1 min left"),
    ("seconds come by tens", [(0, 0), (1, 1), (11, 21)], 101, "about 40 s left"),
    ("the last ones take a moment", [(0, 0), (1, 1), (11, 99)], 100, "about 10 s left"),
    ("what an earlier run did is no rate", [(0, 90), (60, 91), (180, 93)], 100, "about 7 min left"),
    ("hours", [(0, 0), (1, 1), (3601, 11)], 101, "about 9.0 h left"),
    ("all is done", [(0, 0), (1, 1), (60, 100)], 100, ""),
]


@pytest.mark.parametrize(("calls", "total", "said"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_time_left(calls: list[tuple[float, int]], total: int, said: str) -> None:
    clock = iter([at for at, _ in calls])
    left = TimeLeft(lambda: next(clock))
    assert [left(done, total) for _, done in calls][-1] == said


def test_a_step_with_nothing_to_do_has_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Console() as console:
        for total in (0, 2):
            step = console.step("verdicts")
            step(0, total)
            step(total, total)
    assert capsys.readouterr().err == "verdicts: 0/2\nverdicts: 2/2\n"

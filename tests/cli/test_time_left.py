"""The time that a step will still take, as it is told."""

import pytest

from apigap.api.time_left import TimeLeft

ROWS: list[tuple[str, list[tuple[float, int]], int, str]] = [
    ("nothing is known at first", [(0, 0)], 100, ""),
    ("nor after a moment", [(0, 0), (4, 10)], 100, ""),
    ("nor while nothing is done", [(0, 0), (60, 0)], 100, ""),
    ("half is done in a minute", [(0, 0), (60, 50)], 100, "about 1 min left"),
    ("seconds come by tens", [(0, 0), (10, 20)], 100, "about 40 s left"),
    ("the last ones take a moment", [(0, 0), (10, 99)], 100, "about 10 s left"),
    ("what an earlier run did is no rate", [(0, 90), (60, 91)], 100, "about 9 min left"),
    ("hours", [(0, 0), (3600, 10)], 100, "about 9.0 h left"),
    ("all is done", [(0, 0), (60, 100)], 100, ""),
]


@pytest.mark.parametrize(("calls", "total", "said"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_time_left(calls: list[tuple[float, int]], total: int, said: str) -> None:
    clock = iter([at for at, _ in calls])
    left = TimeLeft(lambda: next(clock))
    assert [left(done, total) for _, done in calls][-1] == said

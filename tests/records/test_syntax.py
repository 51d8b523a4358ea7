import gc
import threading
import time
import warnings
from collections.abc import Iterator

import pytest

from apigap.records.parsing.syntax import parse

TEXT = "\n".join(f"x{number} = f({number}, g(h(i[{number}:3])))" for number in range(300))


@pytest.fixture
def switching() -> Iterator[None]:
    """A collector of garbage that runs often, and lets another thread run whenever it does."""
    thresholds = gc.get_threshold()

    def pause(phase: str, info: dict[str, int]) -> None:
        time.sleep(0.0001)

    gc.set_threshold(50)
    gc.callbacks.append(pause)
    yield
    gc.callbacks.remove(pause)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("switching")
def test_threads_that_parse_do_not_disturb_one_another() -> None:
    raised: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                parse(TEXT)
        except BaseException as error:  # noqa: BLE001  (shown below)
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []


def test_the_warnings_of_a_text_are_not_shown() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(r'print("\d")')

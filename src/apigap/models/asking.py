"""Many requests at once: who stands beside whom, how they are worked through, and a loop for it anywhere."""

import asyncio
import gc
import threading
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from apigap.models.request import Prompted
from apigap.records.errors import ModelUnavailable, UsageError

_Asked = TypeVar("_Asked", bound=Prompted)
_NEIGHBOURS = 16
_MANY = 100
_FAILURES = 3
"""So many requests that fail one after the other are taken as the model being away."""


def groups_of(requests: Sequence[_Asked]) -> list[list[_Asked]]:
    """Neighbours that share their beginning stay together, so that one server reads it once.

    So do equal prompts, of which all but the first are then answered from the cache. No group is so large that the
    other servers would be left without work.
    """
    groups: list[list[_Asked]] = []
    for request in requests:
        last = groups[-1] if groups else []
        if last and len(last) < _NEIGHBOURS and _are_alike(last[-1], request):
            groups[-1].append(request)
        else:
            groups.append([request])
    return groups


def _are_alike(one: Prompted, next_: Prompted) -> bool:
    if next_.shared:
        return one.shared_part == next_.shared_part
    return one.prompt == next_.prompt


async def ask_each(requests: Sequence[_Asked], ask: Callable[[_Asked], Awaitable[None]], connections: int) -> None:
    """Ask all requests, so many at a time, and raise the first failure at the end.

    A request that fails does not keep the others from being asked. After some failures without an answer between them
    no further one is begun; nor after an error that is not the model's. What is under way then is waited for, since it
    is paid for.
    """
    waiting = iter(groups_of(requests))
    failures: list[Exception] = []
    in_a_row = 0

    async def work() -> None:
        nonlocal in_a_row
        for group in waiting:
            for request in group:
                if in_a_row >= _FAILURES:
                    return
                try:
                    await ask(request)
                    in_a_row = 0
                except ModelUnavailable as error:
                    failures.append(error)
                    in_a_row += 1
                except Exception as error:  # noqa: BLE001  raised below
                    failures.append(error)
                    in_a_row = _FAILURES

    try:
        with _without_pauses(len(requests)):
            async with asyncio.TaskGroup() as group:
                for _ in range(connections):
                    group.create_task(work())
    except BaseExceptionGroup as interrupted:
        raise interrupted.exceptions[0] from None  # a signal; the others are its consequences
    if failures:
        raise failures[0]


@contextmanager
def _without_pauses(requests: int) -> Generator[None]:
    """Have the collector of cycles leave alone what is in memory already, while many requests are asked.

    It would look through all of Inspect and its libraries every few hundred requests, 0.1 s each time.
    """
    if requests < _MANY:
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def check_keys(requests: Sequence[Prompted]) -> None:
    """Refuse two requests of one key, with a UsageError."""
    keys: set[str] = set()
    for request in requests:
        if request.key in keys:
            raise UsageError(f"two requests have the key {request.key!r}; give each one its own")
        keys.add(request.key)


def run_apart(work: Callable[[], Any]) -> None:
    """Run `work` to its end; beside a loop that runs already (a notebook) in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return
    failure: list[BaseException] = []

    def aside() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:  # noqa: BLE001  raised again below
            failure.append(error)

    thread = threading.Thread(target=aside)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]

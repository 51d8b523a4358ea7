"""The engine: runs programs in warm sandboxes, several at a time, and gives one record for each."""

import queue
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from apigap.records.base import Json
from apigap.records.configuration import Backend, ExecutionSettings, PackageSettings
from apigap.records.errors import EnvironmentFailure, InfrastructureError
from apigap.records.run import Program, RunRecord
from apigap.sandbox.elsewhere import Elsewhere, Kind, Order, run_elsewhere
from apigap.sandbox.environment import Environment, Stamp, stamp
from apigap.sandbox.isolation.availability import make_profile, require_isolation
from apigap.sandbox.isolation.cgroups import writable_version
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.live_sandbox import Sandbox, SandboxLost
from apigap.sandbox.run_outcome import can_come_from_a_neighbour, to_record
from apigap.sandbox.scripts import run_script

OnResult = Callable[[int, RunRecord], None]
Runner = Callable[[Program], RunRecord]
R = TypeVar("R")
_Key = tuple[Path, str, tuple[str, ...], int]
_RETRIES = 2
_PROGRAMS_PER_SANDBOX = 1_000
_WAITED = 0.5
"""Seconds of idleness after which a program may have missed a thread that its library started at its import."""


class Engine:
    """Runs programs in isolation; use it as a context manager, so that no sandbox outlives it.

    Warm sandboxes are kept per (environment, preload), the least recently used are closed first. Where a preload
    fails or starts threads of Python, its sandboxes start cold: each program imports for itself, with the same verdict.
    Where it starts threads outside of Python, as polars does, what a lack of them could have brought about (a limit, a
    kill, whatever came after a wait) counts only from a cold sandbox.
    `backend` is what makes the sandboxes. With `cold` nothing is kept warm: every program gets a sandbox and an
    interpreter of its own, which imports what it needs and ends with it. With `build_sdists` what
    has no wheels may be built in its sandboxes, and `packages` are the settings of what is installed for them, see
    `environment_store`.
    However many threads hand it programs, it runs as many at a time as it has `workers`. With `elsewhere` programs and
    trials are run by other machines; scripts, which are our own, still run here.

    Raises:
        IsolationMissing: when no sandbox can be made here and `unsafe_local` is not set.
    """

    def __init__(
        self,
        workers: int = 2,
        limits: Limits | None = None,
        unsafe_local: bool = False,
        backend: Backend = "bubblewrap",
        cold: bool = False,
        build_sdists: bool = False,
        packages: PackageSettings | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        if not unsafe_local:
            require_isolation(backend)
        self.workers = max(1, workers)
        self.cold = cold
        self.limits = limits or Limits()
        cgroup = None if unsafe_local else writable_version()
        self.profile: Profile = make_profile(self.limits, cgroup, unsafe_local, backend)
        self.build_sdists = build_sdists
        self.packages = packages
        self.elsewhere = elsewhere
        self._slots = threading.Semaphore(self.workers)
        self._unsafe_local = unsafe_local
        self._backend: Backend = backend
        self._idle: OrderedDict[Sandbox, _Key] = OrderedDict()
        self._never_warm: set[_Key] = set()
        self._beside_threads: set[_Key] = set()
        self._stamps: dict[Path, Stamp] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(
        cls,
        settings: ExecutionSettings,
        unsafe_local: bool = False,
        cold: bool = False,
        packages: PackageSettings | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> "Engine":
        """An engine as a run's settings want it."""
        limits = Limits(
            cpu_seconds=settings.cpu_seconds, wall_seconds=settings.wall_seconds, memory=settings.memory_mib * MIB
        )
        builds = settings.build_sdists
        return cls(settings.workers, limits, unsafe_local, settings.backend, cold, builds, packages, elsewhere)

    def with_limits(self, limits: Limits) -> "Engine":
        """Another engine like this one, whose programs have other limits; it is closed by itself."""
        return Engine(
            self.workers, limits, self._unsafe_local, self._backend, self.cold, self.build_sdists, self.packages,
            self.elsewhere,
        )  # fmt: skip

    def order(
        self,
        kind: Kind,
        environment: Environment | None,
        preload: Sequence[str],
        former: tuple[Environment, tuple[str, ...]] | None = None,
    ) -> Order:
        """The terms on which other machines do this engine's work."""
        return Order(
            kind, environment, tuple(preload), former,
            self.limits, self._backend, self.cold, self.build_sdists, self.packages,
        )  # fmt: skip

    @property
    def terms(self) -> dict[str, Any]:
        """Limits and isolation, for manifests: on other terms a program may end otherwise."""
        return {"limits": self.limits.model_dump(mode="json"), "isolation": self.profile.model_dump(mode="json")}

    def run(
        self,
        environment: Environment,
        programs: Sequence[Program],
        *,
        preload: Sequence[str] = (),
        on_result: OnResult | None = None,
    ) -> list[RunRecord]:
        """Run every program and give its record, in the order of `programs`.

        `preload` are modules to import beforehand. `on_result` is told of each record as it comes, from one
        thread at a time. A program that cannot be run gets a record with status `infra`; nothing is raised for it.
        """
        if self.elsewhere is not None:
            return run_elsewhere(self.elsewhere, self.order("programs", environment, preload), programs, on_result)

        def job(program: Program) -> Callable[[Runner], RunRecord]:
            return lambda run: run(program)

        jobs = [job(program) for program in programs]
        return self.run_jobs(environment, jobs, preload=preload, on_result=on_result)

    def run_jobs(
        self,
        environment: Environment,
        jobs: Sequence[Callable[[Runner], R]],
        *,
        preload: Sequence[str] = (),
        on_result: Callable[[int, R], None] | None = None,
        costs: Sequence[float] | None = None,
    ) -> list[R]:
        """Do every job in one of the engine's threads; a job is given a function that runs one program.

        Results come in the order of `jobs`; `on_result` is told of each as it comes, from one thread at a time. With
        `costs`, in any unit, the longest jobs begin first, so that none of them is left alone at the end.
        What a job or `on_result` raises is raised here, after the programs under way have ended.
        """
        results: dict[int, R] = {}
        left: queue.SimpleQueue[int] = queue.SimpleQueue()
        order = range(len(jobs))
        for number in sorted(order, key=lambda number: -costs[number]) if costs else order:
            left.put(number)
        failures: list[BaseException] = []
        telling = threading.Lock()

        run = self.runner(environment, preload)

        def runner(program: Program) -> RunRecord:
            if failures:  # a job may be minutes of programs: none begins any more
                raise failures[0]
            return run(program)

        def work() -> None:
            while not failures:
                try:
                    number = left.get_nowait()
                except queue.Empty:
                    return
                try:
                    results[number] = jobs[number](runner)
                    with telling:
                        if on_result is not None:
                            on_result(number, results[number])
                except BaseException as error:  # noqa: BLE001  (handed to the caller below)
                    failures.append(error)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(min(self.workers, len(jobs)))]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except BaseException as error:  # an interrupt: end the programs under way, begin no more
            failures.append(error)
            for thread in threads:
                thread.join()
            raise
        if failures:
            raise failures[0]
        return [results[number] for number in range(len(jobs))]

    def runner(self, environment: Environment, preload: Sequence[str] = (), patience: int = 1) -> Runner:
        """A function that runs one program in the thread that calls it, with `patience` times the limits of time."""
        names = tuple(preload)
        return lambda program: self._run_one(environment, program, names, patience)

    def script(self, environment: Environment, path: Path, argument: Json, timeout: float = 300.0) -> Json:
        """Call `main(argument)` of one of our own scripts in a fresh, isolated interpreter of the environment.

        `path` is a file, or a folder whose `__init__.py` has `main` and whose modules import each other relatively.
        The script may use the standard library and whatever the environment holds; the result must be JSON.

        Raises:
            InfrastructureError: when it fails or takes longer than `timeout` seconds; carries the end of its stderr.
        """
        return run_script(environment, self.profile, self.limits, path, argument, timeout)

    def close(self) -> None:
        """Close every sandbox."""
        with self._lock:
            idle, self._idle = list(self._idle), OrderedDict()
        for sandbox in idle:
            sandbox.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run_one(
        self, environment: Environment, program: Program, preload: tuple[str, ...], patience: int
    ) -> RunRecord:
        """The record of a program, once one of the engine's slots is free."""
        with self._slots:
            return self._until_it_counts(environment, program, preload, patience)

    def _until_it_counts(
        self, environment: Environment, program: Program, preload: tuple[str, ...], patience: int
    ) -> RunRecord:
        """The record of a program. What a neighbour could have brought about counts only from a fresh sandbox."""
        record = RunRecord(status="infra", phase="start", reason="it was never run")
        for attempt in range(_RETRIES + 1):
            if record.status == "infra" and attempt:
                time.sleep(0.1 * attempt)
            try:
                record, counts = self._attempt(environment, program, preload, patience, fresh=attempt > 0)
            except EnvironmentFailure as error:
                return RunRecord(status="infra", phase="start", reason=str(error)[:2000])
            except InfrastructureError as error:
                record, counts = RunRecord(status="infra", phase="start", reason=str(error)[:2000]), False
            if counts and not _is_machines(record):
                return record
        return record

    def _attempt(
        self, environment: Environment, program: Program, preload: tuple[str, ...], patience: int, fresh: bool
    ) -> tuple[RunRecord, bool]:
        """One run: the record, and whether it counts; with `fresh` in a sandbox that had no other program before."""
        key = (environment.root, environment.lock, preload, patience)
        with self._lock:
            before = self._stamps.setdefault(environment.root, stamp(environment))
        sandbox = self._new(environment, key, confirms=True) if fresh else self._take(environment, key)
        first, beside_threads = sandbox.served == 0, sandbox.beside_threads
        nonce = secrets.token_hex(16)
        request = {**program.model_dump(mode="python"), "nonce": nonce}
        try:
            ended = sandbox.run({**request, "observe": list(program.observe), "keep": list(program.keep)})
        except BaseException:
            sandbox.close()
            raise
        record = to_record(program, nonce, ended, self.limits.with_time(patience))
        if can_come_from_a_neighbour(record):
            sandbox.usable = False
        self._give_back(sandbox, key)
        if stamp(environment) != before:
            raise EnvironmentFailure(
                f"the environment of {environment.library} {environment.version} at {environment.root} was changed or "
                "removed while it was in use, so nothing that ran in it counts; run the same command again"
            )
        alone = first and not beside_threads
        waited = beside_threads and record.idle_seconds > _WAITED
        return record, alone or not (waited or can_come_from_a_neighbour(record))

    def _take(self, environment: Environment, key: _Key) -> Sandbox:
        """An idle sandbox for this key, or a new one."""
        with self._lock:
            for sandbox, known in reversed(self._idle.items()):
                if known == key:
                    del self._idle[sandbox]
                    return sandbox
        return self._new(environment, key)

    def _new(self, environment: Environment, key: _Key, confirms: bool = False) -> Sandbox:
        """A sandbox that has served nobody yet: warm, or cold where it cannot be warm or must lack no thread."""
        limits = self.limits.with_time(key[3])
        if confirms and key in self._beside_threads:
            return Sandbox(environment, self.profile, limits, key[2], cold=True)
        if not self.cold and key not in self._never_warm:
            try:
                sandbox = Sandbox(environment, self.profile, limits, key[2])
            except SandboxLost:
                if not key[2]:
                    raise
            else:
                if sandbox.beside_threads:
                    self._beside_threads.add(key)
                if sandbox.warm_problem is None:
                    return sandbox
                sandbox.close()
        sandbox = Sandbox(environment, self.profile, limits, key[2], cold=True)
        self._never_warm.add(key)
        return sandbox

    def _give_back(self, sandbox: Sandbox, key: _Key) -> None:
        replaced = sandbox.cold and key not in self._never_warm
        if self.cold or replaced or not sandbox.usable or sandbox.served >= _PROGRAMS_PER_SANDBOX:
            sandbox.close()
            return
        with self._lock:
            self._idle[sandbox] = key
            spare = [self._idle.popitem(last=False)[0] for _ in range(len(self._idle) - 2 * self.workers)]
        for old in spare:
            old.close()


def _is_machines(record: RunRecord) -> bool:
    """Tell whether the program had not begun when the run ended, for a reason that may have gone by now."""
    return record.status == "infra" and record.phase == "start" and record.limit is None

"""A node's part of a run: one actor that owns the node's sandboxes, environments and caches.

Its methods take and give bytes of our own schema. What a program in a sandbox made is never unpickled, here or there:
it is text in a record. An error of the node's own is told in the answer, not raised.
"""

import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from apigap.cluster.commands import Command, carry_out
from apigap.cluster.messages import (
    Done,
    Facts,
    Home,
    Identity,
    Question,
    Readiness,
    Terms,
    pack_reply,
    unpack_batch,
)
from apigap.packages.wheelhouse import use
from apigap.packages.workshop import environment_store
from apigap.records.base import canonical_json
from apigap.records.errors import ApigapError
from apigap.records.paths import cache_home
from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.availability import make_profile, require_isolation
from apigap.sandbox.isolation.cgroups import writable_version
from apigap.sandbox.verdict.evidence import Former
from apigap.sandbox.verdict.judge import Judge
from apigap.sandbox.verdict.travelling import VerdictRecord, task_in, trial_in
from apigap.sandbox.verdict.verdict import Verdict

_ENGINES = 3
_JUDGES = 6
_TRIALS_PER_JUDGE = 20_000
"""A judge remembers how references behave; after so many trials a new one begins."""


class Node:
    """The node's worker, with as many programs at a time as `workers`; its methods may be called from several threads.

    `name` is the node's for people.
    """

    def __init__(self, name: str, workers: int) -> None:
        self._name = name
        self._workers = workers
        self._lock = threading.Lock()
        self._engines: dict[str, Engine] = {}
        self._environments: dict[str, Environment] = {}
        self._judges: dict[str, tuple[Judge, list[int]]] = {}

    def examine(self, question: bytes) -> bytes:
        """The `Facts` about this node, for a `Question`."""
        asked = Question.from_line(question)
        problem, profile = None, None
        try:
            require_isolation(asked.backend)
            profile = make_profile(asked.limits, writable_version(), False, asked.backend)
        except ApigapError as error:
            problem = str(error)
        facts = Facts(
            name=self._name,
            identity=Identity.here(),
            processors=self._workers,
            memory=_memory(),
            disk=shutil.disk_usage(_existing(cache_home())).free,
            cache=str(cache_home()),
            profile=profile,
            problem=problem,
        )
        return facts.to_line().encode()

    def prepare(self, terms: bytes) -> bytes:
        """Make the environments of some `Terms`; gives a `Readiness`."""
        return Readiness(problem=problem_of(lambda: self._prepare(Terms.from_line(terms)))).to_line().encode()

    def work(self, batch: bytes) -> bytes:
        """Do a batch, see `pack_batch`; gives what `pack_reply` makes of it."""
        done: list[Done] = []
        problem = problem_of(lambda: self._work(batch, done))
        return pack_reply(done, problem)

    def _work(self, batch: bytes, done: list[Done]) -> None:
        terms, pieces = unpack_batch(batch)
        if terms.home is None:
            for number, (_, own) in enumerate(pieces):
                ended = carry_out(Command.from_line(own), self._workers)
                done.append(Done(number, ended.to_line().encode(), ended.mark))
        elif terms.kind == "trials":
            self._judge_trials(terms, terms.home, pieces, done)
        else:
            self._run_programs(terms, terms.home, pieces, done)

    def _judge_trials(self, terms: Terms, home: Home, pieces: Sequence[tuple[bytes, bytes]], done: list[Done]) -> None:
        tasks = {shared: task_in(shared) for shared in dict.fromkeys(shared for shared, _ in pieces)}
        trials = [trial_in(tasks[shared], own) for shared, own in pieces]

        def judged(number: int, verdict: Verdict) -> None:
            done.append(Done(number, VerdictRecord.of(verdict).to_line().encode(), verdict.outcome))

        self._judge(terms, home, len(trials)).trials(trials, judged)

    def _run_programs(self, terms: Terms, home: Home, pieces: Sequence[tuple[bytes, bytes]], done: list[Done]) -> None:
        programs = [Program.from_line(own) for _, own in pieces]

        def ran(number: int, record: RunRecord) -> None:
            done.append(Done(number, record.to_line().encode(), record.status))

        self._engine(terms).run(self._environment(terms, home), programs, preload=home.preload, on_result=ran)

    def _prepare(self, terms: Terms) -> None:
        for home in (terms.home, terms.former):
            if home is not None:
                self._environment(terms, home)

    def _environment(self, terms: Terms, home: Home) -> Environment:
        lock = home.environment.lock
        found = self._environments.get(lock)
        if found is None:
            if terms.packages is not None:
                use(terms.packages.wheelhouse)
            found = environment_store(self._engine(terms), terms.packages).like(home.wanted)
            self._environments[lock] = found
        return found

    def _engine(self, terms: Terms) -> Engine:
        key = canonical_json(terms.model_dump(mode="json", exclude={"kind", "home", "former"}))
        with self._lock:
            if key not in self._engines:
                if len(self._engines) >= _ENGINES:
                    self._judges.clear()
                    self._engines.pop(next(iter(self._engines))).close()
                self._engines[key] = Engine(
                    self._workers, terms.limits, backend=terms.backend, cold=terms.cold,
                    build_sdists=terms.build_sdists, packages=terms.packages,
                )  # fmt: skip
            return self._engines[key]

    def _judge(self, terms: Terms, home: Home, trials: int) -> Judge:
        """The judge for these terms, who remembers what earlier batches showed of the references."""
        engine, environment = self._engine(terms), self._environment(terms, home)
        former = Former(self._environment(terms, terms.former), terms.former.preload) if terms.former else None
        key = terms.to_line()
        with self._lock:
            known = self._judges.get(key)
            if known is None or known[1][0] > _TRIALS_PER_JUDGE:
                while len(self._judges) >= _JUDGES:
                    del self._judges[next(iter(self._judges))]
                known = (Judge(engine, environment, preload=home.preload, former=former), [0])
                self._judges[key] = known
            known[1][0] += trials
            return known[0]


def problem_of(work: Callable[[], None]) -> str | None:
    """Why some work of this node failed; None where it did not."""
    try:
        work()
    except ApigapError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  (told to the machine that asked, which has another node do it)
        return f"{type(error).__name__}: {error}"
    return None


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


def _memory() -> int:
    """Bytes of memory that programs can have now."""
    with Path("/proc/meminfo").open(encoding="ascii") as lines:
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return 1024 * kilobytes["MemAvailable"]

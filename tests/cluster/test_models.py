"""A local model on the nodes of a cluster: the answers are those of this machine, whichever node gives them."""

import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from apigap.cluster.engines import leave
from apigap.models.generate import Generator
from apigap.models.gguf import node_pool, places
from apigap.models.options.records import OptionRequest
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.records.errors import ApigapWarning, ModelUnavailable
from tests.cluster.libraries import apigap
from tests.cluster.local_cluster import LocalCluster, local_cluster, processes_of, signal_all
from tests.cluster.work import settings_of
from tests.models.test_gguf import MODEL, REQUESTS, SAMPLED

pytestmark = [pytest.mark.network, pytest.mark.model]
SERVER = "apigap.models.gguf.worker"
SHARED = "Some code:\n```python\nx = 1\n```"
NEIGHBOURS = [
    GenerationRequest(key=f"n{number}", prompt=f"{SHARED}\nWrite line {number}.", shared=len(SHARED))
    for number in range(3)
]
ALL = [*REQUESTS, *SAMPLED, *NEIGHBOURS]
MOST_SERVERS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with local_cluster(2) as made:
        yield made


@pytest.fixture(autouse=True)
def here_again() -> Iterator[None]:
    yield
    places.use(settings_of(None).execution)
    leave()


def answers(
    requests: Sequence[GenerationRequest],
    *settings: str,
    at: dict[int, Callable[[], object]] | None = None,
    servers: int = 2,
    third: Any = None,
) -> dict[tuple[str, int], str]:
    """The answers by key and sample, one server to a node; something happens `at` the n-th of them.

    First others are asked until the `third` node is, which joins while the first two answer.
    """
    places.use(settings_of(None, *settings).execution)
    found: dict[tuple[str, int], str] = {}

    def tell(key: str, sample: int, answer: Answer) -> None:
        found[(key, sample)] = answer.text
        if at and len(found) in at:
            at[len(found)]()

    each = 1 if settings else MOST_SERVERS  # Inspect keeps the first limit of connections that it is given for a model
    with Generator(MODEL, Decoding(max_tokens=12), connections=each, cache=False) as generator:
        assert generator.connections >= (servers if settings else 1)  # one that has just gone may still be counted
        deadline = time.monotonic() + 240
        while third is not None and not processes_of(third, SERVER):
            assert time.monotonic() < deadline, "the third node was never asked"
            generator.generate(REQUESTS, lambda key, sample, answer: None)
        generator.generate(requests, tell)
    return found


@contextmanager
def one_more(cluster: LocalCluster) -> Iterator[Any]:
    """A third node; what is told of it meanwhile is not looked at."""
    node = cluster.add()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ApigapWarning)
            yield node
    finally:
        leave()
        if node.any_processes_alive():
            cluster.remove(node)


def on(cluster: LocalCluster) -> list[str]:
    return ["execution.engine=ray", f"execution.address={cluster.address}"]


@pytest.mark.slow
def test_answers_are_those_of_this_machine(cluster: LocalCluster) -> None:
    here = answers(ALL)
    assert answers(ALL[::-1], *on(cluster)) == here
    assert len(set(here.values())) > len(ALL) // 2


def test_options_are_as_likely_as_on_this_machine(cluster: LocalCluster) -> None:
    asked = [OptionRequest(key=str(n), prompt=f"The sum of {n} and 2 is", options=(" 3.", " 4.")) for n in (1, 2)]
    found: list[dict[str, tuple[float, ...]]] = []
    for settings in ([], on(cluster)):
        places.use(settings_of(None, *settings).execution)
        scores: dict[str, tuple[float, ...]] = {}
        with Generator(MODEL, connections=1) as generator:
            generator.score_options(
                asked,
                lambda key, told, scores=scores: scores.update({key: tuple(o.log_probability for o in told.scores)}),
            )
        found.append(scores)
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("what", ["model", "worker", "node"])
def test_what_dies_in_the_middle_is_asked_elsewhere(cluster: LocalCluster, what: str) -> None:
    here = answers(ALL)
    with one_more(cluster) as node:
        kill = {
            "model": lambda: signal_all(node, SERVER, signal.SIGKILL),
            "worker": lambda: signal_all(node, "ray::ModelNode", signal.SIGKILL),
            "node": lambda: cluster.remove(node),
        }
        assert answers(ALL, *on(cluster), at={3: kill[what]}, servers=3, third=node) == here


@pytest.mark.slow
@pytest.mark.filterwarnings("default::apigap.records.errors.ApigapWarning")
def test_a_node_with_another_llama_is_refused(tmp_path: Path) -> None:
    (tmp_path / "xllamacpp.py").write_text("def get_system_info(): return 'CPU : AVX512 = 1 | '\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    reason = r"\(its llama.cpp has built_for 'AVX512', here it is '.*': install the same everywhere\); repair one"
    with (
        local_cluster(1, env_vars={**os.environ, "PYTHONPATH": path}) as cluster,
        pytest.raises(ModelUnavailable, match=reason),
    ):
        answers(REQUESTS, *on(cluster))


@pytest.mark.slow
def test_gpus_are_what_ray_gives_a_server() -> None:
    """The GPUs are only counted: no llama.cpp here uses one."""
    with local_cluster(1, num_gpus=2) as cluster:
        assert answers(REQUESTS, *on(cluster), "execution.gpus=1") == answers(REQUESTS)  # a worker for each of two
        with pytest.raises(ModelUnavailable, match=r"it has 2 GPUs, a server is to have 3.*leave out --engine ray"):
            answers(REQUESTS, *on(cluster), "execution.gpus=3")


@pytest.mark.slow
def test_predictions_are_the_same_bytes(cluster: LocalCluster, tmp_path: Path) -> None:
    words = ["predict", "novelapi", "--tasks", "starter", "--limit", "3", "--model", MODEL]
    more = ["--set", "generation.max_tokens=24"]
    for name, where in (("here", []), ("there", ["--engine", "ray", "--address", cluster.address])):
        done = apigap(
            tmp_path, [*words, *more, *where, "--out", f"{name}.jsonl"], INSPECT_CACHE_DIR=str(tmp_path / name)
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "here.jsonl").read_bytes() == (tmp_path / "there.jsonl").read_bytes()


@pytest.mark.slow
def test_a_node_that_stands_still_is_not_waited_for(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_pool, "_PATIENCE", 15.0)
    here, stopped = answers(ALL), list[int]()
    with one_more(cluster) as node:
        stop: dict[int, Callable[[], object]] = {
            3: lambda: stopped.extend(signal_all(node, "ray::ModelNode", signal.SIGSTOP))
        }
        assert answers(ALL, *on(cluster), at=stop, servers=3, third=node) == here
        for process in stopped:
            os.kill(process, signal.SIGCONT)
    assert stopped

"""What tuning shows: the prompts of the evaluation and the answers it wants; splits that share what they must only."""

import pytest

from apigap.adaptation.examples import answer_of, raft_examples, sft_examples
from apigap.adaptation.settings import GraceSettings, MemitSettings, RaftSettings, SftSettings, settings_for
from apigap.adaptation.splits import NAMES, split
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle, Surface
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files

GENERATION = load_settings().generation
TASKS = [task for path in starter_files()[:6] for task in load_records(path, Task)]
BUNDLES = {
    name: KnowledgeBundle(
        api_name=name, library=name.partition(".")[0], version="2", change="added",
        surface=Surface(s_name=name, kind="function", signature=None),
    )
    for name in {task.api_name for task in TASKS}
}  # fmt: skip


def test_sft_asks_as_the_evaluation_does_and_wants_the_missing_lines() -> None:
    for condition in ("baseline", "s_name"):
        prompter = Prompter(GENERATION, condition, from_bundles(BUNDLES, condition))
        for task, found in zip(TASKS, sft_examples(TASKS, BUNDLES, condition, GENERATION), strict=True):
            assert found.messages[:-1] == prompter.prompt(task)
            assert found.messages[-1].content == f"```python\n{task.masked_region.strip()}\n```"
            assert found.shown == (() if condition == "baseline" else (task.api_name,))


def test_the_whole_program_is_wanted_where_that_is_asked() -> None:
    assert answer_of(TASKS[0], whole_program=True) == TASKS[0].reference_solution.strip("\n")


def test_nothing_to_show_leaves_a_task_out_and_no_task_is_an_error() -> None:
    some = {TASKS[0].api_name: BUNDLES[TASKS[0].api_name]}
    found = sft_examples(TASKS, some, "s_name", GENERATION)
    assert {example.api_name for example in found} == {TASKS[0].api_name}
    with pytest.raises(UsageError, match="nothing to learn from"):
        sft_examples(TASKS, {}, "s_name", GENERATION)


def raft(tasks: list[Task], seed: int = 1, withheld: float = 0.2) -> dict[str, tuple[str, ...]]:
    found = raft_examples(
        tasks, BUNDLES, "s_name", GENERATION, distractors=2, withheld=withheld, seed=seed
    )  # fmt: skip
    for example in found:
        shown = [f"API: {name} (function)" for name in example.shown]
        assert all(text in example.messages[0].content for text in shown)
    return {example.task_id: example.shown for example in found}


def test_raft_draws_the_same_for_a_seed_whatever_the_order() -> None:
    once = raft(TASKS)
    assert raft(TASKS[::-1]) == once
    assert raft(TASKS, seed=2) != once


def test_raft_shows_distractors_and_withholds_the_own_at_its_rate() -> None:
    by_id = {task.task_id: task.api_name for task in TASKS}
    for withheld in (0.0, 0.2, 1.0):
        shown = raft(TASKS, withheld=withheld)
        without = [task for task, names in shown.items() if by_id[task] not in names]
        assert all(len(names) == (2 if task in without else 3) for task, names in shown.items())
        assert all(len(set(names)) == len(names) for names in shown.values())
        assert abs(len(without) / len(shown) - withheld) < 0.12
    first = [names.index(by_id[task]) for task, names in raft(TASKS, withheld=0.0).items()]
    assert {0, 1, 2} == set(first)  # the own knowledge has no place of its own


def test_too_few_apis_to_distract_are_told() -> None:
    with pytest.raises(UsageError, match="2 distractors are asked for, but only 1 APIs"):
        raft([TASKS[0]])


def test_splits_share_no_more_than_their_names_say() -> None:
    found = split(TASKS, 42)
    parts = {name: getattr(found, name) for name in NAMES}
    assert sorted(task.task_id for part in parts.values() for task in part) == sorted(task.task_id for task in TASKS)
    trained = {task.api_name for task in found.train}
    assert len(trained) == len(found.train)
    assert {task.api_name for task in found.same_api} <= trained
    assert not {task.api_name for task in found.new_api} & trained
    assert {task.library for task in found.new_api} <= {task.library for task in found.train}
    assert not {task.library for task in found.new_library} & {task.library for task in found.train}
    assert split(TASKS[::-1], 42) == found
    assert split(TASKS, 43) != found


def test_few_apis_are_taught_and_only_they_are_asked_again() -> None:
    whole = split(TASKS, 42)
    twice = {task.api_name for task in whole.same_api}
    for most in (2, len(twice), len(twice) + 2):
        found = split(TASKS, 42, most=most)
        trained = [task.api_name for task in found.train]
        assert len(set(trained)) == len(trained) == most
        assert len(twice & set(trained)) == min(most, len(twice))  # what can be asked again comes first
        assert {task.api_name for task in found.same_api} == twice & set(trained)
        for part in ("train", "same_api", "new_api"):
            assert {task.task_id for task in getattr(found, part)} <= {t.task_id for t in getattr(whole, part)}
        assert {task.library for task in found.new_api} <= {task.library for task in found.train}
        assert found.new_library == whole.new_library
        assert split(TASKS[::-1], 42, most=most) == found
    assert len({task.library for task in split(TASKS, 42, most=2).train}) == 2


def test_an_empty_split_is_told() -> None:
    one = [task for task in TASKS if task.library == TASKS[0].library]
    with pytest.raises(UsageError, match="new_library would be empty"):
        split(one, 42)


def test_published_values_are_the_defaults() -> None:
    sft, raft_, memit, grace = (settings_for(name) for name in ("sft", "raft", "memit", "grace"))
    assert isinstance(sft, SftSettings)
    assert (sft.rank, sft.alpha, sft.dropout, sft.learning_rate, sft.epochs, sft.accumulation) == (
        64, 128, 0.05, 2e-5, 3, 16,
    )  # fmt: skip
    assert isinstance(raft_, RaftSettings)
    assert (raft_.distractors, raft_.withheld, raft_.max_length) == (2, 0.2, 16_384)
    assert isinstance(memit, MemitSettings)
    assert (memit.steps, memit.learning_rate, memit.clamp, memit.kl, memit.decay) == (25, 0.5, 0.75, 0.0625, 0.5)
    assert isinstance(grace, GraceSettings)
    assert (grace.module, grace.keys, grace.radius, grace.steps, grace.stop_loss) == ("up", "prompt", 1.0, 100, 0.01)


def test_the_small_preset_has_room_for_two_bundles() -> None:
    """The longest example of RAFT on the starter benchmark has 2,771 tokens of smollm2-135m."""
    small = settings_for("raft", "cpu")
    assert isinstance(small, RaftSettings)
    assert (small.distractors, small.max_length, small.recompute) == (1, 4096, True)


def test_settings_that_are_not_there_are_told() -> None:
    assert settings_for("sft", "cpu", ["epochs=1"]).model_dump()["epochs"] == 1
    for given, told in ((["epoch=1"], "epoch"), (["epochs=none"], "epochs"), (["rank=0"], "rank")):
        with pytest.raises(UsageError, match=told):
            settings_for("sft", "cpu", given)
    with pytest.raises(UsageError, match="no preset is named 'gpu'"):
        settings_for("sft", "gpu")

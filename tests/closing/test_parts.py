"""Halves, pieces and the file in a context: what they hold whatever is given."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from apigap.closing.halves import halves_of
from apigap.closing.in_context import InContext
from apigap.closing.pieces import PIECES, named, page_of, pieces_of
from apigap.closing.smallest import Choice, usual
from apigap.exports.gap_export import write_llms
from apigap.exports.llms_reader import LlmsPages
from apigap.records.configuration import load_settings
from apigap.records.knowledge import Exemplar
from tests.exports.test_gap_export import BUNDLES, UNASKED
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task


@given(counts=st.lists(st.integers(1, 5), min_size=1, max_size=8), seed=st.integers(0, 9))
def test_halves_are_apart_and_whole_and_of_each_api(counts: list[int], seed: int) -> None:
    tasks = [
        make_task(api_name=f"lib.api{api}", description=f"{api} {n}")
        for api, count in enumerate(counts)
        for n in range(count)
    ]
    choosing, held = halves_of(tasks, seed)
    assert sorted(task.task_id for task in (*choosing, *held)) == sorted(task.task_id for task in tasks)
    for api, count in enumerate(counts):
        own = sum(task.api_name == f"lib.api{api}" for task in choosing)
        assert own in {count // 2, (count + 1) // 2}
    assert halves_of(reversed(tasks), seed) == (choosing, held)


def test_seeds_divide_otherwise() -> None:
    tasks = [make_task(api_name=f"lib.api{n}") for n in range(40)]
    sizes = {seed: len(halves_of(tasks, seed).choosing) for seed in range(4)}
    assert all(8 < size < 32 for size in sizes.values())
    assert len({halves_of(tasks, seed).choosing for seed in range(4)}) == 4


def test_a_page_has_the_pieces_that_were_chosen_and_that_there_are() -> None:
    two = tuple(Exemplar(code=f"slugify({n})", status="executed", source="docs") for n in range(2))
    whole = bundle(exemplars=two)
    assert tuple(pieces_of(whole)) == PIECES
    assert page_of(whole, ()) == "# lib.slugify\n\nChanged function of lib 2.\n"
    assert "slugify(0)" in page_of(whole, ["example"])
    assert "slugify(1)" not in page_of(whole, ["example"])
    assert "slugify(1)" in page_of(whole, ["more examples"])
    assert "more examples" not in pieces_of(bundle())
    assert "example" not in pieces_of(bundle(exemplars=()))
    assert named(("prose", "example")) == "example + prose"
    lengths = [len(page_of(whole, PIECES[:count])) for count in range(len(PIECES) + 1)]
    assert lengths == sorted(set(lengths))


def test_an_api_without_a_task_to_choose_by_gets_what_closes_most_others() -> None:
    closing = [
        Choice("a", 0.0, (), ("example",)),
        Choice("b", 0.0, (), ("signature",)),
        Choice("c", 0.0, (), ("example",)),
    ]
    assert usual(closing) == ("example",)
    assert usual([*closing, Choice("d", 0.0, (), ("signature",))]) == ("example",)
    assert usual([Choice("e", 0.0), Choice("f", 1.0)]) == PIECES


def test_the_file_stands_in_the_context_and_what_is_near_where_it_does_not_fit(tmp_path: Path) -> None:
    write_llms(tmp_path, [*BUNDLES, UNASKED])
    whole, pages = (tmp_path / "llms-full.txt").read_text(), LlmsPages(tmp_path)
    task, settings = make_task(description="Fold the sky."), load_settings().generation
    all_of_it = InContext(settings, whole, pages, None)
    request = all_of_it.request(task, "llms", 1, 0.0, 0)
    assert whole in request.shared_part
    assert "Fold the sky." in request.messages()[0].content
    assert all_of_it.cut(task) is None
    narrow = InContext(settings, whole, pages, 900)
    text = narrow.request(task, "llms", 1, 0.0, 0).messages()[0].content
    assert len(text) <= 900
    assert "lib.unasked" in text
    assert "lib.api1" not in text
    assert (narrow.cut(task) or (0, 0))[1] == len(whole)

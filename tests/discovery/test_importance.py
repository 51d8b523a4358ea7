"""The rank of importance: what is a sign of it, what is minor, what is one piece of news, and its laws."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigap.discovery.evidence.changelog import notes_in
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.importance.families import families_of
from apigap.discovery.importance.minor import minor_reason
from apigap.discovery.importance.order import in_rank_order, stands_for_family
from apigap.discovery.importance.rank import judge, with_importance
from apigap.discovery.importance.signs import SIGNS, Subject, signs_of
from apigap.discovery.importance.sources import Sources
from apigap.discovery.importance.weights import WEIGHTS
from apigap.discovery.surface import Entry
from apigap.records.candidate import ApiKind, Candidate, Change, ChangeKind, Evidence, Importance, Mention, Parameter

PUBLIC = (Evidence(kind="__all__", where="lib"),)
NEW = Mention(kind="versionadded", version="2.0", where="docstring", in_series=True)
OLD = Mention(kind="versionadded", version="1.0", where="docstring", in_series=False)
ADDED_A = Change(what="parameter added", parameter="a")
ADDED_B = Change(what="parameter added", parameter="b")
OVERLOAD = Change(what="overload added", parameter="f", new="(a)")
PACKED = Change(what="parameter removed", parameter="kw", old="**kw")
NAMED = "is named in the changelog, or marked as of this series"
STARRED = Change(what="parameter removed", parameter="args", old="*args")


def candidate(
    name: str, kind: ApiKind = "function", change: ChangeKind = "added", docstring: str | None = "Words.",
    changes: tuple[Change, ...] = (), mentions: tuple[Mention, ...] = (), parameters: str = "",
) -> Candidate:  # fmt: skip
    return Candidate(
        api_name=f"lib.{name}", kind=kind, library="lib", old_version="1.0", new_version="2.0", change=change,
        signature=None, docstring=docstring, changes=changes, mentions=mentions, import_module="lib",
        parameters=tuple(Parameter(name=name) for name in parameters.split()),
    )  # fmt: skip


def changed(name: str, *changes: Change, kind: ApiKind = "function") -> Candidate:
    return candidate(name, kind, "modified", changes=changes)


def member(name: str, docstring: str | None = "Words.") -> Candidate:
    return candidate(name, "method", docstring=docstring)


def entry(name: str, kind: ApiKind = "function", bases: tuple[str, ...] = (), *paths: str) -> Entry:
    everywhere = (f"lib.{name}", *paths)
    return Entry(name=f"lib.{name}", kind=kind, paths=everywhere, bases=bases, evidence=PUBLIC)


SURFACE = [
    entry("top"), entry("core.inner"), entry("core.shown", "function", (), "lib.shown"), entry("a.b.deep"),
    entry("Base", "class"), entry("Base.run", "method"), entry("Child", "class", ("lib.Base",)),
    entry("Child.run", "method"), entry("Child.jump", "method"),
]  # fmt: skip
HISTORY = "2.0\n---\n* ``parade`` takes ``descending``.\n\n1.0\n---\n* ``lib.bygone`` was made.\n"


def subject(one: Candidate, history: str = "") -> Subject:
    documents = Documents()
    for note in notes_in(history, "CHANGES.rst"):
        documents.notes.add(note)
        documents.files["history"] += 1
    sources = Sources.of(SURFACE, documents)
    return Subject(one, sources.entry(one), sources)


@pytest.mark.parametrize(
    ("sign", "with_it", "without"),
    [
        (NAMED, candidate("top", mentions=(NEW,)), candidate("top", mentions=(OLD,))),
        ("is called in another way", changed("top", ADDED_A), candidate("top")),
        ("is called in another way", changed("top", STARRED), changed("top", PACKED)),
        ("is only written differently", changed("top", OVERLOAD), changed("top", OVERLOAD, ADDED_A)),
        ("overrides a member of a base class", member("Child.run"), member("Child.jump")),
        ("is a class that was there before", candidate("Base", "class", "modified"), candidate("Base", "class")),
        ("is a member without a docstring", member("Child.jump", ""), member("Child.jump")),
        ("is a member without a docstring", member("Child.jump", None), candidate("top", docstring=None)),
        ("lies among the library's own machinery", candidate("core.inner"), candidate("core.shown")),
    ],
)  # fmt: skip
def test_a_sign_is_there_only_where_the_release_shows_it(sign: str, with_it: Candidate, without: Candidate) -> None:
    assert signs_of(subject(with_it)).get(sign, 0) == 1
    assert signs_of(subject(without)).get(sign, 0) == 0


@pytest.mark.parametrize(
    ("one", "passed_over"),
    [
        (candidate("top"), True),
        (candidate("top", mentions=(NEW,)), False),
        (changed("top", Change(what="parameter added", parameter="descending")), False),
        (candidate("bygone_thing"), True),
    ],
)
def test_only_a_library_that_writes_a_history_can_pass_over_an_api(one: Candidate, passed_over: bool) -> None:
    name = "is not named in the changelog"
    assert bool(signs_of(subject(one, HISTORY)).get(name)) is passed_over
    assert name not in signs_of(subject(one))


def test_more_words_and_a_shorter_path_count_for_more() -> None:
    length, height = "has a docstring, the longer the better", "lies higher in the package than others"
    brief, full = (signs_of(subject(candidate("top", docstring="x" * size))) for size in (10, 1000))
    assert 0 < brief[length] < full[length] < 1
    assert signs_of(subject(candidate("a.b.deep"))).get(height, 0) < brief[height]


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (candidate("DeprecatedSince214", "class"), "a warning or error about versions"),
        (candidate("ArgumentRemovedError", "class"), "a warning or error about versions"),
        (candidate("OldSyntaxWarning", "class", mentions=(NEW,)), "a warning or error about versions"),
        (candidate("NodeTimeoutError", "class"), ""),
        (candidate("remove_deprecated"), ""),
        (candidate("T", "class"), "a type variable"),
        (candidate("Key_co", "class"), "a type variable"),
        (candidate("TEXT", "class"), ""),
        (candidate("B", "class", parameters="x"), ""),
        (candidate("_hidden"), "a private name"),
        (member("Child.run"), "overrides a member of a base class"),
        (candidate("Child.run", "method", mentions=(NEW,)), ""),
        (candidate("core.inner"), "lies among the library's own machinery"),
        (candidate("core.shown"), ""),
        (candidate("Child.jump", "method", "moved"), "moved along with its class"),
        (candidate("top", change="moved"), ""),
        (changed("top", OVERLOAD), "is only written differently"),
        (changed("top", ADDED_A), ""),
    ],
)
def test_what_is_minor_and_why(one: Candidate, reason: str) -> None:
    assert minor_reason(subject(one)) == reason


@pytest.mark.parametrize(
    ("candidates", "families"),
    [
        ([member("A.f"), member("B.f"), member("B.g")], [0, 0, 2]),
        ([candidate("f"), candidate("m.f")], [0, 1]),  # functions of one name in two modules are two things
        ([changed("f", ADDED_A), changed("A.f", ADDED_A, kind="method")], [0, 0]),
        ([changed("f", ADDED_A), changed("A.f", ADDED_B, kind="method")], [0, 1]),
        ([changed(f"A.{n}", ADDED_A, kind="method") for n in ("get", "put")], [0, 0]),
        ([changed(n, ADDED_A) for n in ("mean", "median")], [0, 1]),
        ([changed(n, ADDED_A, ADDED_B) for n in ("mean", "median", "other.mode")], [0, 0, 2]),
        ([candidate(f"A.{n}_schema", "method", parameters="schema") for n in "xyz"], [0, 0, 0]),
        ([candidate(f"A.{n}_schema", "method", parameters="schema") for n in "xy"], [0, 1]),
        ([candidate(f"A.{n}", "method") for n in "xyz"], [0, 1, 2]),  # called without arguments: that is no likeness
    ],
)  # fmt: skip
def test_families_are_one_piece_of_news(candidates: list[Candidate], families: list[int]) -> None:
    assert families_of(candidates) == families


@pytest.mark.parametrize(("alike", "families"), [(20, 1), (19, 19)])
def test_a_change_of_very_many_apis_is_one_piece_of_news(alike: int, families: int) -> None:
    many = [changed(f"m{number}.f{number}", ADDED_A) for number in range(alike)]
    assert len(set(families_of(many))) == families


def test_what_else_changed_stands_beside_a_change_of_very_many_apis() -> None:
    many = [changed(f"m{number}.f{number}", ADDED_A) for number in range(20)]
    families = families_of([*many, changed("m.g", ADDED_A, ADDED_B), changed("n.g", ADDED_B), changed("n.h", ADDED_B)])
    assert families == [0] * 20 + [20, 20, 22]


@pytest.mark.parametrize(
    ("text", "names", "together"),
    [
        ("2.0\n---\n* Added ``lib.f``.\n* Fixed ``lib.g``.\n", ("lib.f",), 1),
        ("2.0\n---\n* ``lib.f``, ``lib.g``,\n  ``lib.h`` and ``lib.i`` take ``axis``.\n", ("lib.f", "lib.g"), 5),
        ("2.0\n---\n``lib.f`` is new,\nas is ``lib.g``.\n\n``lib.h``\n", ("lib.f",), 2),
    ],
)
def test_a_note_says_how_many_names_its_entry_has(text: str, names: tuple[str, ...], together: int) -> None:
    first = next(notes_in(text, "CHANGES.rst"))
    assert (first.names, first.named_together) == (names, together)


def test_reasons_are_those_of_the_strongest_signs() -> None:
    told = judge(subject(member("Child.run", "")))
    assert told.reasons[0] == "- overrides a member of a base class"
    assert told.score < judge(subject(candidate("top"))).score
    assert set(WEIGHTS) == set(SIGNS)


def test_files_from_before_the_rank_are_read_and_come_last() -> None:
    line = candidate("top").model_dump_json(exclude={"importance"})
    old = Candidate.model_validate_json(line)
    assert old.importance is None
    minor = candidate("z").model_copy(
        update={"importance": Importance(score=0.1, family="lib.z", minor="a private name")}
    )
    assert in_rank_order([old, minor]) == [minor, old]


NAMES = ["top", "core.inner", "core.shown", "a.b.deep", "Child.run", "Child.jump", "Base.run", "_p"]
POOLS = st.lists(
    st.builds(
        candidate,
        name=st.sampled_from(NAMES),
        kind=st.sampled_from(["function", "method"]),
        change=st.sampled_from(["added", "modified", "moved"]),
        docstring=st.text(max_size=20),
        changes=st.sampled_from([(), (ADDED_A,), (OVERLOAD,)]),
    ),
    max_size=8,
    unique_by=lambda one: one.api_name,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure
@given(POOLS)
def test_the_rank_drops_nothing_and_does_not_depend_on_the_order(pool: list[Candidate]) -> None:
    def importance(candidates: list[Candidate]) -> dict[str, Importance | None]:
        return {one.api_name: one.importance for one in with_importance(candidates, SURFACE, Documents())}

    ranked = with_importance(pool, SURFACE, Documents())
    shuffled = sorted(pool, key=lambda one: one.api_name, reverse=True)
    assert importance(shuffled) == importance(pool)
    ordered = in_rank_order(ranked)
    assert sorted(one.api_name for one in ordered) == sorted(one.api_name for one in pool)
    assert in_rank_order(ranked[::-1]) == ordered
    by_name = {one.api_name: one.importance for one in ranked}
    for one in ranked:
        assert one.importance is not None
        head = by_name[one.importance.family]
        assert head is not None
        assert head.family == one.importance.family
        assert one.importance.minor or not head.minor
        assert 0 <= one.importance.score <= 1
    heads = [stands_for_family(one) for one in ordered]
    assert heads == sorted(heads, reverse=True)

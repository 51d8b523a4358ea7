"""Annotations by meaning: the same types however they are written, and those that accept more than before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.annotations import is_widened, same_annotation

SAME = [
    ("Optional[X]", "X | None"),
    ("Union[int, str]", "str | int"),
    ("Dict[str, typing.List[int]]", "dict[str, list[int]]"),
    ("list[Optional[int]]", "list[int | None]"),
    ("'lib.Thing'", "Thing"),
    ("Type[ForwardRef('Mixin')]", "type[Mixin]"),
    ("floating[Any]", "floating"),
    ("tuple[Any, ...]", "Tuple"),
    ("Annotated[int, Doc('a number')]", "int"),
    ("Literal['a', 'b']", "Literal['b', 'a']"),
    ("_ArrayT", "int"),
    ("module | str", "str | types.ModuleType"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_another_spelling_is_the_same(one: str, other: str) -> None:
    assert same_annotation(one, other)
    assert same_annotation(other, one)
    assert not is_widened(one, other)
    assert not is_widened(other, one)


WIDENED = [
    ("str", "str | Path"),
    ("Optional[str]", "Union[Path, str, None]"),
    ("int", "Optional[int]"),
    ("Literal['a']", "Literal['a', 'b']"),
    ("list[str]", "Sequence[str]"),
    ("List[str]", "collections.abc.Iterable[str]"),
    ("Sequence[str]", "Iterable[str]"),
    ("dict[str, int]", "Mapping[str, int]"),
    ("dict[str, int]", "Iterable[str]"),
    ("set[int]", "cabc.Set[int]"),
    ("tuple[str, int]", "Sequence[str | int]"),
    ("tuple[str, ...]", "Sequence[str]"),
    ("list[str] | None", "Iterable[str] | None"),
    ("list[str]", "list[str | Path]"),
    ("Sequence[str]", "Iterable[T]"),
    ("Sequence[str]", "Iterable[_ValueT]"),
    ("bool", "bool | Literal['auto']"),
    ("_Name", "_Name | str"),
]
NOT_WIDENED = [
    ("str | Path", "str"),
    ("Sequence[str]", "list[str]"),
    ("str", "int"),
    ("str", "int | Path"),
    ("float", "float | int"),
    ("str", "str | Literal['auto']"),
    ("PathLike[str]", "PathLike[str] | Path"),
    ("Iterable[str]", "Iterable[str] | list[str]"),
    ("str", "str | Any"),
    ("list[int]", "list[Any]"),
    ("list[str]", "Sequence[int]"),
    ("str", "str | _NotGiven"),
    ("list[str]", "list[_Value]"),
    ("str", "str | NotGiven"),
    ("Any", "Any | str"),
    ("object", "object | str"),
    ("tuple[int, int]", "tuple[int, int, int]"),
    ("Callable[[int], str]", "Callable[[int, int], str]"),
    ("tuple[int, int]", "tuple[int, ...]"),
    ("not python (", "str | int"),
    ("X | None", "X"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WIDENED)
def test_what_accepts_more(old: str, new: str) -> None:
    assert is_widened(old, new)
    assert not is_widened(new, old)


@pytest.mark.parametrize(("old", "new"), NOT_WIDENED)
def test_what_does_not_accept_more(old: str, new: str) -> None:
    assert not is_widened(old, new)


def test_none_and_type_variables_are_told_by_the_caller() -> None:
    assert not is_widened("int", "int | None", to_none=False)
    assert is_widened("int", "int | str | None", to_none=False)
    assert not is_widened("Sequence[str]", "Iterable[ValueT]")
    assert is_widened("Sequence[str]", "Iterable[ValueT]", unknown={"ValueT"}.__contains__)
    assert not is_widened("dict[str, int]", "dict[Key, int]", unknown={"Key"}.__contains__)


NAMES = st.sampled_from(["int", "str", "None", "Path", "Thing", "bytes"])
UNIONS = st.lists(NAMES, min_size=1, max_size=4, unique=True)


@given(UNIONS, st.permutations(["int", "str", "None", "Path", "Thing", "bytes"]))
def test_the_order_of_a_union_changes_nothing(members: list[str], order: list[str]) -> None:
    other = sorted(members, key=order.index)
    assert same_annotation(" | ".join(members), f"Union[{', '.join(other)}]")
    assert not is_widened(" | ".join(members), " | ".join(other))


@given(UNIONS, NAMES)
def test_a_union_is_widened_by_a_member_that_it_has_not(members: list[str], gained: str) -> None:
    assert is_widened(" | ".join(members), " | ".join([*members, gained])) == (gained not in members)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_has_an_answer(one: str, other: str) -> None:
    assert not (is_widened(one, other) and is_widened(other, one))

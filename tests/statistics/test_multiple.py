import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from apigap.records.errors import UsageError
from apigap.statistics import holm

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_known_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(p_values)
def test_laws(values: list[float]) -> None:
    adjusted = holm(values)
    for raw, corrected in zip(values, adjusted, strict=True):
        assert raw <= corrected <= 1
    assert [adjusted[i] for i in sorted(range(len(values)), key=values.__getitem__)] == sorted(adjusted)
    assert min(adjusted) == min(1.0, len(values) * min(values))


@settings(max_examples=25)  # theirs takes a tenth of a second
@given(p_values)
def test_equals_statsmodels(values: list[float]) -> None:
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())  # pyright: ignore[reportOptionalMemberAccess]


@given(p_values, st.randoms())
def test_order_of_the_family_does_not_matter(values: list[float], shuffle) -> None:
    positions = list(range(len(values)))
    shuffle.shuffle(positions)
    assert holm([values[i] for i in positions]) == [holm(values)[i] for i in positions]


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(value: float) -> None:
    with pytest.raises(UsageError):
        holm([0.5, value])

"""The paper's Total from its own figures per level (arXiv:2304.08244, table 3)."""

import pytest

from apigap.benchmarks.apibank.summary import weighted

TABLE_3 = [
    ("Alpaca-7B", (24.06, 5.19, 0.00), 15.19, (0.0204, 0.0019, 0.086), 0.0318),
    ("ChatGLM-6B", (23.62, 13.33, 0.00), 16.42, (0.2451, 0.2173, 0.1522), 0.2191),
    ("GPT-3 Davinci", (0.50, 1.48, 0.00), 0.57, (0.1035, 0.091, 0.0156), 0.0814),
    ("GPT-3.5-turbo", (59.40, 38.52, 22.00), 47.16, (0.4598, 0.3758, 0.3809), 0.4267),
    ("GPT-4", (63.66, 37.04, 70.00), 60.24, (0.3691, 0.351, 0.4808), 0.3910),
    ("Lynx-7B", (49.87, 30.37, 20.00), 39.58, (0.4332, 0.2503, 0.3425), 0.3794),
]


@pytest.mark.parametrize(("model", "right", "total", "rouge", "rouge_total"), TABLE_3)
def test_the_total_of_every_model(
    model: str, right: tuple[float, ...], total: float, rouge: tuple[float, ...], rouge_total: float
) -> None:
    def of(values: tuple[float, ...]) -> float:
        found = weighted({"level-1": values[0], "level-2": values[1], "level-3": values[2]})
        assert found is not None
        return found

    assert of(right) == pytest.approx(total, abs=0.011)
    assert of(rouge) == pytest.approx(rouge_total, abs=0.00011)


def test_there_is_no_total_without_an_answer_at_every_level() -> None:
    assert weighted({"level-1": 1.0, "level-2": None, "level-3": 1.0}) is None

import pytest

from apigap.records.names import did_you_mean

KNOWN = ("Data_Science", "ai4science", "agent-tool", "swe")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("AGENT_TOOL", "did you mean agent-tool?"),
        ("DATA SCIENSE", "did you mean Data_Science or ai4science?"),
        ("agent_tol", "did you mean agent-tool?"),
        ("qqq", "there are four"),
        ("", "there are four"),
    ],
)
def test_the_nearest_names_are_proposed(name: str, hint: str) -> None:
    assert did_you_mean(name, KNOWN, "there are four") == hint


def test_names_that_are_hardly_alike_are_left_out() -> None:
    assert did_you_mean("science", KNOWN, "none", cutoff=0.9) == "none"

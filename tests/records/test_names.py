import pytest

from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean, first_of, path_part

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


@pytest.mark.parametrize("name", ["", "..", "../../x", "/tmp/x", "a/b", "a\\b", ".hidden", "a\0b", "a\nb", "a\u202eb"])
def test_a_name_cannot_lead_out_of_its_folder(name: str) -> None:
    with pytest.raises(UsageError, match="is no name for an experiment"):
        path_part(name, "an experiment")


@pytest.mark.parametrize("name", ["numpy-smollm2-135m", "oracle.s_e", "Mein Lauf", "ümlaut", "a..b"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert path_part(name, "an experiment") == name


@pytest.mark.parametrize(
    ("names", "told"), [((), ""), (("a",), "a"), (("a", "b"), "a, b"), (("a", "b", "c", "d"), "a, b and 2 more")]
)
def test_the_first_names_with_how_many_more_there_are(names: tuple[str, ...], told: str) -> None:
    assert first_of(names, 2) == told

"""Published findings beside an analysis: signs, corrected p-values, and what is missing."""

from pathlib import Path

import pytest
from tools.starter.findings import findings, verdict

GAINS = "experiment,scope,cell,against,apis,difference,low,high,p_holm,detectable\n"
INTERACTION = "experiment,cell,against,modified_apis,added_apis,difference,low,high,p_holm\n"


@pytest.mark.parametrize(
    ("sign", "difference", "p", "told"),
    [
        (1, 0.2, 0.01, "yes"),
        (1, -0.2, 0.01, "contradicted"),
        (-1, -0.2, 0.049, "yes"),
        (-1, 0.2, 0.01, "contradicted"),
        (1, 0.2, 0.05, "not shown"),
        (1, 0.0, 0.01, "not shown"),
    ],
)
def test_a_finding_shows_by_sign_and_corrected_p(sign: int, difference: float, p: float, told: str) -> None:
    assert verdict(sign, difference, p) == told


def test_each_published_difference_is_looked_up_in_its_table(tmp_path: Path) -> None:
    components = [
        "m,all,oracle.e,oracle.s,80,0.21,0.1,0.3,0.002,0.12",
        "m,modified,oracle.s_e,oracle.e,40,0.05,-0.1,0.2,1.0,",
    ]
    (tmp_path / "rq1_components.csv").write_text(GAINS + "\n".join(components) + "\n")
    (tmp_path / "rq1_interaction.csv").write_text(INTERACTION + "m,oracle.s_e,oracle.e,40,41,-0.3,-0.5,-0.1,0.01\n")
    (tmp_path / "rq2_retrieval.csv").write_text(GAINS + "m,all,chunked.s,oracle.s,80,-0.2,-0.3,-0.1,0.001,0.1\n")
    page = "\n".join(findings(tmp_path))
    assert "| oracle.e − oracle.s | +18 to +25 | m | 80 | +21 | +10 to +30 | 0.002 | +12 | yes |" in page
    assert "| oracle.s_e − oracle.e | +10 | m | 40 | +5 | −10 to +20 | 1.000 | – | not shown |" in page
    assert (
        "| oracle.s_e − oracle.e | +10 against +1 | m | 40, 41 | −30 | −50 to −10 | 0.010 | – | contradicted |" in page
    )
    assert "retrieval" not in page  # the control of retrieval is none of what was published


def test_without_tables_there_is_no_section(tmp_path: Path) -> None:
    assert findings(tmp_path) == []

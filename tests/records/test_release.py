"""A bundle under the names of the paper, back and forth."""

import pytest
from pydantic import ValidationError

from apigap.records.knowledge import KnowledgeBundle
from tests.knowledge.test_conditions import bundle


@pytest.mark.parametrize("made", [bundle(), bundle(exemplars=(), m_prose=None, m_code=None)])
def test_what_the_paper_names_is_read_back(made: KnowledgeBundle) -> None:
    paper = made.to_paper_dict()
    read = KnowledgeBundle.from_paper_dict(paper, library="lib", version="2", change="modified")
    assert read.to_paper_dict() == paper
    assert (read.api_name, read.library, read.version, read.change) == ("lib.slugify", "lib", "2", "modified")


def test_what_others_write_under_those_names_is_read_too() -> None:
    paper = {
        "S_name": "lib.f",
        "S_param": ["a", {"name": "b", "default": "1"}],
        "E": ["f(1)"],
        "M_prose": "",
        "M_code": None,
    }
    read = KnowledgeBundle.from_paper_dict(paper, library="lib", version="2")
    assert [p.name for p in read.surface.parameters] == ["a", "b"]
    assert (read.exemplars[0].code, read.exemplars[0].status) == ("f(1)", "static")
    assert (read.m_prose, read.m_code) == (None, None)
    for broken in ({"S_name": 3}, {"S_name": "lib.f", "E": [{"text": "f(1)"}]}, {"S_name": "lib.f", "S_param": [{}]}):
        with pytest.raises(ValidationError):
            KnowledgeBundle.from_paper_dict(broken, library="lib", version="2")

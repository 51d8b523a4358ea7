"""Objects of two releases as equal inputs: by the fields that both have."""

import pytest

from apigap.knowledge.stale.equal_inputs import are_equal, hides_something
from apigap.records.base import Json


def graph(**fields: Json) -> Json:
    return {"type": "lib.Graph", "fields": [[name, value] for name, value in fields.items()]}


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        (1, 1, True),
        (1, 2, False),
        ([1, 2], [1], False),
        (graph(nodes=[1]), graph(nodes=[1], cache={"dict": []}), True),
        (graph(nodes=[1]), graph(cache={"dict": []}, nodes=[1]), True),
        (graph(nodes=[1]), graph(nodes=[2], cache={"dict": []}), False),
        (graph(nodes=[1]), graph(vertices=[1]), False),
        (graph(nodes=[graph(name="a")]), graph(nodes=[graph(name="a", flag=True)]), True),
        (graph(nodes=[graph(name="a")]), graph(nodes=[graph(label="a")]), False),
        (graph(), graph(), True),
        ({"dict": [["a", graph(n=1)]]}, {"dict": [["a", graph(n=1, more=2)]]}, True),
        ({"type": "lib.A", "text": "x"}, graph(n=1), False),
        ({"type": "lib.core.A", "text": "x"}, {"type": "lib.A", "text": "x"}, True),
        ({"type": "lib.core.A", "text": "x"}, {"type": "other.A", "text": "x"}, False),
        ({"type": "lib.core.A", "text": "x"}, {"type": "lib.B", "text": "x"}, False),
        ([{"class": "lib.a.A"}], [{"class": "lib.b.A"}], True),
        ({"type": "lib.A", "fields": 3}, {"type": "lib.A", "fields": [["a"]]}, True),
    ],
)
def test_equal_inputs(old: Json, new: Json, equal: bool) -> None:
    assert are_equal(old, new) == equal
    assert are_equal(new, old) == equal


@pytest.mark.parametrize(
    ("form", "hidden"),
    [
        (1, False),
        (graph(nodes=[1]), False),
        ({"type": "re.Pattern", "text": "a"}, False),
        ({"type": "PyExpr"}, True),
        (graph(_pyexpr={"type": "PyExpr"}), True),
        ([1, graph(_pyexpr={"type": "PyExpr"})], True),
    ],
)
def test_an_object_of_which_only_the_class_is_seen(form: Json, hidden: bool) -> None:
    assert hides_something(form) == hidden

"""What is worth asking: the reasons for which synthesised tasks are not made."""

import datetime
from collections.abc import Sequence
from typing import Any

import pytest

from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.tasks.worth.answers import problem_of_answer
from apigap.tasks.worth.contexts import problem_of_context
from apigap.tasks.worth.copies import one_of_each_family
from apigap.tasks.worth.outcomes import problem_of_outcome

CONTEXTS = [
    ("a table of daily work", "df = frame({'price': [2, 3], 'city': ['Oslo', 'Lima']})", None),
    ("geometry", "line = LineString([(0, 0), (1, 1), (2, 2)])", None),
    ("a code of one letter by name", "x = array([3, 1, 2], dtype='f')", None),
    ("foo", "idx = Index(['foo', 'bar', 'baz'])", "placeholders"),
    ("columns of one letter", "df = frame({'s': [1, 2, 3]})", "placeholders"),
    ("a field of one letter", "class Model:\n    a: int", "placeholders"),
    ("a class Foo", "class Foo:\n    price: int", "placeholders"),
    ("a word out of nowhere", "style = Style('tea', 1, 2)", "made-up words"),
    ("a private module", "from pandas._testing import x\ndata = [1, 2, 3]", "private or test parts"),
    ("a module of tests", "from numpy.testing import assert_\ndata = [1, 2, 3]", "private or test parts"),
    ("two alike", "image_r = [3.0, 1.0, 2.0]\nimage_g = [3.0, 1.0, 2.0]", "two of its inputs are the same"),
    ("texts beside numbers", "rows = ['Oslo', 3, 'Lima']", "mixed kinds"),
    ("pairs beside lists", "rows = [[1, 2], (5, 6)]", "mixed kinds"),
    ("numbers of two types, and a gap", "rows = [1, -2.5, None, 1e3]", None),
    ("a pair of a name and a number", "row = ('Oslo', 3, 709)", None),
    ("bytes that stand for any", "x = [b'ab', b'price', b'city']", "placeholders"),
    ("one number", "n = 1", "next to no data"),
    ("an object of two numbers", "G = barbell(4, 5)", None),
    ("columns as values", "df = frame({'city': ['price', 'Oslo'], 'price': [2, 3]})", "names of its columns"),
    ("numbers alike", "start = 3\nend = 3\ncount = 3", "two of its inputs are the same"),
    ("a number that nobody guesses", "n = 0.1257", None),
    ("a generator of a graph", "G = nx.path_graph(6)", None),
    ("a file that is written", "g = ring(60, 7)\nnx.write_latex(g, 'city')", "writes or shows something"),
    (
        "a file that is written before more",
        "import nx\ng = ring(60, 7)\nnx.write_latex(g, 'city')\nh = nx.path(3)",
        "writes or shows something",
    ),
    ("an object that is added to", "g = ring(60, 7)\nnx.add_path(g, [3, 9])", None),
    ("a file in memory that is read", "f = StringIO()\nf.write('name,age and 31')\nf.seek(0)\ntable = frame(f)", None),
    (
        "a file in memory that nobody reads",
        "f = StringIO()\nf.write('name,age and 31')\nx = [3, 1, 2]",
        "writes or shows",
    ),
    ("an index with the name of a test", "idx = Index([1, 2, 3], name='test')", "word of a test suite ('test')"),
    ("a test's name in parts", "idx = Index([1, 2, 3], name='my_test_2')", "word of a test suite"),
    ("a word that has the letters", "idx = Index(['contest', 'latest', 'attested'])", None),
    ("an inner module", "from pandas.core.indexes.api import Index\nidx = Index([1, 2, 3])", "private or test parts"),
    (
        "an edge added and removed",
        "g = ring(60, 7)\ng.add_edge(4, 4)\ng.add_edge(0, 2)\ng.remove_edge(4, 4)",
        "does and undoes",
    ),
    ("an edge added twice", "g = ring(60, 7)\ng.add_edge(2, 5)\ng.add_edge(2, 5)", "something twice"),
    ("an edge removed", "g = ring(60, 7)\ng.add_edge(0, 2)\ng.remove_edge(4, 4)", None),
    ("a range that is a point", "start = 3\nend = 3\ncount = 5", "two of its inputs are the same"),
    ("a key twice", "df = frame({'price': [1, 2, 3], 'price': [4, 5, 6]})", "two of its inputs are the same"),
    ("an object without data", "subject = SparseArray([0, 1])", "next to no data"),
]
ANSWERS = [
    ("a call", ["y = slugify(x)"], None),
    ("a lambda that nobody asks for", ["y = slugify(x, lambda a: a[:2])"], "code that no description asks for"),
    ("a generator", ["y = slugify((str(n) for n in range(10)))"], "code that no description asks for"),
    ("a lambda beside the call, which the outline shows", ["y = sorted(slugify(x), key=lambda a: a.n)"], None),
    ("a loop of a test", ["for f in (other, slugify):\n    y = f(x)"], "a block of a test"),
    ("a line without the API", ["y = slugify(x)", "expected = array(value)"], "something else too"),
    ("a function that nobody names", ["y = slugify(x, sum)"], "no description tells (sum)"),
    ("a type that nobody names", ["y = slugify(x, dtype=np.float64)"], "no description tells (np.float64)"),
    ("a list in a list", ["y = slugify([[x, other], value])"], "no description tells"),
    ("a list of what is given", ["y = slugify([x, other])"], None),
    ("a result that is overwritten", ["y = slugify(x)", "y = slugify(other)"], "overwrites what it has made"),
    ("two results", ["y = slugify(x)", "z = slugify(other)"], None),
    ("two calls in one line", ["y = pair(slugify(x), slugify(other))"], "twice in one line"),
    ("two results, one with more", ["y = slugify(x)", "z = slugify(x, n=other)"], "only one takes an argument"),
    ("what is done with the value, which the outline shows", ["y = slugify(x).at(lambda a: a)"], None),
    ("settings by two stars", ["y = slugify(x, **other)"], "no description tells (other)"),
    ("a choice", ["y = slugify(x, deep=True)"], None),
    ("a name of the answer's own", ["n = 3", "y = slugify(x, n)"], "something else too"),
    ("a class", ["class M:\n    x = slugify('a')"], "a definition"),
]


def column(*values: int, names: Sequence[Any] = ()) -> dict[str, Any]:
    index = {"dtype": "int64", "names": [None], "values": list(names or range(len(values)))}
    return {"type": "pandas.Series", "frame": {"dtype": "int64", "index": index, "name": None, "values": list(values)}}


GIVEN = {"array": {"shape": [1, 2], "dtype": "i", "values": [5, 14]}}
OUTCOMES: list[tuple[str, str, list[list[Any]], list[Any], str | None]] = [
    ("a value that follows", "x = [3, 1]", [[[1, 3]], [[1, 2]]], ["-"], None),
    ("one of two is enough", "x = [3, 1]", [[True, [1, 3]], [True, [1, 2]]], ["-", "-"], None),
    ("None", "x = 3", [[None], [None]], ["-"], "None or a yes or no"),
    ("yes", "x = 3", [[True], [False]], ["-"], "None or a yes or no"),
    ("yes of numpy", "x = 3", [[{"numpy": "bool", "value": True}], [3]], ["-"], "None or a yes or no"),
    ("an object", "x = 3", [[{"type": "lib.T", "fields": [["a", 1]]}], [3]], ["-"], "an object that shows nothing"),
    ("its own arguments", "x = 3", [[{"type": "lib.T", "args": [5]}], [3]], ["-"], "its own arguments"),
    ("an address", "x = 3", [["<T at 0x7f>: <T at 0x7f00>"], ["b"]], ["-"], "an address"),
    ("nothing", "x = 3", [[[]], [[3]]], ["-"], "empty"),
    ("a pickle", "x = 3", [[{"bytes": "80049" * 40}], [3]], ["-"], "bytes that nobody reads"),
    ("zeros", "x = 3", [[{"array": {"shape": [3], "dtype": "f", "values": [0, 0, 0]}}], [3]], ["-"], "empty"),
    ("0", "x = 3", [[0.0], [5]], ["-"], "says nothing"),
    ("no number", "x = 3", [[{"float": "nan"}], [5]], ["-"], "says nothing"),
    ("noise in part", "x = 3", [[[2.5, 1.4e-15]], [[3.5, 7e-16]]], ["-"], "rounding noise"),
    ("no numbers", "x = 3", [[[{"float": "nan"}, {"float": "nan"}]], [[1.5]]], ["-"], "rounding noise"),
    ("as many gaps as numbers", "x = 3", [[[1.5, {"float": "nan"}]], [[1.5, 2.5]]], ["-"], "rounding noise"),
    ("more than is shown", "x = 3", [[list(range(90))], [[3]]], ["-"], "longer than what is shown"),
    ("a text of many lines", "x = 3", [["\n".join(f"line {n}" for n in range(40))], ["b"]], ["-"], None),
    ("an empty shape", "x = 3", [[{"type": "lib.T", "text": "POLYGON EMPTY"}], [3]], ["-"], "empty"),
    ("a shape", "x = 3", [[{"type": "lib.T", "text": "POINT (4 0)"}], [3]], ["-"], None),
    ("an input", "help = 'files to process'", [["files to process"], ["b"]], ["-"], "in the context already"),
    ("a number of the context", "n = 12.5", [[12.5], [3]], ["-"], "in the context already"),
    ("an array that is given", "value = [[5, 14]]", [[GIVEN], [3]], ["-"], "in the context already"),
    ("the same always", "x = 3", [[25], [25]], ["-"], "the same whatever its inputs are"),
    ("one value again and again", "x = 3", [[[2, 2]], [[2, 2, 2]], [[]]], ["-"], "one value again and again"),
    ("one value again and again in a column", "x = 3", [[column(2, 2)], [column(2, 2, 2)]], ["-"], "again and again"),
    ("one value under names", "x = 3", [[column(2, 2, names="ab")], [column(2, 2, names="bc")]], ["-"], None),
    ("one value, another with other inputs", "x = 3", [[[2, 2]], [[3, 3]]], ["-"], None),
    ("there without the answer", "x = 3", [[[5, 7]], [[5, 8]]], [[5, 7]], "without the answer"),
    ("a walk of a thousand steps", "x = 3", [[[2, 7], list(range(1000))], [[2, 8], [3]]], ["-"], "values at once"),
    ("a plan", "x = 3", [["naive plan: (run it)\n SELECT\n FROM"], ["b"]], ["-"], "not computed yet"),
    ("an error", "x = 3", [[{"raises": "ValueError"}], [5]], ["-"], "an error"),
]


@pytest.mark.parametrize(("context", "expected"), [row[1:] for row in CONTEXTS], ids=[row[0] for row in CONTEXTS])
def test_context(context: str, expected: str | None) -> None:
    found = problem_of_context(context, "frame price city Style f name age and contest latest attested", {"table"})
    assert expected in found if expected and found else found == expected


@pytest.mark.parametrize(("masked", "expected"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_answer(masked: list[str], expected: str | None) -> None:
    found = problem_of_answer(masked, "slugify", ["x", "other", "value"])
    assert expected in found if expected and found else found == expected


@pytest.mark.parametrize(
    ("context", "rows", "idle", "expected"), [row[1:] for row in OUTCOMES], ids=[row[0] for row in OUTCOMES]
)
def test_outcome(context: str, rows: list[list[Any]], idle: list[Any], expected: str | None) -> None:
    found = problem_of_outcome(context, ["y"] * len(rows[0]), rows, [idle])
    assert expected in found if expected and found else found == expected


@pytest.mark.parametrize("days", [-1, 0, 1])
@pytest.mark.parametrize(
    "form", ["{0.year:04}-{0.month:02}-{0.day:02}T05:12:09+00:00", "date({0.year}, {0.month}, {0.day})"]
)
def test_an_outcome_of_today_is_another_one_tomorrow(form: str, days: int) -> None:
    now = datetime.datetime.now(datetime.UTC)
    rises, others = form.format(now + datetime.timedelta(days)), form.format(now + datetime.timedelta(days=400))
    rows = [[rises], [others]]
    found = problem_of_outcome("city = 'Oslo'", ["y"], rows, [["-"]])
    assert found == "its outcome is of the day on which it is made"
    assert problem_of_outcome(f"city = 'Oslo'\nday = {rises!r}", ["y.x"], [[rises + " up"], [others]], [["-"]]) is None
    assert problem_of_outcome("city = 'Oslo'", ["y"], rows[::-1], [["-"]]) is None


OBSERVED = Observation(expression="y", expected=3)


def task(api: str, context: str, answer: str, change: Any = "added") -> Task:
    return Task(
        api_name=api, library="lib", version="2", old_version="1", domain="d", change=change, difficulty="easy",
        description=f"about {api}\n{answer.replace(api.rpartition('.')[2], '...')}", context_code=context,
        masked_region=answer, reference_solution=f"{context}\n{answer}", author="synthesised",
        harness=Harness(
            layers=("structural",), spy=Spy(target=api),
            scenarios=(Scenario(name="n", context_code=context, observations=(OBSERVED,)),),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("expression", ["y.shape", "len(y)", "y.mean().shape", "y.dtype", "g.number_of_nodes()"])
def test_a_size_or_a_type_is_no_outcome(expression: str) -> None:
    found = problem_of_outcome("x = 3", [expression], [[[7, 8]], [[7, 9]]], [["-"]])
    assert found == "its outcome is a size or a type"
    assert problem_of_outcome("x = 3", ["y"], [[[7, 8]], [[7, 9]]], [["-"]]) is None


def test_of_two_results_each_shows_something() -> None:
    rows = [[[7, 8], []], [[7, 9], [4]]]
    assert problem_of_outcome("x = 3", ["result", "result_2"], rows, [["-", "-"]]) is not None
    assert problem_of_outcome("x = 3", ["result", "y"], rows, [["-", "-"]]) is None


FAMILIES = [
    ("siblings on other numbers", [("lib.cheb.chebval", "x = [1, 2]", "y = chebval(x, 2)"),
                                   ("lib.leg.legval", "z = [2.5, 3]", "y = legval(z, 3)")], ["lib.cheb.chebval"]),
    ("the same shape of one API", [("lib.f", "x = 'Oslo'", "y = f(x)"),
                                   ("lib.f", "x = 'Lima'", "y = f(x)")], ["lib.f"]),
    ("another argument", [("lib.f", "x = [1]", "y = f(x)"),
                          ("lib.g", "x = [1]", "y = g(x, sep=2)")], ["lib.f", "lib.g"]),
    ("another method around", [("lib.f", "x = [1]", "y = f(x)"),
                               ("lib.g", "x = [1]", "y = g(x).sum()")], ["lib.f", "lib.g"]),
    ("other keywords and a word", [("lib.delta_of_whole_days", "n = 2", "y = delta_of_whole_days(days=n)"),
                                   ("lib.delta_of_whole_hours", "n = 2", "y = delta_of_whole_hours(hours=n)")],
     ["lib.delta_of_whole_days"]),
    ("the same wish of a sister", [("lib.text.the_day_of_the_week", "d = 'Monday'", "y = the_day_of_the_week(d)"),
                                   ("lib.whole.the_day_of_the_week", "d = 7", "y = [the_day_of_the_week(d, 1)]")],
     ["lib.text.the_day_of_the_week"]),
    ("another wish of a sister", [("lib.text.week", "d = 'Monday'", "y = week(d)"),
                                  ("lib.whole.week", "d = 7", "y = [week(d, 1)]")],
     ["lib.text.week", "lib.whole.week"]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), [row[1:] for row in FAMILIES], ids=[row[0] for row in FAMILIES])
def test_one_task_of_a_family(given: list[tuple[str, str, str]], expected: list[str]) -> None:
    tasks = [task(*one) for one in given]
    kept, copies = one_of_each_family(tasks)
    assert [one.api_name for one in kept] == expected
    assert set(copies) == {one.task_id for one in tasks} - {one.task_id for one in kept}


def test_a_wish_in_the_same_words_is_asked_for_once() -> None:
    graph = task("lib.ladder", "rungs = 5", "g = ladder(rungs).edges()")
    twin = task("lib.directed_ladder", "rungs = 6", "g = list(directed_ladder(rungs, 2))")
    turned = task("lib.rungs", "rungs = 6", "g = list(rungs(rungs, 2))")
    wishes = ("Wanted: the edges of a ladder.", "Wanted: the edges of a ladder.", "Wanted: a ladder of the edges.")
    given = zip((graph, twin, turned), wishes, strict=True)
    tasks = [one.model_copy(update={"description": wish}) for one, wish in given]
    kept, copies = one_of_each_family(tasks)
    assert [one.api_name for one in kept] == ["lib.ladder", "lib.rungs"]
    assert list(copies.values()) == ["lib.ladder"]


def test_the_same_new_parameter_of_two_apis_is_asked_for_once() -> None:
    mean = task("lib.mean", "x = [[1, 2]]", "y = mean(x, keepdims=True)", "modified")
    other = task("lib.spread", "rows = [[1.5, 2, 9]]\nn = 2", "z = spread(rows, n, keepdims=True)", "modified")
    third = task("lib.rank", "x = [[3, 2]]", "y = rank(x, policy='omit')", "modified")
    kept, copies = one_of_each_family([mean, other, third])
    assert [one.api_name for one in kept] == ["lib.mean", "lib.rank"]
    assert copies == {other.task_id: "lib.mean"}
    assert (
        len(
            one_of_each_family([task("lib.a", "x = 1", "y = a(x, k=1)"), task("lib.b", "x = [2]", "y = b(x, 2, k=1)")])[
                0
            ]
        )
        == 2
    )

"""The decision table, row by row: (code, what was seen) -> label and a word of the reason."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.diagnosis import diagnose
from apigap.records.result import FAILURE_LABELS
from apigap.records.run import CallRecord
from apigap.records.task import with_containers
from tests.diagnosis.builders import Verdict, call, ended, error, observed, raised, task

FAIL_FAST = task(
    "pydantic.FailFast",
    "from typing import Annotated\nfrom pydantic import FailFast, TypeAdapter\n"
    "result = TypeAdapter(Annotated[list[int], FailFast()]).validate_python(values)",
)
DUMP = task(
    "pydantic.BaseModel.model_dump",
    "result = item.model_dump(mode='json', by_alias=True)",
    {"result": {"dict": [["when", "2024-01-01"]]}},
)
UNSTACK = task(
    "numpy.unstack",
    "import numpy as np\nresult = np.unstack(x, axis=1)",
    {"result": {"array": {"dtype": "float64", "shape": [2, 3], "values": [0.0]}}},
)
ROWS = task(
    "polars.select",
    "import polars as pl\nresult = pl.select(x)",
    {
        "result": [{"dict": [["shop", 1], ["sum", 2]]}, {"dict": [["shop", 3], ["sum", 4]]}],
        "by_shop": {"dict": [["Ore", 1]]},
    },
)
GOOD = "from pydantic import FailFast\nresult = FailFast()"
LIBRARY = ("candidate:<module>", "library:unstack", "library:check")

Case = tuple[Any, str, Verdict, str, str]

UNRUN = Verdict(runs=(), recorded=None)
"""The judge runs nothing of what does not parse."""

SYNTAX: list[Case] = [
    (FAIL_FAST, "", observed({}), "WrongSyntax", "empty"),
    (FAIL_FAST, "# use FailFast\n", observed({}), "WrongSyntax", "stub"),
    (FAIL_FAST, "pass", observed({}), "WrongSyntax", "stub"),
    (FAIL_FAST, '"""Solve it."""\n...', observed({}), "WrongSyntax", "stub"),
    (
        FAIL_FAST,
        "def solve(values):\n    '''todo'''\n    raise NotImplementedError('x')",
        observed({}),
        "WrongSyntax",
        "",
    ),
    (FAIL_FAST, "result = FailFast(", UNRUN, "WrongSyntax", "does not parse"),
    (FAIL_FAST, "Sure! Here is the code", UNRUN, "WrongSyntax", "line 1"),
    (FAIL_FAST, "result = 'a\x00b'", UNRUN, "WrongSyntax", "null bytes"),
    (FAIL_FAST, "(" * 5000, UNRUN, "WrongSyntax", "does not parse"),
    (FAIL_FAST, "type X = int\nf'{f'{1}'}'", observed({}), "WrongAPISelection", "never calls"),  # a newer Python ran it
    (FAIL_FAST, "values = [1, 2]", observed({}), "WrongSyntax", "repeats the given code"),
    (
        FAIL_FAST,
        "from pydantic import FailFast\nvalues = [1,  2]",
        observed({}),
        "WrongSyntax",
        "repeats the given code",
    ),
    (FAIL_FAST, "import pydantic", observed({}), "WrongSyntax", "nothing of its own"),
    (FAIL_FAST, "values = [1, 3]", observed({}), "WrongAPISelection", "calls nothing"),
    (
        FAIL_FAST,
        "return FailFast()",
        raised(error("SyntaxError", "'return' outside function", "candidate:?"), phase="compile"),
        "WrongSyntax",
        "does not compile",
    ),
]
IMPORT: list[Case] = [
    (
        FAIL_FAST,
        GOOD + "\ntable = pd.DataFrame(values)",
        raised(error("NameError", "name 'pd' is not defined", name="pd"), call()),
        "WrongImport",
        "pd is used without an import",
    ),
    (
        FAIL_FAST,
        "table = json.loads(values)",
        raised(error("NameError", "name 'json' is not defined", name="json")),
        "WrongImport",
        "json is used without an import",
    ),
    (
        FAIL_FAST,
        "import pydantic\nresult = pydantic.FailFast()",
        raised(error("ModuleNotFoundError", "No module named 'pydantic'", name="pydantic")),
        "WrongImport",
        "is meant",
    ),
    (
        FAIL_FAST,
        "import cerberus\nresult = cerberus.Validator(values)",
        raised(error("ModuleNotFoundError", "No module named 'cerberus'", name="cerberus")),
        "WrongAPISelection",
        "imports something else",
    ),
    (
        FAIL_FAST,
        "from pydantic.utils import FailFast\nresult = FailFast()",
        raised(error("ModuleNotFoundError", "No module named 'pydantic.utils'", name="pydantic.utils")),
        "WrongImport",
        "pydantic.FailFast is meant",
    ),
    (
        FAIL_FAST,
        "from pydantic_core import FailFast",
        raised(
            error("ImportError", "cannot import name 'FailFast' from 'pydantic_core' (/lib/x.py)", name="pydantic_core")
        ),
        "WrongImport",
        "cannot import name",
    ),
    (
        FAIL_FAST,
        "import pydantic_validators\nx = pydantic_validators.FailFast()",
        raised(error("ModuleNotFoundError", "No module named 'pydantic_validators'", name="pydantic_validators")),
        "WrongImport",
        "is meant",
    ),
    (
        FAIL_FAST,
        "from pydantic import StopOnFirstError",
        raised(error("ImportError", "cannot import name 'StopOnFirstError' from 'pydantic' (/lib)", name="pydantic")),
        "WrongAPISelection",
        "StopOnFirstError",
    ),
    (
        FAIL_FAST,
        "from pydantic import BaseSettings",
        raised(
            error(
                "PydanticImportError",
                "`BaseSettings` has been moved to the `pydantic-settings` package.",
                "candidate:<module>",
                "library:__getattr__",
                "library:wrapper",
            )
        ),
        "WrongAPISelection",
        "BaseSettings",
    ),
    (
        FAIL_FAST,
        "import torch\nfrom pydantic import FailFast",
        raised(error("ModuleNotFoundError", "No module named 'torch'", name="torch"), call()),
        "WrongLogic",
        "then the program failed",
    ),
    (
        FAIL_FAST,
        "result = FailFast()",
        raised(error("NameError", "name 'FailFast' is not defined", name="FailFast")),
        "WrongImport",
        "without an import",
    ),
    (
        FAIL_FAST,
        "result = pydantic.FailFast()",
        raised(error("NameError", "name 'pydantic' is not defined", name="pydantic")),
        "WrongImport",
        "pydantic is used",
    ),
    (
        UNSTACK,
        "result = np.unstack(x, axis=1)",
        raised(error("NameError", "name 'np' is not defined")),
        "WrongImport",
        "through np",
    ),
    (
        FAIL_FAST,
        "from pydantic import FailFast\nresult = TypeAdapter(Annotated[list[int], FailFast])",
        raised(error("NameError", "name 'TypeAdapter' is not defined", name="TypeAdapter")),
        "WrongImport",
        "TypeAdapter is used without an import",
    ),
    (
        FAIL_FAST,
        "result = stop_early(values)",
        raised(error("NameError", "name 'stop_early' is not defined", name="stop_early")),
        "WrongAPISelection",
        "stops before any call",
    ),
    (
        FAIL_FAST,
        GOOD + "\nprint(reslt)",
        raised(error("NameError", "name 'reslt' is not defined", name="reslt"), call()),
        "WrongLogic",
        "reslt",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.linalg.unstack(x)",
        raised(error("AttributeError", "module 'numpy.linalg' has no attribute 'unstack'", name="unstack")),
        "WrongImport",
        "wrong place",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.arrays.unstack(x)",
        raised(error("AttributeError", "module 'numpy' has no attribute 'arrays'", name="arrays", owner_type="numpy")),
        "WrongImport",
        "wrong place",
    ),
    (
        FAIL_FAST,
        "import pydantic\nresult = pydantic.utils.FailFast()",
        raised(
            error(
                "AttributeError",
                "module 'pydantic' has no attribute 'utils'",
                "candidate:<module>",
                "library:__getattr__",
            )
        ),
        "WrongImport",
        "wrong place",
    ),
]
SELECTION: list[Case] = [
    (
        UNSTACK,
        "import numpy as np\nresult = np.unpile(x)",
        raised(error("AttributeError", "module 'numpy' has no attribute 'unpile'", name="unpile")),
        "WrongAPISelection",
        "unpile",
    ),
    (
        DUMP,
        "result = item.dump(json=True)",
        raised(error("AttributeError", "'Item' object has no attribute 'dump'", name="dump", owner_type="Item")),
        "WrongAPISelection",
        "does not exist",
    ),
    (
        DUMP,
        "result = adapter.model_dump(item)",
        raised(error("AttributeError", "'TypeAdapter' object has no attribute 'model_dump'", name="model_dump")),
        "WrongAPISelection",
        "TypeAdapter",
    ),
    (FAIL_FAST, "result = [v for v in values]", observed({"result": [1, 2]}), "WrongAPISelection", "calls nothing"),
    (
        FAIL_FAST,
        "import pydantic as p\nresult = p.TypeAdapter(list[int]).validate_python(values)",
        observed({"result": [1, 2]}),
        "WrongAPISelection",
        "pydantic.TypeAdapter",
    ),
    (
        FAIL_FAST,
        "class FailFast:\n    on = True\nresult = FailFast()",
        observed({"result": [1, 2]}),
        "WrongAPISelection",
        "defines its own FailFast",
    ),
    (
        FAIL_FAST,
        "from pydantic import FailFast\nresult = values",
        observed({"result": [1, 2]}),
        "WrongAPISelection",
        "names FailFast, but no call",
    ),
    (
        FAIL_FAST,
        GOOD,
        observed({"result": [1]}, call(caller="library")),
        "WrongAPISelection",
        "only called by the library",
    ),
    (
        FAIL_FAST,
        "try:\n    FailFast(1)\nexcept ValueError:\n    result = values",
        observed({"result": [1, 2]}, call(False, raised="ValueError")),
        "WrongAPISelection",
        "swallowed",
    ),
    (FAIL_FAST, "import sys\nsys.exit(0)", ended("exited"), "WrongAPISelection", "an exit, not a limit"),
    (
        FAIL_FAST,
        "result = int('x')\nfrom pydantic import FailFast",
        raised(error("ValueError", "invalid literal for int() with base 10: 'x'")),
        "WrongAPISelection",
        "invalid literal",
    ),
]
PARAM: list[Case] = [
    (
        FAIL_FAST,
        "from pydantic import FailFast\nFailFast(first=True)",
        raised(error("TypeError", "FailFast.__init__() got an unexpected keyword argument 'first'")),
        "WrongParam",
        "signature",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, 1)",
        raised(error("TypeError", "unstack() takes 1 positional argument but 2 were given")),
        "WrongParam",
        "takes 1 positional",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack()",
        raised(
            error(
                "TypeError",
                "unstack() missing 1 required positional argument: 'x'",
                "candidate:<module>",
                "library:wrapper",
            )
        ),
        "WrongParam",
        "missing 1 required",
    ),
    (
        FAIL_FAST,
        "from pydantic import FailFast\nFailFast(1, 2)",
        raised(error("TypeError", "PydanticMetadata.__init__() takes 1 positional argument but 3 were given")),
        "WrongParam",
        "PydanticMetadata",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axes=1)",
        raised(
            error("TypeError", "'axes' is an invalid keyword argument for unstack()"), call(False, raised="TypeError")
        ),
        "WrongParam",
        "'axes'",
    ),
    (
        DUMP,
        "result = item.model_dump(indent=2)",
        raised(error("TypeError", "whatever the C code says"), call(False, raised="TypeError", rejected=True)),
        "WrongParam",
        "signature",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis='1')",
        raised(error("TypeError", "'str' object cannot be interpreted as an integer", *LIBRARY)),
        "WrongParam",
        "type of an argument",
    ),
    (
        DUMP,
        "result = item.model_dump(mode='yaml')",
        raised(
            error("ValueError", "mode must be 'json' or 'python'", "candidate:<module>", "library:model_dump"),
            call(False, raised="ValueError", explicit=("mode",)),
        ),
        "WrongParam",
        "its parameter mode",
    ),
    (
        DUMP,
        "try:\n    result = item.model_dump(2)\nexcept TypeError:\n    result = {}",
        observed({"result": {"dict": []}}, call(False, raised="TypeError", rejected=True)),
        "WrongParam",
        "swallowed",
    ),
    (
        DUMP,
        "result = item.model_dump(mode='python', by_alias=True)",
        observed({"result": {"dict": [["when", {"type": "datetime.date", "text": "2024-01-01"}]]}}, call()),
        "WrongParam",
        "mode='python'",
    ),
    (
        DUMP,
        "result = item.model_dump(mode='json')",
        observed({"result": {"dict": [["other", "2024-01-01"]]}}, call(explicit=("mode",))),
        "WrongParam",
        "without by_alias",
    ),
]
STRUCTURE: list[Case] = [
    (
        ROWS,
        "import polars as pl\nresult = pl.select(x)",
        observed({"result": [{"dict": [["shop", 1], ["total", 2]]}]}, call()),
        "WrongShapeDtype",
        "keys differ: no 'sum', also 'total'",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis=1)",
        observed({"result": {"array": {"dtype": "float64", "shape": [6], "values": [0.0]}}}, call()),
        "WrongShapeDtype",
        "shape [6], not [2, 3]",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x[0])",
        raised(error("ValueError", "Input array must be at least 1-d.", *LIBRARY), call(False, raised="ValueError")),
        "WrongShapeDtype",
        "structure of its input",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis=5)",
        raised(error("AxisError", "axis 5 is out of bounds for array of dimension 2", *LIBRARY)),
        "WrongShapeDtype",
        "dimension 2",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x)",
        raised(error("UFuncTypeError", "ufunc 'add' did not contain a loop with dtype <U1", *LIBRARY)),
        "WrongShapeDtype",
        "dtype",
    ),
    (
        task("pydantic.TypeAdapter.validate_strings", "result = adapter.validate_strings(values)"),
        "result = adapter.validate_strings(values[0])",
        raised(
            error(
                "ValidationError",
                "1 validation error for list[int]\n  Input should be a valid list",
                "candidate:<module>",
                "library:validate_strings",
            ),
            call(False, raised="ValidationError", explicit=("data",)),
        ),
        "WrongShapeDtype",
        "valid list",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis=1)",
        observed({"result": {"array": {"dtype": "float64", "shape": [3, 2], "values": [0.0]}}}, call()),
        "WrongShapeDtype",
        "shape [3, 2], not [2, 3]",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = list(np.unstack(x, axis=1))",
        observed({"result": [1.0]}, call()),
        "WrongShapeDtype",
        "list, not array",
    ),
    (
        DUMP,
        "result = item.model_dump(mode='json', by_alias=True)",
        observed(
            {},
            call(),
            errors={"result['when']": error("TypeError", "string indices must be integers", "harness:observe")},
        ),
        "WrongShapeDtype",
        "cannot be read off",
    ),
]
LOGIC: list[Case] = [
    (
        FAIL_FAST,
        "from pydantic import FailFast\nresult = FailFast()(values)",
        observed({}, call(), errors={"result": error("NameError", "name 'result' is not defined", "harness:observe")}),
        "WrongLogic",
        "never made",
    ),
    (
        ROWS,
        "import polars as pl\nresult = pl.select(x)",
        observed({"result": [], "by_shop": {"dict": [["Elm", 1]]}}, call()),
        "WrongLogic",
        "keys differ: no 'Ore', also 'Elm'",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis=1)",
        observed({"result": {"array": {"dtype": "float64", "shape": [2, 2], "values": [0.0]}}}, call()),
        "WrongLogic",
        "shape [2, 2], not [2, 3]",
    ),
    (FAIL_FAST, GOOD, observed({"result": [1]}, call()), "WrongLogic", "results differ"),
    (FAIL_FAST, GOOD, observed({"result": None}, call()), "WrongLogic", "results differ"),
    (
        FAIL_FAST,
        "from pydantic import FailFast\noutput = FailFast()",
        observed({}, call(), errors={"result": error("NameError", "name 'result' is not defined", "harness:observe")}),
        "WrongLogic",
        "reads nothing of what is given",
    ),
    (
        FAIL_FAST,
        GOOD + "\nresult.missing",
        raised(error("AttributeError", "'FailFast' object has no attribute 'missing'", name="missing"), call()),
        "WrongLogic",
        "then the program failed",
    ),
    (FAIL_FAST, GOOD + "\nwhile True: pass", ended("limit", limit="cpu"), "WrongLogic", "CPU time"),
    (FAIL_FAST, "while True: pass", ended("limit", limit="wall"), "WrongLogic", "wall-clock"),
    (FAIL_FAST, GOOD + "\n'x' * 10**12", raised(error("MemoryError"), call()), "WrongLogic", "ran away"),
    (FAIL_FAST, GOOD + "\nexit()", ended("exited", call()), "WrongLogic", "an exit, not a limit"),
    (FAIL_FAST, GOOD + "\nimport os; os._exit(0)", ended("exited"), "WrongLogic", "an exit, not a limit"),
    (FAIL_FAST, GOOD, ended("tampered", call(), reason="forged report"), "WrongLogic", "forged report"),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, key=lambda: 1)",
        raised(
            error("TypeError", "<lambda>() takes 0 positional arguments but 1 was given", *LIBRARY),
            call(False, raised="TypeError"),
        ),
        "WrongLogic",
        "did not return",
    ),
    (
        UNSTACK,
        "import numpy as np\ndef key(a):\n    return a + 'x'\nresult = np.unstack(x, key=key)",
        raised(
            error(
                "TypeError",
                "unsupported operand type(s) for +",
                "candidate:<module>",
                "library:unstack",
                "candidate:key",
            ),
            call(False, raised="TypeError"),
        ),
        "WrongLogic",
        "did not return",
    ),
    (
        UNSTACK,
        "import numpy as np\nresult = np.unstack(x, axis=1)",
        raised(error("KeyError", "'a'", *LIBRARY), call(False, raised="KeyError")),
        "WrongLogic",
        "did not return",
    ),
]


@pytest.mark.parametrize(
    ("case", "code", "verdict", "label", "word"), SYNTAX + IMPORT + SELECTION + PARAM + STRUCTURE + LOGIC
)
def test_table(case: Any, code: str, verdict: Verdict, label: str, word: str) -> None:
    diagnosis = diagnose(case, code, verdict)
    assert (diagnosis.label, word in diagnosis.reason) == (label, True), diagnosis


@pytest.mark.parametrize("outcome", ["pass", "infra", "suspect"])
def test_only_a_fail_has_a_label(outcome: Any) -> None:
    verdict = Verdict(runs=(), recorded=None, outcome=outcome)
    assert diagnose(FAIL_FAST, GOOD, verdict).label is None


def test_what_was_asked_for_and_never_made_is_no_matter_of_types() -> None:
    missing = {"result": error("NameError", "name 'result' is not defined")}
    wanted, given = call(arguments={"x": "text"}, explicit=("x",)), call(arguments={"x": 5}, explicit=("x",))
    code = "import numpy as np\nother = np.unstack(x)"
    found = diagnose(UNSTACK, code, observed({}, given, errors=missing), [wanted])
    assert (found.label, "never made" in found.reason) == ("WrongLogic", True)
    assert diagnose(UNSTACK, code, observed({"result": 5}, given), [wanted]).label == "WrongShapeDtype"


def test_bound_arguments_decide_over_written_ones() -> None:
    code = "result = item.model_dump(**options)"
    wrong = {"result": {"dict": [["when", 1]]}}
    reference = [call(arguments={"self": {"type": "Item"}, "mode": "json"}, explicit=("mode",))]
    given = call(arguments={"self": {"type": "Other"}, "mode": "python"}, explicit=("mode",))
    assert diagnose(DUMP, code, observed(wrong, given), reference).label == "WrongParam"
    same = call(arguments={"self": {"type": "Item"}, "mode": "json"})
    assert diagnose(DUMP, code, observed(wrong, same), reference).label == "WrongShapeDtype"


def test_a_table_of_another_shape_is_not_a_wrong_parameter() -> None:
    def unstack(shape: list[int]) -> Any:
        return call(arguments={"x": {"array": {"dtype": "int64", "shape": shape, "values": [1]}}})

    verdict = observed({"result": {"array": {"dtype": "float64", "shape": [2, 3], "values": [9.0]}}}, unstack([3]))
    diagnosis = diagnose(UNSTACK, "import numpy as np\nresult = np.unstack(x, axis=1)", verdict, [unstack([3, 1])])
    assert (diagnosis.label, "shape [3], not [3, 1]" in diagnosis.reason) == ("WrongShapeDtype", True)


BOUND = {"a": {"array": {"dtype": "float64", "shape": [2], "values": [1.0, 2.0]}}, "n": 3, "key": None}


def bound(completed: bool = True, raised: str | None = None, **changed: Any) -> CallRecord:
    return call(completed, arguments={**BOUND, **changed}, explicit=("a", "n"), raised=raised)


@pytest.mark.parametrize(
    ("given", "label", "word"),
    [
        ([bound(n=4)], "WrongParam", "n = 4, where the reference gives 3"),
        ([bound(n={"function": "f"})], "WrongLogic", "results differ"),
        ([bound(key={"function": "f"})], "WrongParam", "key = "),
        ([bound(a={"dict": []})], "WrongShapeDtype", "a as dict, not array"),
        ([bound(n=[1, 2])], "WrongParam", "n = [1, 2]"),
        ([bound(n=4), bound()], "WrongLogic", "results differ"),
        ([bound(n=4), bound(n=5, key=1)], "WrongParam", "n = 4"),
        ([call(arguments={"other": 1})], "WrongLogic", "results differ"),
        ([bound(a={"type": "App", "fields": [["x", {"cut": 1}]]})], "WrongShapeDtype", "a as App, not array"),
        ([bound().model_copy(update={"caller": "library", "arguments": {**BOUND, "n": 9}}), bound()], "WrongLogic", ""),
    ],
)
def test_bound_arguments(given: list[CallRecord], label: str, word: str) -> None:
    case = task("numpy.cut", "import numpy as np\nresult = np.cut(a, n=3)", {"result": 1})
    inner = bound(n=7).model_copy(update={"caller": "library"})
    diagnosis = diagnose(
        case, "import numpy as np\nresult = np.cut(b, n=m)", observed({"result": 2}, *given), [bound(), inner]
    )
    assert (diagnosis.label, word in diagnosis.reason) == (label, True), diagnosis


@pytest.mark.parametrize(
    ("kind", "message", "given", "label", "word"),
    [
        ("MaskError", "data size is 54, mask size is 24", {"n": 4}, "WrongParam", "n = 4"),
        ("KeyError", "'signals'", {"a": {"dict": []}}, "WrongShapeDtype", "a as dict"),
        ("KeyError", "'signals'", {}, "WrongLogic", "did not return"),
        ("TypeError", "must be str", {"a": 7}, "WrongShapeDtype", "a as int, not array"),
        ("TypeError", "must be str", {"n": "x"}, "WrongParam", "type of an argument"),
        ("ValueError", "``n`` argument is required for more dimensions", {"n": None}, "WrongParam", "demands its"),
        ("ValueError", "``key`` argument is required for more dimensions", {}, "WrongShapeDtype", "structure"),
    ],
)
def test_a_call_that_did_not_return_is_compared_with_the_reference(
    kind: str, message: str, given: dict[str, Any], label: str, word: str
) -> None:
    case = task("numpy.cut", "import numpy as np\nresult = np.cut(a, n=3)", {"result": 1})
    failing = bound(False, kind, **given).model_copy(update={"explicit": ("a",)})
    verdict = raised(error(kind, message, "candidate:<module>", "library:cut"), failing)
    diagnosis = diagnose(case, "import numpy as np\nresult = np.cut(b)", verdict, [bound()])
    assert (diagnosis.label, word in diagnosis.reason) == (label, True), diagnosis


def test_an_exception_after_a_wrong_call_does_not_hide_it() -> None:
    case = task("numpy.cut", "import numpy as np\nresult = np.cut(a, n=3)", {"result": 1})
    later = error("UnpackError", "too many values")
    code = "import numpy as np\nx, y = np.cut(b, n=m)"
    assert diagnose(case, code, raised(later, bound(n=4)), [bound()]).label == "WrongParam"
    assert diagnose(case, code, raised(later, bound()), [bound()]).label == "WrongLogic"


def test_a_coroutine_that_nobody_awaits_was_called_rightly() -> None:
    case = task("django.dispatch.Signal.asend", "answers = asyncio.run(signal.asend(sender=1))", {"answers": []})
    code = "answers = [a for a in signal.asend(sender=1)]"
    stopped = raised(error("TypeError", "'coroutine' object is not iterable"))
    assert diagnose(case, code, stopped).label == "WrongLogic"
    assert diagnose(case, "answers = [a for a in signal.send(sender=1)]", stopped).label == "WrongAPISelection"
    quiet = observed({"answers": 1})
    assert diagnose(case, code, quiet).label == "WrongAPISelection"
    run = quiet.runs[0].model_copy(update={"stderr": "RuntimeWarning: coroutine 'Signal.asend' was never awaited"})
    diagnosis = diagnose(case, code, Verdict(runs=(run,), recorded=run))
    assert (diagnosis.label, "never awaited" in diagnosis.reason) == ("WrongLogic", True)


def test_what_no_reference_run_agrees_on_is_not_compared() -> None:
    unstable = task("pydantic.FailFast", GOOD, {"result": {"unstable": True}})
    assert diagnose(unstable, GOOD, observed({"result": "any"}, call())).label == "WrongLogic"


def test_a_reason_is_one_clean_line() -> None:
    message = "name 'FailFast' is not defined\n\x1b[31m" + "x" * 10_000 + "\u202e"
    reason = diagnose(FAIL_FAST, GOOD, raised(error("NameError", message, name="FailFast"))).reason
    assert reason.isprintable() and len(reason) < 400


@given(
    st.text(max_size=200), st.text(max_size=80), st.sampled_from(["ImportError", "NameError", "TypeError", "KeyError"])
)
def test_any_text_gets_one_of_the_six_classes(code: str, message: str, kind: str) -> None:
    for verdict in (raised(error(kind, message)), observed({"result": message}, call()), ended("limit")):
        diagnosis = diagnose(FAIL_FAST, code, verdict)
        assert diagnosis.label in FAILURE_LABELS and diagnosis.reason
        assert diagnosis == diagnose(FAIL_FAST, code, verdict)


@given(st.randoms())
def test_statements_around_the_call_do_not_change_the_label(shuffle: random.Random) -> None:
    noise = ["import os", "label = 'FailFast'", "print(label)", "x = {}"]
    shuffle.shuffle(noise)
    code = "\n".join([*noise, "result = FailFast()"])
    verdict = raised(error("NameError", "name 'FailFast' is not defined", name="FailFast"))
    assert diagnose(FAIL_FAST, code, verdict).label == "WrongImport"


def test_a_call_of_a_sister_is_not_held_against_the_arguments_of_the_target() -> None:
    code = "import numpy as np\nresult = np.split(x, 2)"
    wanted = [call(target="numpy.unstack", arguments={"x": [1], "axis": 1})]
    for name, label in (("numpy.unstack", "WrongParam"), ("numpy.split", "WrongShapeDtype")):
        seen = observed({"result": [1]}, call(target=name, arguments={"x": [1], "axis": 2}))
        assert diagnose(UNSTACK, code, seen, wanted).label == label


def test_a_container_that_is_left_open_is_no_difference_in_structure() -> None:
    for containers, form, label in (
        (None, {"tuple": [1, 3]}, "WrongShapeDtype"),
        ("any", {"tuple": [1, 3]}, "WrongLogic"),
        ("any", {"tuple": ["1", "3"]}, "WrongShapeDtype"),
        ("any inside", {"tuple": [1, 3]}, "WrongShapeDtype"),
    ):
        opened = with_containers(FAIL_FAST.harness.scenarios[0], {"result": containers} if containers else {})  # type: ignore[dict-item]
        harness = FAIL_FAST.harness.model_copy(update={"scenarios": (opened,)})
        found = diagnose(FAIL_FAST.model_copy(update={"harness": harness}), GOOD, observed({"result": form}, call()))
        assert found.label == label, (containers, form)

"""Items for tests."""

from typing import Any

from apigap.records.questions.ladder import LadderItem
from tests.records.test_task import make_task

BASE: dict[str, Any] = {
    "group": "new", "api_name": "lib.pivot", "pair": "lib.pivot", "subject": "lib.pivot", "library": "lib",
    "version": "2", "old_version": "1", "kind": "function", "change": "added",
}  # fmt: skip
YES_NO = {"rung": "exists", "form": "yes or no", "options": ("Yes", "No")}


def item(**own: Any) -> LadderItem:
    return LadderItem.model_validate({**BASE, **own})


EXISTS = item(**YES_NO, right=0, question="Does `lib.pivot` exist in the Python library lib?")
INVENTED = item(
    **YES_NO, right=1, subject="lib.pivot_by", question="Does `lib.pivot_by` exist in the Python library lib?"
)
TAKES = item(
    **YES_NO, right=0, subject="lib.pivot(rows=)",
    question="Does the signature of `lib.pivot` of the Python library lib name a parameter `rows`?",
)  # fmt: skip
OPTIONS = ("(rows, edges=None)", "(cells, margins=None)", "(rows, margins=None)", "(cells, edges=None)")
CHOICE = item(
    rung="signature", form="choice", options=OPTIONS, right=2,
    question="Which parameters does `lib.pivot` of the Python library lib have?",
)  # fmt: skip
PARAMETERS = item(
    rung="signature", form="parameters", truth=("rows", "margins"), begin="```python\ndef pivot(",
    question="Write the signature of `lib.pivot`.",
)  # fmt: skip
EFFECT = item(
    rung="effect", form="choice", expression="y", options=("[3]", "[4]", "[5]", "[6]"), right=1,
    programs=tuple(f"import lib\ny = lib.pivot({number})" for number in (3, 2, 5, 6)),
    question="This code is run with lib 2:\n\n```python\nimport lib\ny = lib.pivot(2)\n```\n\n"
    "What is the value of `y` afterwards?",
)  # fmt: skip
VALUE = item(
    rung="effect", form="value", expression="y", truth=("[4, 'b']",), programs=("import lib\ny = lib.pivot(2)",),
    question="This code is run with lib 2:\n\n```python\nimport lib\ny = lib.pivot(2)\n```\n\n"
    "What is the value of `y` afterwards?",
)  # fmt: skip
CALL = item(
    rung="call", form="code", question="Use `lib.pivot`.",
    task=make_task(api_name="lib.pivot", description="Use `lib.pivot`.", masked_region="y = lib.pivot(2)\n"),
)  # fmt: skip

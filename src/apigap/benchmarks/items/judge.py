"""The judge of a mixed file of items: code runs as that of benchmark novelapi does, all else is held against truth."""

from collections.abc import Collection, Sequence

from apigap.benchmarks.items.readings import Reading
from apigap.benchmarks.items.verdict import EVALUATOR, verdict
from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.evaluation.item import Item, OnResult
from apigap.models.extraction import Extraction
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.task import Task

ItemAnswer = Reading | Extraction
_UNREAD = ("empty", "unparsed")


class ItemsJudge:
    """Judges answers to items; `of_code` is the judge of their tasks, where there are any.

    Results of the items whose ids are `shown` say in their detail that the prompt had the answer in it.
    """

    def __init__(self, of_code: NovelApiJudge | None, shown: Collection[str] = ()) -> None:
        self._of_code = of_code
        self._shown = frozenset(shown)

    def score_all(self, items: Sequence[Item[LadderItem, ItemAnswer]], on_result: OnResult) -> None:
        """Judge all; `on_result` is called with each result as it is ready, those of code last."""
        code: list[tuple[Item[LadderItem, ItemAnswer], Item[Task, Extraction]]] = []
        for one in items:
            if isinstance(one.artifact, Reading):
                on_result(self._marked(verdict(one.task, one.artifact, one.sample)))
            elif one.task.task is not None:
                code.append((one, Item(one.task.task, len(code), one.artifact)))
        if not code:
            return
        if self._of_code is None:
            raise RuntimeError("code is to be judged, and no judge of code was made")

        def ready(result: Result) -> None:
            asked, answer = code[result.sample]
            on_result(self._marked(_of_item(asked, answer.artifact, result)))

        self._of_code.score_all([answer for _, answer in code], ready)

    def _marked(self, result: Result) -> Result:
        if result.task_id not in self._shown:
            return result
        return result.model_copy(update={"detail": {**result.detail, "shown": True}})


def _of_item(asked: Item[LadderItem, ItemAnswer], answer: Extraction, result: Result) -> Result:
    """The verdict on a task as that on the item that holds it; its parts are told by rung, as those of other items."""
    item = asked.task
    detail = {**result.detail, "read": answer.rule not in _UNREAD, "group": item.group}
    return result.model_copy(
        update={
            "task_id": item.task_id, "sample": asked.sample, "detail": detail, "evaluator": EVALUATOR.digest,
            "part": item.rung,
        }
    )  # fmt: skip

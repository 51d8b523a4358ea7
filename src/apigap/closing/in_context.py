"""llms.txt in use as editors use it: the file stands in the context, before the code and the task."""

from apigap.benchmarks.novelapi.prompting import Prompter, first_lines
from apigap.exports.llms_reader import LlmsPages
from apigap.models.request import GenerationRequest, Message
from apigap.records.configuration import GenerationSettings
from apigap.records.task import Task

_HEAD = "Documentation of the libraries that are installed here:\n\n"
_TAIL = "\n\n---\n\n"


class InContext:
    """The prompts without knowledge, with a file before them: the whole of it, or where that does not fit the window,
    its head and the pages nearest to the task (TF-IDF, as `find_api` ranks them), as many lines as fit.
    """

    condition = "llms"

    def __init__(self, settings: GenerationSettings, whole: str, pages: LlmsPages, room: int | None) -> None:
        self._plain = Prompter(settings, "baseline", lambda task: None)
        self._whole = whole
        self._pages = pages
        self._room = room

    def applies(self, task: Task) -> bool:
        """Every task can be asked so."""
        del task
        return True

    def request(self, task: Task, name: str, samples: int, temperature: float, seed: int) -> GenerationRequest:
        """The request with the key `task_id/name`."""
        plain = self._plain.request(task, name, samples, temperature, seed)
        shown = self._shown(task)
        first, *others = plain.messages()
        before = Message(role=first.role, content=f"{_HEAD}{shown}{_TAIL}{first.content}")
        same = len(_HEAD) + len(shown) if shown == self._whole else 0
        return plain.model_copy(update={"prompt": (before, *others), "shared": same})

    def cut(self, task: Task) -> tuple[int, int] | None:
        """The numbers of characters of the file that are shown, and of all; None where all of it is."""
        shown = self._shown(task)
        return None if shown == self._whole else (len(shown), len(self._whole))

    def _shown(self, task: Task) -> str:
        asked = len(_HEAD) + len(_TAIL) + sum(len(message.content) for message in self._plain.prompt(task))
        if self._room is None or len(self._whole) + asked <= self._room:
            return self._whole
        near = [self._pages.read(found.api_name) for found in self._pages.find(task.description, most=20)]
        text = "\n\n".join([f"# {self._pages.title}", *near])
        return first_lines(text, max(0, self._room - asked))

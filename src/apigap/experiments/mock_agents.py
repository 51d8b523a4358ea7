"""Made-up agents, for a run without a model: who has documentation or an interpreter finds the answer, others do not.

They show that a chain works from end to end; they say nothing of any model, and the model's name says so.
"""

from collections.abc import Sequence

from apigap.agent.prompting import HAND_IN
from apigap.benchmarks.novelapi.mock_answers import mock_reply
from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import Generator
from apigap.records.configuration import GenerationSettings
from apigap.records.task import Task


def mock_agents(tasks: Sequence[Task], settings: GenerationSettings) -> MakeGenerator:
    """The maker of the generators of a run over `tasks`, which may be asked as agents as well."""
    plain = mock_reply(tasks, settings)

    def reply(prompt: str) -> str:
        if HAND_IN not in prompt:
            return plain(prompt)
        task = next((one for one in tasks if one.description in prompt), None)
        return "I have nothing." if task is None else _answer(task, prompt.rpartition("Tools: ")[2])

    return lambda model, decoding: Generator(model, decoding, reply=reply)


def _answer(task: Task, tools: str) -> str:
    """All in one answer: a page is read or the code is run, and the right code is handed in; `pass` without tools."""
    blocks = {"read_page": task.api_name, "read_source": task.api_name, "run_code": task.masked_region}
    used = {tool: text for tool, text in blocks.items() if tool in tools}
    calls = [*used.items(), ("submit", task.masked_region if used else "pass")]
    return "\n\n".join(f"```{tool}\n{text}\n```" for tool, text in calls)

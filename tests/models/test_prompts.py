"""What the model reads, word by word, in every layout."""

from pathlib import Path

import pytest

from apigap.models.extraction import extract_code
from apigap.models.prompts import Prompt, build_prompt
from apigap.records.errors import UsageError

CONTEXT = "import httpx\nurl = 'http://a'\n"
KNOWLEDGE = "httpx.get(url, *, proxy=None)"

PUBLISHED = """# Reference documentation

httpx.get(url, *, proxy=None)

---

import httpx
url = 'http://a'
# Task
# Fetch the page.
# Keep it in `page`.
#
# Complete the code above. The completion must work as it stands: add every import, name and value
# that is still missing.
# Write only the lines that come next, without explanation.
"""

SHARED = """This Python code has already run:
```python
import httpx
url = 'http://a'
```

Task: Fetch the page.
Keep it in `page`."""

DOCUMENTATION = """

httpx 0.28.1 has a new API that solves this task. Its reference documentation:

httpx.get(url, *, proxy=None)

Use the documented API."""

INSTRUCTION = """

Write only the Python lines that come next, in one code block."""


def prompt(layout: str, knowledge: str | None, context: str = CONTEXT) -> str:
    return whole(layout, knowledge, context).text


def whole(layout: str, knowledge: str | None, context: str = CONTEXT) -> Prompt:
    return build_prompt(
        layout, context_code=context, description="Fetch the page.\nKeep it in `page`.\n",
        knowledge=knowledge, library="httpx", version="0.28.1",
    )  # fmt: skip


def test_published_layout() -> None:
    assert prompt("published", KNOWLEDGE) == PUBLISHED


def test_instructed_layout() -> None:
    assert prompt("instructed", KNOWLEDGE) == SHARED + DOCUMENTATION + INSTRUCTION


def test_conditions_of_a_task_share_their_beginning() -> None:
    for knowledge in (None, KNOWLEDGE, "other"):
        made = whole("instructed", knowledge)
        assert made.text[: made.shared] == SHARED
    assert whole("published", KNOWLEDGE).shared == 0


@pytest.mark.parametrize("empty", [None, "", "\n"])
def test_without_knowledge_only_the_documentation_is_missing(empty: str | None) -> None:
    assert prompt("published", empty) == PUBLISHED.split("---\n\n")[1]
    assert prompt("instructed", empty) == SHARED + INSTRUCTION


@pytest.mark.parametrize("layout", ["published", "instructed"])
def test_a_task_without_context_has_no_empty_block(layout: str) -> None:
    text = prompt(layout, None, context="")
    assert "```" not in text
    assert "\n\n\n" not in text


def test_backticks_in_the_context_do_not_end_its_fence() -> None:
    context = 'text = """\n```\nx\n```\n"""'
    assert extract_code(prompt("instructed", None, context)).code == context


TEMPLATE = """{% if context %}Given:
{{ context }}
{% endif %}{{ description }}
{% if knowledge %}{{ release }} says: {{ knowledge }}
{% endif %}Code only."""


def of_template(path: Path, knowledge: str | None = KNOWLEDGE) -> Prompt:
    parts = {"context_code": CONTEXT, "description": "Fetch it.", "library": "httpx", "version": "1"}
    return build_prompt(str(path), knowledge=knowledge, **parts)


def test_a_template_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "mine.j2"
    path.write_text(TEMPLATE)
    told, plain = of_template(path), of_template(path, None)
    before = "Given:\nimport httpx\nurl = 'http://a'\nFetch it.\n"
    assert plain.text == f"{before}Code only.\n"
    assert told.text == f"{before}httpx 1 says: {KNOWLEDGE}\nCode only.\n"
    assert told.text[: told.shared] == plain.text[: plain.shared] == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{ description ", "cannot be used"),
        ("{{ description }} {{ secret }}", "secret"),
        ("{{ knowledge }}", "does not show the task"),
        ("{{ description.__class__.__mro__ }}", "cannot be used"),
    ],
)
def test_a_template_that_cannot_be_used(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.j2"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        of_template(path)
    with pytest.raises(UsageError, match="cannot be read"):
        of_template(tmp_path / "missing.j2")


def test_chat_says_what_to_answer_in_the_system_message() -> None:
    with_knowledge, without = whole("chat", KNOWLEDGE), whole("chat", None)
    system, user = with_knowledge.messages()
    assert (system.role, user.role, user.content) == ("system", "user", SHARED + DOCUMENTATION)
    assert system.content.endswith("in one code block.")
    assert [message.content for message in without.messages("```python\n")] == [system.content, SHARED, "```python\n"]
    assert with_knowledge.shared == without.shared == len(system.content)
    assert [message.role for message in whole("instructed", None).messages()] == ["user"]


def test_tools_asks_for_the_code_as_a_call() -> None:
    asked = whole("tools", KNOWLEDGE)
    system, user = asked.messages()
    assert (system.role, user.content) == ("system", SHARED + DOCUMENTATION)
    assert system.content.endswith("by calling `submit`.")
    assert [tool.name for tool in asked.tools] == ["submit"]
    assert asked.shared == len(system.content)
    assert whole("chat", None).tools == ()

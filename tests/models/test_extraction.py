"""Answers as models write them, and the code that is found in each."""
# ruff: noqa: E501  one case, one line

import ast
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.model import ModelOutput

from apigap.models.extraction import Extraction, extract_code
from apigap.models.outputs import answer_of

CODE = "model = User(name='a')\nprint(model.model_dump())"
FULL = "import math\n\n\ndef area(r):\n    return math.pi * r**2\n\n\nresult = area(2)"
CONTEXT = "from pydantic import BaseModel\n\n\nclass User(BaseModel):\n    name: str"


def block(code: str, tag: str = "python", fence: str = "```") -> str:
    return f"{fence}{tag}\n{code}\n{fence}"


def indented(text: str, by: str = "   ") -> str:
    return "\n".join(by + line for line in text.split("\n"))


NEWER = "type Number = int\ndef half[T: (int, float)](value: T) -> T:\n    return value / 2\nresult = half(3)"
DOCUMENTED = 'def f():\n    """Do.\n\n    ```python\n    f()\n    ```\n    """\n    return g(1)\n\n\nresult = f()'
TEMPLATE = 'text = """<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"""\nend = "<|im_end|><|im_start|>"\nresult = f(text)'
THOUGHT = 'text = """\n<think>\nhm\n</think>\nyes\n"""\nresult = f(text)'
CASES: list[tuple[str, str, str, str]] = [
    # name, answer, code, rule
    ("one block", block(CODE), CODE, "block"),
    ("prose around", f"Here you go:\n\n{block(CODE)}\n\nThis prints it.", CODE, "block"),
    ("a newer Python", f"Sure:\n\n{NEWER}\n\nThat is all.", NEWER, "lines"),
    ("a newer Python in a block", f"{block('x = 1', 'text')}\n{block(NEWER)}", NEWER, "block"),
    ("tag py", block(CODE, "py"), CODE, "block"),
    ("tag with capitals", block(CODE, "Python"), CODE, "block"),
    ("tag with attributes", block(CODE, 'python title="a.py"'), CODE, "block"),
    ("pandoc tag", block(CODE, "{.python}"), CODE, "block"),
    ("no tag", block(CODE, ""), CODE, "block"),
    ("wrong tag", block(CODE, "javascript"), CODE, "block"),
    ("bash tag on Python", block(CODE, "bash"), CODE, "block"),
    ("tildes", block(CODE, "python", "~~~"), CODE, "block"),
    ("four backticks", block(CODE, "python", "````"), CODE, "block"),
    ("windows line ends", block(CODE).replace("\n", "\r\n"), CODE, "block"),
    ("byte order mark", "\ufeff" + block(CODE), CODE, "block"),
    ("never closed", f"```python\n{CODE}", CODE, "open block"),
    ("never closed after prose", f"Sure.\n```python\n{CODE}\n", CODE + "\n", "open block"),
    ("cut in the middle", "```python\nresult = area(2", "result = area(2", "unparsed"),
    ("opening fence forgotten", f"{CODE}\n```\nThis prints it as a dictionary.", CODE, "segment"),
    ("opened twice", f"```\n```python\n{CODE}\n```", CODE, "block"),
    ("closing forgotten before the next", f"```python\n{CODE}\n```python\nx = 1\n```", CODE, "open block"),
    ("language name inside the block", block("python\n" + CODE, ""), CODE, "block"),
    ("indented in a list", f"1. Do this:\n{indented(block(CODE))}", CODE, "block"),
    ("indented code in a flat fence", block(indented(CODE, "    ")), CODE, "block"),
    ("quoted", "> ```python\n> x\n> ```\n\n" + block(CODE), CODE, "block"),
    ("longest of two", f"{block('import math')}\nthen\n{block(FULL)}", FULL, "block"),
    ("longest first", f"{block(FULL)}\nOutput:\n{block('area(2)')}", FULL, "block"),
    ("imports in a block of their own", f"First:\n{block('import math')}\nthen:\n{block('result = math.sqrt(math.pi)')}", "import math\n\nresult = math.sqrt(math.pi)", "joined blocks"),
    ("three steps", "\n".join(map(block, ["import math", "def half(a):\n    return math.pi / a", "result = [half(n) for n in (1, 2, 3, 4)]"])), "import math\n\ndef half(a):\n    return math.pi / a\n\nresult = [half(n) for n in (1, 2, 3, 4)]", "joined blocks"),
    ("another way before", "\nor\n".join(map(block, ["import cmath as m\nresult = m.sqrt(2)", "import math as m\nresult = m.sqrt(2) + 0"])), "import math as m\nresult = m.sqrt(2) + 0", "block"),
    ("the context before", "\n".join(map(block, ["class User(BaseModel):\n    a: int", "result = User(name=1).model_dump_json()"])), "result = User(name=1).model_dump_json()", "block"),
    ("its own names before", "\n".join(map(block, ["value = 1", "def f(value):\n    return value\nresult = f(2)"])), "def f(value):\n    return value\nresult = f(2)", "block"),
    ("what is read of a block of output", f"{block('shown = 1', 'text')}\n{block('result = shown + 100')}", "result = shown + 100", "block"),
    ("output block", f"{block(CODE)}\nOutput:\n{block('{1: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}', '')}", CODE, "block"),
    ("install command first", f"{block('pip install pydantic', 'bash')}\n{block(CODE)}", CODE, "block"),
    ("json longer than code", f"{block('[' + '1, ' * 90 + '1]', 'json')}\n{block(CODE)}", CODE, "block"),
    ("unmarked before foreign", f"{block('f(' + '1, ' * 90 + ')', 'text')}\n{block(CODE, '')}", CODE, "block"),
    ("broken block and good one", block("def f(:\n    pass  # much longer than the other one is") + "\n" + block(CODE), CODE, "block"),
    ("code outside, its output in a block", f"{CODE}\n\nOutput:\n{block('[1, 2, 3]', '')}", CODE, "lines"),
    ("code outside, its output as JSON", f"Here:\n\n{CODE}\n\n{block('[{}, 1]', 'json')}\nDone.", CODE, "lines"),
    ("a value is all there is", f"The result is\n{block('[1, 2, 3]', '')}", "[1, 2, 3]", "block"),
    ("a value in a Python block", f"{CODE}\n{block('[1, 2, 3]')}", "[1, 2, 3]", "block"),
    ("fence behind words", f"Here's the code: ```python\n{CODE}\n```\nIt works.", CODE, "block"),
    ("fence behind words, never closed", f"Sure! ```py\n{CODE}", CODE, "open block"),
    ("fence behind the trace's end", f"First I thought of\n{block(FULL)}\nbut no.</think> ```python\n{CODE}\n```", CODE, "block"),
    ("an empty block and code", f"```python\n```\n{CODE}\n", CODE, "segment"),
    ("only a broken block", f"I think:\n{block('for x in range(3) print(x)')}", "for x in range(3) print(x)", "unparsed"),
    ("broken block, code in prose", f"Call f(x).\n{block('f(x')}\n", "f(x", "unparsed"),
    ("longest of the broken", f"{block('f(')}\n{block('g(1, ')}", "g(1, ", "unparsed"),
    ("context in a block of its own", f"{block(CONTEXT)}\nThen:\n{block('User(name=1)')}", "User(name=1)", "block"),
    ("nothing but the context", block(CONTEXT), CONTEXT, "block"),
    ("context repeated, then the answer", block(f"{CONTEXT}\n\n{CODE}"), f"{CONTEXT}\n\n{CODE}", "block"),
    ("fence inside a string", block('text = """\n```\ncode\n```\n"""\nprint(text)'), 'text = """\n```\ncode\n```\n"""\nprint(text)', "joined blocks"),
    ("fence with a language inside a docstring", block(DOCUMENTED), DOCUMENTED, "joined blocks"),
    ("fence with a language inside a docstring, then its use", f"{block(DOCUMENTED)}\nUse it:\n{block('f()')}\n", DOCUMENTED, "joined blocks"),
    ("mark of the end", f"{CODE}<|im_end|>", CODE, "bare"),
    ("mark of the end below", f"Sure:\n\n{CODE}\n<|endoftext|>\n", CODE, "lines"),
    ("mark of the end behind a fence", f"{block(CODE)}<|eot_id|>", CODE, "block"),
    ("mark of the end in an open block", f"```python\n{CODE}</s>", CODE, "open block"),
    ("another turn", f"{block(CODE)}<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\n{block(FULL)}", CODE, "block"),
    ("another turn in one line", f"{block(CODE)}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n{block(FULL)}", CODE, "block"),
    ("marks in texts", block(TEMPLATE), TEMPLATE, "block"),
    ("an empty turn first", f"<|im_end|>\n<|im_start|>assistant\n{block(CODE)}", CODE, "block"),
    ("channels", f"<|channel|>analysis<|message|>Maybe\n{block(FULL)}<|end|><|start|>assistant<|channel|>final<|message|>{block(CODE)}<|return|>", CODE, "block"),
    ("no width before fences", f"\u200b```python\n{CODE}\n\u200b```\nIt prints.", CODE, "block"),
    ("byte order mark in the block", block("\ufeff" + CODE), CODE, "block"),
    ("blanks of another kind", block(CODE.replace(" = ", "\u00a0=\u00a0")), CODE, "block"),
    ("no width in code", block(CODE.replace("User", "User\u200b")), CODE, "block"),
    ("blanks of another kind in a text", block("x = '1\u00a0000'"), "x = '1\u00a0000'", "block"),
    ("nested in markdown", block(f"Look:\n{block(CODE)}", "markdown", "````"), CODE, "block"),
    ("session", block(">>> x = area(2)\n>>> x\n12.56", "pycon"), "x = area(2)\nx", "block"),
    ("session with continuation", block(">>> for i in range(2):\n...     print(i)\n...\n0\n1"), "for i in range(2):\n    print(i)\n", "block"),
    ("session without fence", ">>> x = area(2)\n>>> print(x)\n12.56", "x = area(2)\nprint(x)", "bare"),
    ("trace", f"<think>\nMaybe {block('wrong(1)')}?\n</think>\n\n{block(CODE)}", CODE, "block"),
    ("trace opened in the prompt", f"I could use\n{block('wrong(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)')}\n</think>\n{block(CODE)}", CODE, "block"),
    ("trace never closed", f"<think>\nPerhaps\n{block(CODE)}", "", "empty"),
    ("lines of a trace in a text", block(THOUGHT), THOUGHT, "block"),
    ("a trace, then lines of one in a text", f"<think>\n{block('x')}\n</think>\n{block(THOUGHT)}\nDone.", THOUGHT, "block"),
    ("a trace right below a fence", f"```python\n<think>\nhm\n</think>\n{CODE}\n```", f"\n{CODE}", "block"),
    ("trace with capitals", f"<THINK>\n{block('wrong(1)')}\n</Think>\n{block(CODE)}", CODE, "block"),
    ("trace only", "<think>\nno idea\n</think>\n", "", "empty"),
    ("two traces", f"<think>a</think>\n<think>b</think>\n{CODE}", CODE, "bare"),
    ("tag of a trace in a string", block('tag = "<think>"\nuse(tag)'), 'tag = "<think>"\nuse(tag)', "block"),
    ("bare code", CODE, CODE, "bare"),
    ("bare code, indented", indented(CODE, "    "), CODE, "bare"),
    ("bare code with tabs", "if x:\n\ty = 1\nz = 2", "if x:\n\ty = 1\nz = 2", "bare"),
    ("prose, then bare code", f"Sure! Here is the code you asked for:\n\n{CODE}", CODE, "lines"),
    ("bare code, then prose", f"{CODE}\n\nThis creates a user and prints it.", CODE, "lines"),
    ("prose around bare code", f"To do this, call the method.\n\n{FULL}\n\nI hope this helps!", FULL, "lines"),
    ("bullet before", f"- First, build it:\n{CODE}", CODE, "lines"),
    ("refusal", "I cannot help with that, since there is no such API.", "I cannot help with that, since there is no such API.", "unparsed"),
    ("one word", "Done", "Done", "unparsed"),
    ("comment only", block("# nothing to add"), "# nothing to add", "unparsed"),
    ("empty", "", "", "empty"),
    ("white space", " \n\t\n", "", "empty"),
    ("empty block", "```python\n```", "", "empty"),
    ("null byte", "x = 1\0", "x = 1\0", "unparsed"),
    ("uncalled wrapper", block("def solution():\n    x = area(2)\n    print(x)"), "x = area(2)\nprint(x)", "block"),
    ("uncalled wrapper with imports", block("import math\ndef solution():\n    x = math.pi\n    return x"), "import math\nx = math.pi\nx", "block"),
    ("called wrapper", block("def solution():\n    return area(2)\n\nresult = solution()"), "def solution():\n    return area(2)\n\nresult = solution()", "block"),
    ("wrapper called under main", block("def main():\n    print(1)\n\nif __name__ == '__main__':\n    main()"), "def main():\n    print(1)\n\nif __name__ == '__main__':\n    main()", "block"),
    ("wrapper with parameters", block("def solution(data):\n    return data"), "def solution(data):\n    return data", "block"),
    ("wrapper that returns early", block("def solution():\n    if x:\n        return 1\n    return 2"), "def solution():\n    if x:\n        return 1\n    return 2", "block"),
    ("another function is no wrapper", block("def area():\n    return 3"), "def area():\n    return 3", "block"),
    ("recursive wrapper", block("def solution():\n    return solution"), "def solution():\n    return solution", "block"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "code", "rule"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_code_of_an_answer(answer: str, code: str, rule: str) -> None:
    found = extract_code(answer, CONTEXT)
    assert (found.code, found.rule) == (code, rule)


@pytest.mark.parametrize("stop_at", ["\n```\n"])
def test_an_answer_cut_at_its_closing_fence_gives_the_same_code(stop_at: str) -> None:
    whole = f"Here it is:\n{block(FULL)}\nExplanation: `area` squares."
    assert extract_code(whole.split(stop_at)[0]).code == extract_code(whole).code == FULL


pieces = st.sampled_from([
    "```", "```python", "~~~", "<think>", "</think>", ">>> x = 1", "... y", "def solution():", "    return 1", "x = (",
    "import os", "prose here", "", "\t", "'''", '"""', "\0", "\ud800", "\\", "\x0c", "\u2028", "````md",
])  # fmt: skip


@given(st.lists(pieces, max_size=12).map("\n".join) | st.text(max_size=300))
@settings(max_examples=400, deadline=None)
def test_any_text_gives_code_and_what_parses_is_python(answer: str) -> None:
    found = extract_code(answer)
    if found.rule not in ("unparsed", "empty"):
        ast.parse(found.code)


@given(
    st.lists(st.sampled_from(["a = 1", "b = [a, 2]", "print(a)", "for i in b:\n    print(i)"]), min_size=1, max_size=6)
)
def test_a_fenced_program_comes_back_as_it_is(lines: list[str]) -> None:
    program = "\n".join(["a = b = []", *lines])
    assert extract_code(f"Text.\n{block(program)}\nMore text.").code == program


@given(
    st.binary(max_size=300).map(lambda data: data.decode("utf-8", "surrogateescape")), st.sampled_from(["", CONTEXT])
)
@settings(deadline=None)
def test_any_bytes_give_text(answer: str, context: str) -> None:
    found = extract_code(answer, context)
    assert type(found.code) is str
    assert Extraction.from_line(found.to_line()) == found


HOSTILE = [
    "a" + ".b" * 40_000, "x=" + "-" * 90_000 + "1", "[" * 5000, "x=" + "not " * 20_000 + "1", "f" + "()" * 40_000,
    "```\n" * 20_000, "a=1\n" * 30_000 + "and some prose", "def solution():\n x=" + "1+" * 20_000 + "1", "(" * 99_000,
]  # fmt: skip


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.timeout(20)
def test_hostile_text_costs_seconds_at_most(answer: str) -> None:
    assert isinstance(extract_code(answer).code, str)
    assert isinstance(extract_code(f"```python\n{answer}\n```").code, str)


def nested_fences(levels: int) -> str:
    """Blocks in blocks, each with one mark more than the one inside."""
    outside = "\n".join("`" * level for level in range(levels + 3, 3, -1))
    return f"{outside}\nx = 1\n" + "\n".join("`" * level for level in range(4, levels + 4))


# Each pattern once took quadratic time or ran out of stack; `n` is its length in characters.
GROWING: dict[str, Callable[[int], str]] = {
    "traces that never close": lambda n: "<think>\n" * (n // 8),
    "closed traces": lambda n: "<think>\n</think>\n" * (n // 17),
    "a fence with an endless tag": lambda n: "```" + "a" * n + "`",
    "a fence with endless blanks": lambda n: "```" + " " * n + "`",
    "blanks before a letter": lambda n: " " * n + "x",
    "a line of blanks and letters": lambda n: "a " * (n // 2),
    "one string": lambda n: "x = '" + "a" * n + "'",
    "long lines of code, then prose": lambda n: ("x = '" + "a" * (n // 300) + "'\n") * 300 + "and some prose here",
    "prose that begins like code": lambda n: "for example, take this word\n" * (n // 27),
    "fences": lambda n: "```\n" * (n // 4),
    "fences of two kinds": lambda n: "```\n~~~\n" * (n // 8),
    "nested fences": lambda n: nested_fences(int(n**0.5)),
    "prompts": lambda n: ">>> x = 1\n" * (n // 10),
    "open brackets": lambda n: "[" * n,
    "traces in a block": lambda n: "```python\nx\n" + "<think>\n</think>\n" * (n // 17),
    "blocks and traces": lambda n: "```\n<think>\n</think>\n" * (n // 21),
    "ends of turns, and nothing else": lambda n: "<|im_end|>\n" * (n // 11),
    "ends of turns": lambda n: "<|im_end|>\n<|im_start|>a'" * (n // 24),
    "ends and blanks": lambda n: ("<|im_end|>" + " " * 990 + "a") * (n // 1001),
    "ends in open quotes": lambda n: '"""' + "<|im_end|>\n<|im_start|>\n" * (n // 24),
    "line ends of old": lambda n: "x = 1\r" * (n // 6),
}


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.timeout(60)
def test_the_time_grows_with_the_length_and_no_faster(name: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        extract_code(GROWING[name](size), CONTEXT)
        return time.process_time() - started

    seconds(1_000)
    assert seconds(500_000) < 2 + 20 * seconds(100_000)


def test_megabytes_are_handed_on_as_they_are() -> None:
    for text in ("word " * 2_000_000, "x = 1\n" * 1_600_000):
        found = extract_code(text)
        assert found.code.strip() in text
        assert found.rule in ("unparsed", "lines")


def test_a_trace_that_was_cut_is_no_answer() -> None:
    draft = f"Maybe so:\n{block(CODE)}\nWait, that"

    def answer(text: str, stop_reason: Any, reasons: bool) -> str:
        output = ModelOutput.from_content("m", text, stop_reason=stop_reason)
        return extract_code(answer_of(output, "", reasons).text).code

    assert answer(draft, "max_tokens", reasons=True) == ""
    assert answer(draft, "max_tokens", reasons=False) == CODE
    assert answer(draft, "stop", reasons=True) == CODE
    assert answer(f"{draft}</think>\n{block(FULL)}", "max_tokens", reasons=True) == FULL


def test_a_message_about_the_window_is_no_answer() -> None:
    """Some providers put it where the answer would be."""
    output = ModelOutput.from_content("m", "This model's maximum context length is 8192 tokens.", "model_length")
    assert answer_of(output, "").model_dump(include={"text", "stop_reason"}) == {"text": "", "stop_reason": "context"}

"""Chunks of documents: what they hold, where they come from, and that none is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.retrieval.chunker import ChunkRules, chunks_of
from apigap.retrieval.documents import Document, Section
from apigap.retrieval.lexical import words_of

FUNCTIONS = "\n\n\n".join(f"def part{n}(value):\n    return [value * {n} for _ in range({n})]" for n in range(12))
CODE = f"Implementation:\n```python\n{FUNCTIONS}\n```"
PROSE = "Background: " + " ".join(f"Sentence {n} says what happens." for n in range(30))


def words(text: str) -> int:
    return len(words_of(text))


def document(*sections: tuple[str, str, str]) -> Document:
    found = tuple(Section(name=name, text=text, unit=unit) for name, text, unit in sections)
    return Document(id="lib.part", sections=found, fields={"library": "lib", "condition": "full"})


WHOLE = document(
    ("name", "API: lib.part (function)", "surface"),
    ("parameters", "Parameters:\n- value: int", "surface"),
    ("exemplars", "Example:\n```python\nlib.part(3)\n```", "exemplars 2"),
    ("exemplars", "Example:\n```python\nlib.part(4)\n```", "exemplars 3"),
    ("prose", PROSE, "prose 4"),
    ("code", CODE, "code 5"),
)


def test_a_chunk_keeps_to_its_unit_and_knows_where_it_is_from() -> None:
    chunks = chunks_of(WHOLE, ChunkRules(most_tokens=64), words)
    assert [chunk.sections for chunk in chunks[:3]] == [("name", "parameters"), ("exemplars",), ("exemplars",)]
    assert chunks[0].text == "API: lib.part (function)\n\nParameters:\n- value: int"
    assert {(c.document, c.fields["library"], c.fields["condition"]) for c in chunks} == {("lib.part", "lib", "full")}
    assert [chunk.chunk_id for chunk in chunks] == [f"lib.part#{n}" for n in range(len(chunks))]


def test_code_is_cut_between_functions_and_each_piece_has_its_fence() -> None:
    chunks = [c for c in chunks_of(WHOLE, ChunkRules(most_tokens=64), words) if c.sections == ("code",)]
    assert len(chunks) > 1
    shown = ""
    for chunk in chunks:
        assert chunk.text.startswith("Implementation:\n```python\ndef part") and chunk.text.endswith(")]\n```")
        assert WHOLE.text[chunk.start : chunk.end] in chunk.text
        shown += WHOLE.text[chunk.start : chunk.end] + "\n\n\n"
    assert shown.strip() == FUNCTIONS


def test_pieces_of_a_document_hold_what_fits() -> None:
    apart = chunks_of(WHOLE, ChunkRules(most_tokens=64), words)
    together = chunks_of(WHOLE, ChunkRules(most_tokens=64, pieces="document"), words)
    assert together[0].sections == ("name", "parameters", "exemplars")
    assert together[0].text == WHOLE.text[: together[0].end]
    assert len(together) < len(apart)


TEXTS = st.one_of(st.text(max_size=300), st.just(CODE), st.just(PROSE), st.just("`" * 3), st.just("x" * 500))
DOCUMENTS = st.lists(st.tuples(st.sampled_from("abc"), TEXTS, st.sampled_from("uv")), min_size=1, max_size=5)


@given(DOCUMENTS, st.integers(32, 200), st.sampled_from(["section", "document"]))
def test_no_chunk_is_too_long_and_offsets_are_true(
    sections: list[tuple[str, str, str]], most: int, pieces: str
) -> None:
    found = document(*sections)
    rules = ChunkRules.model_validate({"most_tokens": most, "pieces": pieces})
    chunks = chunks_of(found, rules, words)
    assert chunks == chunks_of(found, rules, words)
    for chunk in chunks:
        assert chunk.tokens == words(chunk.text) <= most
        assert found.text[chunk.start : chunk.end] in chunk.text
    held = sum(words(found.text[chunk.start : chunk.end]) for chunk in chunks)
    assert held >= words(found.text) - words("Implementation python Example python") * len(sections)


def test_a_plain_document_is_one_text() -> None:
    plain = document(("text", "Tells the weather of a city.", "text"))
    (chunk,) = chunks_of(plain, ChunkRules(most_tokens=64), words)
    assert (chunk.text, chunk.document, chunk.fields) == (plain.text, plain.id, plain.fields)


def test_a_limit_without_room_is_refused() -> None:
    with pytest.raises(UsageError, match="at most 8 tokens are too small; allow 32"):
        chunks_of(WHOLE, ChunkRules(most_tokens=8), words)

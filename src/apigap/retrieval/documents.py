"""Documents of named sections, and the chunks that they are cut into and searched by."""

from functools import cached_property

from apigap.records.base import Record

SEPARATOR = "\n\n"


class Section(Record):
    """A part of a document; neighbours of one `unit` stand in one chunk where they fit."""

    name: str
    text: str
    unit: str


class Document(Record):
    """Anything that can be found: `id` is what it is about (an API), `fields` go to every chunk of it."""

    id: str
    sections: tuple[Section, ...]
    fields: dict[str, str] = {}

    @cached_property
    def text(self) -> str:
        """All sections, a blank line between them."""
        return SEPARATOR.join(section.text for section in self.sections)


class Chunk(Record):
    """A piece of a document that is embedded, found and shown as one.

    `start` and `end` are offsets in the document's text. Where a fenced section was cut, `text` is that piece in a
    fence of its own; else it is the very text between them. `tokens` are the embedder's.
    """

    document: str
    number: int
    sections: tuple[str, ...]
    text: str
    start: int
    end: int
    tokens: int
    fields: dict[str, str] = {}

    @property
    def chunk_id(self) -> str:
        """The document and the chunk's number in it."""
        return f"{self.document}#{self.number}"

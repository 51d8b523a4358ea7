"""One side of a comparison of two releases: its surface, with the deprecations that its source writes down."""

from dataclasses import dataclass
from functools import cached_property

from apigap.discovery.retired.decorators import Told
from apigap.discovery.retired.notices import Notices
from apigap.discovery.surface import Entry, Surface


@dataclass(frozen=True)
class Release:
    """A release's surface and notices."""

    surface: Surface
    notices: Notices

    def told(self, entry: Entry) -> tuple[Told, ...]:
        """The notices of the source on an entry and its parameters; of a class without a constructor of its own also
        those on the parameters of the one that it inherits.
        """
        module = self.module_of(entry)
        own = self.notices.of(module, entry.qualname)
        makers = {f"{module}:{entry.qualname}.{name}" for name in ("__init__", "__new__")}
        if entry.kind != "class" or makers & self.notices.homes:
            return own
        names = {parameter.name for parameter in entry.parameters or ()} - {one.parameter for one in own}
        bases = (base for name in entry.bases if (base := self._by_name.get(name)) is not None)
        lent = (one for base in bases for one in self.notices.of(self.module_of(base), base.qualname))
        return (*own, *(one for one in lent if one.parameter in names))

    def mentions(self, entry: Entry, keyword: str) -> bool:
        """Check that the code of an entry that takes any keyword writes this one."""
        return self.notices.writes(self.module_of(entry), entry.qualname, keyword)

    def writes_word(self, entry: Entry, word: str) -> bool:
        """Check that the module of an entry has `word` as a text."""
        return word in self.notices.words.get(self.module_of(entry) or "", ())

    def is_wrapped(self, entry: Entry) -> bool:
        """Check for a function whose text alone was read, and which a decorator stands before."""
        is_text_alone = "runtime" not in entry.sources
        return is_text_alone and f"{self.module_of(entry)}:{entry.qualname}" in self.notices.wrapped

    def passes_on(self, cls: Entry, keyword: str) -> bool:
        """Check for a class one of whose bases has a parameter of that name, or tells of it."""
        bases = [base for name in cls.bases if (base := self._by_name.get(name)) is not None]
        takes = (parameter.name == keyword for base in bases for parameter in base.parameters or ())
        return any(takes) or any(one.parameter == keyword for base in bases for one in self.told(base))

    def entry(self, path: str) -> Entry | None:
        """The entry of that name."""
        return self._by_name.get(path)

    def looks_up(self, cls: Entry | None) -> bool:
        """Check for a class whose code has a `__getattr__` of its own."""
        return cls is not None and f"{self.module_of(cls)}:{cls.qualname}.__getattr__" in self.notices.homes

    def module_of(self, entry: Entry) -> str | None:
        """The module that defines an entry; the file that has its text where a decorator hides the module."""
        file = (entry.source or "").rpartition(":")[0]
        written = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        is_there = f"{entry.defined_in}:{entry.qualname}" in self.notices.homes
        return entry.defined_in if is_there or not file.endswith(".py") else written

    @cached_property
    def _by_name(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.surface.entries}

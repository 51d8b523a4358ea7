"""Progress that shows nothing and keeps what was told."""

from apigap.records.progress import Advance


class Silent:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def step(self, title: str) -> Advance:
        return lambda done, total: None

    def note(self, text: str) -> None:
        self.notes.append(text)

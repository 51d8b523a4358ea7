"""An API that items are about, in its pair."""

from dataclasses import dataclass

from apigap.records.candidate import Candidate
from apigap.records.questions.ladder import Group, LadderItem


@dataclass(frozen=True)
class Subject:
    """An API that is asked about, and the new API of its pair."""

    api: Candidate
    group: Group
    pair: Candidate

    @property
    def is_by_parameter(self) -> bool:
        """True where its pair is of a changed API: that it exists is no news, that it takes a parameter is."""
        return self.pair.change == "modified"

    @property
    def family(self) -> str:
        """The API that stands for the piece of news that its pair is one of; empty where the pair stands for itself."""
        family = self.pair.importance.family if self.pair.importance else ""
        return family if family != self.pair.api_name else ""

    def item(self, **own: object) -> LadderItem:
        """An item about it."""
        return LadderItem.model_validate(
            {
                "group": self.group, "api_name": self.api.api_name, "pair": self.pair.api_name,
                "subject": self.api.api_name, "library": self.api.library, "version": self.api.new_version,
                "old_version": self.api.old_version, "kind": self.api.kind, "since": self.api.since,
                "change": "unchanged" if self.group == "control" else self.api.change, "family": self.family, **own,
            }
        )  # fmt: skip

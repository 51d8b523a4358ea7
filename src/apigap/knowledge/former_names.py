"""The former names of an API, for its bundle: what a program wrote before, and writes no more."""

from collections import defaultdict
from collections.abc import Iterable

from apigap.records.knowledge import InsteadOf, KnowledgeBundle
from apigap.records.retired import Retirement


class FormerNames:
    """The names that were taken away, by the API that takes their place."""

    def __init__(self, retired: Iterable[Retirement]) -> None:
        self._by_name: defaultdict[str, list[InsteadOf]] = defaultdict(list)
        for one in sorted(retired, key=lambda one: one.key):
            if one.replacement is not None and one.parameter is None:
                self._by_name[one.replacement].append(InsteadOf(old_name=one.old_name, why=one.kind))

    def added_to(self, bundle: KnowledgeBundle) -> KnowledgeBundle:
        """`bundle` with the names whose place its API takes; itself where there are none."""
        found = tuple(self._by_name.get(bundle.api_name, ()))
        return bundle.model_copy(update={"instead_of": found}) if found else bundle

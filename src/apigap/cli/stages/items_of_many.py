"""`apigap items` of several libraries: one file each, on after a failure, here or on the nodes of a cluster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apigap.cli.console import Console
from apigap.cli.options import DATA
from apigap.records.errors import ApigapError

if TYPE_CHECKING:
    from apigap.ladder.make import ItemsReport
    from apigap.records.configuration import Settings
    from apigap.sandbox.engine import Engine
    from apigap.stages.on_nodes import Errand

FOLDER = DATA / "items"
"""The folder of items where no file is named."""


def file_of(library: str) -> Path:
    """The file of a library's items where none is named."""
    return FOLDER / f"{library}.jsonl"


@dataclass(frozen=True)
class ItemsOfMany:
    """The terms on which items of several libraries are made; see `apigap.api.items`."""

    model: str | None
    most: int
    seed: int
    rungs: tuple[str, ...]
    static: bool
    settings: "Settings"
    unsafe_local: bool

    def make(
        self, libraries: Sequence[str], engine: "Callable[[Settings], Engine]"
    ) -> "tuple[dict[str, ItemsReport], dict[str, ApigapError]]":
        """The reports of the libraries that were made, and what stood in the way of the others."""
        from apigap.stages.on_nodes import sent

        if sent(self.settings.execution, libraries):
            return self._on_nodes(libraries, engine)
        return self._here(libraries)

    def _here(self, libraries: Sequence[str]) -> "tuple[dict[str, ItemsReport], dict[str, ApigapError]]":
        from apigap.api.items import items

        reports: dict[str, ItemsReport] = {}
        failed: dict[str, ApigapError] = {}
        for name in libraries:
            try:
                reports[name] = items(
                    name, out=file_of(name), model=self.model, most=self.most, seed=self.seed, rungs=self.rungs,
                    static=self.static, settings=self.settings, unsafe_local=self.unsafe_local,
                )  # fmt: skip
            except ApigapError as error:
                failed[name] = error
        return reports, failed

    def _on_nodes(
        self, libraries: Sequence[str], engine: "Callable[[Settings], Engine]"
    ) -> "tuple[dict[str, ItemsReport], dict[str, ApigapError]]":
        from apigap.ladder.make import ItemsReport
        from apigap.stages.on_nodes import items_errand, on_nodes
        from apigap.stages.versions import resolve_versions

        errands: dict[str, Errand] = {}
        failed: dict[str, ApigapError] = {}
        for name in libraries:
            try:
                cutoff = self.settings.gates.cutoff
                target = resolve_versions(name, None, None, self.model, cutoff=cutoff, to_run=False)
                errands[name] = items_errand(name, self._words(name), target)
            except ApigapError as error:
                failed[name] = error
        with Console() as console, engine(self.settings) as cluster:
            brought = on_nodes(cluster, self.settings, list(errands.values()), DATA, console)
        reports: dict[str, ItemsReport] = {}
        for name, one in zip(errands, brought, strict=True):
            if one.error is not None:
                failed[name] = one.error
            else:
                fields: dict[str, Any] = {key: value for key, value in one.printed.items() if key != "file"}
                reports[name] = ItemsReport.model_validate(fields)
        return reports, failed

    def _words(self, name: str) -> list[str]:
        model = ["--model", self.model] if self.model else []
        static = ["--static"] if self.static else []
        drawn = ["--most", str(self.most), "--seed", str(self.seed), "--rungs", ",".join(self.rungs)]
        return ["items", name, *model, *static, *drawn]

"""Discovery over all known libraries: what was found and what it cost, as records on disk and as one table."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from apigap.discovery.discover import Discovery, discover
from apigap.discovery.library import LibraryConfig
from apigap.discovery.versions import version_pair
from apigap.packages.workshop import environment_store
from apigap.records.base import Record
from apigap.records.errors import ApigapError
from apigap.records.store import write_text
from apigap.reporting.markdown import markdown_table
from apigap.sandbox.engine import Engine
from tools.discovery.second_evidence import second_evidence

CUTOFF = date(2023, 12, 1)
"""The earliest training cutoff among the published backbones: the widest span of versions."""

PUBLISHED = {
    "flask": 2, "httpx": 10, "pydantic": 45, "fastapi": 20, "sqlalchemy": 45, "django": 53, "numpy": 65, "scipy": 271,
    "pandas": 89, "ase": 250, "astropy": 151, "rdkit": 26, "langgraph": 81, "fastmcp": 300, "MDAnalysis": 47,
    "pymatgen": 21, "scanpy": 16, "deepchem": 208, "diffusers": 300, "torch": 300, "transformers": 300,
}  # fmt: skip
"""Sizes of the pool of NovelAPIBench (arXiv:2606.03657), second release: the union over its cutoffs, capped."""

BEFORE_CAP = {
    "transformers": 3227, "diffusers": 1146, "torch": 598, "fastmcp": 503, "ase": 292, "deepchem": 236,
}  # fmt: skip
"""Its sizes before the caps, where those cut something off."""

COMPILED = {"numpy", "scipy", "pandas", "rdkit", "torch"}
"""Libraries with much compiled code, which the published method leaves out: it wants Python source."""

R = TypeVar("R", bound=Record)
Told = dict[str, Any]
"""One library of docs/discovery-table.json."""


class Run(Record):
    """One library: its discovery, and the seconds of a second run from a full cache, where they were measured."""

    discovery: Discovery
    warm_seconds: float | None


class Cold(Record):
    """What the same cost with empty caches; seconds of wall time and bytes as `Discovery` counts them."""

    library: str
    seconds: float
    bytes_fetched: int


class Row(NamedTuple):
    """One library of the table; `run` or the reason why there is none."""

    library: str
    run: Run | None
    cold: Cold | None


def run_all(libraries: Sequence[LibraryConfig], folder: Path, tell: Callable[[str], object]) -> None:
    """Discover every library that has no record in `folder` yet; one that fails is told and left out."""
    for config in libraries:
        kept = folder / f"{config.name}.json"
        if not _is_kept(kept):
            try:
                found, warm = _twice(config)
            except ApigapError as error:
                tell(f"{config.name}: {error}")
                continue
            write_text(kept, Run(discovery=found, warm_seconds=warm).to_line())
            tell(f"{config.name}: {found.seconds:.1f} s, then {warm:.1f} s")


def run_cold(libraries: Sequence[LibraryConfig], folder: Path, tell: Callable[[str], object]) -> None:
    """The same with its cost from nothing: to be called where APIGAP_CACHE and UV_CACHE_DIR are empty folders."""
    for config in libraries:
        kept = folder / "cold" / f"{config.name}.json"
        if kept.exists():
            continue
        started = time.monotonic()
        try:
            found, warm = _twice(config)
        except ApigapError as error:
            tell(f"{config.name}: {error}")
            continue
        cold = Cold(
            library=config.name,
            seconds=time.monotonic() - started - warm,
            bytes_fetched=found.bytes_fetched,
        )
        write_text(folder / f"{config.name}.json", Run(discovery=found, warm_seconds=warm).to_line())
        write_text(kept, cold.to_line())
        tell(f"{config.name}: {cold.seconds:.1f} s, {cold.bytes_fetched / 1e6:.1f} MB, then {warm:.1f} s")


def read_rows(libraries: Sequence[LibraryConfig], folder: Path) -> list[Row]:
    """The records in `folder`, by library."""
    return [
        Row(
            config.name,
            _read(Run, folder / f"{config.name}.json"),
            _read(Cold, folder / "cold" / f"{config.name}.json"),
        )
        for config in libraries
    ]


HEAD = """# What stage 1 finds in the known libraries

For each library that apigap knows by name, this page counts what [discovery](discovery.md) finds between two releases.

- The candidates are *added*, *modified* and *moved*; *deprecated* and *removed* are only counted.
- *Objects* are all public APIs of a version, *modules unread* those that did not import, *pages* the documentation that
  was there to read.
- *Second evidence* is what changelogs and version notes say of the candidates: agree / silent / contradict.
- *Read* says how: by running the library, or as text. *s* are seconds with empty and full caches, *MB* the download.

Made by `tools.discovery.make_table`.
"""
POOL = """## Beside the published pool

How many APIs are in the pool of NovelAPIBench (arXiv:2606.03657), and how many candidates above were added or modified.
Theirs is the union over five cutoffs; ours spans from the first cutoff (if there was a release) to the new version.
Further differences:

- *capped*: theirs has an upper limit, before which it had so many. Ours has none.
- *unmarked*: theirs takes what nothing marks as public. Here so many objects are left out for that.
- *docstrings*: theirs drops APIs with missing, short or shared docstrings, and the less-documented of similar classes.
- *compiled*: theirs drops what has no Python source.
- *as text*: ours is read as text, without what is made at run time.
"""


def as_markdown(rows: Sequence[Row]) -> str:
    """The two tables: what was found at which cost, and the published pool beside it."""
    return page_of(as_json(rows), [row.library for row in rows if row.run is None])


def page_of(told: Sequence[Told], missing: Sequence[str] = ()) -> str:
    """The page of what `as_json` gave, and of libraries that could not be read."""
    head = (
        "library", "old", "new", "read", "objects old", "objects new", "added", "modified", "moved", "deprecated",
        "removed", "by kind (added and modified)", "modules unread", "pages", "second evidence",
        "s cold", "s warm", "MB",
    )  # fmt: skip
    gaps = "".join(f"\n{library} is missing: it could not be read.\n" for library in missing)
    second = ("library", "published", "ours, functions and classes", "ours, members", "further differences")
    found, pool = markdown_table(head, map(_found, told)), markdown_table(second, map(_compared, told))
    return f"{HEAD}\n{found}{gaps}\n{POOL}\n{pool}"


def as_json(rows: Sequence[Row]) -> list[Told]:
    """All that the page needs, for machines too, without the candidates."""
    return [
        {
            "library": row.library,
            "published": PUBLISHED.get(row.library),
            "cold": row.cold.model_dump(mode="json", exclude={"library"}) if row.cold else None,
            "warm_seconds": row.run.warm_seconds,
            "second_evidence": dict(sorted(_evidence(row.run.discovery).items())),
            **row.run.discovery.model_dump(mode="json", exclude={"candidates", "seconds", "bytes_fetched", "failures"}),
            "failures": len(row.run.discovery.failures),
        }
        for row in rows
        if row.run
    ]


def _found(told: Told) -> list[str]:
    counts, evidence, cold, warm = (told[key] for key in ("counts", "second_evidence", "cold", "warm_seconds"))
    kinds = sorted(_kinds(told).items(), key=lambda item: (-item[1], item[0]))
    return [
        told["library"],
        told["old_version"] or "none",
        told["new_version"],
        "as text" if told["reading"] == "static" else "running",
        *(f"{counts[side]:,}" for side in ("old", "new")),
        *(f"{counts.get(verdict, 0):,}" for verdict in ("added", "modified", "moved", "deprecated", "removed")),
        ", ".join(f"{kind} {number}" for kind, number in kinds),
        str(told["failures"]),
        str(told["documents"].get("documentation", 0)),
        " / ".join(str(evidence.get(verdict, 0)) for verdict in ("agrees", "silent", "contradicts")),
        f"{cold['seconds']:.0f}" if cold else "",
        "" if warm is None else f"{warm:.1f}",
        f"{cold['bytes_fetched'] / 1e6:.0f}" if cold else "",
    ]


def _kinds(told: Told) -> Counter[str]:
    """The number of each kind that is new or changed; what only moved is not counted."""
    changes = told["changes"]
    return Counter(changes.get("added", {})) + Counter(changes.get("modified", {}))


def _evidence(discovery: Discovery) -> Counter[str]:
    return Counter(second_evidence(candidate) for candidate in discovery.candidates if candidate.change != "moved")


def _compared(told: Told) -> list[str]:
    kinds, published = _kinds(told), told["published"]
    plain = kinds["function"] + kinds["class"]
    shown = "" if published is None else str(published)
    return [told["library"], shown, str(plain), str(kinds.total() - plain), ", ".join(_why(told, plain))]


def _why(told: Told, plain: int) -> Iterator[str]:
    """Why the numbers differ, as far as both methods say what they count."""
    library, published = told["library"], told["published"]
    if published is None:
        return
    if library in BEFORE_CAP:
        yield f"capped (from {BEFORE_CAP[library]:,})"
    unmarked = told["counts"].get("without evidence", 0)
    if plain < published and unmarked:
        yield f"unmarked ({unmarked:,})"
    if plain > published:
        yield "docstrings"
    if plain > published and library in COMPILED:
        yield "compiled"
    if told["reading"] == "static":
        yield "as text"


def _discover(config: LibraryConfig) -> Discovery:
    old, new = version_pair(config.name, CUTOFF, to_run=False)
    with Engine() as engine:
        return discover(config.name, old, new, engine=engine, store=environment_store(engine))


def _twice(config: LibraryConfig) -> tuple[Discovery, float]:
    """What is found, and the seconds that it takes once more."""
    discovery = _discover(config)
    started = time.monotonic()
    _discover(config)
    return discovery, time.monotonic() - started


def _is_kept(path: Path) -> bool:
    try:
        return _read(Run, path) is not None
    except ValidationError:  # of an earlier form
        return False


def _read(kind: type[R], path: Path) -> R | None:
    return kind.from_line(path.read_bytes()) if path.exists() else None

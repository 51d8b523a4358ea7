"""Fit the rank of importance on one half of the labels, and measure it on the other.

.venv/bin/python -m tools.discovery.importance signs        # reads the ten pairs of releases again, minutes
.venv/bin/python -m tools.discovery.importance fit          # prints weights.py from the tuning half
.venv/bin/python -m tools.discovery.importance measure [--held-out]
"""

import argparse
from collections.abc import Iterator
from itertools import groupby

import numpy as np

from apigap.cli.console import Console
from apigap.discovery.diff import candidates_of, classify
from apigap.discovery.discover import documents_of, read_pair
from apigap.discovery.evidence.documents import with_documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.importance.minor import minor_reason
from apigap.discovery.importance.signs import Subject, signs_of
from apigap.discovery.importance.sources import Sources
from apigap.discovery.importance.weights import INTERCEPT, WEIGHTS
from apigap.discovery.library import find_library
from apigap.packages.workshop import environment_store
from apigap.records.configuration import load_settings
from apigap.records.store import write_records
from apigap.reporting.markdown import markdown_table
from apigap.sandbox.engine import Engine
from tools.discovery.importance_labels import (
    FOLDER,
    Labelled,
    Numbers,
    Signs,
    auc,
    bootstrap,
    fit,
    known_signs,
    labelled,
    matrix,
)

DEMANDED = 0.85
BELOW_ALL = 100.0
Weights = tuple[float, dict[str, float]]


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["signs", "fit", "measure"])
    parser.add_argument("--held-out", action="store_true", help="the half that no weight was chosen by")
    given = parser.parse_args()
    if given.command == "signs":
        _read_signs()
    elif given.command == "fit":
        _print_weights()
    else:
        _measure(given.held_out)


def _read_signs() -> None:
    with Engine.of(load_settings().execution, False) as engine, Console() as console:
        rows = labelled()
        found: list[Signs] = []
        step = console.step("signs of labelled candidates")
        for library, group in groupby(rows, key=lambda row: row.library):
            found += _signs_of(library, list(group), engine)
            step(len(found), len(rows))
        write_records(FOLDER / "signs.jsonl", found)


def _signs_of(library: str, rows: list[Labelled], engine: Engine) -> Iterator[Signs]:
    config, store = find_library(library), environment_store(engine)
    old, new = rows[0].old_version, rows[0].new_version
    before, after = read_pair(config, old, new, engine=engine, store=store, static=True)
    documents = documents_of(after, config)
    after = with_documents(after, documents)
    found = candidates_of(classify(before, after), library, before.version, new)
    by_name = {(one.api_name, one.change): one for one in Mentions(after.entries, documents, old, new).add_to(found)}
    sources = Sources.of(after.entries, documents)
    for row in rows:
        candidate = by_name[row.api_name, row.change]
        subject = Subject(candidate, sources.entry(candidate), sources)
        yield Signs(
            library=library,
            api_name=row.api_name,
            change=row.change,
            signs=signs_of(subject),
            minor=minor_reason(subject),
        )


def _print_weights() -> None:
    rows = [row for row in labelled() if not row.held_out]
    intercept, weights = fitted(rows)
    print(
        '"""The weights of the signs of importance: `python -m tools.discovery.importance fit` prints this file."""\n'
    )
    print(f"INTERCEPT = {intercept}\nWEIGHTS = {{")
    print("".join(f'    "{name}": {weight},\n' for name, weight in weights.items()) + "}")


def _measure(held_out: bool) -> None:
    rows = [row for row in labelled() if row.held_out == held_out]
    scores, wanted, minor = scores_of(rows)
    low, high = bootstrap(scores, wanted)
    value = auc(scores, wanted)
    half = "held-out" if held_out else "tuning"
    print(f"{half} half: {len(rows)} candidates, {wanted.sum():.0f} wanted; AUC {value:.3f} ({low:.3f} to {high:.3f})")
    print(f"minor: {minor.sum():.0f}, of which wanted {wanted[minor == 1].sum():.0f}")
    strange = _by_other_libraries(rows)
    low, high = bootstrap(strange, wanted)
    print(f"each library by weights fitted on the others: AUC {auc(strange, wanted):.3f} ({low:.3f} to {high:.3f})\n")
    table = [
        [
            library,
            str(mask.sum()),
            f"{wanted[mask].sum():.0f}",
            *(_own_auc(s[mask], wanted[mask]) for s in (scores, strange)),
        ]
        for library in sorted({row.library for row in rows})
        for mask in [np.array([row.library == library for row in rows])]
    ]
    print(markdown_table(["library", "candidates", "wanted", "AUC", "AUC, fitted on the others"], table))
    if held_out and value < DEMANDED:
        raise SystemExit(f"below the AUC that is demanded, {DEMANDED}")


def _by_other_libraries(rows: list[Labelled]) -> Numbers:
    """The places of `rows`, each by weights that were fitted on the tuning halves of the other libraries."""
    tuning = [row for row in labelled() if not row.held_out]
    scores = np.zeros(len(rows))
    for library in {row.library for row in rows}:
        own = [place for place, row in enumerate(rows) if row.library == library]
        weights = fitted([row for row in tuning if row.library != library])
        scores[own] = scores_of([rows[place] for place in own], weights)[0]
    return scores


def fitted(rows: list[Labelled]) -> Weights:
    """Intercept and weights that fit the labels of `rows`."""
    return fit(matrix(known_signs(rows)), np.array([float(row.wanted) for row in rows]))


def scores_of(rows: list[Labelled], weights: Weights = (INTERCEPT, WEIGHTS)) -> tuple[Numbers, Numbers, Numbers]:
    """For each row its place in the rank as a number (the minor ones below all others), its label, and `minor`."""
    signs = known_signs(rows)
    intercept, by_sign = weights
    minor = np.array([float(bool(one.minor)) for one in signs])
    scores = np.array([intercept + sum(by_sign[name] * value for name, value in one.signs.items()) for one in signs])
    return scores - BELOW_ALL * minor, np.array([float(row.wanted) for row in rows]), minor


def _own_auc(scores: Numbers, wanted: Numbers) -> str:
    return f"{auc(scores, wanted):.2f}" if 0 < wanted.sum() < len(wanted) else "-"


if __name__ == "__main__":
    main()

"""The APIs that the novelty probe asks about: candidates, known controls, and names that no version has."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from apigap.discovery.selection import quality
from apigap.records.base import content_hash
from apigap.records.candidate import ApiKind, Candidate, Parameter
from apigap.records.errors import UsageError
from apigap.records.questions.probe import ProbeItem

Exists = Callable[[Sequence[str]], set[str]]
_CALLABLE: dict[ApiKind, str] = {
    "function": "function", "class": "class", "method": "method", "classmethod": "method", "staticmethod": "method",
}  # fmt: skip
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FEWEST = 5
_MOST_TRIED = 20_000


def choose_candidates(candidates: Sequence[Candidate], most: int, seed: int) -> list[ProbeItem]:
    """At most `most` added APIs with parameters, drawn by `seed`: of others the questions have no answer."""
    fitting = [c for c in candidates if c.change == "added" and c.kind in _CALLABLE and named(c.parameters)]
    drawn = sorted(fitting, key=lambda c: content_hash([seed, c.api_name]))[:most]
    return [
        ProbeItem(api_name=c.api_name, group="candidate", kind=c.kind, parameters=named(c.parameters)) for c in drawn
    ]


def choose_known(unchanged: Sequence[Candidate], like: Sequence[ProbeItem], count: int) -> list[ProbeItem]:
    """The best documented APIs that both versions have, of the kinds of `like`; fewer where there are fewer."""
    ranked = sorted(unchanged, key=lambda c: (-quality(c), c.api_name))
    items = [
        ProbeItem(api_name=c.api_name, group="known", kind=c.kind, parameters=named(c.parameters))
        for c in ranked
        if c.kind in _CALLABLE and named(c.parameters)
    ]
    return list(_by_shape(items, like, count))


def invent(
    real: Sequence[Candidate], known: Sequence[ProbeItem], taken: set[str], exists: Exists, seed: int
) -> list[ProbeItem]:
    """As many invented APIs as `known`, of the same kinds.

    Each takes the beginning of one of the `real` names and the end of another one, at the place of the first; both
    are from the better documented half, as the known ones are. Its last part is that of no API of the library, and
    `exists` says that none is there. It borrows the parameters of a known control that lent
    it nothing, where there is one.

    Raises:
        UsageError: when the library has too few names to recombine.
    """
    fitting = [c for c in real if c.kind in _CALLABLE]
    pool = sorted(fitting, key=lambda c: (-quality(c), c.api_name))[: max(len(fitting) // 2, 3 * len(known))]
    made: list[ProbeItem] = []
    for shape, count in sorted(Counter(_CALLABLE[item.kind] for item in known).items()):
        of_shape = [candidate for candidate in pool if _CALLABLE[candidate.kind] == shape]
        lenders = [item for item in known if _CALLABLE[item.kind] == shape]
        proposed = list(_proposals(of_shape, taken, seed, 4 * count))
        there = exists([name for name, _ in proposed])
        free = [(name, parents) for name, parents in proposed if name not in there][:count]
        if len(free) < count:
            raise UsageError(f"only {len(free)} of {count} invented names of kind {shape} can be made; ask for fewer")
        for number, (name, parents) in enumerate(free):
            names = {parent.api_name for parent in parents}
            others = [item for item in lenders if item.api_name not in names] or lenders
            lender = others[number % len(others)]
            made.append(ProbeItem(api_name=name, group="invented", kind=parents[0].kind, parameters=lender.parameters))
    return made


def check_enough(items: Sequence[ProbeItem]) -> None:
    """Refuse controls that can show nothing.

    Raises:
        UsageError: saying how many there are.
    """
    if len(items) < _FEWEST:
        raise UsageError(
            f"only {len(items)} unchanged, documented APIs with parameters; the probe needs {_FEWEST} to compare with"
        )


def named(parameters: Iterable[Parameter]) -> tuple[str, ...]:
    """The parameters that have a name of their own: not `*args` and `**kwargs`."""
    return tuple(p.name for p in parameters if p.kind not in ("var_positional", "var_keyword"))


def _by_shape(items: Sequence[ProbeItem], like: Sequence[ProbeItem], count: int) -> Iterator[ProbeItem]:
    """The first `count` items in the proportions of `like`, then whatever is left over."""
    shapes = Counter(_CALLABLE[item.kind] for item in like)
    wanted = {shape: round(count * share / max(1, len(like))) for shape, share in shapes.items()}
    matched: list[ProbeItem] = []
    for item in items:
        if wanted.get(_CALLABLE[item.kind], 0) > 0 and len(matched) < count:
            wanted[_CALLABLE[item.kind]] -= 1
            matched.append(item)
    rest = [item for item in items if item not in matched]
    yield from [*matched, *rest][:count]


def _proposals(
    real: Sequence[Candidate], taken: set[str], seed: int, most: int
) -> Iterator[tuple[str, tuple[Candidate, Candidate]]]:
    """Names that recombine two of `real`, in an order that `seed` decides; no last part comes twice."""
    order = sorted(real, key=lambda candidate: content_hash([seed, candidate.api_name]))
    used = set(taken)
    pairs = (
        (first, order[(at + step) % len(order)]) for step in range(1, len(order)) for at, first in enumerate(order)
    )
    found = 0
    for tried, (first, second) in enumerate(pairs):
        leaf = _recombined(first.leaf, second.leaf)
        if tried >= _MOST_TRIED or found >= most:
            return
        if leaf and leaf not in used:
            used.add(leaf)
            found += 1
            yield f"{first.api_name.rpartition('.')[0]}.{leaf}", (first, second)


def _recombined(first: str, second: str) -> str | None:
    """The first words of one name and the last word of another one, in the manner of the first."""
    head, tail = _WORDS.findall(first), _WORDS.findall(second)
    if not head or not tail or first.startswith("_") or head[-1].lower() == tail[-1].lower() or tail[-1].isdigit():
        return None
    words = [*(head[:-1] or head), tail[-1]]
    if first[0].isupper():
        return "".join(word[:1].upper() + word[1:] for word in words)
    return "_".join(word.lower() for word in words)

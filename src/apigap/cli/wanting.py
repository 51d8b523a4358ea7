"""The last words of a command where verdicts are wanting: how many, and why."""

from collections.abc import Mapping

from apigap.records.errors import InfrastructureError

_SHOWN = 5


def demand_verdicts(no_verdict: Mapping[str, int], of: int, what: str = "samples") -> None:
    """Nothing where every sample has a verdict: `no_verdict` counts those without, by reason, among `of`.

    Raises:
        InfrastructureError: with the reasons, the most frequent first.
    """
    if not no_verdict:
        return
    ordered = sorted(no_verdict.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"  {count} x {reason}" for reason, count in ordered[:_SHOWN]]
    if len(ordered) > _SHOWN:
        lines.append(f"  and {len(ordered) - _SHOWN} more reasons (--json names all)")
    head = f"{sum(no_verdict.values())} of {of} {what} have no verdict (infra); the same command tries them again:"
    raise InfrastructureError("\n".join([head, *lines]))

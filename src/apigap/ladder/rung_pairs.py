"""Pairs on a rung that not every API can be asked on: the APIs whose partner cannot be are matched among themselves."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from apigap.ladder.controls import match
from apigap.ladder.subject import Subject


def paired_on_rung(subjects: Sequence[Subject], asked: Collection[str]) -> list[Subject]:
    """The subjects in their order, where the APIs named in `asked` have an item on the rung.

    Pairs of which both have one stay together. Of the others, new APIs get the nearest controls that are left: which
    these are depends on what can be asked, and on no answer.
    """
    there = [one for one in subjects if one.api.api_name in asked]
    new = [one.api for one in there if one.group == "new"]
    controls = [one for one in there if one.group == "control"]
    whole = {one.api_name for one in new} & {one.pair.api_name for one in controls}
    alone = [one for one in new if one.api_name not in whole]
    matching = match(alone, [one.api for one in controls if one.pair.api_name not in whole])
    partners = {pair.control.api_name: pair.new for pair in matching.pairs}
    return [
        replace(one, pair=partners.get(one.api.api_name, one.pair)) if one.group == "control" else one
        for one in subjects
    ]

"""Wrong answers made from the right one; a valid task fails nearly all of them."""

from apigap.tasks.mutants.build import MOST, mutants
from apigap.tasks.mutants.facts import Facts, questions
from apigap.tasks.mutants.mutant import KINDS, Kind, Mutant
from apigap.tasks.mutants.omission import omitted_arguments, without_arguments

__all__ = [
    "KINDS",
    "MOST",
    "Facts",
    "Kind",
    "Mutant",
    "mutants",
    "omitted_arguments",
    "questions",
    "without_arguments",
]

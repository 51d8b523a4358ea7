"""The subject of an API in a few words that its documentation uses, without its sentences and without its name."""

import re

from apigap.knowledge.components.narrative import first_sentence
from apigap.records.candidate import Candidate
from apigap.tasks.leak import BLANK, mask

_MOST = 4
_LONGEST = 3
_EMPTY_WORDS = """
    along across particular certain various input inputs output outputs element elements item items yields look
    a an the this that these those of for in on at to from by with without within into onto over under between
    and or nor not no if else than then as is are be been being was were it its their his her them they which
    who whose where when while whether will would can could may might must shall should do does did done has
    have had each every all any some such same other another own one two first given more most less least only
    also so e g i etc via per using use used uses based return returns returned compute computes calculate
    calculates get gets set sets make makes create creates build builds construct constructs give gives apply
    applies perform performs provide provides determine determines evaluate evaluates check checks find finds
    take takes implement implements represent represents allow allows produce produces generate generates
    convert converts display displays raise raised raises called call calls class function method property
    object objects value values argument arguments parameter parameters instance new default optional specified
    current corresponding useful usually true false none int str list tuple dict python attempted exist exists
    handle handling write writes load loads fetch fetches let lets how what about up out
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def topic_of(candidate: Candidate) -> list[str]:
    """At most four subjects of up to three words, in the order in which the first sentence of the docstring has them.

    Words that would give the name away are not among them, nor is code.
    """
    sentence = _without_verb(first_sentence(candidate.docstring or ""), candidate.kind)
    sentence = re.sub(r"``?[^`]*``?|\([^)]*\)|\S*[_/=<>{}\[\]\\]\S*", " . ", sentence)
    runs: list[list[str]] = [[]]
    for token in re.findall(r"[A-Za-z][A-Za-z'-]*|[^\sA-Za-z]", mask(sentence, candidate.leaf).replace(BLANK, " . ")):
        if not token[0].isalpha() or token.lower() in _EMPTY or len(token) < 3:
            runs.append([])
        else:
            runs[-1].append(token if token.isupper() or token[1:] != token[1:].lower() else token.lower())
    phrases = [" ".join(run[-_LONGEST:]) for run in runs if run]
    return list(dict.fromkeys(phrases))[:_MOST]


def _without_verb(sentence: str, kind: str) -> str:
    """The sentence of a function or method without the verb that it begins with."""
    of_thing = kind in ("class", "property") or re.match(r"\S+\s+(of|for|between)\b", sentence)
    return sentence if of_thing else sentence.partition(" ")[2]

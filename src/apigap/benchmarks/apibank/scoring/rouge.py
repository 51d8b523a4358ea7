"""ROUGE-L as the released evaluator computes it: the summary-level form of the package `rouge` 1.0.1.

Texts are split at full stops and blanks, words compared as they are. For every part of the reference the words of one
longest common subsequence with every part of the hypothesis are collected in one set (Lin 2004, section 3.2, with
sets instead of counts).
"""

from collections.abc import Sequence


def rouge_l(reference: str, hypothesis: str) -> float:
    """The F score; 0 for an empty hypothesis.

    Raises:
        ValueError: when either text holds nothing but full stops and blanks, though it is not empty.
    """
    if not hypothesis:
        return 0.0
    truth, given = _sentences(reference), _sentences(hypothesis)
    if not truth or not given:
        raise ValueError("a text without words has no ROUGE-L")
    common: set[str] = set()
    for expected in truth:
        words = frozenset(expected)
        # Words that the reference lacks change neither the subsequence nor which one is found; sentences that repeat
        # each other give the same words. Without both, a hypothesis of a megabyte takes minutes.
        for said in dict.fromkeys(tuple(word for word in said if word in words) for said in given):
            common |= _common(expected, said)
    recall = len(common) / len({word for sentence in truth for word in sentence})
    precision = len(common) / len({word for sentence in given for word in sentence})
    return 2 * precision * recall / (precision + recall + 1e-8)


def _sentences(text: str) -> list[list[str]]:
    """Words by sentence; white space of any kind counts as one blank."""
    return [" ".join(part.split()).split(" ") for part in text.split(".") if part]


def _common(expected: Sequence[str], said: Sequence[str]) -> set[str]:
    """The words of one longest common subsequence; where there are several, the one found going back along `said`."""
    table = [[0] * (len(said) + 1) for _ in range(len(expected) + 1)]
    for i, word in enumerate(expected, start=1):
        before, row = table[i - 1], table[i]
        for j, other in enumerate(said, start=1):
            row[j] = before[j - 1] + 1 if word == other else max(before[j], row[j - 1])
    i, j = len(expected), len(said)
    found: set[str] = set()
    while i and j:
        if expected[i - 1] == said[j - 1]:
            found.add(expected[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found

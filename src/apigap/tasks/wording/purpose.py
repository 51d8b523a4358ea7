"""The purpose of an API as a wish in plain words: built from its documentation, without its name and its sentences."""

import re
from collections.abc import Iterator, Mapping

from apigap.knowledge.components.narrative import first_sentence
from apigap.records.candidate import Candidate
from apigap.tasks.leak import BLANK, leaks, mask
from apigap.tasks.wording.plain_words import ABOUT_CODE, ARTICLES, DEEDS, GIVING, LIKE, NO_VALUE, WORDS

QUOTE = 7
"""So many words of the documentation in a row are a quotation."""
_LEAST = 3
_MOST = 26
_PREPOSITIONS = frozenset(
    {"as", "into", "in", "by", "to", "from", "with", "for", "on", "at", "of", "along", "over", "through"}
)
_TURNED = frozenset({"of", "in", "between", "from", "for", "around", "along", "over"})
_JOINING = frozenset({"that", "which", "or", "is", "are", "where", "representing"})
_NO_PROSE = re.compile(r"[$\\{}<>=()\[\]^|?\0\"#]|https?:")


def purpose_of(candidate: Candidate, given: Mapping[str, str]) -> str | None:
    """The purpose of the API, as the end of a sentence; None where its documentation does not say it so.

    `given` has the code of the answer's argument for each parameter, and of a method's object for `self`: parameters
    in the text are called like it. The text is a thing (`the items of ...`) or a deed (`to divide ...`); it holds no
    seven words of the documentation in a row, nor the API's name.
    """
    text = in_names_of_the_answer(_first(candidate.docstring or ""), candidate, given)
    if text is None:
        return None
    lead, _, rest = _adverb_last(text).partition(" ")
    wish = _led(lead.lower(), rest, given.get("self"))
    if wish and wish.startswith("to make ") and set(candidate.leaf.lower().split("_")) <= set(wish.split()):
        return None  # `make_symmetric`: to make something symmetric
    wish = _without_name(wish, candidate) if wish and gives_away(wish, candidate) else wish
    if wish is None or gives_away(wish, candidate) or re.search(r"\bor (?:the|an?)\b", wish):
        return None
    if wish.split()[-1] in _PREPOSITIONS | ARTICLES:  # what was cut off is needed: `into a tuple of (days, hours)`
        return None
    wish = in_plain_words(wish, candidate.leaf)
    wishes = (wish, *said_otherwise(wish))
    own = (one for one in wishes if not quotes(one, candidate.docstring or "") and not gives_away(one, candidate))
    return next((one for one in own if _LEAST <= len(one.split()) <= _MOST), None)


def in_plain_words(text: str, leaf: str = "") -> str:
    """A text of documentation with plain words for those that documentation likes, but for words of the name `leaf`."""
    own = {word for word in leaf.lower().split("_") if len(word) > 3}
    for old, new in WORDS:
        text = text if own & set(new.split()) else old.sub(new, text)
    return " ".join(text.split())


def in_names_of_the_answer(sentence: str, candidate: Candidate, given: Mapping[str, str]) -> str | None:
    """A sentence of the documentation with the answer's names; None where it is not all prose."""
    text = re.sub(r"\s+\([^)]*(?:\)(?=[\s.,:;!])|\)?$)", "", sentence.replace("(s)", "s")).strip()
    text = re.split(r"[:;]\s|\s--?\s|\s[–—]\s|, (?:optionally|returning|such as|e\.g\.)(?=\s)", text)[0].rstrip(".!: ")
    names = {parameter.name for parameter in candidate.parameters}
    quoted = r"``?([^`]+)``?|(?<![\w*])\*(\w+)\*(?!\w)"
    text = re.sub(r"(?<!\w)'(\w+)'(?!\w)", lambda m: f"`{m[1]}`" if m[1] in names else m[0], text)
    text = re.sub(quoted, lambda m: _code(m[1] or m[2], names, given), text)
    text = re.sub(r"(?<![\w`'-])([A-Za-z]\w*)(?![\w`'-])", lambda m: _bare(m[1], names, given, m.start()), text)
    return None if BLANK in text or _NO_PROSE.search(text) else " ".join(text.split())


def _first(docstring: str) -> str:
    """The first sentence; also of one line of prose that no full stop ends, which a narrative leaves out."""
    sentence, line = first_sentence(docstring), docstring.strip().partition("\n")[0]
    alone = docstring.strip().partition("\n\n")[0] == line and line not in sentence and len(line.split()) >= _LEAST
    is_prose = re.match(r"[A-Z][\w'-]* ", line) and sentence.partition(" ")[0] != line.partition(" ")[0]
    return line if alone and is_prose else sentence


def _without_name(wish: str, candidate: Candidate) -> str:
    """The wish with words that say the same for those of the API's name, where there are some."""
    own = sorted({part.lower() for part in candidate.leaf.split("_")} & set(LIKE))
    if not own:
        return wish
    return re.sub(rf"(?<![\w`-])(?:{'|'.join(own)})(?![\w`-])", lambda m: LIKE[m[0].lower()], wish, flags=re.I)


def said_otherwise(wish: str) -> Iterator[str]:
    """The wish in another order of its words: what a thing is `of`, or where it is, comes first.

    `for a directed graph, the triadic census`. Only where it is plain what belongs to what.
    """
    yield re.sub(r"(?<!check)(?<!so) that ", " which ", wish)
    words = wish.split()
    if "," in wish or words[0] == "to":
        return
    for place in range(len(words) - 2, 2, -1):
        before, after = words[:place], words[place + 1 :]
        joined = _JOINING & {*before, *after} or words[place - 1] in _PREPOSITIONS
        of_all = words[place] in ("in", "between") or not _PREPOSITIONS & set(before)
        joined = joined or bool(_PREPOSITIONS & set(after))
        if words[place] in _TURNED and of_all and not joined:
            lead = "for" if words[place] == "of" else words[place]
            yield f"{' '.join((lead, *after))}, {' '.join(before)}"


def _adverb_last(text: str) -> str:
    """The sentence with an adverb that it begins with at its end: `horizontally concatenate columns`."""
    first, _, rest = text.partition(" ")
    adverb = first.endswith("ly") and len(first) > 5 and rest and _base(rest.split()[0]) in GIVING | set(DEEDS)
    return f"{rest} {first.lower()}" if adverb else text


def gives_away(text: str, candidate: Candidate) -> bool:
    """Check for the name of the API in prose: in any form, or as it is spelled of one that was there before."""
    prose = re.sub(r"`[^`]*`", " ", text)
    named = leaks(prose, candidate.leaf)
    return named or (candidate.change == "added" and BLANK in mask(prose, candidate.leaf))


def quotes(text: str, documentation: str) -> bool:
    """Check for as many words of the documentation in a row as make a quotation; names of code are no words."""
    said, written = _words(text, "_said"), _words(documentation, "_written")
    runs = {tuple(written[n : n + QUOTE]) for n in range(len(written) - QUOTE + 1)}
    return any(tuple(said[n : n + QUOTE]) in runs for n in range(len(said) - QUOTE + 1))


def _words(text: str, code: str) -> list[str]:
    """The words of a text in small letters, `code` in the place of code."""
    return re.findall(r"\w+", re.sub(r"`[^`]*`", f" {code} ", text).lower())


def _code(name: str, names: set[str], given: Mapping[str, str]) -> str:
    """Code of the documentation: a parameter as what the answer gives for it, a plain word as a word, else a blank."""
    if name in given:
        return f"`{given[name]}`"
    return name if name not in names and re.fullmatch(r"[A-Za-z]+", name) else BLANK


def _bare(word: str, names: set[str], given: Mapping[str, str], place: int) -> str:
    """A parameter that stands in the text as a word: one letter, apart from the article, or with an underscore."""
    if place and word.lower() in names and word not in names and len(word) == 1:
        word = word.lower()  # "geometry A" means the parameter a
    elif word not in names or word == "a" or (len(word) > 1 and not re.search(r"[_\d]", word)):
        return word
    return f"`{given[word]}`" if word in given else BLANK


def _led(lead: str, rest: str, receiver: str | None) -> str | None:
    """The object of a verb of giving, or the deed of another verb; of a sentence without a verb the thing itself."""
    verb = _base(lead)
    if verb == "make" and not rest.startswith(("a ", "an ")):  # what is there is made other than it was
        return _deed("make", rest, receiver)
    if verb in GIVING:
        return _thing(rest, "the")
    if verb == "iterate" or lead in ("iterator", "generator"):
        return _thing(rest.partition(" ")[2], "the") if rest.startswith(("over ", "of ")) else None
    if verb in DEEDS and not rest.startswith("of "):
        return _deed(DEEDS[verb], rest, receiver)
    return _thing(f"{lead} {rest}", "the" if "of" in rest.split()[:3] else None)


def _base(word: str) -> str:
    """The verb in its base form."""
    for end, put in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", "")):
        if word.endswith(end) and not word.endswith("ss"):
            return word.removesuffix(end) + put
    return word


def _deed(verb: str, rest: str, receiver: str | None) -> str | None:
    """A deed and what it is done to, as the object whose method it is; None where that is not said."""
    if not rest or rest.split()[0] in _PREPOSITIONS:
        if not rest or receiver is None:
            return None
        rest = f"`{receiver}` {rest}"
    return f"to {verb} {re.sub(' to ', ' into ', rest, count=1) if verb == 'turn' else rest}"


def _thing(text: str, article: str | None) -> str | None:
    """A thing with its article; None where it is a yes or no, a piece of code, or has no article and none is known."""
    words = text.split()
    if len(words) < 2 or words[0].lower() in NO_VALUE | _PREPOSITIONS | {"and", "or"}:
        return None
    if {words[0].lower(), words[1].lower()} & ABOUT_CODE:
        return None
    if words[0].lower() in ARTICLES or words[0].startswith("`"):
        return " ".join((words[0].lower(), *words[1:]))
    return f"{article} {text[0].lower() if text[1:2].islower() else text[0]}{text[1:]}" if article else None

"""Words that fit: placeholders of tests become words of daily work, and other data is of the same kind as before."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from apigap.knowledge.usages.usage import Step, Usage, bindings
from apigap.records.parsing.syntax import parse

_KINDS = tuple(
    tuple(words.split())
    for words in (
        "alice boris carla david elena frank grace henry irene james karen laura maria oscar paula robert susan thomas "
        "bob carol dave eve",
        "smith jones brown miller davis garcia taylor wilson moore martin walker clark lewis young",
        "oslo lima cairo quito delhi kyoto turin perth paris london berlin madrid rome vienna tokyo boston denver",
        "france spain italy japan brazil canada norway chile india kenya mexico egypt peru germany",
        "red green blue yellow black white orange purple brown grey",
        "apple banana cherry orange lemon melon pear plum grape peach fig lime",
        "cat dog horse rabbit sheep goat mouse tiger lion zebra",
        "january february march april may june july august september october november december",
        "monday tuesday wednesday thursday friday saturday sunday",
        "price weight length height width depth count score amount total rate distance duration temperature",
        "title author year genre subject chapter",
        "order invoice parcel payment customer product supplier",
        "report summary notes letter draft contract",
        "street city country region district",
    )
)
_KEYS = ("price", "weight", "length", "height", "width", "depth", "count", "score", "amount", "rate")
_OF_FLAGS = ("paid", "valid", "active", "sent")
_OF_PARTS = ("details", "parts", "measures", "points")
_OF_TEXTS = ("city", "fruit", "name", "color", "animal", "month")
"""Names of columns of texts, and in `_VALUES` for each the words that stand in such a column."""
_OF_OTHER_TEXTS = ("label", "kind")
_NAMING = frozenset(
    ["columns", "names", "fields", "features", "feature_names", "dims", "axes", "id_vars", "value_vars", "var_name"]
)
"""Parameters whose texts are names of columns, features or axes."""
_VALUES = tuple(
    tuple(words.split())
    for words in (
        "Berlin Cairo Delhi Lima London Madrid Oslo Paris Perth Quito Rome Tokyo Turin Vienna",
        "apple banana cherry grape lemon melon orange peach pear plum",
        "Alice Boris Carla David Elena Frank Grace Henry Irene James Karen Laura Maria Oscar Paula",
        "black blue brown green grey purple red white yellow",
        "cat dog goat horse lion mouse rabbit sheep tiger zebra",
        "January April May July August October November December",
    )
)
_ZONES = (
    "Europe/Amsterdam", "Europe/Berlin", "Europe/London", "Europe/Paris", "Europe/Madrid", "America/New_York",
    "America/Chicago", "America/Denver", "America/Sao_Paulo", "Asia/Tokyo", "Asia/Kolkata", "Australia/Sydney",
)  # fmt: skip
_NAMES = (_KEYS, _OF_TEXTS, _OF_OTHER_TEXTS, _OF_FLAGS, _OF_PARTS)
_PARTS_OF_ZONES = tuple(word for zone in _ZONES for word in re.findall(r"[A-Za-z]+", zone))
_KNOWN = frozenset(word.lower() for words in (*_KINDS, *_VALUES, *_NAMES, _PARTS_OF_ZONES) for word in words)
_PLACEHOLDERS_WORDS = """
    foo bar baz qux quux foobar foofoo barbar spam ham eggs egg lorem ipsum dolor dummy blah bla thing stuff abc
    xyz asdf qwerty aaa bbb ccc xxx yyy zzz aa bb cc dd ee xx yy zz ab bc cd hello world fubar yada whatever none
    something pass host dialect dbname mytable myid col
"""
_PLACEHOLDERS = frozenset(_PLACEHOLDERS_WORDS.split())
_LANGUAGES = frozenset(("de", "hi", "no"))
"""Codes of languages that are a run of letters."""
_LETTERS = frozenset("abcdefghijklnopqruvwxyz")
"""Letters that stand for anything, without those that are units: metre, second and tonne."""
_ABBREVIATION = 3
_WORD = re.compile(r"[A-Za-z]+")


def fitting_word(word: str) -> str | None:
    """Another word of the same kind (another city for a city), or None for a word of no known kind."""
    kind = next((words for words in _KINDS if word.lower() in words), None)
    if kind is None:
        return None
    other = kind[(kind.index(word.lower()) + 1) % len(kind)]
    return other.upper() if len(word) > 1 and word.isupper() else other.capitalize() if word[0].isupper() else other


def like_text(value: str) -> str | None:
    """Another text of the same kind for one of a known kind: a city for a city, a time zone for one."""
    if value in _ZONES:
        return _ZONES[(_ZONES.index(value) + 1) % len(_ZONES)]
    return fitting_word(value) if value.isalpha() and value.isascii() else None


def is_placeholder(text: str) -> bool:
    """Check for a text that stands for any other: `foo`, `x1`, `aab`, a run of letters or digits, a single letter."""
    low = text.strip().lower()
    if len(low) > 2 and low.isdigit():
        return len({ord(after) - ord(before) for before, after in pairwise(low[:8])}) == 1
    if re.fullmatch(r"[a-z]\d{0,2}|[a-z]+\d?_?", low) and low.rstrip("0123456789_") in _PLACEHOLDERS | _LETTERS:
        return True
    if any(word in _PLACEHOLDERS for word in re.split(r"[^a-z]+", low)):
        return True
    letters = low.replace(" ", "").replace(",", "")
    if not letters.isalpha() or len(letters) < 2 or letters in _LANGUAGES:
        return False
    steps = {ord(after) - ord(before) for before, after in pairwise(letters)}
    few = (len(letters) > 3 and len(set(letters)) < 3) or (len(letters) > 4 and set(letters) <= set("abcd"))
    return steps in ({0}, {1}, {-1}) or few


def strange_words(code: str, original: str) -> list[str]:
    """Words in the texts of `code` that neither `original` has nor are known: what an edit of letters has made up."""
    known = _KNOWN | {word.lower() for word in _WORD.findall(original)}
    words = (word for text in _texts(code) for word in _WORD.findall(text))
    return [word for word in dict.fromkeys(words) if word.lower() not in known]


def shouted_words(code: str, original: str) -> set[str]:
    """Words in capitals in the texts of `code` that `original` has not, abbreviations apart: an edit's other case."""
    words = {word for text in _texts(code) for word in _WORD.findall(text)} - set(_WORD.findall(original))
    return {word for word in words if len(word) > _ABBREVIATION and word.isupper()}


def in_words_of_work(usage: Usage) -> Usage:
    """`usage` with a word of daily work for every placeholder that is nothing but data, wherever it stands.

    The items of one container are of one kind (cities, fruits), in the order of the placeholders.
    """
    code = "\n".join((*usage.prelude, *bindings(usage.inputs), *(step.expression or step.code for step in usage.steps)))
    names = _replacements(code)
    if not names:
        return usage
    steps = [
        Step(code=_renamed(step.code, names), expression=step.expression and _renamed(step.expression, names))
        for step in usage.steps
    ]
    return usage.replaced(
        prelude=tuple(_renamed(part, names) for part in usage.prelude),
        inputs=tuple((name, _renamed(value, names)) for name, value in usage.inputs),
        variants=tuple(tuple((name, _renamed(value, names)) for name, value in row) for row in usage.variants),
        steps=tuple(steps),
    )


@dataclass
class _Roles:
    """The placeholders of a program: those that name something, with words for it, and those that are only values.

    A value has the number of its kind: those that stand together are of one.
    """

    keys: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    values: dict[str, int] = field(default_factory=dict[str, int])

    def add_key(self, node: ast.AST | None, words: tuple[str, ...]) -> None:
        """Count the text of `node` to the names where it is a placeholder; as a name any letter is one."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            letter = len(node.value) == 1 and node.value.isalpha()
            if letter or is_placeholder(node.value):
                self.keys.setdefault(node.value, words)

    def add_values(self, nodes: Iterable[ast.AST]) -> int | None:
        """Count the texts of `nodes` to the values where they are placeholders; gives the number of their kind."""
        constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str) and is_placeholder(value)]
        if not texts:
            return None
        kind = next((self.values[text] for text in texts if text in self.values), len(set(self.values.values())))
        for text in texts:
            self.values.setdefault(text, kind)
        return kind


class _SpellOut(ast.NodeTransformer):
    """A change of `list("ABC")` into the list of its letters, each another one and a placeholder of its own."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("list"), [ast.Constant(str() as letters)], []) if _are_placeholders(letters):
                return ast.List([ast.Constant(letter) for letter in letters], ast.Load())
            case _:
                return node


def _are_placeholders(letters: str) -> bool:
    return len(set(letters)) == len(letters) and set(letters.lower()) <= _LETTERS


def _replacements(code: str) -> dict[str, str]:
    tree = _SpellOut().visit(parse(code))
    roles = _Roles()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                kind = roles.add_values([value, *_items(value)])
                roles.add_key(key, _words_for(value) if kind is None else _OF_TEXTS[kind : kind + 1])
        elif isinstance(node, ast.Subscript):
            roles.add_key(node.slice, _KEYS)
        elif isinstance(node, ast.keyword) and node.arg in _NAMING:
            for item in (node.value, *_items(node.value)):
                roles.add_key(item, _KEYS)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            roles.add_values(node.elts)
    return _assigned(roles, code)


def _items(value: ast.expr) -> list[ast.expr]:
    """The items of a container, also where a call is given it as its first argument."""
    value = value.args[0] if isinstance(value, ast.Call) and value.args else value
    return value.elts if isinstance(value, (ast.List, ast.Tuple, ast.Set)) else []


def _words_for(value: ast.expr) -> tuple[str, ...]:
    """The words that name such a value: of texts, flags, parts, or numbers."""
    while isinstance(value, (ast.List, ast.Tuple, ast.Call)):
        inner = value.args if isinstance(value, ast.Call) else value.elts
        inside = next((item for item in inner if not (isinstance(item, ast.Constant) and item.value is None)), None)
        if inside is None or (isinstance(value, ast.List) and isinstance(inside, (ast.List, ast.Tuple, ast.Dict))):
            return _OF_PARTS
        value = inside
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return _OF_FLAGS
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return _OF_OTHER_TEXTS
    return _OF_PARTS if isinstance(value, (ast.Dict, ast.Set)) else _KEYS


def _assigned(roles: _Roles, code: str) -> dict[str, str]:
    """A free word for each placeholder; none that is in the program already."""
    taken = {word.lower() for word in _WORD.findall(code)}
    found: dict[str, str] = {}
    for text, words in roles.keys.items():
        word = next((word for word in words if word not in taken), None)
        if word is not None:
            found[text] = word
            taken.add(word)
    for kind, words in enumerate(_VALUES):
        texts = sorted(text for text, own in roles.values.items() if own == kind and text not in roles.keys)
        free = [word for word in words if word.lower() not in taken]
        found.update(zip(texts, free, strict=False))
    return found


def _renamed(code: str, texts: Mapping[str, str]) -> str:
    """The code with other texts, also where a keyword or an attribute names what a text does: a column."""
    if not code:
        return code
    tree = _SpellOut().visit(parse(code))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = texts.get(node.value, node.value)
        elif isinstance(node, ast.keyword) and node.arg:
            node.arg = texts.get(node.arg, node.arg)
        elif isinstance(node, ast.Attribute):
            node.attr = texts.get(node.attr, node.attr)
    return ast.unparse(tree)


def _texts(code: str) -> Iterable[str]:
    constants = (node.value for node in ast.walk(parse(code)) if isinstance(node, ast.Constant))
    return (value for value in constants if isinstance(value, str))

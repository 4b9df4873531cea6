"""Words as the parser and the recogniser compare them, and hassil templates as trees of such words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from hassil.expression import Alternative, Expression, ListReference, RuleReference, Sentence, TextChunk
from hassil.expression import Sequence as HassilSequence
from hassil.parse_expression import parse_sentence
from hassil.sample import sample_sentence

from gm_assistant.errors import LanguagePackError
from gm_assistant.speakable import SILENCE, Choice, Node, Reference, Sequence

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2018": "'"})
_DOTTED_I = "i\u0307"
"""What Python makes of a Turkish capital I with its dot."""
_NOT_A_WORD = re.compile(r"[^\w']+|_+|(?<!\w)'|'(?!\w)")


def normalized(text: str) -> str:
    """Return `text` as its bare words: NFC, lower case, single spaces, no punctuation but inner apostrophes."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).lower().replace(_DOTTED_I, "i")
    return " ".join(_NOT_A_WORD.sub(" ", plain).split())


def wordings(template: str) -> tuple[str, ...]:
    """Return every plain wording of a template without lists and rules."""
    texts = (normalized(text) for text in sample_sentence(parsed(template), {}, {}))
    return tuple(dict.fromkeys(texts))


def parsed(template: str) -> Sentence:
    """Return the template as hassil reads it. Raise LanguagePackError("template-broken")."""
    try:
        return parse_sentence(template)
    except Exception as broken:  # hassil raises its own and plain errors alike
        raise LanguagePackError("template-broken", template=template, problem=str(broken)) from broken


@lru_cache(maxsize=8192)
def tree(template: str, slots: frozenset[str]) -> Node:
    """Return the template as a tree; `slots` are the lists that exist.

    A list becomes Reference("list-NAME"), a rule Reference("rule-NAME").
    """
    sentence = parsed(template)
    node = _tree(sentence.expression, template)
    unknown = set(sentence.list_names()) - slots
    if unknown:
        raise LanguagePackError("template-broken", template=template, problem=f"{{{min(unknown)}}}")
    return node


def words_of(text: str) -> Node:
    """Return one plain wording as a tree."""
    return Sequence(tuple(text.split()))


def choice_of(texts: Iterable[str]) -> Node:
    """Return a choice of plain wordings, less those with a digit (they can be typed, not spoken)."""
    return Choice(tuple(words_of(text) for text in texts if not any(sign.isdigit() for sign in text)))


def _tree(expression: Expression, template: str) -> Node:
    match expression:
        case TextChunk(text=text):
            return words_of(normalized(text))
        case Alternative(items=items):
            return Choice(tuple(_tree(item, template) for item in items))
        case HassilSequence(items=items):
            _refuse_split_words(items, template)
            return Sequence(tuple(node for item in items if (node := _tree(item, template)) != SILENCE))
        case ListReference(list_name=name):
            return Reference(f"list-{name}")
        case RuleReference(rule_name=name):
            return Reference(f"rule-{name}")
        case _:
            raise LanguagePackError("template-broken", template=template, problem=type(expression).__name__)


def _refuse_split_words(items: list[Expression], template: str) -> None:
    """Refuse "nominate[d]": a recogniser knows whole words only."""
    for left, right in pairwise(items):
        if not any(_touches(left, right)):
            continue
        raise LanguagePackError("template-broken", template=template, problem="a bracket inside a word")


def _touches(left: Expression, right: Expression) -> Iterator[bool]:
    if not isinstance(left, TextChunk) and not isinstance(right, TextChunk):
        yield True
    if isinstance(left, TextChunk) and not isinstance(right, TextChunk):
        yield bool(left.text) and not left.text[-1].isspace()
    if isinstance(right, TextChunk) and not isinstance(left, TextChunk):
        yield bool(right.text) and not right.text[0].isspace()

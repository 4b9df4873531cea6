"""How people say the names of an edition: they complete the sentences of a language pack.

A form `spoken` of a thing becomes the rule `<thing>`, a form `spoken_object` the rule `<thing_object>`; the parties
become the lists `{party}`, `{party_law}`, `{party_laws}`, and the powers part of the list `{symbol}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gm_assistant.dialogue.wordings import normalized
from gm_assistant.rules.model import Office, Party, Power

if TYPE_CHECKING:
    from gm_assistant.dialogue.pack import LanguagePack

EDITION_LISTS = ("edition", "party", "party_law", "party_laws")
"""Lists of the sentences that editions fill."""

SPOKEN_THINGS = (*Office, "dictator", *Party)
"""Things whose spoken forms the sentences may use as rules."""

_SPOKEN = "spoken"


def spoken_form(suffix: str) -> str:
    """Return the name of the form that is said where the sentences ask for `suffix` (the plain one: "")."""
    return f"{_SPOKEN}_{suffix}" if suffix else _SPOKEN


def completed(pack: LanguagePack, names: Mapping[str, Mapping[str, str]], editions: Mapping[str, str]) -> LanguagePack:
    """Return `pack` with an edition's spoken `names` in its sentences; `editions`: id -> how its name is said."""
    sentences = pack.sentences
    rules = {
        "_".join((thing, *form.split("_")[1:])): words
        for thing in SPOKEN_THINGS
        for form, words in names.get(thing, {}).items()
        if form.split("_")[0] == _SPOKEN
    }
    parties = {
        name: {party.value: names[party][form] for party in Party}
        for name in EDITION_LISTS[1:]
        if all((form := spoken_form(name.partition("_")[2])) in names.get(party, {}) for party in Party)
    }
    symbols = {power.value: names[power][_SPOKEN] for power in Power if _SPOKEN in names.get(power, {})}
    lists = {**sentences.lists, **parties, "edition": dict(editions)}
    lists["symbol"] = {**sentences.lists.get("symbol", {}), **symbols}
    sentences = replace(sentences, rules={**rules, **sentences.rules}, lists=lists)
    return replace(pack, sentences=sentences, edition_words=_words(names))


def _words(names: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Return every word of every form, of templates those outside and inside brackets."""
    return frozenset(word for forms in names.values() for form in forms.values() for word in normalized(form).split())

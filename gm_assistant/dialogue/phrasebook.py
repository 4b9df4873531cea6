"""Messages to words of one language, with the names of one edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from string import Formatter
from typing import Literal

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list

from gm_assistant.dialogue.messages import Fact, HeadsetMessage, Message, Person, Place, Term
from gm_assistant.dialogue.numerals import spelled
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.errors import LanguagePackError
from gm_assistant.utterances import Secret

Names = Mapping[str, Mapping[str, str]]
"""Thing of an edition -> form -> words, in one language."""


_ENDS = (".", "?", "!")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!]) ")
_LIST_STYLES: Mapping[str, Literal["standard", "or"]] = {"": "standard", "or": "or"}


class Phrasebook:
    """Speaks for one language and one edition. Immutable.

    In a phrase, {fact} is filled in by its kind: a person by name, a date with its time, people as a list
    ({players:or}), a number in digits, as an ordinal ({number:ordinal}), with a counted noun ({number:laws},
    {number:liberal.laws}), a term of the edition by one of its forms ({party:law}). {liberal:team} works in every
    phrase, and a person's gap with a form names the office instead: {president} is Anna, {president:the} the president.
    Some phrases have other words for another material on the table.
    """

    def __init__(self, pack: LanguagePack, names: Names, material: str = "") -> None:
        self._pack = pack
        self._names = names
        self._phrases = {**pack.phrases.phrases, **pack.phrases.materials.get(material, {})}
        self._locale = Locale.parse(pack.language)

    def say(self, messages: Iterable[Message]) -> str:
        """Return all messages as one text. Raise LanguagePackError as `phrase` does."""
        return " ".join(self.sentences(messages))

    def sentences(self, messages: Iterable[Message]) -> tuple[str, ...]:
        """Return what `say` returns, cut where one sentence ends and the next begins. Raise as `phrase` does.

        The phrases are cut before their gaps are filled: no name and no number is taken for the end of a sentence.
        """
        whole: list[str] = []
        for text in (text for message in messages for text in self._cut(message)):
            goes_on = bool(whole) and not whole[-1].endswith(_ENDS)
            whole[-1:] = [f"{whole[-1]} {text}"] if goes_on else [*whole[-1:], text]
        return tuple(whole)

    def phrase(self, message: Message) -> str:
        """Return one message in words, beginning with a capital.

        Raise LanguagePackError("pack-broken") for a phrase that is not there, or a gap that nothing fills.
        """
        return " ".join(self._cut(message))

    def _cut(self, message: Message) -> list[str]:
        """Return the sentences of one message."""
        try:
            templates = _BETWEEN_SENTENCES.split(self._phrases[message.key])
            return [_capital(self._filled(template, message.facts)) for template in templates]
        except (KeyError, ValueError) as missing:
            file, path = f"{self._pack.language}/phrases.yaml", f"phrases.{message.key}"
            allowed = ", ".join(sorted({*message.facts, *self._names})) or "..."
            problem = f"{missing.args[0]}?"
            raise LanguagePackError("pack-broken", file=file, path=path, problem=problem, allowed=allowed) from missing

    def secret(self, messages: Iterable[HeadsetMessage]) -> Secret:
        """Return messages for the headset as one text. Raise LanguagePackError as `phrase` does."""
        return Secret(self.say(Message(message.key, message.facts) for message in messages))

    def _filled(self, template: str, facts: Mapping[str, Fact]) -> str:
        text = ""
        for literal, name, form, _ in Formatter().parse(template):
            text += literal
            if name is not None:
                fact = facts.get(name, Term(name))
                words = self._fact(Term(name) if form and isinstance(fact, Person) else fact, form or "")
                text += words
        return text

    def _fact(self, fact: Fact, form: str) -> str:
        match fact:
            case Person(name):
                return name
            case Place(name, seat):
                return self._filled(self._phrases["place"], {"name": name, "number": seat})
            case Term(name):
                return self._names[name][form or "name"]
            case tuple():
                style = _LIST_STYLES[form]
                return format_list([self._fact(one, "") for one in fact], style=style, locale=self._locale)
            case int():
                return self._number(fact, form)
            case datetime():
                day = format_date(fact, "long", locale=self._locale)
                return f"{day}, {format_skeleton('Hm', fact, locale=self._locale)}"
            case str():
                return fact

    def _number(self, number: int, form: str) -> str:
        if not form:
            return str(number)
        if form in self._pack.phrases.ordinals:
            return spelled(self._pack.language, number, self._pack.phrases.ordinals[form])
        return self._counted(number, form).replace("{n}", str(number))

    def _counted(self, number: int, form: str) -> str:
        category = self._locale.plural_form(number)
        if "." in form:
            term, noun = form.split(".")
            start = f"{noun}_"
            names = self._names[term].items()
            forms = {name.removeprefix(start): words for name, words in names if name.startswith(start)}
        else:
            forms = self._pack.phrases.forms[form]
        return forms["zero"] if number == 0 and "zero" in forms else forms[category]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

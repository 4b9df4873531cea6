"""The plan for the next game, as it grows question by question; the last answer can be taken back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from gm_assistant.dialogue.grammar import Grammar
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Fact, Message, Messages, Person
from gm_assistant.dialogue.pack import LanguagePack
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.refusals import trouble
from gm_assistant.dialogue.set_up import Plan, Question, drawn, with_word
from gm_assistant.errors import GmError
from gm_assistant.interview import asked, confirmed, edition_of, grammar_of, took, took_text
from gm_assistant.library import Library
from gm_assistant.names import Names
from gm_assistant.rules.edition import Edition


class SettingUp:
    """Keeps the plan, and the plans before each answer."""

    def __init__(self, library: Library, plan: Plan, language: str, random: Random, names: Names | None = None) -> None:
        """`language` is spoken until the plan has one; `random` draws who begins; `names` knows how names sound."""
        self._library = library
        self._first_language = language
        self._random = random
        self._names = names or Names()
        self._plans: tuple[Plan, ...] = (plan,)

    @property
    def plan(self) -> Plan:
        """What is known by now."""
        return self._plans[-1]

    @property
    def language(self) -> str:
        """The language that is spoken now."""
        return self.plan.language or self._first_language

    @property
    def edition(self) -> Edition:
        """The edition of the plan; before one is chosen, the default one."""
        return edition_of(self._library, self.plan)

    @property
    def phrasebook(self) -> Phrasebook:
        """The words that are spoken now."""
        return self._library.phrasebook(self.language, self.plan.edition)

    @property
    def pack(self) -> LanguagePack:
        """The sentences that are understood now."""
        return self._library.pack(self.language, self.plan.edition)

    @property
    def question(self) -> Messages:
        """The next question; nothing if the plan is complete."""
        return asked(self._library, self.plan, self.language)

    @property
    def help(self) -> Messages:
        """What can be said to the next question."""
        explained = (Message("explain-deal"),) if self.plan.question is Question.DEAL else ()
        return Message("examples-set-up"), *explained, *self.question

    @property
    def grammar(self) -> Grammar:
        """What can be said to the next question."""
        also = self._names.wordings(self.plan.names, self.language)
        return grammar_of(self._library, self.plan, self.language, also)

    @property
    def has_answers(self) -> bool:
        """Whether there is an answer to take back."""
        return len(self._plans) > 1

    def begin(self, plan: Plan) -> None:
        """Start with `plan`; what was before cannot be taken back."""
        self._plans = (plan,)

    def may_whisper(self) -> None:
        """Ask about private things too: there is a headset."""
        self.begin(replace(self.plan, private=True))

    def looked_at_names(self) -> Messages:
        """Look at names that came with the plan; return what is to be said about them."""
        plan, told = self._with_hearing(self.plan)
        self.begin(plan)
        return told

    def answered(self, intent: Intent) -> Messages:
        """Take an answer; return what it was taken as. Raise RuleViolation if it does not fit."""
        if intent.name == "draw_first":
            return self._planned(drawn(self.plan, self._random, self.edition))
        if intent.name == "keep_name_as":
            return self._kept_name(intent.number("number"))
        return self._planned(took(self._library, self.plan, intent, self.language))

    def typed(self, text: str) -> Messages | None:
        """Take typed text that is no sentence as a name or a list; None if it is neither. Raise as `answered` does."""
        plan = took_text(self._library, self.plan, text, self.language)
        return None if plan is None else self._planned(plan)

    def back(self) -> None:
        """Take the last answer back."""
        self._plans = self._plans[:-1]

    def went_back(self) -> Messages:
        """Take the last answer back, if there is one; return what is said."""
        if not self.has_answers:
            return Message("nothing-to-go-back"), *self.question
        self.back()
        return Message("back-to"), *self.question

    def _planned(self, plan: Plan) -> Messages:
        told = confirmed(self.plan, plan)
        plan, about_names = self._with_hearing(plan)
        self._plans = (*self._plans, plan)
        return *told, *about_names

    def _with_hearing(self, plan: Plan) -> tuple[Plan, Messages]:
        """Return the plan with the names that cannot be heard once all are known, and which ones are mixed up."""
        if plan.unheard is not None or len(plan.names) != plan.count:
            return plan, ()
        hearing = self._names.hearing(plan.names, plan.language or self.language)
        askable = tuple(unheard for unheard in hearing.unheard if unheard.words)
        pairs = sorted(sorted(pair, key=plan.names.index) for pair in hearing.alike)
        told = tuple(Message("names-alike", {"players": tuple(map(Person, pair))}) for pair in pairs)
        advice = (Message("say-the-seat"),) if told else ()
        return replace(plan, unheard=askable), (*told, *advice)

    def _kept_name(self, number: int) -> Messages:
        """Take what is listened for instead of a name. That it cannot be kept for the next evening is only told."""
        plan = with_word(self.plan, number)
        assert self.plan.unheard  # noqa: S101 - asked only then
        unheard = self.plan.unheard[0]
        word = unheard.words[number - 1] if number else ""
        facts: dict[str, Fact] = {"name": unheard.name, "number": plan.names.index(unheard.name) + 1, "word": word}
        told: Messages = (Message("listens-for" if number else "listens-for-seat", facts),)
        try:
            self._names.listen_for(unheard.name, word)
        except GmError as error:
            told = (*told, trouble(error))
        self._plans = (*self._plans, plan)
        return told

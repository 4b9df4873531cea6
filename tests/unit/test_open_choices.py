"""Choices that the documents leave open: each is a key of the edition, with a game and words of its own."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest
from fakes import library
from table import EDITIONS, FASCIST, LIBERAL, Table, before_a_veto, every_edition, house_rules, same_powers
from told import told_game, with_rules

from gm_assistant.dialogue.announce import announce, retold
from gm_assistant.dialogue.answers import TABLE_ANSWERS
from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Person, Term
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.rulebook import TOPICS, rule_lines
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import TermLimits
from gm_assistant.rules.eligibility import limits_lifted
from gm_assistant.rules.legal import legal_commands
from gm_assistant.rules.model import (
    Cause,
    DictatorQuestion,
    GameState,
    LegislativeSession,
    Nomination,
    Office,
    Power,
    PowerPending,
    ShufflePending,
    VetoProposed,
)
from gm_assistant.rules.position import parse_position, position
from gm_assistant.rules.views import table_view

PEEK, MAGNIFIER, CROSSHAIR, SPECIAL = Power.PEEK, Power.MAGNIFIER, Power.EXECUTION, Power.SPECIAL_ELECTION
every_language = pytest.mark.parametrize("language", sorted(library().packs))


def keys(messages: Iterable[Message]) -> list[str]:
    return [told.key for told in messages]


def told_now(state: GameState) -> tuple[Message, ...]:
    return now(table_view(state))


def answer(name: str, state: GameState) -> tuple[Message, ...]:
    return TABLE_ANSWERS[name](Intent(name, {}), table_view(state))


def limited(edition: str, **changes: object) -> TermLimits:
    return msgspec.structs.replace(EDITIONS[edition].term_limits, **changes)


# Files and saved games from before these keys.


@every_edition
def test_a_saved_game_without_the_keys_goes_on_as_it_was_played(edition: str) -> None:
    rules = EDITIONS[edition].rules_for(7)
    older = msgspec.to_builtins(happened.GameStarted(edition, 1, tuple("ABCDEFG"), 1, rules))
    for key in ("shuffle_before", "danger_warning", "repeated_question", "repeated_veto"):
        del older["rules"][key]
    del older["rules"]["term_limits"]["first_lifted"]
    assert msgspec.convert(older, happened.GameStarted).rules == rules


# What is shuffled before a look: the peek.


def few_left_to_peek_at(left: int, *before: Power) -> Table:
    """Return a table where a law that lets the president peek leaves so few laws."""
    rules = same_powers(*[PEEK] * 5, edition="secret_hitler", shuffle_before=before)
    return Table(7, edition=rules).reach(fascist=2).drain_to(left + 3).play_round(FASCIST)


@pytest.mark.parametrize("left", [1, 2])
def test_without_a_shuffle_before_it_a_peek_shows_what_is_left(left: int) -> None:
    table = few_left_to_peek_at(left)
    assert table.phase == PowerPending(PEEK)
    assert parse_position(position(table.state)) == table.state
    (told,) = (told for told in announce(table.events, *2 * [table_view(table.state)]) if told.key == "power-peek")
    assert told.facts["number"] == left
    assert [told.facts["peeked"] for told in told_now(table.state)] == [left]
    assert [told.facts["number"] for told in answer("power_now", table.state)] == [left]
    table.look()
    assert table.events[-1] == happened.ShuffleDue(left)
    assert table.state.peeked == left
    assert table.shuffle().phase == Nomination()
    assert table.state.peeked == 0


def test_with_enough_laws_a_peek_shows_as_many_as_ever() -> None:
    table = few_left_to_peek_at(3)
    assert [told.facts["peeked"] for told in told_now(table.state)] == [3]
    assert table.look().state.peeked == 3


def test_a_peek_at_an_empty_pile_lapses_and_the_table_hears_why() -> None:
    table = few_left_to_peek_at(0)
    assert [type(event) for event in table.events] == [
        happened.LawEnacted,
        happened.PowerLapsed,
        happened.PresidencyPassed,
        happened.ShuffleDue,
    ]
    lapsed = Message("power-lapsed-peek", {"power": Term("peek")})
    assert lapsed in retold(table.events, table_view(table.state))
    assert answer("why_no_power", table.shuffle().state) == (lapsed,)


@pytest.mark.parametrize("left", [0, 1, 2])
def test_with_a_shuffle_before_it_a_peek_waits(left: int) -> None:
    table = few_left_to_peek_at(left, PEEK)
    assert table.events[-1] == happened.ShuffleDue(left)
    assert table.shuffle().phase == PowerPending(PEEK)
    assert table.look().state.peeked == 3


# The magnifier.


def magnifier_with_few_laws(*before: Power) -> Table:
    rules = same_powers(*[MAGNIFIER] * 5, shuffle_before=before)
    return Table(7, edition=rules).drain_to(5).play_round(FASCIST)


def test_a_shuffle_before_the_magnifier_leaves_nothing_to_look_at() -> None:
    table = magnifier_with_few_laws(MAGNIFIER)
    assert table.events[-1] == happened.ShuffleDue(2)
    assert table.phase == ShufflePending(Nomination())
    assert parse_position(position(table.state)) == table.state
    lapsed = Message("power-lapsed-magnifier", {"power": Term("magnifier")})
    assert answer("why_no_power", table.state) == answer("power_now", table.state) == (lapsed,)
    table.shuffle()
    assert [type(event) for event in table.events] == [happened.PilesShuffled, happened.PowerLapsed]
    assert (table.phase, table.state.magnifier_reserved) == (Nomination(), False)
    assert lapsed in retold(table.events, table_view(table.state))
    assert answer("why_no_power", table.state) == (lapsed,)
    assert answer("power_now", table.state) == (Message("no-power-due", {}),)


def test_a_game_broken_off_while_the_magnifier_waits_comes_back() -> None:
    table = magnifier_with_few_laws(MAGNIFIER).do(do.EndGame())
    assert table.state.magnifier_reserved
    assert parse_position(position(table.state)) == table.state


@pytest.mark.parametrize("before", [(), (PEEK,)])
def test_without_a_shuffle_before_it_the_magnifier_comes_first(before: tuple[Power, ...]) -> None:
    table = magnifier_with_few_laws(*before)
    assert table.phase == PowerPending(MAGNIFIER)
    assert table.look().events[-1] == happened.ShuffleDue(2)


def test_with_enough_laws_no_shuffle_stops_the_magnifier() -> None:
    rules = same_powers(MAGNIFIER, shuffle_before=(PEEK, MAGNIFIER))
    assert Table(7, edition=rules).play_round(FASCIST).phase == PowerPending(MAGNIFIER)


@every_language
@pytest.mark.parametrize(("look", "edition"), [(PEEK, "secret_hitler"), (PEEK, "secret_dictator"), (MAGNIFIER, None)])
def test_whether_a_shuffle_comes_before_a_look_is_another_answer(look: Power, edition: str | None, language: str):
    base = library().editions[edition or "secret_dictator"]
    answers, shown = [], []
    for before in ((), (look,)):
        changed = msgspec.structs.replace(base, shuffle_before=before)
        book = library().phrasebook(language, base.id)
        answers.append(book.say(TOPICS["piles"](changed.rules_for(5))))
        shown.append("\n".join(rule_lines(changed, book)))
    assert answers[0] != answers[1]
    assert shown[0] != shown[1]


def test_what_comes_before_a_look_that_the_game_does_not_have_is_not_told() -> None:
    assert keys(TOPICS["piles"](EDITIONS["secret_hitler"].rules_for(7))) == ["rule-shuffle"]


# Asked once more.


@pytest.mark.parametrize("again", [False, True])
def test_who_has_said_no_is_asked_again_if_the_edition_says_so(again: bool) -> None:
    table = (
        Table(7, edition=house_rules(repeated_question=again)).reach(fascist=3).elect(7).enact(LIBERAL).lay(liberal=1)
    )
    assert 7 in table.state.cleared
    table.nominate(7)
    told = keys(announce(table.events, *2 * [table_view(table.state)]))
    assert told[:2] == ["nominated", "danger-of-election" if again else "danger-is-past"]
    table.passed()
    if again:
        assert table.phase == DictatorQuestion(7, Cause.DICTATOR_ELECTED)
        assert parse_position(position(table.state)) == table.state
        table.answer(False)
    assert isinstance(table.phase, LegislativeSession)


# The warning.


@pytest.mark.parametrize("warned", [False, True])
def test_the_danger_is_said_before_a_vote_if_the_edition_says_so(warned: bool) -> None:
    known = with_rules("secret_hitler", danger_from=1, danger_warning=warned)
    with told_game("secret_hitler", 7, known=known) as game:
        assert "danger-of-election" not in keys(game.hear("n Ben"))
        game.hear("p")
        assert "danger-begins" in keys(game.hear("l fascist"))
        assert ("danger-of-election" in keys(game.hear("n Clara"))) == warned
        assert keys(game.hear("p"))[-1] == "ask-dictator"


# Whose limit falls first.


def three_left(first: Office) -> Table:
    """Return a table where 2, 3 and 4 live, 2 and 4 governed and 3 is to nominate."""
    limits = limited("secret_dictator", first_lifted=first)
    table = Table(5, edition=same_powers(CROSSHAIR, CROSSHAIR, term_limits=limits))
    table.play_round(FASCIST, chancellor=2).shoot(5).answer(False)
    return table.play_round(FASCIST, chancellor=4).shoot(1).answer(False)


@pytest.mark.parametrize(
    ("first", "candidate", "key"),
    [(Office.PRESIDENT, 2, "limits-lifted-president"), (Office.CHANCELLOR, 4, "limits-lifted-chancellor")],
)
def test_the_limit_of_the_office_that_the_edition_names_falls_first(first: Office, candidate: int, key: str) -> None:
    table = three_left(first)
    assert (limits_lifted(table.state), table.candidates) == ((first,), {candidate})
    assert key in keys(retold(table.events, table_view(table.state)))


@pytest.mark.parametrize("barred", [(Office.PRESIDENT,), (Office.CHANCELLOR,)])
@pytest.mark.parametrize("first", list(Office))
def test_a_single_limit_falls_whichever_office_is_named(barred: tuple[Office, ...], first: Office) -> None:
    limits = limited("secret_dictator", first_lifted=first, barred=barred)
    table = Table(5, edition=same_powers(CROSSHAIR, CROSSHAIR, SPECIAL, CROSSHAIR, term_limits=limits))
    table.play_round(FASCIST, chancellor=2).shoot(5).answer(False)
    table.play_round(FASCIST, chancellor=3).shoot(4).answer(False)
    table.play_round(FASCIST, chancellor=1).name_next(1)
    table.play_round(FASCIST, chancellor=2).shoot(3).answer(False)
    assert (table.state.president, table.candidates) == (1, {2})


# The veto once more.


def test_a_refused_veto_may_be_proposed_again_if_the_edition_says_so() -> None:
    rules = house_rules("secret_hitler", repeated_veto=True)
    table = Table(7, edition=rules).reach(fascist=5).elect().propose_veto().answer_veto(False)
    assert do.ProposeVeto() in set(legal_commands(table.state))
    wanted = ["veto-refused", "veto-possible-again"]
    assert keys(announce(table.events, *2 * [table_view(table.state)]))[:2] == keys(told_now(table.state)) == wanted
    assert told_now(table.state)[1].facts == {"chancellor": Person(table.state.name(table.state.chancellor))}
    assert table.propose_veto().phase == VetoProposed(3)
    assert table.answer_veto(True).state.tracker == 1


def test_a_refused_veto_is_the_last_one_where_the_edition_says_so() -> None:
    table = before_a_veto("secret_hitler").propose_veto().answer_veto(False)
    assert do.ProposeVeto() not in set(legal_commands(table.state))
    assert keys(told_now(table.state)) == ["veto-refused"]

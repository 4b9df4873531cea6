"""What the fields of the fascist strip give."""

from __future__ import annotations

import pytest
from table import FASCIST, LIBERAL, PLAYER_COUNTS, Table, house_rules, roles_for, same_powers

from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.model import (
    Cause,
    DictatorQuestion,
    Election,
    GameOver,
    Nomination,
    Party,
    Power,
    PowerPending,
    ShufflePending,
)

NONE, MAGNIFIER, PEEK, SPECIAL, CROSSHAIR = (
    Power.NONE,
    Power.MAGNIFIER,
    Power.PEEK,
    Power.SPECIAL_ELECTION,
    Power.EXECUTION,
)

# As the rulebook prints them: five and six, seven and eight, nine and ten players.
COLUMNS = {
    5: (NONE, NONE, MAGNIFIER, PEEK, CROSSHAIR),
    6: (NONE, NONE, MAGNIFIER, PEEK, CROSSHAIR),
    7: (NONE, MAGNIFIER, PEEK, CROSSHAIR, CROSSHAIR),
    8: (NONE, MAGNIFIER, PEEK, CROSSHAIR, CROSSHAIR),
    9: (MAGNIFIER, PEEK, SPECIAL, CROSSHAIR, CROSSHAIR),
    10: (MAGNIFIER, PEEK, SPECIAL, CROSSHAIR, CROSSHAIR),
}
FIELDS = [(players, law) for players in PLAYER_COUNTS for law in range(1, 6)]

HOLDS_A_POWER = {
    MAGNIFIER: lambda: Table(7).lay(fascist=1).play_round(FASCIST),
    PEEK: lambda: Table(7).lay(fascist=2).play_round(FASCIST),
    SPECIAL: lambda: Table(9).lay(fascist=2).play_round(FASCIST),
    CROSSHAIR: lambda: Table(7).lay(fascist=3).play_round(FASCIST),
}
USES_IT = {
    MAGNIFIER: do.FinishLooking(),
    PEEK: do.FinishLooking(),
    SPECIAL: do.NameNextPresident(7),
    CROSSHAIR: do.Shoot(7),
}


def powers_that_came(events):
    """Return the powers granted or reserved among `events`."""
    reserved = [MAGNIFIER for event in events if isinstance(event, happened.MagnifierReserved)]
    granted = [event.power for event in events if isinstance(event, happened.PowerGranted)]
    return reserved, granted


# Which field gives what.


@pytest.mark.parametrize(("players", "law"), FIELDS)
def test_every_field_gives_the_power_of_the_rulebook(players, law):
    table = Table(players).lay(fascist=law - 1)
    president = table.state.president
    table.play_round(FASCIST)
    power = COLUMNS[players][law - 1]
    enacted = happened.LawEnacted(FASCIST, law, by_chaos=False)
    following = president % players + 1
    if power is NONE:
        assert table.events == (enacted, happened.PresidencyPassed(following, special=False))
    elif power is MAGNIFIER:
        assert table.events == (
            enacted,
            happened.MagnifierReserved(),
            happened.PresidencyPassed(following, special=False),
            happened.PowerGranted(MAGNIFIER, following),
        )
    else:
        assert table.events[:2] == (enacted, happened.PowerGranted(power, president))


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_liberal_laws_give_no_power(players):
    table = Table(players)
    for _ in range(4):
        assert powers_that_came(table.play_round(LIBERAL).events) == ([], [])
        table.settle()


@pytest.mark.parametrize(("players", "law"), FIELDS)
def test_a_law_by_chaos_gives_no_power(players, law):
    table = Table(players).lay(fascist=law - 1).chaos(FASCIST)
    assert table.events[0] == happened.LawEnacted(FASCIST, law, by_chaos=True)
    assert powers_that_came(table.events) == ([], [])
    assert table.settle().state.magnifier_reserved is False


def test_a_power_comes_again_after_an_earlier_chaos():
    table = Table(7).lay(fascist=2).chaos(FASCIST).play_round(FASCIST)
    assert table.events == (
        happened.LawEnacted(FASCIST, 4, by_chaos=False),
        happened.PowerGranted(CROSSHAIR, table.state.president),
    )


def test_a_liberal_law_after_a_fascist_one_does_not_bring_its_power_again():
    table = Table(7).lay(fascist=3).play_round(LIBERAL)
    assert powers_that_came(table.events) == ([], [])


@pytest.mark.parametrize("players", [7, 9])
def test_the_column_stays_that_of_the_start_after_a_death(players):
    columns = {**dict.fromkeys(PLAYER_COUNTS, (NONE, NONE)), players: (CROSSHAIR, PEEK)}
    table = Table(players, edition=house_rules(powers=columns)).lay(fascist=1)
    assert len(table.state.alive) == players - 1
    assert table.play_round(FASCIST).phase == PowerPending(PEEK)


def test_a_shorter_column_gives_nothing_beyond_its_end():
    table = Table(7, edition=same_powers(CROSSHAIR)).lay(fascist=1).play_round(FASCIST)
    assert powers_that_came(table.events) == ([], [])


# Every power has to be used, at once and by nobody else.


@pytest.mark.parametrize("power", HOLDS_A_POWER)
def test_a_power_must_be_used_before_anything_else(power):
    table = HOLDS_A_POWER[power]()
    assert table.phase == PowerPending(power)
    for command in (
        do.NominateChancellor(min(table.candidates)),
        do.ReportResult(True),
        do.EnactLaw(FASCIST),
        do.AnswerDictatorQuestion(False),
        do.ShufflePiles(),
    ):
        assert table.refusal(command).key in {"out-of-turn", "no-shuffle-due"}


@pytest.mark.parametrize("power", HOLDS_A_POWER)
def test_one_power_is_not_another(power):
    table = HOLDS_A_POWER[power]()
    wanted = {do.FinishLooking: "look", do.NameNextPresident: "name-president", do.Shoot: "shoot"}
    for command in (do.FinishLooking(), do.NameNextPresident(7), do.Shoot(7)):
        if command != USES_IT[power]:
            refused = table.refusal(command)
            assert refused.key == "out-of-turn"
            assert refused.facts == {"wanted": wanted[type(command)], "phase": "PowerPending"}


@pytest.mark.parametrize("power", HOLDS_A_POWER)
def test_a_power_is_used_once(power):
    table = HOLDS_A_POWER[power]().do(USES_IT[power])
    assert table.refusal(USES_IT[power]).key == "out-of-turn"


@pytest.mark.parametrize("command", [do.FinishLooking(), do.NameNextPresident(2), do.Shoot(2)])
def test_nobody_uses_a_power_that_is_not_there(command):
    table = Table(7)
    assert table.refusal(command).key == "out-of-turn"
    assert table.nominate(2).refusal(command).key == "out-of-turn"
    assert table.passed().refusal(command).key == "out-of-turn"


# One magnifier: the following president looks.


def test_the_following_president_looks_before_the_nomination():
    table = Table(7).lay(fascist=1).play_round(FASCIST)
    assert (table.state.president, table.phase) == (3, PowerPending(MAGNIFIER))
    table.look()
    assert table.events == (happened.PowerUsed(MAGNIFIER, 3, None),)
    assert (table.state.president, table.phase, table.state.magnifier_reserved) == (3, Nomination(), False)


def test_the_magnifier_comes_once():
    table = Table(7).lay(fascist=2)
    assert table.fail_election().phase == Nomination()
    assert table.play_round(LIBERAL).phase == Nomination()


def test_looking_moves_no_law():
    table = Table(7).lay(fascist=1).play_round(FASCIST)
    before = (table.state.draw_pile, table.state.discard_pile)
    table.look()
    assert (table.state.draw_pile, table.state.discard_pile) == before


def test_the_magnifier_passes_over_a_dead_neighbour():
    table = Table(7, edition=same_powers(CROSSHAIR, MAGNIFIER)).play_round(FASCIST)
    table.shoot(3).answer(False).play_round(FASCIST)
    assert table.events[1:] == (
        happened.MagnifierReserved(),
        happened.PresidencyPassed(4, special=False),
        happened.PowerGranted(MAGNIFIER, 4),
    )


def test_the_magnifier_of_a_special_president_is_for_the_callers_neighbour():
    table = Table(7, edition=same_powers(SPECIAL, MAGNIFIER)).play_round(FASCIST)
    table.name_next(5).play_round(FASCIST)
    assert table.events[2:] == (
        happened.PresidencyPassed(2, special=False),
        happened.PowerGranted(MAGNIFIER, 2),
    )


def test_the_last_discarded_law_is_seen_before_the_piles_are_shuffled():
    table = Table(7).lay(liberal=3, fascist=1).play_round(FASCIST)
    assert (table.state.draw_pile, table.phase) == (2, PowerPending(MAGNIFIER))
    table.look()
    assert table.events == (happened.PowerUsed(MAGNIFIER, 6, None), happened.ShuffleDue(2))
    assert table.phase == ShufflePending(Nomination())


# Three magnifiers: the sitting president looks.


def test_the_sitting_president_looks_at_the_next_three_laws():
    table = Table(7).lay(fascist=2).play_round(FASCIST)
    assert (table.state.president, table.phase) == (3, PowerPending(PEEK))
    before = (table.state.draw_pile, table.state.discard_pile)
    table.look()
    assert table.events == (happened.PowerUsed(PEEK, 3, None), happened.PresidencyPassed(4, special=False))
    assert (table.state.draw_pile, table.state.discard_pile) == before


def test_the_piles_are_shuffled_before_three_laws_are_looked_at_that_are_not_there():
    table = Table(7).lay(liberal=2, fascist=2).play_round(FASCIST)
    assert table.events[1:] == (happened.ShuffleDue(2),)
    assert table.refusal(do.FinishLooking()).key == "out-of-turn"
    table.shuffle()
    assert table.events[1:] == (happened.PowerGranted(PEEK, 5),)
    assert (table.phase, table.state.draw_pile) == (PowerPending(PEEK), 12)
    assert table.look().phase == Nomination()


# The president's lectern: naming the next president.


def test_the_president_names_the_next_one():
    table = Table(9).lay(fascist=2).play_round(FASCIST)
    assert table.state.president == 3
    table.name_next(8)
    assert table.events == (happened.PowerUsed(SPECIAL, 3, 8), happened.PresidencyPassed(8, special=True))
    assert (table.state.president, table.phase) == (8, Nomination())


def test_after_the_special_president_the_callers_neighbour_follows():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(8).play_round(LIBERAL)
    assert table.state.president == 4
    assert table.play_round(LIBERAL).state.president == 5


def test_a_failed_special_election_goes_on_from_the_caller():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(8).fail_election()
    assert table.events[-1] == happened.PresidencyPassed(4, special=False)


def test_the_callers_neighbour_may_be_president_twice_running():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(4)
    assert table.state.president == 4
    assert table.play_round(LIBERAL).state.president == 4


def test_somebody_who_is_barred_as_chancellor_may_be_named_president():
    table = Table(9).lay(fascist=2).play_round(FASCIST, chancellor=6)
    assert table.name_next(6).state.president == 6


def test_the_president_of_the_round_before_may_be_named():
    table = Table(9).lay(fascist=2).play_round(FASCIST)
    assert table.state.previous.president == 2
    assert table.name_next(2).state.president == 2


def test_nobody_names_themselves():
    table = Table(9).lay(fascist=2).play_round(FASCIST)
    refused = table.refusal(do.NameNextPresident(3))
    assert (refused.key, refused.facts) == ("not-oneself", {"player": 3, "players": (1, 2, 4, 5, 6, 7, 8, 9)})


@pytest.mark.parametrize("seat", [0, 10])
def test_a_seat_that_is_not_there_cannot_be_named(seat):
    table = Table(9).lay(fascist=2).play_round(FASCIST)
    refused = table.refusal(do.NameNextPresident(seat))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": seat, "most": 9})


def test_the_dead_cannot_be_named():
    table = Table(9, edition=same_powers(CROSSHAIR, SPECIAL)).play_round(FASCIST)
    table.shoot(6).answer(False).play_round(FASCIST)
    refused = table.refusal(do.NameNextPresident(6))
    assert (refused.key, refused.facts) == ("player-is-dead", {"player": 6, "players": (1, 3, 4, 5, 7, 8, 9)})


def test_a_special_president_who_shoots_the_callers_neighbour_is_followed_by_the_next_living():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(8).play_round(FASCIST)
    table.shoot(4).answer(False)
    assert table.events[-1] == happened.PresidencyPassed(5, special=False)


def test_a_special_president_who_shoots_the_caller_is_followed_by_the_callers_neighbour():
    table = Table(9).lay(fascist=2).play_round(FASCIST).name_next(8).play_round(FASCIST)
    table.shoot(3).answer(False)
    assert table.events[-1] == happened.PresidencyPassed(4, special=False)


def test_a_special_president_who_names_another_does_not_lose_the_first_callers_place():
    table = Table(9, edition=same_powers(SPECIAL, SPECIAL)).play_round(FASCIST).name_next(5)
    table.play_round(FASCIST).name_next(7)
    assert table.events[-1] == happened.PresidencyPassed(7, special=True)
    assert table.fail_election().state.president == 2


# The crosshair.


def test_a_shot_player_is_out_and_asked_for_the_dictator():
    table = Table(7).lay(fascist=3).play_round(FASCIST)
    assert table.state.president == 4
    table.shoot(6)
    assert table.events == (happened.PowerUsed(CROSSHAIR, 4, 6), happened.DictatorAsked(6, Cause.DICTATOR_SHOT))
    assert table.state.alive == {1, 2, 3, 4, 5, 7}
    assert table.phase == DictatorQuestion(6, Cause.DICTATOR_SHOT)


def test_a_shot_dictator_wins_for_the_liberals():
    table = Table(7).lay(fascist=3).play_round(FASCIST).shoot(6).answer(True)
    assert table.events == (
        happened.DictatorConfirmed(6),
        happened.GameWon(Party.LIBERAL, Cause.DICTATOR_SHOT),
    )
    assert table.phase == GameOver(Party.LIBERAL, Cause.DICTATOR_SHOT)


def test_a_shot_player_who_is_not_the_dictator_keeps_the_role_secret():
    table = Table(7).lay(fascist=3).play_round(FASCIST).shoot(6).answer(False)
    assert table.events == (happened.DictatorDenied(6), happened.PresidencyPassed(5, special=False))
    assert table.phase == Nomination()


def test_a_shot_player_is_asked_whatever_role_the_player_has():
    roles = roles_for(7)
    for shift in range(7):
        table = Table(7).deal(*roles[shift:], *roles[:shift]).lay(fascist=3).play_round(FASCIST).shoot(6)
        assert table.events == (happened.PowerUsed(CROSSHAIR, 4, 6), happened.DictatorAsked(6, Cause.DICTATOR_SHOT))


def test_the_game_waits_until_the_shot_player_has_answered():
    table = Table(7).lay(fascist=3).play_round(FASCIST).shoot(6)
    for command in (do.NominateChancellor(2), do.Shoot(2), do.EnactLaw(LIBERAL)):
        assert table.refusal(command).key == "out-of-turn"


def test_nobody_shoots_themselves():
    table = Table(7).lay(fascist=3).play_round(FASCIST)
    refused = table.refusal(do.Shoot(4))
    assert (refused.key, refused.facts) == ("not-oneself", {"player": 4, "players": (1, 2, 3, 5, 6, 7)})


def test_nobody_is_shot_twice():
    table = Table(7).lay(fascist=4).play_round(FASCIST)
    assert 7 not in table.state.alive
    refused = table.refusal(do.Shoot(7))
    assert (refused.key, refused.facts) == ("player-is-dead", {"player": 7, "players": (1, 2, 3, 4, 6)})


@pytest.mark.parametrize("seat", [-1, 0, 8])
def test_a_seat_that_is_not_there_cannot_be_shot(seat):
    table = Table(7).lay(fascist=3).play_round(FASCIST)
    refused = table.refusal(do.Shoot(seat))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": seat, "most": 7})


def test_the_chancellor_of_the_same_round_may_be_shot():
    table = Table(7).lay(fascist=3).play_round(FASCIST, chancellor=6)
    table.shoot(6).answer(False)
    assert 6 not in table.candidates
    assert isinstance(table.nominate(min(table.candidates)).phase, Election)


def test_two_crosshairs_shoot_two_players():
    table = Table(7).lay(fascist=5)
    assert len(table.state.alive) == 5

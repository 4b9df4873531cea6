"""Presidents, nominations and votes."""

from __future__ import annotations

import pytest
from table import FASCIST, LIBERAL, NAMES, PLAYER_COUNTS, SECRET_DICTATOR, Table, roles_for

from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules import events as happened
from gm_assistant.rules.decide import start
from gm_assistant.rules.model import (
    Cause,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Party,
)

# Setting up.


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_a_game_begins_with_all_laws_in_the_draw_pile_and_a_nomination(players):
    table = Table(players)
    assert table.events == (happened.GameStarted("secret_dictator", 1, NAMES[:players], 1, table.state.rules),)
    state = table.state
    assert (state.draw_pile, state.discard_pile, state.laws(LIBERAL), state.laws(FASCIST)) == (17, 0, 0, 0)
    assert state.alive == set(range(1, players + 1))
    assert (state.tracker, state.chancellor, state.previous, state.roles) == (0, None, None, None)
    assert state.phase == Nomination()


def test_the_leader_may_begin_with_any_president():
    assert [Table(7, first=seat).state.president for seat in range(1, 8)] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("players", [0, 1, 4, 11])
def test_too_few_or_too_many_players_cannot_start(players):
    with pytest.raises(RuleViolation) as refused:
        start(SECRET_DICTATOR, tuple(f"Player {number}" for number in range(players)), 1)
    assert refused.value.key == "wrong-number-of-players"
    assert refused.value.facts == {"number": players, "least": 5, "most": 10}


@pytest.mark.parametrize("nobody", ["", "  "])
def test_a_player_without_a_name_cannot_start(nobody):
    with pytest.raises(RuleViolation) as refused:
        start(SECRET_DICTATOR, ("Anna", "Ben", nobody, "David", "Emma"), 1)
    assert (refused.value.key, refused.value.facts) == ("empty-name", {"number": 3})


def test_two_names_that_sound_the_same_cannot_start():
    with pytest.raises(RuleViolation) as refused:
        start(SECRET_DICTATOR, ("Anna", "Ben", "Clara", "ANNA", "Emma"), 1)
    assert (refused.value.key, refused.value.facts) == ("doubled-name", {"name": "Anna"})


@pytest.mark.parametrize("seat", [-1, 0, 6])
def test_the_first_president_sits_at_the_table(seat):
    with pytest.raises(RuleViolation) as refused:
        start(SECRET_DICTATOR, NAMES[:5], seat)
    assert (refused.value.key, refused.value.facts) == ("no-such-seat", {"number": seat, "most": 5})


# Roles.


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_roles_of_the_table_can_be_dealt_in_any_order(players):
    roles = tuple(reversed(roles_for(players)))
    table = Table(players).deal(*roles)
    assert table.events == (happened.RolesDealt(roles),)
    assert table.state.roles == roles
    assert table.phase == Nomination()


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_other_roles_than_those_of_the_table_are_refused(players):
    right = roles_for(players)
    table = Table(players)
    assert table.refusal(do.DealRoles((right[-1], *right[1:]))).key == "wrong-roles"
    assert table.refusal(do.DealRoles(right[1:])).key == "wrong-roles"
    assert table.refusal(do.DealRoles((*right, right[0]))).key == "wrong-roles"


def test_a_refused_deal_names_no_role():
    refused = Table(5).refusal(do.DealRoles(roles_for(6)))
    assert refused.facts == {}


# Nominations.


def test_a_nomination_opens_the_election():
    table = Table(7, first=4).nominate(2)
    assert table.events == (happened.ChancellorNominated(4, 2),)
    assert table.phase == Election(2)


def test_a_second_nomination_during_the_vote_is_out_of_turn():
    refused = Table().nominate(2).refusal(do.NominateChancellor(3))
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "nominate", "phase": "Election"})


@pytest.mark.parametrize("seat", [-1, 0, 8])
def test_nobody_can_be_nominated_on_a_seat_that_is_not_there(seat):
    refused = Table(7).refusal(do.NominateChancellor(seat))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": seat, "most": 7})


@pytest.mark.parametrize(
    "command", [do.ReportCount(4, 3), do.ReportResult(True), do.ReportResult(False), do.CastVote(1, True)]
)
def test_there_is_no_vote_before_a_nomination(command):
    refused = Table(7).refusal(command)
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "vote", "phase": "Nomination"})


# Votes by number.


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_one_vote_more_than_half_elects(players):
    yes = players // 2 + 1
    table = Table(players).nominate(2).count(yes, players - yes)
    assert table.events[0] == happened.GovernmentElected(1, 2, yes, players - yes)
    assert table.phase == LegislativeSession(3)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_half_of_the_votes_or_less_does_not_elect(players):
    yes = players // 2
    table = Table(players).nominate(2).count(yes, players - yes)
    assert table.events == (
        happened.ElectionFailed(1, yes, players - yes),
        happened.PresidencyPassed(2, special=False),
    )


@pytest.mark.parametrize(("players", "dead", "living"), [(5, 1, 4), (6, 0, 6), (7, 1, 6), (8, 0, 8), (10, 0, 10)])
def test_a_tied_vote_fails(players, dead, living):
    table = Table(players)
    if dead:
        table.lay(fascist=5 if players == 5 else 4)
    assert len(table.state.alive) == living
    table.nominate(min(table.candidates)).count(living // 2, living // 2)
    assert table.events[0] == happened.ElectionFailed(1, living // 2, living // 2)


def test_all_or_nobody_may_agree():
    assert Table(5).nominate(2).count(5, 0).state.chancellor == 2
    assert Table(5).nominate(2).count(0, 5).state.tracker == 1


@pytest.mark.parametrize(("yes", "no"), [(7, 4), (5, 4), (0, 0), (10, 1), (9, 0)])
def test_votes_that_do_not_add_up_to_the_living_are_refused_with_the_right_number(yes, no):
    refused = Table(10).nominate(2).refusal(do.ReportCount(yes, no))
    assert (refused.key, refused.facts) == ("wrong-number-of-votes", {"total": yes + no, "number": 10})


def test_after_a_death_one_vote_less_is_expected():
    table = Table(7).lay(fascist=4)
    table.nominate(min(table.candidates))
    assert table.refusal(do.ReportCount(4, 3)).facts == {"total": 7, "number": 6}
    assert table.count(4, 2).phase != Nomination()


@pytest.mark.parametrize(("yes", "no"), [(-1, 8), (8, -1)])
def test_there_are_no_negative_votes(yes, no):
    assert Table(7).nominate(2).refusal(do.ReportCount(yes, no)).key


def test_the_outcome_can_be_told_without_numbers():
    assert Table(7).nominate(2).passed().events[0] == happened.GovernmentElected(1, 2, None, None)
    assert Table(7).nominate(2).failed().events[0] == happened.ElectionFailed(1, None, None)


# Votes one by one.


def test_a_roll_call_ends_with_the_last_vote_of_the_living():
    table = Table(5).nominate(2)
    for seat, approves in ((1, True), (2, True), (3, False), (4, False)):
        assert table.vote(seat, approves).events == (happened.VoteCast(seat, approves),)
    table.vote(5, True)
    assert table.events == (
        happened.VoteCast(5, True),
        happened.GovernmentElected(1, 2, 3, 2),
        happened.SessionOpened(1, 2, 3),
    )


def test_a_roll_call_without_a_majority_fails():
    table = Table(6).nominate(2)
    for seat in range(1, 7):
        table.vote(seat, seat <= 3)
    assert table.events[1] == happened.ElectionFailed(1, 3, 3)


def test_a_player_who_votes_again_replaces_the_first_vote():
    table = Table(5).nominate(2).vote(1, True).vote(1, False)
    assert table.phase == Election(2, ((1, False),))
    for seat in (2, 3):
        table.vote(seat, True)
    table.vote(4, False).vote(5, False)
    assert table.events[1] == happened.ElectionFailed(1, 2, 3)


def test_a_roll_call_does_not_wait_for_the_dead():
    table = Table(7).lay(fascist=4)
    assert table.state.alive == {1, 2, 3, 4, 5, 6}
    table.nominate(min(table.candidates))
    for seat in range(1, 6):
        assert isinstance(table.vote(seat, False).phase, Election)
    assert table.vote(6, False).state.tracker == 1


def test_the_dead_do_not_vote():
    table = Table(7).lay(fascist=4)
    refused = table.nominate(min(table.candidates)).refusal(do.CastVote(7, True))
    assert (refused.key, refused.facts) == ("dead-do-not-vote", {"player": 7})


@pytest.mark.parametrize("seat", [0, 8])
def test_nobody_votes_from_a_seat_that_is_not_there(seat):
    refused = Table(7).nominate(2).refusal(do.CastVote(seat, True))
    assert (refused.key, refused.facts) == ("no-such-seat", {"number": seat, "most": 7})


def test_votes_of_a_failed_election_do_not_count_in_the_next():
    table = Table(5).nominate(2).vote(1, False).vote(2, False).failed().nominate(3)
    assert table.phase == Election(3, ())


@pytest.mark.parametrize(
    ("players", "ayes", "noes", "command"),
    [
        (7, 0, 4, do.ReportResult(True)),
        (6, 0, 3, do.ReportResult(True)),
        (7, 4, 0, do.ReportResult(False)),
        (7, 3, 0, do.ReportCount(2, 5)),
        (7, 0, 2, do.ReportCount(6, 1)),
    ],
)
def test_an_outcome_that_the_votes_taken_rule_out_is_refused(players, ayes, noes, command):
    table = Table(players).nominate(2)
    for seat in range(1, ayes + noes + 1):
        table.vote(seat, seat <= ayes)
    refused = table.refusal(command)
    assert (refused.key, refused.facts) == ("result-contradicts-votes", {"yes": ayes, "no": noes})


@pytest.mark.parametrize(
    ("players", "ayes", "noes", "command"),
    [
        (7, 0, 3, do.ReportResult(True)),
        (6, 0, 2, do.ReportResult(True)),
        (6, 3, 0, do.ReportResult(False)),
        (7, 3, 0, do.ReportResult(False)),
        (7, 3, 0, do.ReportCount(3, 4)),
        (7, 0, 2, do.ReportCount(5, 2)),
    ],
)
def test_an_outcome_that_the_votes_taken_allow_is_accepted(players, ayes, noes, command):
    table = Table(players).nominate(2)
    for seat in range(1, ayes + noes + 1):
        table.vote(seat, seat <= ayes)
    assert not isinstance(table.do(command).phase, Election)


# The presidency and the tracker.


def test_the_presidency_goes_on_clockwise_around_the_table():
    table = Table(5, first=4)
    laws = (LIBERAL, FASCIST, LIBERAL, LIBERAL)
    assert [table.play_round(party).settle().state.president for party in laws] == [5, 1, 2, 3]


def test_a_failed_election_moves_the_presidency_and_the_tracker():
    table = Table(7, first=7).fail_election(3)
    assert table.events == (happened.ElectionFailed(1, None, None), happened.PresidencyPassed(1, special=False))
    assert table.fail_election().state.tracker == 2


def test_an_elected_government_puts_the_tracker_back():
    table = Table(7).fail_election().fail_election()
    assert table.state.tracker == 2
    assert table.elect().state.tracker == 0
    assert table.enact(LIBERAL).fail_election().state.tracker == 1


def test_the_presidency_passes_over_the_dead():
    table = Table(7).lay(fascist=3).play_round(FASCIST)
    table.shoot(5).answer(False)
    assert table.events == (happened.DictatorDenied(5), happened.PresidencyPassed(6, special=False))


# The dictator as chancellor.


@pytest.mark.parametrize("fascist_laws", [0, 1, 2])
def test_below_three_fascist_laws_nobody_is_asked(fascist_laws):
    table = Table(7).lay(fascist=fascist_laws)
    table.nominate(min(table.candidates)).passed()
    assert isinstance(table.phase, LegislativeSession)


@pytest.mark.parametrize("fascist_laws", [3, 4, 5])
def test_from_three_fascist_laws_on_an_elected_chancellor_is_asked(fascist_laws):
    table = Table(7).lay(fascist=fascist_laws)
    president, candidate = table.state.president, min(table.candidates - table.state.cleared)
    table.nominate(candidate).passed()
    assert table.events == (
        happened.GovernmentElected(president, candidate, None, None),
        happened.DictatorAsked(candidate, Cause.DICTATOR_ELECTED),
    )


def test_four_liberal_laws_are_no_reason_to_ask():
    table = Table(7).lay(liberal=4, fascist=2)
    table.nominate(min(table.candidates)).passed()
    assert isinstance(table.phase, LegislativeSession)


def test_a_roll_call_asks_too():
    table = Table(7).lay(fascist=3)
    candidate = min(table.candidates)
    table.nominate(candidate)
    for seat in range(1, 8):
        table.vote(seat, True)
    assert table.phase == DictatorQuestion(candidate, Cause.DICTATOR_ELECTED)


def test_a_third_fascist_law_by_chaos_is_a_reason_to_ask():
    table = Table(7).lay(fascist=2).chaos(FASCIST)
    candidate = min(table.candidates)
    assert table.nominate(candidate).passed().phase == DictatorQuestion(candidate, Cause.DICTATOR_ELECTED)


def test_an_elected_dictator_wins_for_the_fascists():
    table = Table(7).lay(fascist=3)
    candidate = min(table.candidates)
    table.nominate(candidate).passed().answer(True)
    assert table.events == (
        happened.DictatorConfirmed(candidate),
        happened.GameWon(Party.FASCIST, Cause.DICTATOR_ELECTED),
    )
    assert table.phase == GameOver(Party.FASCIST, Cause.DICTATOR_ELECTED)


def test_an_elected_chancellor_who_is_not_the_dictator_governs():
    table = Table(7).lay(fascist=3)
    president, candidate = table.state.president, min(table.candidates)
    table.nominate(candidate).passed().answer(False)
    assert table.events == (happened.DictatorDenied(candidate), happened.SessionOpened(president, candidate, 3))


def test_a_chancellor_who_was_asked_before_is_not_asked_again():
    table = Table(7).lay(fascist=3).elect(7).enact(LIBERAL).lay(liberal=1)
    assert table.state.cleared >= {7}
    president = table.state.president
    table.nominate(7).passed()
    assert table.events == (
        happened.GovernmentElected(president, 7, None, None),
        happened.SessionOpened(president, 7, 3),
    )


def test_a_chancellor_from_before_the_danger_is_asked():
    table = Table(7).lay(fascist=2).elect(7).enact(FASCIST).settle().lay(liberal=1)
    assert 7 not in table.state.cleared
    assert table.nominate(7).passed().phase == DictatorQuestion(7, Cause.DICTATOR_ELECTED)


def test_a_rejected_candidate_is_not_asked():
    table = Table(7).lay(fascist=3)
    assert table.fail_election().phase == Nomination()


def test_the_question_is_asked_whatever_role_the_chancellor_has():
    phases = set()
    for shift in range(7):
        roles = roles_for(7)
        table = Table(7).deal(*roles[shift:], *roles[:shift]).lay(fascist=3)
        phases.add(table.nominate(min(table.candidates)).passed().phase)
    assert len(phases) == 1
    assert isinstance(phases.pop(), DictatorQuestion)


@pytest.mark.parametrize("command", [do.EnactLaw(LIBERAL), do.NominateChancellor(5), do.ReportResult(True)])
def test_the_question_must_be_answered_first(command):
    table = Table(7).lay(fascist=3)
    table.nominate(min(table.candidates)).passed()
    assert table.refusal(command).key == "out-of-turn"


@pytest.mark.parametrize("is_dictator", [True, False])
def test_nobody_answers_a_question_that_was_not_asked(is_dictator):
    refused = Table(7).refusal(do.AnswerDictatorQuestion(is_dictator))
    assert (refused.key, refused.facts) == ("out-of-turn", {"wanted": "answer", "phase": "Nomination"})


# The end.


def test_the_leader_can_break_off_a_game():
    table = Table(7).nominate(2).do(do.EndGame())
    assert table.events == (happened.GameAbandoned(),)
    assert table.phase == GameOver(None, Cause.ABANDONED)


@pytest.mark.parametrize(
    "command",
    [
        do.DealRoles(roles_for(7)),
        do.NominateChancellor(2),
        do.CastVote(1, True),
        do.ReportResult(True),
        do.ReportCount(4, 3),
        do.AnswerDictatorQuestion(False),
        do.EnactLaw(LIBERAL),
        do.TakeSecretBallot(),
        do.CastSecretVote(1, True),
        do.DrawMissingVotes(()),
        do.ProposeVeto(),
        do.AnswerVeto(True),
        do.FinishLooking(),
        do.Investigate(2),
        do.NameNextPresident(2),
        do.Shoot(2),
        do.ShufflePiles(),
        do.EndGame(),
    ],
)
def test_nothing_can_be_done_after_the_end(command):
    table = Table(7).lay(liberal=4).play_round(LIBERAL)
    refused = table.refusal(command)
    assert (refused.key, refused.facts) == ("game-is-over", {})

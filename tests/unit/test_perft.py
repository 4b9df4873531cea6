from __future__ import annotations

from math import comb

import msgspec
import perft
import pytest
from table import EDITIONS, PLAYER_COUNTS, every_count, every_edition

from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import PlayerLimits
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import Power
from gm_assistant.rules.position import parse_position, position

CONTENT = perft.content()
STARTS = CONTENT["starts"]
POSITIONS = {row["title"]: row for row in CONTENT["positions"]}
NEVER_BY_A_MOVE = {happened.GameStarted, happened.RolesDealt, happened.GameAbandoned}


def seen_from(title: str) -> tuple[list[int], set[str]]:
    """Return the sizes of the levels from one of the positions, and what happens on the way."""
    row, seen = POSITIONS[title], set[str]()
    return perft.sizes(parse_position(row["position"]), len(row["counts"]), seen), seen


def test_there_are_counts_for_every_edition_and_number_of_players():
    assert {name: tuple(counts) for name, counts in STARTS.items()} == dict.fromkeys(EDITIONS, tuple(PLAYER_COUNTS))
    assert len(POSITIONS) == len(CONTENT["positions"])
    assert all(len(counts) >= 3 for of_edition in STARTS.values() for counts in of_edition.values())


@every_edition
@every_count
def test_as_many_positions_can_be_reached_from_the_start_as_ever(edition, players):
    counts = STARTS[edition][players]
    assert perft.sizes(perft.opening(EDITIONS[edition], players), len(counts), set()) == counts


@pytest.mark.parametrize("title", POSITIONS)
def test_as_many_positions_can_be_reached_in_the_middle_of_a_game_as_ever(title):
    counts, seen = seen_from(title)
    assert counts == POSITIONS[title]["counts"]
    assert seen >= set(POSITIONS[title]["reaches"])


@pytest.mark.parametrize("title", POSITIONS)
def test_a_position_is_written_as_the_rules_write_it(title):
    line = POSITIONS[title]["position"]
    assert position(parse_position(line), secrets=True) == line


def test_together_they_reach_everything_that_can_happen():
    reached = {word for row in POSITIONS.values() for word in row["reaches"]}
    events = {kind.__name__ for kind in set(Event.__args__) - NEVER_BY_A_MOVE}
    powers = {power.value for power in Power} - {Power.NONE.value}
    reliefs = {"limits_lifted", "president_is_free"}
    common = {"ChancellorNominated", "SecretBallotOpened", "PowerGranted", "PowerUsed"}
    assert reached == (events - common) | powers | reliefs


@every_edition
@every_count
def test_the_first_three_levels_are_what_the_rulebook_makes_them(edition, players):
    """One: the president nominates anybody else.

    Two: every candidate is elected; or has one vote of a roll call, yes or no from anybody; or votes are taken in
    secret. All defeats are one position: the next president nominates.
    Three: the elected enact one law or the other; after the defeat there is another candidate. A roll call of one vote
    ends in the same elections and the same defeat, or has its vote changed, or has two votes; a secret ballot has one
    vote, or ends in the same elections and the same defeat.
    """
    candidates, secret = players - 1, EDITIONS[edition].secret_ballot
    barred_after_a_defeat = 1 if edition == "secret_dictator" else 0  # who was president in the round before
    one_vote = 2 * players
    two_votes = 4 * comb(players, 2)
    assert STARTS[edition][players][:3] == [
        candidates,
        candidates * (1 + one_vote + secret) + 1,
        candidates * 2
        + (candidates - barred_after_a_defeat)
        + candidates
        + 1
        + candidates * (one_vote + two_votes + secret * one_vote),
    ]


def test_the_named_president_nominates_whom_the_limits_leave():
    # Seven alive; 3 has named, 3 and 1 have governed. 1 chooses among five, each of the other five among four.
    assert POSITIONS["the neighbour may be named and is president twice"]["counts"][:2] == [6, 5 + 5 * 4]
    # Nine alive; 3 has named, 3 and 1 have governed. 1 chooses among seven, each of the other seven among six.
    assert POSITIONS["the third fascist law names the next president"]["counts"][:2] == [8, 7 + 7 * 6]


def test_a_veto_before_the_last_fields_leaves_few_ways():
    # Agreed, or refused. Then the piles are shuffled for chaos, or either law wins. Chaos lays either law, and wins.
    assert POSITIONS["a veto uses up the pile that chaos needs"]["counts"] == [2, 1 + 2, 2, 0]


def test_the_standard_game_under_other_names_has_the_same_counts():
    assert STARTS["service_rat"] == STARTS["secret_hitler"]


def test_a_line_of_the_file_is_made_anew_as_it_is():
    editions = {"secret_dictator": msgspec.structs.replace(EDITIONS["secret_dictator"], players=PlayerLimits(5, 5))}
    rows = [POSITIONS["a veto uses up the pile that chaos needs"]]
    made = "\n".join(perft.lines(editions, rows)).splitlines()
    kept = perft.FILE.read_text("utf-8").splitlines()
    assert [line for line in made if line not in kept] == []

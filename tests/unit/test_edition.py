"""The edition file says what the rulebook says, and a broken one is refused with the place."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
import yaml
from table import EDITION_FILE, EDITIONS, PLAYER_COUNTS, SECRET_DICTATOR

from gm_assistant.errors import EditionError
from gm_assistant.rules.edition import PerParty, RoleCounts, Start, StartLaws, edition_from
from gm_assistant.rules.model import Party, Power, Role

NONE, MAGNIFIER, PEEK, SPECIAL, CROSSHAIR = (
    Power.NONE,
    Power.MAGNIFIER,
    Power.PEEK,
    Power.SPECIAL_ELECTION,
    Power.EXECUTION,
)


CONTENT = yaml.safe_load(EDITION_FILE.read_text("utf-8"))


def content() -> dict[str, Any]:
    """Return what stands in the edition file, to be changed at will."""
    return copy.deepcopy(CONTENT)


# The numbers of the rulebook.


@pytest.mark.parametrize(
    ("players", "liberals", "fascists"), [(5, 3, 1), (6, 4, 1), (7, 4, 2), (8, 5, 2), (9, 6, 2), (10, 6, 3)]
)
def test_the_roles_are_those_of_the_rulebook(players, liberals, fascists):
    assert SECRET_DICTATOR.roles[players] == RoleCounts(liberals, fascists, 1)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_there_are_always_more_liberals_than_others(players):
    assert all(edition.roles[players].liberal * 2 > players for edition in EDITIONS.values())


@pytest.mark.parametrize(
    ("players", "inlays"),
    [
        (5, (NONE, NONE, MAGNIFIER, PEEK, CROSSHAIR)),
        (6, (NONE, NONE, MAGNIFIER, PEEK, CROSSHAIR)),
        (7, (NONE, MAGNIFIER, PEEK, CROSSHAIR, CROSSHAIR)),
        (8, (NONE, MAGNIFIER, PEEK, CROSSHAIR, CROSSHAIR)),
        (9, (MAGNIFIER, PEEK, SPECIAL, CROSSHAIR, CROSSHAIR)),
        (10, (MAGNIFIER, PEEK, SPECIAL, CROSSHAIR, CROSSHAIR)),
    ],
)
def test_the_inlays_are_those_of_the_rulebook(players, inlays):
    assert SECRET_DICTATOR.powers[players] == inlays
    rules = SECRET_DICTATOR.rules_for(players)
    assert tuple(rules.power_at(law) for law in range(1, 7)) == (*inlays, NONE)


def test_the_numbers_are_those_of_the_rulebook():
    edition = SECRET_DICTATOR
    assert (edition.players.least, edition.players.most) == (5, 10)
    assert edition.laws == PerParty(6, 11)
    assert edition.fields == PerParty(5, 6)
    assert (edition.drawn, edition.peeked, edition.veto_from) == (3, 3, 0)
    assert edition.reshuffle_below == 3
    assert edition.failed_elections_until_chaos == 3
    assert edition.danger_from == 3
    assert (edition.id, edition.version) == ("secret_dictator", 1)


def test_each_number_of_players_has_its_own_start():
    despotar = EDITIONS["secret_despotar"]
    assert despotar.rules_for(6).start == Start(enacted=StartLaws(fascist=1))
    assert despotar.rules_for(9).start == Start(discarded=StartLaws(fascist=2))
    assert despotar.rules_for(5).start == SECRET_DICTATOR.rules_for(6).start == Start()


def test_the_dictator_knows_the_fascists_with_some_numbers_of_players_only():
    standard = EDITIONS["secret_hitler"]
    assert [players for players in PLAYER_COUNTS if standard.rules_for(players).dictator_knows_fascists] == [5, 6]


def test_what_is_counted_for_parties_and_roles_can_be_asked_by_them_and_summed_up():
    laws, roles = PerParty(6, 11), RoleCounts(4, 2, 1)
    assert ([laws.of(party) for party in Party], laws.total) == ([6, 11], 17)
    assert ([roles.of(role) for role in Role], roles.total) == ([4, 2, 1], 7)


def test_there_is_a_row_for_every_number_of_players_and_no_other():
    assert set(SECRET_DICTATOR.roles) == set(SECRET_DICTATOR.powers) == {5, 6, 7, 8, 9, 10}


def test_every_language_names_every_thing():
    used = {power for column in SECRET_DICTATOR.powers.values() for power in column} - {NONE}
    things = {"edition", "president", "chancellor", *Role, *Party, *used}
    assert set(SECRET_DICTATOR.names) >= {"en", "de"}
    for language, names in SECRET_DICTATOR.names.items():
        assert set(names) == things, language
        assert all(forms["name"] for forms in names.values()), language


def test_counted_names_have_a_gap_for_the_number():
    for names in SECRET_DICTATOR.names.values():
        for forms in names.values():
            assert all("{n}" in words for form, words in forms.items() if form.endswith("_other"))


# Broken files.


def broken(changed: object) -> EditionError:
    with pytest.raises(EditionError) as found:
        edition_from(changed, "house.yaml")
    assert found.value.key == "edition-broken"
    assert found.value.facts["file"] == "house.yaml"
    return found.value


def told(error: EditionError) -> str:
    """Return all that the error says besides the file, whatever the wording."""
    return " ".join(str(fact) for name, fact in error.facts.items() if name != "file")


def changed(*path: object, value: object) -> dict[str, Any]:
    """Return the content of the edition file with another value at `path`."""
    data = content()
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    place[last] = value
    return data


def without(*path: object) -> dict[str, Any]:
    """Return the content of the edition file without the key at `path`."""
    data = content()
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    del place[last]
    return data


def test_an_unchanged_copy_is_accepted():
    assert edition_from(content(), "copy.yaml") == SECRET_DICTATOR


@pytest.mark.parametrize("data", [None, [], "secret_dictator", 5])
def test_a_file_without_keys_is_broken(data):
    error = broken(data)
    assert error.facts["path"] == ""
    assert "object" in told(error)


YOUNGER = {"shuffle_before", "danger_warning", "repeated_question", "repeated_veto"}
"""Keys that older files do not have."""


@pytest.mark.parametrize("key", sorted(CONTENT.keys() - YOUNGER))
def test_a_missing_key_is_named(key):
    error = broken(without(key))
    assert key in told(error)


@pytest.mark.parametrize("path", [*((key,) for key in sorted(YOUNGER)), ("term_limits", "first_lifted")])
def test_a_file_from_before_a_key_is_read_as_it_was(path):
    assert edition_from(without(*path), "older.yaml") == SECRET_DICTATOR


def test_a_printed_track_may_be_longer_than_the_peg_can_go():
    data = changed("failed_elections_until_chaos", value=4) | {"material": "printed"}
    assert edition_from(data, "longer.yaml").failed_elections_until_chaos == 4


@pytest.mark.parametrize("end", ["least", "most"])
def test_a_missing_limit_of_players_is_named(end):
    error = broken(without("players", end))
    assert error.facts["path"].startswith("players")
    assert end in told(error)


@pytest.mark.parametrize("table", ["laws", "fields"])
@pytest.mark.parametrize("party", ["liberal", "fascist"])
def test_a_party_without_laws_or_fields_is_broken(table, party):
    error = broken(without(table, party))
    assert error.facts["path"].startswith(table)


@pytest.mark.parametrize("table", ["roles", "powers"])
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_a_missing_row_is_named(table, players):
    error = broken(without(table, players))
    assert error.facts["path"].startswith(table)
    assert str(players) in told(error)


def test_an_unknown_key_is_named():
    error = broken(changed("colour", value="red"))
    assert "colour" in told(error)


def test_an_unknown_key_further_down_is_named():
    error = broken(changed("players", "best", value=7))
    assert error.facts["path"].startswith("players")
    assert "best" in told(error)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("id",), 5),
        (("version",), "one"),
        (("players",), 7),
        (("players", "least"), "five"),
        (("players", "most"), 10.5),
        (("roles",), [3, 1, 1]),
        (("laws",), 17),
        (("fields",), None),
        (("drawn",), "3"),
        (("reshuffle_below",), True),
        (("failed_elections_until_chaos",), [3]),
        (("danger_from",), None),
        (("powers",), "none"),
        (("names",), []),
    ],
)
def test_a_value_of_the_wrong_type_is_named(path, value):
    error = broken(changed(*path, value=value))
    assert error.facts["path"] == ".".join(path)
    assert error.facts["problem"]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("roles", 7), 7, "roles.7"),
        (("roles", 7, "liberal"), "four", "roles.7.liberal"),
        (("roles", 7, "spy"), 1, "roles.7"),
        (("roles", "seven"), {"liberal": 4}, "roles"),
        (("powers", 7), "magnifier", "powers.7"),
        (("powers", 7, 1), "telescope", "powers.7.2"),
        (("powers", 7, 1), 3, "powers.7.2"),
        (("laws", "liberal"), "six", "laws.liberal"),
        (("laws", "green"), 3, "laws"),
        (("fields", "green"), 3, "fields"),
        (("names", "en"), "English", "names.en"),
        (("names", "en", "president", "name"), 5, "names.en.president.name"),
    ],
)
def test_a_broken_entry_of_a_table_is_found(path, value, place):
    assert broken(changed(*path, value=value)).facts["path"] == place


@pytest.mark.parametrize(
    ("path", "value", "allowed"),
    [
        (("powers", 7, 1), "telescope", list(Power)),
        (("roles", 7, "spy"), 1, list(Role)),
        (("laws", "green"), 3, list(Party)),
        (("players", "best"), 7, ["least", "most"]),
        (("drawn",), 0, ["1", "99"]),
        (("roles", 7, "liberal"), 100, ["0", "99"]),
    ],
)
def test_a_broken_entry_comes_with_what_is_allowed(path, value, allowed):
    error = broken(changed(*path, value=value))
    assert all(value in error.facts["allowed"] for value in allowed)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("players", "least"), 0),
        (("players", "most"), 100),
        (("drawn",), 0),
        (("reshuffle_below",), 0),
        (("failed_elections_until_chaos",), 0),
        (("danger_from",), -1),
    ],
)
def test_a_number_out_of_range_is_named(path, value):
    assert broken(changed(*path, value=value)).facts["path"] == ".".join(path)


@pytest.mark.parametrize("value", [-1, 100])
def test_impossible_numbers_of_roles_and_laws_are_broken(value):
    assert broken(changed("roles", 5, "fascist", value=value)).facts["path"].startswith("roles")
    assert broken(changed("laws", "fascist", value=value)).facts["path"].startswith("laws")


def test_more_least_than_most_players_is_broken():
    error = broken(changed("players", value={"least": 8, "most": 7}))
    assert error.facts["path"] == "players"


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("liberals", [0, 9])
def test_roles_that_do_not_add_up_are_broken(players, liberals):
    error = broken(changed("roles", players, "liberal", value=liberals))
    total = liberals + SECRET_DICTATOR.roles[players].fascist + 1
    assert error.facts["path"] == f"roles.{players}"
    assert re.findall(r"\d+", error.facts["problem"])[-1] == str(total)
    assert str(players) in told(error)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_a_power_on_the_last_field_is_broken_for_that_field_wins(players):
    error = broken(changed("powers", players, value=["none"] * 6))
    assert error.facts["path"] == f"powers.{players}"
    assert "6" in error.facts["problem"]


@pytest.mark.parametrize("dictators", [0, 2])
def test_every_game_has_one_dictator(dictators):
    roles = {"liberal": 4 - dictators, "fascist": 1, "dictator": dictators}
    assert broken(changed("roles", 5, value=roles)).facts["path"].startswith("roles.5")


@pytest.mark.parametrize(("party", "laws"), [("liberal", 4), ("fascist", 5)])
def test_there_are_laws_for_every_field(party, laws):
    assert broken(changed("laws", party, value=laws)).facts["path"].startswith("laws")


@pytest.mark.parametrize("limit", [1, 2])
def test_a_shuffle_comes_before_there_are_too_few_laws_to_draw(limit):
    error = broken(changed("reshuffle_below", value=limit))
    assert (error.facts["path"], error.facts["allowed"]) == ("drawn", f"2 ... {limit}")


def test_a_shuffle_brings_enough_laws_for_the_next_session():
    # With four liberal and five fascist laws enacted eight are left: a limit of nine would ask for shuffles forever.
    assert broken(changed("reshuffle_below", value=9)).facts["path"] == "reshuffle_below"
    assert edition_from(changed("reshuffle_below", value=8), "house.yaml").reshuffle_below == 8


def test_fewer_powers_than_fields_are_allowed():
    edition = edition_from(changed("powers", 5, value=["execution"]), "house.yaml")
    assert [edition.rules_for(5).power_at(law) for law in (1, 2, 5)] == [CROSSHAIR, NONE, NONE]


def test_a_file_that_extends_another_may_seat_fewer_players_and_leave_the_rows_for_the_others():
    edition = edition_from(changed("players", value={"least": 6, "most": 8}), "fewer.yaml")
    assert (edition.players.least, edition.players.most) == (6, 8)
    assert set(edition.roles) == set(range(5, 11))


@pytest.mark.parametrize(
    ("path", "value", "place", "allowed"),
    [
        (("veto_from",), 6, "veto_from", "0 ... 5"),
        (("danger_from",), 7, "danger_from", "1 ... 6"),
        (("danger_from",), 0, "danger_from", "1 ... 6"),
        (("drawn",), 1, "drawn", "2 ... 3"),
        (("peeked",), 4, "peeked", "1 ... 3"),
        (("shuffle_before",), ["execution"], "shuffle_before", "peek, magnifier"),
        (("failed_elections_until_chaos",), 4, "failed_elections_until_chaos", "1 ... 3 (material: tactile)"),
        (("may_target_oneself",), ["peek"], "may_target_oneself", "investigate, special_election, execution"),
        (("powers", 5), ["execution"] * 4, "powers.5", "<= 3"),
        (("start",), {6: {"enacted": {"fascist": 6}}}, "start.6.enacted.fascist", "0 ... 5"),
        (("start",), {6: {"discarded": {"liberal": 7}}}, "start.6.discarded.liberal", "0 ... 6"),
        (("start",), {6: {"discarded": {"liberal": 6, "fascist": 9}}}, "start.6", ">= 3"),
    ],
)
def test_numbers_with_which_nobody_could_play_to_the_end_are_broken(path, value, place, allowed):
    error = broken(changed(*path, value=value))
    assert (error.facts["path"], error.facts["allowed"]) == (place, allowed)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tracker_resets_on",), "never"),
        (("term_limits", "basis"), "somehow"),
        (("term_limits", "barred"), ["dictator"]),
        (("role_of_the_dead",), "gone"),
        (("first_president",), "youngest"),
        (("material",), "wood"),
        (("vote_deadline",), -1),
        (("secret_ballot",), "yes"),
        (("shuffle_before",), "peek"),
        (("danger_warning",), "never"),
        (("repeated_question",), 1),
        (("repeated_veto",), 2),
        (("term_limits", "first_lifted"), "dictator"),
        (("id",), "My House"),
    ],
)
def test_a_choice_that_there_is_not_is_named(path, value):
    assert broken(changed(*path, value=value)).facts["path"].startswith(".".join(path))


def test_a_house_rule_is_one_changed_line():
    assert edition_from(changed("reshuffle_below", value=4), "house.yaml").reshuffle_below == 4

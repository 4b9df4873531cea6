"""Rule questions are answered from the values of the edition: another value, another answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from fakes import library
from table import EDITIONS

from gm_assistant.dialogue.rulebook import TOPICS, rule_lines
from gm_assistant.rules.edition import (
    Basis,
    DeadRole,
    Edition,
    FirstPresident,
    Material,
    PerParty,
    RoleCounts,
    Rules,
    Start,
    StartLaws,
    TermLimits,
    TrackerReset,
)
from gm_assistant.rules.model import Office, Power

PLAYERS = 7
BOTH = (Office.PRESIDENT, Office.CHANCELLOR)
PLAIN = TermLimits(Basis.LAST_ELECTED, BOTH, 5, chaos_frees=True)
POWERS = (Power.NONE, Power.INVESTIGATE, Power.SPECIAL_ELECTION, Power.EXECUTION, Power.EXECUTION)
BASE = library().editions["secret_hitler"]
assert (BASE.term_limits, BASE.powers[PLAYERS]) == (PLAIN, POWERS)


def limits(**changes: Any) -> TermLimits:
    return msgspec.structs.replace(PLAIN, **changes)


def by_count(value: object) -> dict[int, object]:
    return dict.fromkeys(range(5, 11), value)


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("tie", {"tie_elects": True}),
    ("vote", {"tie_elects": True}),
    ("veto", {"veto_from": 0}),
    ("veto", {"veto_from": 4}),
    ("tracker", {"tracker_resets_on": TrackerReset.ENACTMENT}),
    ("chaos", {"failed_elections_until_chaos": 4}),
    ("chaos", {"term_limits": limits(chaos_frees=False)}),
    ("veto", {"repeated_veto": True}),
    ("danger", {"danger_warning": False}),
    ("danger", {"repeated_question": True}),
    ("win_fascist", {"repeated_question": True}),
    ("danger", {"danger_from": 4}),
    ("danger", {"danger_from": 0}),
    ("win_fascist", {"danger_from": 4}),
    ("win_fascist", {"fields": PerParty(5, 7)}),
    ("win_liberal", {"fields": PerParty(6, 6)}),
    ("laws", {"laws": PerParty(7, 11)}),
    ("laws", {"laws": PerParty(6, 12)}),
    ("session", {"drawn": 2}),
    ("piles", {"reshuffle_below": 4}),
    ("limits", {"term_limits": limits(basis=Basis.PREVIOUS_ROUND)}),
    ("limits", {"term_limits": limits(barred=())}),
    ("limits", {"term_limits": limits(barred=(Office.PRESIDENT,))}),
    ("limits", {"term_limits": limits(barred=(Office.CHANCELLOR,))}),
    ("limits", {"term_limits": limits(president_free_at=0)}),
    ("limits", {"term_limits": limits(president_free_at=6)}),
    ("limits", {"term_limits": limits(chaos_frees=False)}),
    ("limits", {"term_limits": limits(first_lifted=Office.CHANCELLOR)}),
    ("oneself", {"may_target_oneself": (Power.EXECUTION,)}),
    ("investigation", {"repeated_investigation": True}),
    ("investigation", {"powers": by_count((Power.NONE,) * 5)}),
    ("special_election", {"powers": by_count((Power.NONE,) * 5)}),
    ("powers", {"powers": by_count((Power.PEEK, *POWERS[1:]))}),
    ("dead", {"role_of_the_dead": DeadRole.SHOWN}),
    ("knowledge", {"dictator_knows_fascists": (5, 6, 7)}),
    ("first", {"first_president": FirstPresident.OLDEST}),
    ("first", {"first_president": FirstPresident.DRAWN}),
    ("ballot", {"secret_ballot": True}),
    ("ballot", {"secret_ballot": True, "vote_deadline": 60}),
    ("roles", {"roles": by_count(RoleCounts(5, 1, 1))}),
    ("laws", {"start": by_count(Start(enacted=StartLaws(fascist=1)))}),
    ("laws", {"start": by_count(Start(discarded=StartLaws(fascist=1)))}),
    ("laws", {"start": by_count(Start(discarded=StartLaws(liberal=1)))}),
]
"""A topic, and a value of the edition on which its answer depends."""


def spoken(topic: str, edition: Edition, language: str) -> str:
    return library().phrasebook(language, "secret_hitler").say(TOPICS[topic](edition.rules_for(PLAYERS)))


@pytest.mark.parametrize("language", sorted(library().packs))
@pytest.mark.parametrize(
    ("topic", "change"), CHANGES, ids=lambda value: value if isinstance(value, str) else str(value)
)
def test_another_value_of_the_edition_is_another_answer(topic: str, change: dict[str, Any], language: str) -> None:
    changed = msgspec.structs.replace(BASE, **change)
    assert spoken(topic, changed, language) != spoken(topic, BASE, language)


@pytest.mark.parametrize(("earlier", "later"), [(60, 90), (1, 2), (0, 60)])
def test_another_deadline_is_another_answer(earlier: int, later: int) -> None:
    one, other = (
        spoken("ballot", msgspec.structs.replace(BASE, secret_ballot=True, vote_deadline=seconds), "en")
        for seconds in (earlier, later)
    )
    assert one != other


def test_the_number_of_laws_to_peek_at_is_read() -> None:
    lines = [
        "\n".join(rule_lines(msgspec.structs.replace(BASE, peeked=number), library().phrasebook("en", "secret_hitler")))
        for number in (2, 3)
    ]
    assert lines[0] != lines[1]


def test_every_value_of_the_edition_is_asked_for_somewhere() -> None:
    """Whoever adds a value to the edition says what players can hear of it."""
    elsewhere = {"edition", "version", "players", "material", "peeked", "vote_deadline", "shuffle_before"}
    asked = {name for _, change in CHANGES for name in change} | elsewhere
    assert asked >= set(Rules.__struct_fields__)
    tested = {name for _, change in CHANGES if "term_limits" in change for name in _differences(change["term_limits"])}
    assert tested == set(TermLimits.__struct_fields__)


def _differences(other: TermLimits) -> set[str]:
    return {name for name in TermLimits.__struct_fields__ if getattr(other, name) != getattr(PLAIN, name)}


@pytest.mark.parametrize("language", sorted(library().packs))
@pytest.mark.parametrize("name", list(EDITIONS))
@pytest.mark.parametrize("topic", list(TOPICS))
def test_every_topic_is_answered_in_every_edition(topic: str, name: str, language: str) -> None:
    edition = library().editions[name]
    for players in range(5, 11):
        said = library().phrasebook(language, name).say(TOPICS[topic](edition.rules_for(players)))
        assert said.endswith((".", ":"))
        assert "{" not in said


def test_a_printed_board_is_not_described_as_a_tactile_one() -> None:
    printed = " ".join(rule_lines(library().editions["secret_hitler"], library().phrasebook("en", "secret_hitler")))
    assert library().editions["secret_hitler"].material is Material.PRINTED
    assert not [word for word in ("tray", "notch", "peg", "inlay", "strip") if word in printed]

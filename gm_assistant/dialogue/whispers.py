"""What the headset tells whom: made from a HeadsetView, sentence by sentence, and nothing else is made from one."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.messages import HeadsetMessage, HeadsetMessages, Place
from gm_assistant.rules.edition import Rules
from gm_assistant.rules.model import Party, Role, Seat
from gm_assistant.rules.views import HeadsetView, TableView

PARTY_OF = {Role.LIBERAL: Party.LIBERAL, Role.FASCIST: Party.FASCIST, Role.DICTATOR: Party.FASCIST}
"""An investigation shows the party only: the dictator is a fascist (document 002)."""


def role_whispers(view: HeadsetView) -> tuple[HeadsetMessages, ...]:
    """Return what each seat is told in its consultation, in seat order: its role, and whom it may know."""
    return tuple(tuple(_of_seat(view, seat)) for seat in range(1, len(view.roles) + 1))


def role_frame(view: TableView) -> tuple[tuple[HeadsetMessages, ...], ...]:
    """Return for each role all that each sentence of its whisper could be, whatever was dealt.

    Of the many teams only some are listed: of neighbours by the length of their names, from short to long.
    """
    rules = view.rules
    places = sorted((Place(name, seat) for seat, name in enumerate(view.players, 1)), key=_length)
    team = _teams("whisper-team", places, rules.roles.fascist)
    fellows = _teams("whisper-fellows", places, rules.roles.fascist - 1) or (HeadsetMessage("whisper-alone"),)
    dictators = tuple(HeadsetMessage("whisper-dictator", {"places": (place,)}) for place in places)
    nobody = (HeadsetMessage("whisper-no-names"),)
    return (
        (_role(Role.LIBERAL), nobody),
        (_role(Role.DICTATOR), team if rules.dictator_knows_fascists and team else nobody),
        *(((_role(Role.FASCIST), fellows, dictators),) if rules.roles.fascist else ()),
    )


def _role(role: Role) -> HeadsetMessages:
    return (HeadsetMessage(f"whisper-role-{role}"),)


def _teams(key: str, places: list[Place], size: int) -> HeadsetMessages:
    if size < 1:
        return ()
    starts = range(len(places) - size + 1)
    return tuple(HeadsetMessage(key, {"places": tuple(places[start : start + size])}) for start in starts)


def _length(place: Place) -> tuple[int, int]:
    return len(place.name), place.seat


def _of_seat(view: HeadsetView, seat: Seat) -> Iterator[HeadsetMessage]:
    role = view.roles[seat - 1]
    yield HeadsetMessage(f"whisper-role-{role}")
    fellows = tuple(_places(view, Role.FASCIST, without=seat))
    match role:
        case Role.FASCIST:
            yield HeadsetMessage("whisper-fellows", {"places": fellows}) if fellows else HeadsetMessage("whisper-alone")
            yield HeadsetMessage("whisper-dictator", {"places": tuple(_places(view, Role.DICTATOR))})
        case Role.DICTATOR if view.table.rules.dictator_knows_fascists and fellows:
            yield HeadsetMessage("whisper-team", {"places": fellows})
        case Role.DICTATOR | Role.LIBERAL:
            yield HeadsetMessage("whisper-no-names")


def party_whispers(view: HeadsetView, seat: Seat) -> tuple[tuple[HeadsetMessages, ...], int]:
    """Return what an investigation of `seat` could show, and the index of what it shows."""
    place = Place(view.table.name(seat), seat)
    could = tuple((HeadsetMessage(f"whisper-party-{party}", {"place": place}),) for party in Party)
    return could, tuple(Party).index(PARTY_OF[view.roles[seat - 1]])


def token_whispers(view: HeadsetView, seat: Seat) -> tuple[tuple[HeadsetMessages, ...], int]:
    """Return which tokens `seat` could be handed, and the index of its own."""
    place = Place(view.table.name(seat), seat)
    could = tuple((HeadsetMessage(f"whisper-token-{role}", {"place": place}),) for role in Role)
    return could, tuple(Role).index(view.roles[seat - 1])


def echo_whispers(role: Role) -> tuple[tuple[HeadsetMessages, ...], int]:
    """Return what an entered role could have been, and the index of what it was."""
    return tuple((HeadsetMessage(f"whisper-entered-{one}"),) for one in Role), tuple(Role).index(role)


def vote_whispers(approves: bool) -> tuple[tuple[HeadsetMessages, ...], int]:
    """Return what the headset repeats of a secret vote: yes or no, and the index of what it was."""
    return ((HeadsetMessage("vote-noted-yes"),), (HeadsetMessage("vote-noted-no"),)), int(not approves)


def leader_notes(view: HeadsetView, contradicted: tuple[Seat, ...], *, all_roles: bool) -> HeadsetMessages:
    """Return the leader's private notes: who is what if the leader `all_roles` may know, and what contradicts it."""
    return tuple(_notes(view, contradicted, all_roles=all_roles))


def _notes(view: HeadsetView, contradicted: tuple[Seat, ...], *, all_roles: bool) -> Iterator[HeadsetMessage]:
    for seat in contradicted:
        yield HeadsetMessage("note-contradiction", {"place": Place(view.table.name(seat), seat)})
    for role in Role if all_roles else ():
        if places := tuple(_places(view, role)):
            yield HeadsetMessage(f"note-{role}", {"places": places})


def answer_notes(view: HeadsetView, seat: Seat, *, is_dictator: bool) -> tuple[tuple[HeadsetMessages, ...], int]:
    """Return what the headset says of an answer to the question for the dictator: that it fits the deal, or not."""
    could = ((HeadsetMessage("answer-fits"),), (HeadsetMessage("answer-contradicts"),))
    return could, int(contradicts(view, seat, is_dictator=is_dictator))


def contradicts(view: HeadsetView, seat: Seat, *, is_dictator: bool) -> bool:
    """Return whether an answer is not what was dealt."""
    return (view.roles[seat - 1] is Role.DICTATOR) is not is_dictator


def tokens_fit(rules: Rules, roles: tuple[Role, ...]) -> bool:
    """Return whether so many of each role are dealt as the edition says."""
    return all(roles.count(role) == rules.roles.of(role) for role in Role)


def _places(view: HeadsetView, role: Role, without: Seat = 0) -> Iterator[Place]:
    for seat, other in enumerate(view.roles, 1):
        if other is role and seat != without:
            yield Place(view.table.name(seat), seat)

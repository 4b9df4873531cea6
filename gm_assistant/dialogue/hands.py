"""What hands must do so that the board on the table becomes the board of the game: peg, strips, signs, trays."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.rules import events as happened
from gm_assistant.rules.edition import Material
from gm_assistant.rules.events import Event
from gm_assistant.rules.model import LegislativeSession, Party, Power, ShufflePending, VetoProposed
from gm_assistant.rules.views import TableView


def taken_back(lying: TableView, after: TableView) -> Messages:
    """Return what hands must do after an undo or redo: the board `lying` there becomes `after`."""
    moves = (hand_moves(lying, after), _laws_back(lying, after), _revived(lying, after), _sign_back(lying, after))
    return tuple(move for kind in moves for move in kind)


def given_back(events: tuple[Event, ...], lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield what a correction brings back before `events` count; any other step brings nothing back."""
    kinds = {type(event) for event in events}
    yield from _revived(lying, after)
    if happened.PresidencyPassed not in kinds:
        yield from _sign_back(lying, after)
    if not kinds & {happened.LawEnacted, happened.GameAbandoned, happened.VetoAgreed}:
        yield from _laws_on_top(lying, after)
        yield from _laws_to_hand(lying, after)


def hand_moves(lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield what to do with the strips and the peg. Where a law goes is said before "it" can be the peg."""
    yield from _laws_moved(lying, after)
    yield from _law_put_back(lying, after)
    if after.tracker == lying.tracker:
        return
    if after.tracker == 0:
        yield message("peg-to-start", after)
    else:
        yield message("peg-on" if after.tracker == lying.tracker + 1 else "peg-to", after, number=after.tracker)


def trays(view: TableView) -> Message:
    """Return how many laws lie in each tray, and in hand if any are."""
    key = "trays-and-hand" if view.in_hand else "trays"
    return message(key, view, draw=view.draw_pile, discard=view.discard_pile, hand=view.in_hand)


def _laws_moved(lying: TableView, after: TableView) -> Iterator[Message]:
    for party in Party:
        for number in range(lying.laws(party), after.laws(party), -1):
            yield message("take-law-out", after, party=party, number=number)
    for party in Party:
        for number in range(lying.laws(party) + 1, after.laws(party) + 1):
            yield message("put-law", after, party=party, number=number)
            power = after.power_at(number) if party is Party.FASCIST else Power.NONE
            if power is not Power.NONE and after.rules.material is Material.TACTILE:
                yield message("inlay-under", after, power=power)


def _law_put_back(lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield where the law goes that was taken out of a strip."""
    if _on_strips(after) >= _on_strips(lying):
        return
    if after.in_hand:
        number = lying.discard_pile - after.discard_pile - _laid_by_president(after)
        yield message("discarded-back", after, number=number)
    else:
        yield message("law-on-top", after)


def _on_strips(view: TableView) -> int:
    return view.liberal_laws + view.fascist_laws


def _revived(lying: TableView, after: TableView) -> Iterator[Message]:
    for seat in sorted(set(after.alive) - set(lying.alive)):
        yield message("alive-again", after, player=seat)


def _sign_back(lying: TableView, after: TableView) -> Iterator[Message]:
    if lying.president != after.president:
        yield message("sign-back", after, president=after.president)


def _laws_back(lying: TableView, after: TableView) -> Iterator[Message]:
    """Yield where the laws go that never lay on a strip: into hands, into trays, or nowhere after a shuffle."""
    on_strips = _on_strips(after) - _on_strips(lying)
    if on_strips == 0 and (after.in_hand == 0) != (lying.in_hand == 0) and after.draw_pile == lying.draw_pile:
        yield from _veto_moved(lying, after)
    elif on_strips > 0 and lying.in_hand:
        yield message("discard-rest", after, number=after.discard_pile - lying.discard_pile)
    elif isinstance(after.phase, ShufflePending) and lying.draw_pile > after.draw_pile:
        yield message("shuffle-back", after, draw=after.draw_pile, discard=after.discard_pile)
    elif on_strips == 0 and after.in_hand and not lying.in_hand:
        yield message("session", after, president=after.president, number=after.in_hand)
    else:
        yield from _laws_on_top(lying, after)


def _laws_on_top(lying: TableView, after: TableView) -> Iterator[Message]:
    if lying.in_hand and not after.in_hand:
        yield message("laws-on-top", after, number=lying.in_hand)


def _veto_moved(lying: TableView, after: TableView) -> Iterator[Message]:
    yield from _laws_to_hand(lying, after)
    if lying.in_hand:
        yield message("discard-hand", after, number=lying.in_hand - _laid_by_president(lying))


def _laws_to_hand(lying: TableView, after: TableView) -> Iterator[Message]:
    number = lying.discard_pile - after.discard_pile - _laid_by_president(after)
    if number > 0 and after.in_hand and not lying.in_hand and _on_strips(lying) == _on_strips(after):
        yield message("laws-to-hand", after, number=number)


def _laid_by_president(view: TableView) -> int:
    """Return how many laws that count as in hand the president has surely put down: there they stay."""
    phase = view.phase
    return int(isinstance(phase, VetoProposed) or (isinstance(phase, LegislativeSession) and phase.veto_refused))

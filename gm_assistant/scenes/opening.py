"""Which scenes a game has, made from its state: dealing, prologue, consultations, private notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import TypeGuard

from gm_assistant.dialogue.messages import HeadsetMessage, HeadsetMessages, Message, Messages, message
from gm_assistant.dialogue.set_up import Plan
from gm_assistant.dialogue.steps import Equal, Steps
from gm_assistant.dialogue.whispers import (
    answer_notes,
    contradicts,
    leader_notes,
    party_whispers,
    role_frame,
    role_whispers,
)
from gm_assistant.errors import RuleViolation
from gm_assistant.rules import events as happened
from gm_assistant.rules.decide import untouched
from gm_assistant.rules.history import History
from gm_assistant.rules.model import DictatorQuestion, GameState, Power, Role, Seat
from gm_assistant.rules.views import HeadsetView, headset_view, table_view
from gm_assistant.scenes.consultation import Consultation
from gm_assistant.scenes.dealing import PrivateNotes, RoleEntry, TokenDeal
from gm_assistant.scenes.prologue_reading import PrologueReading
from gm_assistant.scenes.scene import Scene
from gm_assistant.scenes.visit import visit


class Deal(StrEnum):
    """How the assistant learns the roles."""

    ASSISTED = "assisted"
    """It shuffles, and tells the leader which token to hand to whom."""
    ENTRY = "entry"
    """They were dealt by hand; the leader enters them."""
    HEADSET = "headset"
    """It shuffles, and tells each player in the headset."""
    NONE = "none"
    """It never learns them."""


class Act(StrEnum):
    """What comes between the deal and the first nomination, in this order."""

    PROLOGUE = "prologue"
    CONSULTATIONS = "consultations"


def acts(deal: Deal, blind: tuple[Seat, ...], players: int) -> tuple[Act, ...]:
    """Return what follows the deal. Where all are told all by headset, or nobody sees, there is no prologue."""
    if deal is Deal.HEADSET:
        return ()
    prologue = () if len(blind) == players else (Act.PROLOGUE,)
    if deal is Deal.NONE:
        return prologue
    return (*prologue, *((Act.CONSULTATIONS,) if blind else ()))


def follows(plan: Plan) -> bool:
    """Return whether something private comes before the first nomination."""
    deal = Deal(plan.deal or Deal.NONE)
    return plan.private and (deal is not Deal.NONE or bool(acts(deal, plan.blind or (), len(plan.names))))


def prologue_hint(plan: Plan) -> Messages:
    """Return how the prologue can be heard where it does not come by itself; nothing where nobody sees."""
    nobody_sees = plan.blind is not None and len(plan.blind) == len(plan.names)
    return () if plan.private or nobody_sees else (Message("prologue-waits"),)


def blind_players(history: History) -> tuple[Seat, ...]:
    """Return who cannot see the cards."""
    first = history.done[0].events[0]
    return first.blind if isinstance(first, happened.GameStarted) else ()


def last_deal(history: History) -> happened.RolesDealt | None:
    """Return the deal that counts, None if the assistant does not know the roles."""
    deals = [event for step in history.done for event in step.events if isinstance(event, happened.RolesDealt)]
    return deals[-1] if deals else None


def leader_knows_roles(history: History) -> bool:
    """Return whether the leader has heard or entered the roles that count; if in doubt, not."""
    deal = last_deal(history)
    return deal is not None and deal.leader_knows


def unfinished_deal(history: History) -> happened.RolesDealt | None:
    """Return the deal that counts although not everybody has been told, None if there is none."""
    deal = last_deal(history)
    return deal if deal is not None and not deal.told and untouched(history.state) else None


def shuffled_roles(state: GameState, random: Random) -> tuple[Role, ...]:
    """Return as many tokens of each role as the edition has, in an order that chance has made."""
    tokens = [role for role in Role for _ in range(state.rules.roles.of(role))]
    return tuple(random.sample(tokens, len(tokens)))


def known(state: GameState) -> HeadsetView:
    """Return what may be whispered. Raise RuleViolation("roles-unknown") if the assistant does not know the roles."""
    view = headset_view(state)
    if view is None:
        raise RuleViolation("roles-unknown")
    return view


def deal_scene(state: GameState, random: Random, *, leader_knows: bool) -> Scene:
    """Return the deal of the roles that are recorded: the leader hands out tokens, or everybody hears their own."""
    if leader_knows:
        return TokenDeal(visit(None, state.players, random), known(state))
    scene = consultations(state, tuple(sorted(state.alive)), random)
    return replace(scene, deals=True, stopped=Message("deal-stopped"))


def role_entry(state: GameState, random: Random) -> Scene:
    """Return the entry of roles that were dealt by hand."""
    return RoleEntry(visit(None, state.players, random), table_view(state))


def reading(state: GameState, pace: int) -> Scene:
    """Return the prologue."""
    return PrologueReading(table_view(state), pace)


def consultations(state: GameState, seats: tuple[Seat, ...], random: Random) -> Consultation:
    """Return the consultations of the players on `seats`, in this order, about who they are and whom they know.

    Raise RuleViolation("roles-unknown"), ("nobody-to-consult") or ("visit-of-the-dead").
    """
    view = known(state)
    whispers, frame = role_whispers(view), role_frame(view.table)
    living = tuple(seat for seat in seats if seat in state.alive)
    if not living:
        raise RuleViolation("visit-of-the-dead", player=seats[0]) if seats else RuleViolation("nobody-to-consult")
    return _visits(state, living, random, lambda seat: Equal(whispers, seat - 1, frame), Message("visits-done"))


def investigation(state: GameState, used: happened.PowerUsed, random: Random) -> Scene:
    """Return the visit in which a president is told the party that an investigation shows."""
    assert used.target is not None  # noqa: S101 - an investigation has one
    whispers = Equal(*party_whispers(known(state), used.target))
    scene = _visits(state, (used.president,), random, lambda _: whispers, Message("visits-done"))
    return replace(scene, for_all=False, stopped=Message("investigation-stopped"))


def _visits(
    state: GameState, seats: tuple[Seat, ...], random: Random, told: Callable[[Seat], Equal], closing: Message
) -> Consultation:
    first, *others = seats
    called, view = visit(first, state.players, random), table_view(state)
    return Consultation(view, called, tuple(others), told, closing, Message("visits-stopped"))


def private_notes(history: History, doubtful: tuple[Seat, ...], random: Random) -> Scene:
    """Return the visit of the leader who wants to hear what only the leader may hear.

    `doubtful` are the players with whom the headset did not prove itself this evening.
    """
    state = history.state
    return PrivateNotes(visit(None, state.players, random), lambda: _notes(history, doubtful))


def _notes(history: History, doubtful: tuple[Seat, ...]) -> HeadsetMessages:
    state = history.state
    view = headset_view(state)
    doubts = tuple(HeadsetMessage("note-doubtful", {"name": state.players[seat - 1]}) for seat in doubtful)
    dealt = () if view is None else leader_notes(view, contradicted(history), all_roles=leader_knows_roles(history))
    return (*doubts, *dealt) or (HeadsetMessage("note-none"),)


def contradicted(history: History) -> tuple[Seat, ...]:
    """Return whose recorded answers to the question for the dictator are not what was dealt."""
    view = headset_view(history.state)
    return () if view is None else tuple(_contradicted(history, view))


def _contradicted(history: History, view: HeadsetView) -> Iterator[Seat]:
    for before, after in pairwise(history.done):
        question, answer = before.state.phase, after.events[0]
        if isinstance(question, DictatorQuestion) and isinstance(answer, _Answers):
            is_dictator = isinstance(answer, happened.DictatorConfirmed)
            if contradicts(view, question.seat, is_dictator=is_dictator):
                yield question.seat


_Answers = happened.DictatorConfirmed | happened.DictatorDenied


def answer_told(before: GameState, events: tuple[happened.Event, ...]) -> Steps:
    """Return what the headset says of an answer to the question for the dictator: equally long, fitting or not.

    Nothing for other events, or if the roles are not known.
    """
    view, question = headset_view(before), before.phase
    if view is None or not isinstance(question, DictatorQuestion) or not isinstance(events[0], _Answers):
        return ()
    is_dictator = isinstance(events[0], happened.DictatorConfirmed)
    could = answer_notes(view, question.seat, is_dictator=is_dictator)
    return (Equal(*could, filled=False, needed=False),)


def investigation_announced(history: History) -> Message:
    """Return what the table hears of an investigation whose outcome is whispered."""
    view, used = table_view(history.state), history.done[-1].events[0]
    assert isinstance(used, happened.PowerUsed)  # noqa: S101 - only asked after one
    return message("investigation-whispered", view, player=used.target, president=used.president)


def blind_investigation(history: History, random: Random) -> Scene | None:
    """Return the visit after an investigation that was just recorded, if the president cannot see a card.

    Where all were told by headset there are no cards. None too if the roles are not known: then a card is shown.
    """
    used = history.done[-1].events[0]
    return investigation(history.state, used, random) if _is_whispered(used, history) else None


def last_investigation(history: History, random: Random) -> Scene:
    """Return the visit in which the last president who investigated by headset hears once more what it showed.

    Raise RuleViolation("no-investigation-to-hear") if there was none, ("visit-of-the-dead").
    """
    events = (event for step in reversed(history.done) for event in step.events)
    used = next((event for event in events if _is_whispered(event, history)), None)
    if not isinstance(used, happened.PowerUsed):
        raise RuleViolation("no-investigation-to-hear")
    if used.president not in history.state.alive:
        raise RuleViolation("visit-of-the-dead", player=used.president)
    return investigation(history.state, used, random)


def _is_whispered(event: happened.Event, history: History) -> TypeGuard[happened.PowerUsed]:
    if not isinstance(event, happened.PowerUsed) or event.power is not Power.INVESTIGATE or history.state.roles is None:
        return False
    return event.president in blind_players(history) or not leader_knows_roles(history)

"""What is said at the table after something happened: what was recorded, what follows, what hands must do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from gm_assistant.dialogue.hands import given_back, hand_moves, taken_back
from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.dialogue.now import lifted, next_voter, now, veto_possible, veto_refused
from gm_assistant.rules import events as happened
from gm_assistant.rules.events import Event
from gm_assistant.rules.history import History, Reinstated, Retracted
from gm_assistant.rules.model import Cause, Election, Nomination, Party, Power, Seat, SecretBallot
from gm_assistant.rules.views import TableView, table_view


def announce(events: tuple[Event, ...], lying: TableView, after: TableView) -> Messages:
    """Return what is said of `events`.

    `lying` is the board as it lies on the table (before the hands moved), `after` as it has to become.
    """
    told = [_told(event, lying, after) for event in events]
    if votes := votes_in_one_go(events):
        told[: len(votes)] = [_votes_told(votes, after), *[()] * (len(votes) - 1)]
    moved = next((place for place, event in enumerate(events, 1) if isinstance(event, _MOVING)), len(events))
    back = given_back(events, lying, after)
    spoken = chain(back, *told[:moved], hand_moves(lying, after), *told[moved:], prompt(after))
    return tuple(spoken)


def _told(event: Event, lying: TableView, after: TableView) -> Messages:
    """Return what is said of one event; nobody draws again what a corrected step had made them draw."""
    if isinstance(event, happened.SessionOpened) and lying.in_hand:
        return now(after)
    if isinstance(event, happened.PresidencyPassed) and event.president == lying.president:
        return message("president-again", after, president=event.president), *lifted(after)
    return tuple(_TELLERS[type(event)](event, after))


def votes_in_one_go(events: tuple[Event, ...]) -> tuple[happened.VoteCast, ...]:
    """Return the votes with which a step began if it was more than one."""
    votes = tuple(event for event in events if isinstance(event, happened.VoteCast))  # nothing comes before them
    return votes if len(votes) > 1 else ()


def recorded(events: tuple[Event, ...], view: TableView) -> Messages:
    """Return in a few words what a step recorded, without its consequences: the name of what is taken back."""
    first = events[0]
    if votes := votes_in_one_go(events):
        return (message("step-votes", view, number=len(votes)),)
    match first:
        case happened.PowerUsed(target=None):
            return (message("step-looked", view),)
        case happened.PowerUsed(power=Power.INVESTIGATE, target=player):
            return (message("step-investigated", view, player=player),)
        case happened.SecretBallotOpened():
            return (message("step-secret-ballot", view),)
        case happened.VetoWanted():
            return (message("step-veto-wanted", view),)
        case happened.VetoAgreed():
            return (message("step-veto-agreed", view),)
        case happened.VetoRefused():
            return (message("step-veto-refused", view),)
        case happened.PilesShuffled():
            return (message("step-shuffled", view),)
        case happened.GameAbandoned():
            return (message("step-abandoned", view),)
        case _:
            return tuple(_TELLERS[type(first)](first, view))[:1]


def stepped(entry: Retracted | Reinstated, before: History, after: History) -> Messages:
    """Return what is said of an undo or redo: the step, what hands must do about it, and what must happen now."""
    lying, view = table_view(before.state), table_view(after.state)
    if isinstance(entry, Retracted):
        step = Message("undone"), *recorded(before.done[-1].events, lying)
    else:
        step = Message("redone"), *recorded(after.done[-1].events, view)
    return (*step, *taken_back(lying, view), *now(view))


def retold(events: tuple[Event, ...], view: TableView) -> Messages:
    """Return a step and everything that followed from it, without what hands had to do."""
    votes = votes_in_one_go(events)
    told = (_TELLERS[type(event)](event, view) for event in events[len(votes) :])
    return *_votes_by_kind(_cast(votes), view), *chain.from_iterable(told)


def prompt(view: TableView) -> Iterator[Message]:
    """Yield the shortest hint at what comes now, where the events have not said it already."""
    match view.phase:
        case Nomination():
            yield message("prompt-nomination", view)
        case Election(votes=()):
            yield message("prompt-election", view)
        case _:
            return


_MOVING = (happened.GovernmentElected, happened.ElectionFailed, happened.LawEnacted, happened.VetoAgreed)
"""After these the hands move something."""


def _nominated(event: happened.ChancellorNominated, view: TableView) -> Iterator[Message]:
    yield message("nominated", view, player=event.seat)
    if view.danger and view.rules.danger_warning:
        known = event.seat in view.cleared and not view.rules.repeated_question
        key = "danger-is-past" if known else "danger-of-election"
        yield message(key, view, player=event.seat)


def _vote_cast(event: happened.VoteCast, view: TableView) -> Iterator[Message]:
    key = "vote-cast-yes" if event.approves else "vote-cast-no"
    yield message(key, view, player=event.seat)
    if isinstance(view.phase, Election):
        yield message("votes-missing", view, number=len(view.alive) - len(view.phase.votes))


def _votes_told(votes: tuple[happened.VoteCast, ...], view: TableView) -> Messages:
    """Return who voted how, and who has not; nothing if all have, for then the result says it."""
    if not isinstance(view.phase, Election):
        return ()
    voted = {seat for seat, _ in view.phase.votes}
    missing = tuple(seat for seat in view.alive if seat not in voted)
    return *_votes_by_kind(_cast(votes), view), message("votes-missing-of", view, players=missing)


def _cast(votes: tuple[happened.VoteCast, ...]) -> tuple[tuple[Seat, bool], ...]:
    return tuple((vote.seat, vote.approves) for vote in votes)


def _votes_by_kind(cast: tuple[tuple[Seat, bool], ...], view: TableView) -> Iterator[Message]:
    for key, approves in (("votes-yes", True), ("votes-no", False)):
        seats = tuple(seat for seat, vote in cast if vote is approves)
        if seats:
            yield message(key, view, players=seats)


def _ballot_opened(_: happened.SecretBallotOpened, view: TableView) -> Iterator[Message]:
    yield message("secret-ballot", view)
    if view.rules.vote_deadline:
        yield message("rule-deadline", view, number=view.rules.vote_deadline)
    yield from _voter_called(view)


def _secret_vote_cast(event: happened.SecretVoteCast, view: TableView) -> Iterator[Message]:
    yield message("has-voted", view, player=event.seat)
    yield from _voter_called(view)


def _voter_called(view: TableView) -> Iterator[Message]:
    if isinstance(view.phase, SecretBallot):
        yield message("next-voter", view, player=next_voter(view))


def _missing_drawn(event: happened.MissingVotesDrawn, view: TableView) -> Iterator[Message]:
    yield message("votes-drawn", view, players=tuple(seat for seat, _ in event.votes))


def _published(event: happened.VotesPublished, view: TableView) -> Iterator[Message]:
    return _votes_by_kind(event.votes, view)


def _elected(event: happened.GovernmentElected, view: TableView) -> Iterator[Message]:
    yield message("elected" if event.yes is None else "elected-count", view, yes=event.yes, no=event.no)
    yield message("chancellor-sign", view, chancellor=event.chancellor)


def _failed(event: happened.ElectionFailed, view: TableView) -> Iterator[Message]:
    key = "failed" if event.yes is None else "failed-tie" if event.yes == event.no else "failed-count"
    yield message(key, view, yes=event.yes, no=event.no)


def _asked(event: happened.DictatorAsked, view: TableView) -> Iterator[Message]:
    yield message("ask-dictator", view, player=event.seat)


def _denied(event: happened.DictatorDenied, view: TableView) -> Iterator[Message]:
    yield message("is-not-dictator", view, player=event.seat)
    if event.seat not in view.alive:
        yield message(f"dead-role-{view.rules.role_of_the_dead}", view, player=event.seat)


def _confirmed(event: happened.DictatorConfirmed, view: TableView) -> Iterator[Message]:
    yield message("is-dictator", view, player=event.seat)


def _session(event: happened.SessionOpened, view: TableView) -> Iterator[Message]:
    yield message("session", view, president=event.president, number=event.drawn)
    if veto_possible(view):
        yield message("veto-possible", view, chancellor=event.chancellor)


def _veto_wanted(event: happened.VetoWanted, view: TableView) -> Iterator[Message]:
    yield message("veto-wanted", view, chancellor=event.chancellor, president=event.president)


def _veto_agreed(_: happened.VetoAgreed, view: TableView) -> Iterator[Message]:
    yield message("veto-agreed", view)


def _veto_refused(_: happened.VetoRefused, view: TableView) -> Iterator[Message]:
    yield from veto_refused(view)


def _chaos(_: happened.ChaosBegan, view: TableView) -> Iterator[Message]:
    yield message("chaos", view)


def _enacted(event: happened.LawEnacted, view: TableView) -> Iterator[Message]:
    yield message("law-enacted", view, party=event.party, number=event.number)
    if event.party is not Party.FASCIST:
        return
    if event.by_chaos and view.power_at(event.number) is not Power.NONE:
        yield message("no-power-by-chaos", view)
    if event.number == view.rules.danger_from:
        yield message("danger-begins", view)


def _granted(event: happened.PowerGranted, view: TableView) -> Iterator[Message]:
    yield message(f"power-{event.power}", view, president=event.president, number=view.rules.shown(view.draw_pile))


def _used(event: happened.PowerUsed, view: TableView) -> Iterator[Message]:
    if event.target is not None:
        yield message(f"used-{event.power}", view, player=event.target, president=event.president)
    else:
        yield message("used-looking", view)


def _lapsed(event: happened.PowerLapsed, view: TableView) -> Iterator[Message]:
    yield message(f"power-lapsed-{event.power}", view, power=event.power)


def _shuffle_due(event: happened.ShuffleDue, view: TableView) -> Iterator[Message]:
    yield message("shuffle-due", view, number=event.left)
    if view.peeked:
        yield message("peeked-is-void", view)


def _shuffled(event: happened.PilesShuffled, view: TableView) -> Iterator[Message]:
    yield message("shuffled", view, number=event.draw_pile)


def _passed_on(event: happened.PresidencyPassed, view: TableView) -> Iterator[Message]:
    yield message("next-president", view, president=event.president)
    yield from lifted(view)


def _won(event: happened.GameWon, view: TableView) -> Iterator[Message]:
    number = view.rules.fields.of(event.party) if event.cause is Cause.LAWS else 0
    yield message(f"won-{event.cause}", view, party=event.party, number=number)


def _abandoned(_: happened.GameAbandoned, view: TableView) -> Iterator[Message]:
    yield message("abandoned", view)


def _started(event: happened.GameStarted, view: TableView) -> Iterator[Message]:
    yield message("started", view, players=tuple(range(1, len(event.players) + 1)))
    yield message("first-president", view, president=event.first)


def _dealt(_: happened.RolesDealt, view: TableView) -> Iterator[Message]:
    yield message("roles-dealt", view)


def _nothing(_: happened.MagnifierReserved, __: TableView) -> Iterator[Message]:
    """Say nothing: the next president hears of the magnifier."""
    yield from ()


_TELLERS: dict[type, Callable[[Any, TableView], Iterator[Message]]] = {
    happened.GameStarted: _started,
    happened.RolesDealt: _dealt,
    happened.ChancellorNominated: _nominated,
    happened.VoteCast: _vote_cast,
    happened.SecretBallotOpened: _ballot_opened,
    happened.SecretVoteCast: _secret_vote_cast,
    happened.MissingVotesDrawn: _missing_drawn,
    happened.VotesPublished: _published,
    happened.GovernmentElected: _elected,
    happened.ElectionFailed: _failed,
    happened.DictatorAsked: _asked,
    happened.DictatorDenied: _denied,
    happened.DictatorConfirmed: _confirmed,
    happened.SessionOpened: _session,
    happened.VetoWanted: _veto_wanted,
    happened.VetoAgreed: _veto_agreed,
    happened.VetoRefused: _veto_refused,
    happened.ChaosBegan: _chaos,
    happened.LawEnacted: _enacted,
    happened.MagnifierReserved: _nothing,
    happened.PowerGranted: _granted,
    happened.PowerUsed: _used,
    happened.PowerLapsed: _lapsed,
    happened.ShuffleDue: _shuffle_due,
    happened.PilesShuffled: _shuffled,
    happened.PresidencyPassed: _passed_on,
    happened.GameWon: _won,
    happened.GameAbandoned: _abandoned,
}

"""Why something is as it is: derived from the state and the rules of the game, so that it cannot disagree with them."""

from __future__ import annotations

from collections.abc import Iterator

from gm_assistant.dialogue.intents import Intent
from gm_assistant.dialogue.messages import Message, Messages, message
from gm_assistant.dialogue.now import now
from gm_assistant.dialogue.rulebook import TOPICS
from gm_assistant.rules.model import (
    Chaos,
    Election,
    GameOver,
    LastLaw,
    Nomination,
    Party,
    Power,
    PowerPending,
    SecretBallot,
    Setback,
    ShufflePending,
)
from gm_assistant.rules.views import TableView


def why_no_power(_: Intent, view: TableView) -> Messages:
    """Return why no power is due; or which one is."""
    if isinstance(view.phase, PowerPending):
        return now(view)
    if view.magnifier_reserved:
        return (message("power-lapsed-magnifier", view, power=Power.MAGNIFIER),)
    return (_no_power(view, view.last_law),)


def _no_power(view: TableView, law: LastLaw | None) -> Message:
    if law is None:
        begun = bool(view.rules.start.enacted.total)
        return message("no-power-by-start-law" if begun else "no-power-without-law", view)
    power = view.power_at(law.number)
    if law.party is Party.LIBERAL:
        return message("no-power-by-liberal-law", view)
    if law.by_chaos:
        return message("no-power-by-chaos-law", view)
    if law.lapsed:
        return message(f"power-lapsed-{power}", view, power=power)
    if power is Power.NONE:
        return message("no-power-on-field", view, number=law.number, count=view.rules.players)
    return message("power-was-used", view, number=law.number, power=power)


def why_tracker(_: Intent, view: TableView) -> Messages:
    """Return what moved the election tracker since its last reset, and what resets it."""
    return (*_setbacks(view), *TOPICS["tracker"](view.rules))


def _setbacks(view: TableView) -> Iterator[Message]:
    if not view.setbacks:
        yield message("tracker-at-start", view)
        return
    elections, vetoes = view.setbacks.count(Setback.ELECTION), view.setbacks.count(Setback.VETO)
    yield message("tracker-stands", view, number=view.tracker)
    if elections:
        yield message("tracker-elections", view, number=elections)
    if vetoes:
        yield message("tracker-vetoes", view, number=vetoes)


def why_law_after_veto(_: Intent, view: TableView) -> Messages:
    """Return how a law could go down although there was a veto."""
    law = view.last_law
    if Setback.VETO in view.setbacks:
        return (message("veto-without-law", view, number=view.tracker),)
    if law is not None and Setback.VETO in law.setbacks:
        limit = view.rules.failed_elections_until_chaos
        return (message("law-after-veto", view, number=limit, party=law.party),)
    if law is not None and law.veto_refused:
        return (message("law-after-refused-veto", view),)
    if law is not None and law.by_chaos:
        return (message("law-by-chaos", view, number=len(law.setbacks)),)
    if isinstance(view.phase, Chaos):
        return (message("law-by-chaos", view, number=view.tracker),)
    return message("there-was-no-veto", view), *TOPICS["veto"](view.rules)


def why_dictator(_: Intent, view: TableView) -> Messages:
    """Return whether the dictator knows the fascists, and why."""
    return TOPICS["knowledge"](view.rules)


def why_president(intent: Intent, view: TableView) -> Messages:
    """Return why the president is president."""
    asked = intent.slots.get("player", view.president)
    told = () if asked == view.president else (message("president-is", view, president=view.president),)
    return *told, _reason_for_president(view)


def _reason_for_president(view: TableView) -> Message:
    if view.president != view.rotation:
        facts = {"president": view.president, "player": view.rotation}
        return message("president-by-choice", view, **facts)
    unplayed = view.previous is None and view.last_law is None and not view.setbacks
    if unplayed and isinstance(view.phase, Nomination | Election | SecretBallot):
        return message("president-by-start", view, president=view.president)
    return message("president-by-order", view, president=view.president)


def why_over(_: Intent, view: TableView) -> Messages:
    """Return why the game is over; or that it is not."""
    return now(view) if isinstance(view.phase, GameOver) else (message("not-over", view), *now(view))


def why_shuffle(_: Intent, view: TableView) -> Messages:
    """Return why the piles must be shuffled; or why not yet."""
    if isinstance(view.phase, ShufflePending):
        return now(view)
    return (message("no-shuffle-due", view, number=view.draw_pile, limit=view.rules.reshuffle_below),)

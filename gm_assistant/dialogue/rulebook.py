"""The rules in words, from the values of an edition: what players ask about, and a whole edition to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from gm_assistant.dialogue.messages import Fact, Message, Messages, Term
from gm_assistant.dialogue.phrasebook import Phrasebook
from gm_assistant.dialogue.scripts import powers_of_fields, role_counts, start_laws
from gm_assistant.rules.edition import LOOKS, TARGETED, Basis, DeadRole, Edition, Material, Rules, TrackerReset
from gm_assistant.rules.model import Office, Power

Topic = Callable[[Rules], Messages]


def _say(key: str, **facts: Fact) -> Message:
    return Message(key, facts)


def _vote(rules: Rules) -> Messages:
    return _say("rule-vote"), *_tie(rules)


def _tie(rules: Rules) -> Messages:
    return (_say("rule-tie-elects" if rules.tie_elects else "rule-tie-fails"),)


def _tracker(rules: Rules) -> Messages:
    resets = rules.tracker_resets_on is TrackerReset.ELECTION
    holes = (_say("rule-peg", number=rules.failed_elections_until_chaos),) if _tactile(rules) else ()
    moves = _say("rule-tracker-moves"), _say("rule-tracker-election" if resets else "rule-tracker-enactment")
    return *holes, *moves


def _tactile(rules: Rules) -> bool:
    return rules.material is Material.TACTILE


def _chaos(rules: Rules) -> Messages:
    return _say("rule-chaos", number=rules.failed_elections_until_chaos), *_chaos_and_limits(rules)


def _chaos_and_limits(rules: Rules) -> Messages:
    if not rules.term_limits.barred:
        return ()
    return (_say("rule-chaos-frees" if rules.term_limits.chaos_frees else "rule-chaos-keeps-limits"),)


def _veto(rules: Rules) -> Messages:
    if rules.veto_from == 0:
        return (_say("rule-no-veto"),)
    again = _say("rule-veto-again" if rules.repeated_veto else "rule-veto-once")
    return _say("rule-veto-from", number=rules.veto_from), _say("rule-veto"), again


def _danger(rules: Rules) -> Messages:
    warned = _say("rule-danger-warned" if rules.danger_warning else "rule-danger-silent")
    asked = _say("rule-question-again" if rules.repeated_question else "rule-question-once")
    return _say("rule-danger", number=rules.danger_from), warned, asked


def _liberals_win(rules: Rules) -> Messages:
    return (_say("rule-win-liberal", number=rules.fields.liberal),)


def _fascists_win(rules: Rules) -> Messages:
    return _say("rule-win-fascist", number=rules.fields.fascist), *_danger(rules)


def _dead(rules: Rules) -> Messages:
    shown = rules.role_of_the_dead is DeadRole.SHOWN
    return _say("rule-dead"), _say("rule-dead-shown" if shown else "rule-dead-secret")


def _limits(rules: Rules) -> Messages:
    return tuple(_limit_parts(rules))


def _limit_parts(rules: Rules) -> Iterator[Message]:
    limits = rules.term_limits
    if not limits.barred:
        yield _say("rule-limits-none")
        return
    barred = "both" if len(set(limits.barred)) == len(Office) else limits.barred[0].value
    elected = "last-elected" if limits.basis is Basis.LAST_ELECTED else "previous-round"
    yield _say(f"rule-limits-{elected}-{barred}")
    if Office.PRESIDENT in limits.barred:
        free = limits.president_free_at
        yield _say("rule-relief", number=free) if free else _say("rule-no-relief")
    yield from _chaos_and_limits(rules)
    first = limits.first_lifted
    yield _say(f"rule-limits-leave-nobody-{first}" if barred == "both" else "rule-limit-leaves-nobody")
    yield _say("rule-president-unlimited")


def _powers(rules: Rules) -> Messages:
    return _say("rule-powers", number=rules.players), *powers_of_fields(rules), _say("rule-powers-at-once")


def _piles(rules: Rules) -> Messages:
    looks = (_look_and_shuffle(rules, look) for look in LOOKS if look in rules.powers)
    return *_shuffle(rules), *looks


def _shuffle(rules: Rules) -> Messages:
    return (_say("rule-shuffle", number=rules.reshuffle_below),)


def _look_and_shuffle(rules: Rules, look: Power) -> Message:
    order = "before" if look in rules.shuffle_before else "after"
    return _say(f"rule-shuffle-{order}-{look}")


def _peek(rules: Rules) -> Messages:
    return _say("explain-peek", number=rules.peeked), _look_and_shuffle(rules, Power.PEEK)


def _magnifier(rules: Rules) -> Messages:
    return _say("explain-magnifier"), _look_and_shuffle(rules, Power.MAGNIFIER)


def _special_election(rules: Rules) -> Messages:
    if Power.SPECIAL_ELECTION not in rules.powers:
        return (_say("rule-power-missing", power=Term(Power.SPECIAL_ELECTION.value)),)
    return (_say("explain-special_election"), _say("rule-special-order"))


def _investigation(rules: Rules) -> Messages:
    if Power.INVESTIGATE not in rules.powers:
        return (_say("rule-no-investigation"),)
    again = "rule-investigation-again" if rules.repeated_investigation else "rule-investigation-once"
    return _say("explain-investigate"), _say(again)


def _oneself(rules: Rules) -> Messages:
    allowed = [power for power in TARGETED if power in rules.may_target_oneself and power in rules.powers]
    if not allowed:
        return (_say("rule-not-oneself"),)
    return tuple(_say("rule-oneself", power=Term(power.value)) for power in allowed)


def _knowledge(rules: Rules) -> Messages:
    knows = "rule-dictator-knows" if rules.dictator_knows_fascists else "rule-dictator-does-not-know"
    return _say("rule-fascists-know"), _say(knows, number=rules.players), _say("rule-liberals-know-nobody")


def _first(rules: Rules) -> Messages:
    return _say(f"rule-first-{rules.first_president}"), _say("rule-order")


def _session(rules: Rules) -> Messages:
    return (_say("rule-session", number=rules.drawn, rest=rules.drawn - 1),)


def _laws(rules: Rules) -> Messages:
    return _say("rule-laws", liberal_laws=rules.laws.liberal, fascist_laws=rules.laws.fascist), *start_laws(rules)


def _roles(rules: Rules) -> Messages:
    return (Message("roles", role_counts(rules)),)


def _ballot(rules: Rules) -> Messages:
    if not rules.secret_ballot:
        return (_say("rule-votes-are-open"),)
    late = _say("rule-deadline", number=rules.vote_deadline) if rules.vote_deadline else _say("rule-no-deadline")
    return _say("rule-secret-ballot"), late


TOPICS: Mapping[str, Topic] = {
    "vote": _vote,
    "tie": _tie,
    "ballot": _ballot,
    "tracker": _tracker,
    "chaos": _chaos,
    "limits": _limits,
    "session": _session,
    "laws": _laws,
    "piles": _piles,
    "veto": _veto,
    "powers": _powers,
    "special_election": _special_election,
    "investigation": _investigation,
    "oneself": _oneself,
    "dead": _dead,
    "danger": _danger,
    "win_liberal": _liberals_win,
    "win_fascist": _fascists_win,
    "knowledge": _knowledge,
    "roles": _roles,
    "first": _first,
}
"""What can be asked about, and the answer. Each speaks from the values of the game's rules."""

_BY_COUNT: tuple[Topic, ...] = (_roles, _knowledge, _laws, powers_of_fields)
"""Topics whose answer depends on the number of players."""

_IN_COMMON: tuple[Topic, ...] = (
    *(_first, _vote, _ballot, _tracker, _chaos, _limits, _session, _shuffle, _veto),
    *(_oneself, _dead, _liberals_win, _fascists_win),
)

SYMBOLS = ("pie_chart", "eagle", "figure", "tick", "cross", "notch")
"""What fingers find on the tactile material besides the inlays."""

_POWERS_WITH_MORE: Mapping[Power, Topic] = {
    Power.MAGNIFIER: _magnifier,
    Power.PEEK: _peek,
    Power.INVESTIGATE: _investigation,
    Power.SPECIAL_ELECTION: _special_election,
}


def rule_lines(edition: Edition, phrasebook: Phrasebook, players: int | None = None) -> Iterator[str]:
    """Yield an edition as a person reads it, a line each; only for `players` if given.

    First what holds for every number of players, then what differs, for each run of numbers with the same values.
    """
    limits = edition.players
    counts = (players,) if players else tuple(range(limits.least, limits.most + 1))
    rules = [edition.rules_for(count) for count in counts]
    yield phrasebook.say([_say("edition-heading", least=limits.least, most=limits.most)])
    yield from (phrasebook.say(topic(rules[0])) for topic in _IN_COMMON)
    yield from (phrasebook.say(messages) for messages in _power_rules(rules))
    yield phrasebook.say([_say("rule-powers-at-once")])
    yield from (phrasebook.say([_say(f"explain-{symbol}")]) for symbol in SYMBOLS if _tactile(rules[0]))
    yield phrasebook.say([_say("edition-by-count"), _say("edition-fields")])
    for topic in _BY_COUNT:
        yield from _runs([phrasebook.say(topic(one)) for one in rules], counts, phrasebook)


def _power_rules(rules: list[Rules]) -> Iterator[Messages]:
    having = {power: one for one in rules for power in one.powers if power is not Power.NONE}
    for power, one in having.items():
        more = _POWERS_WITH_MORE.get(power)
        yield more(one) if more else (_say(f"explain-{power}"),)


def _runs(texts: list[str], counts: tuple[int, ...], phrasebook: Phrasebook) -> Iterator[str]:
    """Yield each text once for a run of numbers of players that share it."""
    for text, run in groupby(zip(counts, texts, strict=True), key=lambda pair: pair[1]):
        numbers = [count for count, _ in run]
        if len(numbers) == 1:
            heading = _say("edition-players", number=numbers[0])
        else:
            heading = _say("edition-range", least=numbers[0], most=numbers[-1])
        yield f"{phrasebook.say([heading])} {text}"

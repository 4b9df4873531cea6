"""A position is one line of text, and back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table import EDITIONS, NAMES, PLAYER_COUNTS, Table, every_count, every_edition, house_rules, roles_for

from gm_assistant import rules
from gm_assistant.errors import RuleViolation
from gm_assistant.rules import commands as do
from gm_assistant.rules.apply import apply
from gm_assistant.rules.commands import Command
from gm_assistant.rules.edition import LOOKS, Edition, TrackerReset
from gm_assistant.rules.legal import moves
from gm_assistant.rules.model import DictatorQuestion, GameOver, GameState, Power, SecretElection
from gm_assistant.rules.position import parse_position, position, without_secrets

LONGEST = 400
"""Commands in a random game; far more than one needs."""
lucks = st.integers(0, 2**32 - 1).map(Random)


def few(examples: int) -> Callable[..., Callable[..., None]]:
    """Return settings for the same few examples every time."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


@dataclass
class Game:
    """A random game of an edition, in which a secret ballot is taken wherever one may be."""

    edition: Edition | str
    players: int
    luck: Random
    states: list[GameState] = field(default_factory=list)

    def play(self) -> Game:
        table = Table(self.players, self.luck.randint(1, self.players), self.edition)
        table.deal(*self.luck.sample(roles_for(self.players, self.edition), self.players))
        self.states.append(table.state)
        while not isinstance(table.phase, GameOver):
            assert len(self.states) < LONGEST, "the game does not end"
            table.do(a_move(table.state, self.luck))
            self.states.append(table.state)
        return self


def a_move(state: GameState, luck: Random) -> Command:
    """Return a random command that plays on; single votes are rare, so that the game goes far."""
    possible = list(moves(state))
    if do.TakeSecretBallot() in possible and luck.random() < 0.5:
        return do.TakeSecretBallot()
    if isinstance(state.phase, DictatorQuestion):
        return do.AnswerDictatorQuestion(luck.random() < 0.1)
    single = [command for command in possible if isinstance(command, do.CastVote | do.CastSecretVote)]
    others = [command for command in possible if command not in single]
    return luck.choice(single if single and luck.random() < 0.5 else others)


@cache
def some_lines() -> tuple[str, ...]:
    """Return positions of every edition and number of players, with their secrets."""
    luck = Random(17)
    games = [Game(edition, players, luck).play() for edition in EDITIONS for players in PLAYER_COUNTS]
    return tuple(position(state, secrets=True) for game in games for state in game.states)


def line(*changes: str, of: str | None = None) -> str:
    """Return a line with some parts replaced, added, or (without a sign) left out."""
    parts = dict(part.split("=") for part in (of or A_LINE).split(" ")[1:])
    for change in changes:
        name, sign, value = change.partition("=")
        parts = {**parts, name: value} if sign else {key: parts[key] for key in parts if key != name}
    return " ".join([(of or A_LINE).split(" ")[0], *(f"{name}={value}" for name, value in parts.items())])


def broken(text: str) -> str:
    """Return the part that is refused; fail if none is."""
    with pytest.raises(RuleViolation) as refused:
        parse_position(text)
    assert refused.value.key == "position-broken"
    (part,) = refused.value.facts.values()
    assert len(part) <= 60
    return part


A_TABLE = Table(7, edition="secret_hitler").play_round("fascist").settle()
A_LINE = position(A_TABLE.state)


# There and back


def test_a_position_can_be_read_by_people() -> None:
    table = Table(7, edition="secret_despotar").nominate(3).vote(1, True).vote(4, False)
    assert position(table.state) == (
        "secret_despotar/1 players=Anna,Ben,Clara,David,Emma,Felix,Greta alive=1,2,3,4,5,6,7 president=1 rotation=1"
        " draw_pile=16 discard_pile=1 phase=Election,3,1.yes:4.no"
        " rules.laws=6,11 rules.fields=5,6 rules.drawn=3 rules.peeked=3 rules.reshuffle_below=3"
        " rules.shuffle_before=peek"
        " rules.failed_elections_until_chaos=3 rules.tracker_resets_on=election rules.tie_elects=no"
        " rules.danger_from=3 rules.danger_warning=yes rules.repeated_question=no"
        " rules.veto_from=5 rules.repeated_veto=no rules.term_limits=last_elected,president:chancellor,5,no,president"
        " rules.may_target_oneself=- rules.repeated_investigation=no rules.role_of_the_dead=secret"
        " rules.first_president=drawn rules.secret_ballot=yes rules.vote_deadline=0 rules.material=printed"
        " rules.players=7 rules.roles=4,2,1 rules.start=0:0,0:1"
        " rules.powers=none,investigate,special_election,execution,execution rules.dictator_knows_fascists=no"
    )


@every_edition
@every_count
@given(luck=lucks)
@few(1)
def test_every_state_of_a_game_comes_back(edition, players, luck):
    for state in Game(edition, players, luck).play().states:
        text = position(state, secrets=True)
        assert text.isprintable()
        assert parse_position(text) == state
        assert parse_position(position(state)) == without_secrets(state)


@given(luck=lucks)
@few(6)
def test_house_rules_travel_along(luck):
    changes = {
        "tracker_resets_on": luck.choice(list(TrackerReset)),
        "may_target_oneself": tuple(luck.sample((Power.EXECUTION, Power.INVESTIGATE), luck.randint(0, 2))),
        "failed_elections_until_chaos": luck.randint(1, 3),
        "shuffle_before": tuple(luck.sample(LOOKS, luck.randint(0, 2))),
        "danger_warning": luck.choice((True, False)),
        "repeated_question": luck.choice((True, False)),
        "repeated_veto": luck.choice((True, False)),
        "reshuffle_below": luck.randint(3, 8),
        "veto_from": luck.randint(0, 5),
        "danger_from": luck.randint(1, 6),
        "secret_ballot": luck.choice((True, False)),
        "vote_deadline": luck.choice((0, 86400)),
    }
    edition = house_rules(luck.choice(list(EDITIONS)), **changes)
    for state in Game(edition, luck.choice(PLAYER_COUNTS), luck).play().states:
        assert parse_position(position(state, secrets=True)) == state


def test_a_game_broken_off_at_any_moment_comes_back() -> None:
    for text in some_lines()[::9]:
        state = parse_position(text)
        if not isinstance(state.phase, GameOver):
            (ended,) = rules.decide(state, do.EndGame())
            assert parse_position(position(apply(state, ended), secrets=True)) == apply(state, ended)


def test_parts_may_come_in_any_order_and_on_several_lines() -> None:
    heading, *parts = A_LINE.split(" ")
    assert parse_position("\n ".join([heading, *reversed(parts)])) == A_TABLE.state


def test_a_part_that_is_as_at_the_start_may_be_told_all_the_same() -> None:
    assert parse_position(line("peeked=0", "setbacks=-", "phase=Nomination", "roles=-")) == A_TABLE.state


# Names


any_name = st.text(min_size=1, max_size=12).filter(str.strip)
odd_names = st.lists(any_name, min_size=5, max_size=5, unique_by=str.casefold).map(tuple)


@given(names=odd_names | odd_names.map(lambda names: ("-", *names[1:])).filter(lambda n: "-" not in n[1:]))
@few(60)
def test_any_name_comes_back(names):
    edition = EDITIONS["secret_dictator"]
    state = rules.replay(edition, rules.start(edition, names, 1))
    assert position(state).isprintable()
    assert len(position(state).splitlines()) == 1
    assert parse_position(position(state)) == state


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jörg", "Jörg"),
        ("Anna-Lena", "Anna-Lena"),
        ('O\'Neil "Max"', 'O\'Neil%20"Max"'),
        ("نور", "نور"),
        ("Zoe\u0308", "Zoe\u0308"),
        ("🦊", "🦊"),
        ("👩\u200d🚀", "👩%E2%80%8D🚀"),
        ("-", "%2D"),
        ("a,b:c.d=e%f", "a%2Cb%3Ac%2Ed%3De%25f"),
        ("a\tb\nc\u2028\u00a0", "a%09b%0Ac%E2%80%A8%C2%A0"),
        ("\ud83d", "%ED%A0%BD"),
    ],
)
def test_only_what_would_break_the_line_is_encoded(name: str, text: str) -> None:
    edition = EDITIONS["secret_dictator"]
    state = rules.replay(edition, rules.start(edition, (name, *NAMES[1:5]), 1))
    assert f" players={text},Ben," in position(state)
    assert parse_position(position(state)) == state


# Secrets


@every_edition
@every_count
@given(luck=lucks)
@few(1)
def test_a_position_is_the_same_for_any_two_deals_and_any_secret_votes(edition, players, luck):
    for state in Game(edition, players, luck).play().states:
        for other in (state, differently_voted(state)):
            assert position(rules.apply(other, a_deal(edition, players, luck))) == position(state)


def a_deal(edition: str, players: int, luck: Random) -> object:
    deal = do.DealRoles(tuple(luck.sample(roles_for(players, edition), players)))
    return rules.decide(Table(players, edition=edition).state, deal)[0]


def differently_voted(state: GameState) -> GameState:
    ballot = state.phase
    if not isinstance(ballot, SecretElection):
        return state
    absent = min(state.alive - {seat for seat, _ in ballot.votes})
    for seat, approves in (*((seat, not approves) for seat, approves in ballot.votes), (absent, True)):
        (cast, *_) = rules.decide(state, do.CastSecretVote(seat, approves))
        state = apply(state, cast)
    return state


def test_secrets_are_told_on_demand_only() -> None:
    table = Table(5, edition="secret_despotar").deal(*roles_for(5, "secret_despotar")).nominate(2)
    table.do(do.TakeSecretBallot()).vote_secretly(4, True)
    assert " phase=SecretElection,2,4.yes roles=liberal,liberal,liberal,fascist,dictator " in position(
        table.state, secrets=True
    )
    assert " phase=SecretElection,2,- rules" in position(table.state)


def thinkable(state: GameState) -> list[Command]:
    seats = range(len(state.players) + 2)
    return [
        *(
            make(seat)
            for make in (do.NominateChancellor, do.Investigate, do.NameNextPresident, do.Shoot)
            for seat in seats
        ),
        *(make(seat, True) for make in (do.CastVote, do.CastSecretVote) for seat in seats),
        *(make(said) for make in (do.ReportResult, do.AnswerDictatorQuestion, do.AnswerVeto) for said in (True, False)),
        *(do.EnactLaw(party) for party in ("liberal", "fascist")),
        *(do.ReportCount(4, 3), do.TakeSecretBallot(), do.DrawMissingVotes(()), do.DealRoles(())),
        *(do.ProposeVeto(), do.FinishLooking(), do.ShufflePiles(), do.EndGame()),
    ]


@every_edition
@given(luck=lucks, players=st.sampled_from(PLAYER_COUNTS))
@few(1)
def test_every_refusal_tells_the_position_and_no_secret(edition, luck, players):
    for state in Game(edition, players, luck).play().states:
        here, unknown = position(state), without_secrets(state)
        for command in thinkable(state)[len(here) % 2 :: 2]:
            text = refusal(state, command)
            assert text == "" or text.endswith(f" at {here}")
            if not isinstance(state.phase, SecretElection) or not isinstance(command, do.DrawMissingVotes):
                assert text == refusal(unknown, command)


def refusal(state: GameState, command: Command) -> str:
    """Return the text of the refusal, empty if there is none."""
    try:
        rules.decide(state, command)
    except RuleViolation as refused:
        return str(refused)
    return ""


# Bad text


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("draw_pile", "draw_pile"),
        ("players", "players"),
        ("rules.drawn", "rules.drawn"),
        ("colour=red", "colour=red"),
        ("rules.colour=red", "rules.colour=red"),
        ("rules.edition=other", "rules.edition=other"),
        ("rules=-", "rules=-"),
        ("president=", "president="),
        ("president=-", "president=-"),
        ("president=01", "president=01"),
        ("president=\u0661", "president=\u0661"),
        ("president=+1", "president=+1"),
        ("president=0", "president=0"),
        ("president=8", "president=8"),
        ("rotation=9", "rotation=9"),
        ("draw_pile=15", "draw_pile=15"),
        ("draw_pile=" + "9" * 5000, "draw_pile=" + "9" * 50),
        ("liberal_laws=1", "draw_pile=14"),
        ("fascist_laws=6", "fascist_laws=6"),
        ("alive=1,2,3,4,5,6,7,7", "alive=1,2,3,4,5,6,7,7"),
        ("alive=1,2,3,4,5,6,8", "alive=1,2,3,4,5,6,8"),
        ("alive=1,2,3,4,5,6", "alive=1,2,3,4,5,6"),
        ("alive=-", "alive=-"),
        ("players=A,B,C,D,E,F", "players=A,B,C,D,E,F"),
        ("players=A,B,C,D,E,F,a", "players=A,B,C,D,E,F,a"),
        ("players=A,B,C,D,E,F,", "players=A,B,C,D,E,F,"),
        ("players=A,B,C,D,E,F,-", "players=A,B,C,D,E,F,-"),
        ("players=A,B,C,D,E,F,%20", "players=A,B,C,D,E,F,%20"),
        ("players=A,B,C,D,E,F,%", "players=A,B,C,D,E,F,%"),
        ("players=A,B,C,D,E,F,%FF", "players=A,B,C,D,E,F,%FF"),
        ("setbacks=election,rain", "setbacks=election,rain"),
        ("setbacks=election,election,election", "setbacks=election,election,election"),
        ("setbacks=election,election,election,election", "setbacks=election,election,election,election"),
        ("chancellor=3", "chancellor=3"),
        ("previous=1", "previous=1"),
        ("previous=1,2,3", "previous=1,2,3"),
        ("previous=1,8", "previous=1,8"),
        ("special_president=3", "special_president=3"),
        ("magnifier_reserved=yes", "magnifier_reserved=yes"),
        ("magnifier_reserved=true", "magnifier_reserved=true"),
        ("peeked=4", "peeked=4"),
        ("investigated=0", "investigated=0"),
        ("cleared=8", "cleared=8"),
        ("last_law=-", "last_law=-"),
        ("last_law=fascist,2,no,-,no,no", "last_law=fascist,2,no,-,no,no"),
        ("last_law=fascist,1,yes,election,no,no", "last_law=fascist,1,yes,election,no,no"),
        ("phase=Party", "phase=Party"),
        ("phase=Nomination,1", "phase=Nomination,1"),
        ("phase=Election,2,-", "phase=Election,2,-"),
        ("phase=Election,1,-", "phase=Election,1,-"),
        ("phase=Election,8,-", "phase=Election,8,-"),
        ("phase=Election,3,3.yes:1.no", "phase=Election,3,3.yes:1.no"),
        ("phase=Election,3,1.yes:1.no", "phase=Election,3,1.yes:1.no"),
        ("phase=Election,3,1", "phase=Election,3,1"),
        ("phase=SecretElection,3,1.yes", "phase=SecretElection"),
        ("phase=LegislativeSession,3,no", "draw_pile=14"),
        ("phase=Chaos", "setbacks"),
        ("phase=PowerPending,none", "chancellor"),
        ("phase=PowerPending,magnifier", "phase=PowerPending,magnifier"),
        ("phase=ShufflePending,Nomination", "phase=ShufflePending,Nomination"),
        ("phase=ShufflePending,Chaos", "phase=ShufflePending,Chaos"),
        ("phase=GameOver,liberal,laws", "phase=GameOver,liberal,laws"),
        ("phase=GameOver,fascist,abandoned", "phase=GameOver,fascist,abandoned"),
        ("phase=GameOver,fascist,dictator_elected", "phase=GameOver,fascist,dictator_elected"),
        ("phase=GameOver,liberal,dictator_shot", "phase=GameOver,liberal,dictator_shot"),
        ("roles=liberal,liberal,fascist,dictator", "roles="),
        ("roles=fascist,fascist,fascist,fascist,fascist,fascist,dictator", "roles="),
        ("rules.drawn=9", "rules.drawn=9"),
        ("rules.drawn=100", "rules.drawn=100"),
        ("rules.laws=4,11", "rules.laws=4,11"),
        ("rules.vote_deadline=86401", "rules.vote_deadline=86401"),
        ("rules.roles=4,3,1", "rules.roles=4,3,1"),
        ("rules.players=8", "rules.roles=4,2,1"),
        ("rules.powers=none,execution,execution,execution,execution,execution", "rules.powers="),
        ("rules.start=0:9,0:0", "rules.start=0:9,0:0"),
        ("rules.tie_elects=maybe", "rules.tie_elects=maybe"),
    ],
)
def test_what_is_wrong_in_a_line_is_named(change: str, part: str) -> None:
    assert broken(line(change)).startswith(part)


@pytest.mark.parametrize(
    "heading", ["", "secret_hitler", "/1", "secret_hitler/", "secret_hitler/x", "Secret/1", "x/100"]
)
def test_a_wrong_heading_is_named(heading: str) -> None:
    assert broken(f"{heading} {A_LINE.partition(' ')[2]}") in (heading, A_LINE.split(" ")[1])


def test_an_empty_text_is_no_position() -> None:
    assert broken("") == broken(" \n") == ""


def test_a_doubled_part_is_refused() -> None:
    assert broken(f"{A_LINE} president=1") == "president=1"


@pytest.mark.parametrize("phase", ["GovernmentFormed,yes", "DictatorFound,dictator_shot", "RoundOver", "PlayerDown,7"])
def test_a_phase_in_which_it_is_nobodys_turn_is_refused(phase: str) -> None:
    assert broken(line(f"phase={phase}", "chancellor=3")) in (f"phase={phase}", "setbacks")


def after_a_shot() -> GameState:
    table = Table(7, edition="secret_hitler").reach(fascist=3)
    return table.play_round("fascist").shoot(5).answer(False).state


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ("president=5", "president=5"),
        ("phase=Election,5,-", "phase=Election,5,-"),
        ("phase=Election,3,5.yes", "phase=Election,3,5.yes"),
        ("phase=LegislativeSession,3,no", "draw_pile"),
        ("alive=1,2,3,4,6", "alive=1,2,3,4,6"),
    ],
)
def test_the_dead_take_no_part(change: str, part: str) -> None:
    of = position(after_a_shot())
    assert " alive=1,2,3,4,6,7 " in of
    assert broken(line(change, of=of)).startswith(part)


@pytest.mark.parametrize("junk", ["x", "\x00", " ", ",", "=", "%", "🦊", "\ud800", "a=b ", "players=A ", "1,", "%41"])
@pytest.mark.parametrize("start", ["", "secret_hitler/1 players=", f"{A_LINE} setbacks=", f"{A_LINE} investigated="])
def test_a_megabyte_of_junk_is_refused_at_once(junk: str, start: str) -> None:
    text = start + junk * (1_000_000 // len(junk))
    begun = perf_counter()
    if start.startswith(A_LINE) and not junk.strip():
        text += "setbacks"
    broken(text)
    assert perf_counter() - begun < 1


signs = st.sampled_from("0123456789-,:.=% /yesnoABC\tö🦊")
places = st.integers(0, 10_000)


def without_a_sign(text: str, place: int, _: str) -> str:
    return text[: place % len(text)] + text[place % len(text) + 1 :]


def with_another_sign(text: str, place: int, sign: str) -> str:
    return text[: place % len(text)] + sign + text[place % len(text) + 1 :]


def with_one_more_sign(text: str, place: int, sign: str) -> str:
    return text[: place % len(text)] + sign + text[place % len(text) :]


def without_a_part(text: str, place: int, _: str) -> str:
    parts = text.split(" ")
    return " ".join(part for part in parts if part != parts[place % len(parts)])


def with_a_part_twice(text: str, place: int, _: str) -> str:
    parts = text.split(" ")
    return " ".join([*parts, parts[place % len(parts)]])


def with_a_part_of_another(text: str, place: int, sign: str) -> str:
    other = some_lines()[place * 7919 % len(some_lines())].split(" ")[1:]
    name, _, value = other[(place + ord(sign)) % len(other)].partition("=")
    return line(f"{name}={value}", of=text)


CHARACTER_SLIPS = (without_a_sign, with_another_sign, with_one_more_sign, without_a_part, with_a_part_twice)
slips = st.lists(st.tuples(st.sampled_from(CHARACTER_SLIPS), places, signs), min_size=1, max_size=3)
swaps = st.lists(st.tuples(st.just(with_a_part_of_another), places, signs), min_size=1, max_size=3)


def parsed(text: str) -> GameState | None:
    """Return the state, None if the text is refused as a broken position."""
    try:
        return parse_position(text)
    except RuleViolation as refused:
        return None if refused.key == "position-broken" else pytest.fail(refused.key)


@given(start=places, changes=slips | swaps, luck=lucks)
@few(120)
def test_a_changed_line_is_refused_or_is_a_position_that_can_be_played_to_the_end(start, changes, luck):
    text = some_lines()[start % len(some_lines())]
    for change, place, sign in changes:
        text = change(text, place, sign) or "-"
    state = parsed(text)
    if state is None:
        return
    for _ in range(LONGEST):
        assert parse_position(position(state, secrets=True)) == state
        assert min(state.draw_pile, state.discard_pile) >= 0
        if isinstance(state.phase, GameOver):
            return
        for event in rules.decide(state, a_move(state, luck)):
            state = apply(state, event)
    pytest.fail("the game does not end")


# The doors


SUBMODULES = ("apply", "commands", "consequences", "decide", "edition", "eligibility", "events", "history", "legal")


def test_the_functions_can_be_had_from_the_package_whatever_was_imported_first() -> None:
    orders = [
        (),
        *((first, last) for first in (*SUBMODULES, "model", "position", "views") for last in ("position",)),
    ]
    code = f"""
import importlib, sys
for order in {orders!r}:
    for name in [name for name in sys.modules if name.startswith("gm_assistant.rules")]:
        del sys.modules[name]
    for name in order:
        importlib.import_module("gm_assistant.rules." + name)
    from gm_assistant import rules
    from gm_assistant.rules.apply import apply, replay
    from gm_assistant.rules.decide import decide, start
    from gm_assistant.rules.legal import legal_commands
    from gm_assistant.rules.position import parse_position, position
    assert (rules.apply, rules.replay, rules.decide, rules.start) == (apply, replay, decide, start), order
    assert (rules.legal_commands, rules.position, rules.parse_position) == (legal_commands, position, parse_position)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

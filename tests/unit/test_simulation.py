from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from table import EDITIONS, FASCIST, LIBERAL, SECRET_DICTATOR, every_edition, house_rules, same_powers

from gm_assistant.dialogue.messages import Fact, Message
from gm_assistant.errors import RuleViolation
from gm_assistant.rules.edition import Edition
from gm_assistant.rules.eligibility import eligible_chancellors
from gm_assistant.rules.model import (
    Cause,
    DictatorQuestion,
    Election,
    GameOver,
    LegislativeSession,
    Nomination,
    Party,
    Power,
    PowerPending,
    Role,
    VetoProposed,
)
from gm_assistant.simulation import SECONDS_BETWEEN_NEWS, NowAndThen, order_from, simulation_lines
from gm_assistant.simulation_cores import BLOCK, SimulationLost, Summary, all_cores, simulate
from gm_assistant.simulation_game import Cards, Outcome, SimulatedGame, play

ROOT = Path(__file__).parents[2]
FOUR_DRAWN = house_rules(drawn=4, reshuffle_below=5)
TWO_DRAWN = house_rules(drawn=2)
EVERY_POWER = same_powers(
    *(Power.INVESTIGATE, Power.SPECIAL_ELECTION, Power.MAGNIFIER, Power.PEEK, Power.EXECUTION),
    may_target_oneself=(Power.INVESTIGATE, Power.SPECIAL_ELECTION, Power.EXECUTION),
    edition="secret_hitler",
)
PLAYED = {**EDITIONS, "four drawn": FOUR_DRAWN, "two drawn": TWO_DRAWN, "every power": EVERY_POWER}

every_played = pytest.mark.parametrize("edition", PLAYED.values(), ids=PLAYED)


def games(edition: Edition, number: int = 20) -> Iterator[SimulatedGame]:
    """Yield games that have just begun, with every number of players in turn."""
    counts = range(edition.players.least, edition.players.most + 1)
    for seed in range(number):
        yield SimulatedGame(edition, counts[seed % len(counts)], Random(f"{edition.id} {seed}"))


def moments(edition: Edition, number: int = 20) -> Iterator[SimulatedGame]:
    """Yield such games at every moment at which somebody has to do something, also if it was done meanwhile."""
    for game in games(edition, number):
        while not game.over:
            before = game.state
            yield game
            if game.state is before:
                game.step()


def heard_nothing(done: int, total: int) -> None:
    """Take no notice of how far a run is."""


# --- one game


@every_played
def test_the_piles_are_those_of_the_rules_at_every_moment(edition):
    for game in moments(edition, 30):
        cards, state = game.cards, game.state
        assert len(cards.draw_pile) == state.draw_pile
        assert len(cards.discard_pile) == state.discard_pile
        assert len(cards.hand) == state.in_hand


@every_played
def test_no_law_is_lost_or_turns_its_coat(edition):
    for game in moments(edition, 30):
        lying = Counter([*game.cards.draw_pile, *game.cards.discard_pile, *game.cards.hand])
        assert {party: lying[party] + game.state.laws(party) for party in Party} == {
            party: edition.laws.of(party) for party in Party
        }


@every_played
def test_every_game_ends_with_a_winner_and_is_told_as_it_went(edition):
    for game in games(edition):
        began = len(game.state.alive)
        elections = failed = chaos = vetoes = 0
        while not game.over:
            before = game.state
            game.step()
            elections += isinstance(before.phase, Election)
            failed += isinstance(before.phase, Election) and game.state.chancellor is None
            chaos += game.state.last_law is not before.last_law and game.state.last_law.by_chaos
            vetoes += isinstance(before.phase, VetoProposed) and not isinstance(game.state.phase, LegislativeSession)
        told = game.outcome()
        end = game.state.phase
        assert isinstance(end, GameOver)
        assert (told.winner, told.cause) == (end.winner, end.cause)
        assert (told.rounds, told.failed_elections, told.chaos) == (elections, failed, chaos)
        assert (told.vetoes, told.shot) == (vetoes, began - len(game.state.alive))


def test_the_same_random_numbers_give_the_same_game():
    assert play(SECRET_DICTATOR, 7, Random(5)) == play(SECRET_DICTATOR, 7, Random(5))
    assert len({play(SECRET_DICTATOR, 7, Random(seed)) for seed in range(20)}) > 10


def test_the_president_discards_what_hurts():
    cards = Cards(SECRET_DICTATOR.rules_for(5), Random(1))
    cards.hand = [FASCIST, LIBERAL, FASCIST]
    assert sorted(cards.passed_on(LIBERAL)) == [FASCIST, LIBERAL]
    assert cards.passed_on(FASCIST) == [FASCIST, FASCIST]
    cards.hand = [LIBERAL, LIBERAL, LIBERAL, LIBERAL]
    assert cards.passed_on(LIBERAL) == [LIBERAL, LIBERAL, LIBERAL]


@every_played
def test_laws_are_enacted_for_the_side_of_the_government(edition):
    seen = set()
    for game in moments(edition, 200):
        state = game.state
        if not isinstance(state.phase, LegislativeSession) or state.chancellor is None:
            continue
        president, chancellor = game.side(state.president), game.side(state.chancellor)
        passed = game.cards.passed_on(president)
        game.step()
        if isinstance(game.state.phase, VetoProposed):
            assert set(passed) == {Party.LIBERAL, Party.FASCIST} - {chancellor}
            assert set(game.cards.hand) >= set(passed)
            game.step()
            agreed = not isinstance(game.state.phase, LegislativeSession)
            assert agreed == (president not in passed)
            seen.add(agreed)
        elif chancellor in passed:
            assert game.state.last_law.party is chancellor
    assert seen == (set() if edition.veto_from == 0 else {True, False})


def test_the_dictator_plays_for_the_liberals_until_the_danger_begins():
    for game in moments(SECRET_DICTATOR):
        dictator = game.roles.index(Role.DICTATOR) + 1
        assert (game.side(dictator) is FASCIST) == (game.state.fascist_laws >= 3)


@every_played
def test_nobody_shoots_themselves_and_no_fascist_the_dictator(edition):
    shots = 0
    for game in moments(edition, 60):
        if game.state.phase != PowerPending(Power.EXECUTION):
            continue
        president, before = game.state.president, game.state.alive
        game.step()
        (target,) = before - game.state.alive
        assert target != president
        assert (game.roles[president - 1], game.roles[target - 1]) != (Role.FASCIST, Role.DICTATOR)
        shots += 1
    assert shots > 0


def test_everybody_answers_truthfully_who_the_dictator_is():
    answers = set()
    for game in moments(SECRET_DICTATOR, 60):
        if isinstance(question := game.state.phase, DictatorQuestion):
            game.step()
            is_dictator = game.roles[question.seat - 1] is Role.DICTATOR
            assert is_dictator == game.over
            answers.add(is_dictator)
    assert answers == {True, False}


def test_who_governed_last_when_a_fascist_law_came_is_suspect_and_is_not_nominated_by_the_others():
    avoided = 0
    for game in moments(SECRET_DICTATOR, 60):
        if not isinstance(game.state.phase, Nomination) or game.knows_fascists(game.state.president):
            continue
        possible = {player.seat for player in eligible_chancellors(game.state) if player.bar is None} - game.suspects
        game.step()
        if possible and isinstance(game.state.phase, Election):
            assert game.state.phase.candidate in possible
            avoided += 1
    assert avoided > 100


@pytest.mark.parametrize("players", [6, 7])
def test_only_who_knows_the_fascists_votes_by_who_is_one(players):
    game = SimulatedGame(EDITIONS["secret_hitler"], players, Random(3))
    seats = {role: game.roles.index(role) + 1 for role in Role}
    strangers = frozenset(seat for seat in game.state.alive if not game.is_fascist(seat))
    fellows = strangers | {seats[Role.FASCIST]}

    def minds(role: Role) -> bool:
        return game.chance_of_yes(seats[role], strangers) != game.chance_of_yes(seats[role], fellows)

    assert [minds(role) for role in (Role.LIBERAL, Role.FASCIST, Role.DICTATOR)] == [False, True, players == 6]


# --- many games


def test_the_figures_do_not_depend_on_the_number_of_cores():
    many = 2 * BLOCK + 7
    alone, apart = (
        simulate(SECRET_DICTATOR, (5, 10), many, seed=4, cores=cores, progress=heard_nothing) for cores in (1, 2)
    )
    assert alone == apart
    assert [summary.players for summary in alone] == [5, 10]
    assert [summary.games for summary in alone] == [many, many]
    assert multiprocessing.active_children() == []


def test_a_number_of_players_has_the_same_figures_alone_and_among_others():
    both = simulate(SECRET_DICTATOR, (5, 6), 30, seed=4, cores=1, progress=heard_nothing)
    assert simulate(SECRET_DICTATOR, (6,), 30, seed=4, cores=1, progress=heard_nothing) == both[1:]


def test_another_seed_gives_other_figures():
    one, other = (simulate(SECRET_DICTATOR, (5,), 50, seed, 1, heard_nothing) for seed in (1, 2))
    assert one != other


def test_the_standard_game_under_other_names_has_the_same_figures():
    one, other = (
        simulate(EDITIONS[name], (5, 9), 50, 1, 1, heard_nothing) for name in ("secret_hitler", "service_rat")
    )
    assert one == other


def test_a_run_tells_how_far_it_is_up_to_the_end():
    told: list[tuple[int, int]] = []
    simulate(SECRET_DICTATOR, (5, 6), BLOCK + 1, 1, 1, lambda done, total: told.append((done, total)))
    every = 2 * (BLOCK + 1)
    assert told == [(BLOCK, every), (BLOCK + 1, every), (2 * BLOCK + 1, every), (every, every)]


@every_edition
def test_each_side_wins_some_games(edition):
    (summary,) = simulate(EDITIONS[edition], (7,), 300, 1, 1, heard_nothing)
    assert summary.won(LIBERAL) + summary.won(FASCIST) == 300
    assert min(summary.won(LIBERAL), summary.won(FASCIST)) > 60
    causes = [(party, cause) for party in Party for cause in Cause if summary.won(party, cause)]
    assert causes == [
        *((LIBERAL, Cause.LAWS), (LIBERAL, Cause.DICTATOR_SHOT)),
        *((FASCIST, Cause.LAWS), (FASCIST, Cause.DICTATOR_ELECTED)),
    ]


def test_a_process_that_dies_ends_the_run_with_an_error():
    def kill(done: int, total: int) -> None:
        for child in multiprocessing.active_children():
            child.kill()
            child.join()

    with pytest.raises(SimulationLost) as lost:
        simulate(SECRET_DICTATOR, (5,), 50 * BLOCK, 1, 2, kill)
    assert lost.value.key == "simulation-lost"
    assert multiprocessing.active_children() == []


def test_an_interrupt_leaves_no_process_behind():
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(SECRET_DICTATOR, (5,), 50 * BLOCK, 1, 2, interrupt)
    assert multiprocessing.active_children() == []


INTERRUPTED = """
import sys
from gm_assistant.simulation_cores import simulate
from table import SECRET_DICTATOR

def tell(done, total):
    print(done, flush=True)

if __name__ == "__main__":
    try:
        simulate(SECRET_DICTATOR, (5,), 1_000_000, 1, 2, tell)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals for a group of processes")
def test_a_typed_interrupt_ends_all_processes_without_a_word(tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    path = os.pathsep.join((str(ROOT), str(Path(__file__).parent)))
    run = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert run.stdout is not None
    assert int(run.stdout.readline()) == BLOCK
    os.killpg(run.pid, signal.SIGINT)
    _, complaints = run.communicate(timeout=60)  # returns when every process has let go of the output
    assert (run.returncode, complaints) == (130, "")


# --- what is asked for, and what is shown


def test_without_a_number_of_players_every_one_is_played_and_on_every_core():
    order = order_from(SECRET_DICTATOR, None, "10", "3", None)
    assert order == ((5, 6, 7, 8, 9, 10), 10, 3, all_cores())
    assert order.cores >= 1


def test_flags_say_what_to_simulate():
    assert order_from(SECRET_DICTATOR, "7", "10000", "0", "2") == ((7,), 10_000, 0, 2)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(
            ("--players", value)
            for value in ("4", "11", "0", "-5", "seven", "", "5.5", "\N{ARABIC-INDIC DIGIT SEVEN}", "9" * 5000)
        ),
        *(("--games", value) for value in ("0", "-1", "1000001", "many", "1e3", "1_000", " 5", "²")),
        *(("--seed", value) for value in ("-1", "x", "1000000000")),
        *(("--cores", value) for value in ("0", "-1", "1001", "all", "")),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_with_what_is_possible(option, value):
    flags = {"--players": "7", "--games": "10", "--seed": "1", "--cores": "1", option: value}
    with pytest.raises(RuleViolation) as refused:
        order_from(SECRET_DICTATOR, *flags.values())
    assert refused.value.key == "option-needs-number"
    assert refused.value.facts["option"] == option
    assert value.startswith(str(refused.value.facts["value"]))
    assert len(str(refused.value.facts["value"])) <= 20
    if option == "--players":
        assert (refused.value.facts["least"], refused.value.facts["most"]) == (5, 10)


def test_how_far_a_run_is_is_told_now_and_then_only_and_not_at_its_end():
    told: list[tuple[int, int]] = []
    now = iter([0.0, 1.0, SECONDS_BETWEEN_NEWS, SECONDS_BETWEEN_NEWS + 1, 100.0, 200.0])
    news = NowAndThen(lambda done, total: told.append((done, total)), lambda: next(now))
    for done in (1, 2, 3, 4, 5):
        news(done, 5)
    assert told == [(2, 5), (4, 5)]


class PlainKeys:
    """Stands for a phrasebook: shows keys and facts."""

    def phrase(self, message: Message) -> str:
        return f"{message.key} {_shown(message.facts)}".rstrip()

    def say(self, messages: list[Message]) -> str:
        return " / ".join(map(self.phrase, messages))


def _shown(facts: Mapping[str, Fact]) -> str:
    return " ".join(str(getattr(fact, "name", fact)) for fact in facts.values())


LIBERALS_WIN = Outcome(LIBERAL, Cause.LAWS, rounds=8, failed_elections=2, chaos=0, vetoes=0, shot=1)
FASCISTS_WIN = Outcome(FASCIST, Cause.DICTATOR_ELECTED, rounds=5, failed_elections=0, chaos=1, vetoes=2, shot=0)
THREE_GAMES = {LIBERALS_WIN: 2, FASCISTS_WIN: 1}


def test_a_single_number_of_players_has_a_line_for_each_figure():
    lines = list(simulation_lines([Summary(7, THREE_GAMES)], PlainKeys()))  # type: ignore[arg-type]
    assert lines == [
        "simulation-head edition 3",
        "simulation-players 7",
        "simulation-won 66 7 liberal",
        "simulation-won-laws 66 7 liberal",
        "simulation-won 33 3 fascist",
        "simulation-won-dictator_elected 33 3 fascist",
        "simulation-rounds 7 0",
        "simulation-spread 5 8 8",
        "simulation-failed 19 0",
        "simulation-chaos 33 3",
        "simulation-vetoes 66 7",
        "simulation-shot 66 7",
        "simulation-precision 56 6",
        "simulation-caveat",
    ]


def test_several_numbers_of_players_have_one_line_each():
    book = PlainKeys()
    summaries = [Summary(count, THREE_GAMES) for count in (5, 6)]
    head, five, six, precision, caveat = simulation_lines(summaries, book)  # type: ignore[arg-type]
    single = list(simulation_lines(summaries[:1], book))  # type: ignore[arg-type]
    assert [head, *five.split(" / "), precision, caveat] == single
    assert six == five.replace("simulation-players 5", "simulation-players 6")

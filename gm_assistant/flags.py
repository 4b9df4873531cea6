"""The flags of every command."""

from __future__ import annotations

import argparse

from gm_assistant import __version__
from gm_assistant.assembly import DEVICES, KEYBOARD, MICROPHONE, TEXT
from gm_assistant.scenes.opening import Deal

EVERYBODY, NOBODY = "all", ("none", "nobody")
"""Words of the flag for blind players."""


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    whole = argparse.ArgumentParser(prog="gm-assistant", description="Game-master assistant for Secret Dictator.")
    whole.add_argument("--version", action="version", version=f"gm-assistant {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="command")
    _play_options(commands.add_parser("play", help="play a game"))
    _rehearse_options(commands.add_parser("rehearse", help="let a synthetic leader speak a whole game"))
    check = commands.add_parser("check", help="tell which devices, models and voices are there")
    _device_options(check)
    _headset_options(commands.add_parser("headset", help="choose the headset by listening"))
    _microphone_options(commands.add_parser("microphone", help="check the microphone by listening"))
    phrases = commands.add_parser("phrases", help="list everything one can say")
    phrases.add_argument("--language", metavar="CODE", help="language, such as en or de")
    phrases.add_argument("--edition", metavar="EDITION", help="edition, such as secret_dictator, or a file")
    _simulate_options(commands.add_parser("simulate", help="play thousands of games without people"))
    _editions_options(commands.add_parser("editions", help="list, check or show editions"))
    return whole


def _play_options(play: argparse.ArgumentParser) -> None:
    _game_options(play)
    _device_options(play)
    play.add_argument("--input", default=MICROPHONE, metavar="SOURCE", help=f"{MICROPHONE}, {KEYBOARD} or FILE.wav")
    play.add_argument("--output", default=DEVICES, metavar="TARGET", help=f"{DEVICES}, {TEXT} or a folder")
    play.add_argument("--show-headset", action="store_true", help="print what the headset hears, too")
    play.add_argument("--open-microphone", action="store_true", default=None, help="listen without a key")
    play.add_argument("--wake-phrase", metavar="WORDS", help="what is said to an open microphone before a sentence")
    play.add_argument("--talk-key", dest="talk_keys", metavar="KEY", help="key that opens the microphone, such as f5")
    play.add_argument("--vote-deadline", type=int, metavar="SECONDS", help="time for a secret ballot; 0: no end")
    play.add_argument("--blind", metavar="NAMES", help=f"who cannot see the cards: names, {EVERYBODY} or {NOBODY[0]}")
    play.add_argument("--deal", choices=[*Deal], help="how the roles are dealt where there is a headset")
    which = play.add_mutually_exclusive_group()
    which.add_argument("--new", dest="resume", action="store_false", help="begin a new game")
    which.add_argument("--resume", dest="resume", action="store_true", help="go on with the last game")
    play.set_defaults(resume=None)


def _rehearse_options(command: argparse.ArgumentParser) -> None:
    _game_options(command)
    command.add_argument("--seed", type=int, default=1, metavar="N", help="the same number gives the same game")
    command.add_argument("--out", required=True, metavar="FOLDER", help="where the sound and the transcript go")
    command.add_argument("--settings", metavar="FILE", help="settings file")


def _editions_options(editions: argparse.ArgumentParser) -> None:
    editions.add_argument("--language", metavar="CODE", help="language, such as en or de")
    actions = editions.add_subparsers(dest="action", metavar="action")
    listing = actions.add_parser("list", help="list all editions")
    check = actions.add_parser("check", help="tell everything that is wrong with a file")
    check.add_argument("file", metavar="FILE", help="edition file")
    rules = actions.add_parser("show", help="print the rules of an edition")
    rules.add_argument("edition", metavar="EDITION", help="id or file")
    rules.add_argument("--players", type=int, metavar="N", help="of the game with so many players only")
    actions.add_parser("schema", help="print the JSON Schema of edition files")
    for action in (listing, check, rules):
        action.add_argument("--language", metavar="CODE", default=argparse.SUPPRESS, help="language, such as en or de")


def _game_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--edition", metavar="EDITION", help="edition, such as secret_dictator, or a file")
    command.add_argument("--language", metavar="CODE", help="language, such as en or de")
    command.add_argument("--players", metavar="NAMES", help="names in seating order, with commas")
    command.add_argument("--first", metavar="NAME", help="first president, by name or seat")


def _simulate_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `simulate`. The numbers stay text: `order_from` refuses bad ones in one plain sentence."""
    command.add_argument("--edition", metavar="EDITION", help="edition, such as secret_dictator, or a file")
    command.add_argument("--players", metavar="N", help="number of players; without it, all that the edition has")
    command.add_argument("--games", default="10000", metavar="N", help="games for each number of players")
    command.add_argument("--seed", default="1", metavar="N", help="the same number gives the same figures")
    command.add_argument("--cores", metavar="N", help="processor cores to use; without it, all")
    command.add_argument("--language", metavar="CODE", help="language, such as en or de")


def _headset_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--list", action="store_true", help="only tell which devices may be the headset")
    command.add_argument("--language", metavar="CODE", help="language, such as en or de")
    command.add_argument("--table-device", metavar="NAME", help="loudspeaker")
    command.add_argument("--settings", metavar="FILE", help="settings file, where the headset is written")
    command.add_argument("--seed", type=int, metavar="N", help="the same number gives the same numbers to hear")


def _microphone_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--language", metavar="CODE", help="language, such as en or de")
    command.add_argument("--input", default=MICROPHONE, metavar="SOURCE", help=f"{MICROPHONE} or FILE.wav")
    command.add_argument("--microphone-device", metavar="NAME", help="microphone")
    command.add_argument("--table-device", metavar="NAME", help="loudspeaker")
    command.add_argument("--patience", type=float, metavar="SECONDS", help="time to begin to speak; 0: no end")
    command.add_argument("--settings", metavar="FILE", help="settings file")


def _device_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--table-device", metavar="NAME", help="loudspeaker")
    command.add_argument("--headset-device", metavar="NAME", help="headset, by its exact name")
    command.add_argument("--trust-headset", action="store_true", default=None, help="allow a built-in jack as headset")
    command.add_argument("--split-device", metavar="NAME", help="one for both: left is the table, right the headset")
    command.add_argument("--microphone-device", metavar="NAME", help="microphone")
    command.add_argument("--settings", metavar="FILE", help="settings file")

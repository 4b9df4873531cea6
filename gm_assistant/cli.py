"""The command line: plain lines, plain errors, exit codes 0 (well), 1 (it did not work out), 2 (cannot be done so)."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from locale import getlocale
from pathlib import Path
from random import Random, SystemRandom
from typing import NoReturn

import msgspec
from babel import default_locale

from gm_assistant.assembly import assembled, vosk_folder
from gm_assistant.checked import checked
from gm_assistant.checkup import checkup
from gm_assistant.data import data_folder
from gm_assistant.dialogue.set_up import LONGEST_NAME, Plan, cleaned, with_all_blind, with_first, with_names
from gm_assistant.dialogue.wake import FEWEST_SYLLABLES, fault, wake_phrases
from gm_assistant.ears import KeyboardEars
from gm_assistant.edition_list import check_lines, edition_lines, rule_text, schema_text
from gm_assistant.edition_shelf import is_file_name
from gm_assistant.errors import GmError, RuleViolation
from gm_assistant.flags import EVERYBODY, NOBODY, parser
from gm_assistant.headset_choice import choose_headset, headset_lines
from gm_assistant.interview import edition_of
from gm_assistant.journal import Journals
from gm_assistant.library import DEFAULT_EDITION, Library, load_library, load_packs, spoken_error
from gm_assistant.log import log_crash, log_error, open_log
from gm_assistant.microphone_check import check_microphone
from gm_assistant.name_hearing import NameHearing
from gm_assistant.names import remember
from gm_assistant.output import OutputLost, show, show_trouble
from gm_assistant.phrase_list import phrase_lines
from gm_assistant.private_evening import Times
from gm_assistant.rehearsal import rehearse
from gm_assistant.rules.edition import Edition
from gm_assistant.scenes.opening import Deal
from gm_assistant.session import Session
from gm_assistant.settings import Settings, SettingsError, editions_folder, games_folder, load_settings, settings_file
from gm_assistant.simulation import order_from, report
from gm_assistant.talking import ENDING_SIGNALS, talk
from gm_assistant.terminal import KEYS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for number in set(ENDING_SIGNALS) - {signal.SIGINT}:
        signal.signal(number, _leave)
    options = parser().parse_args(arguments)
    if options.command in _LOGGED:
        open_log()
    try:
        return _ended(options)
    except KeyboardInterrupt:
        return 130
    except OutputLost as lost:
        if not lost.problem:  # its reader has gone, as `head` does
            return 0
        show_trouble(_words(GmError("output-lost", problem=lost.problem), options))
        return 1


def _ended(options: argparse.Namespace) -> int:
    """Run the command; tell in one sentence what went wrong."""
    try:
        return _COMMANDS[options.command](options)
    except GmError as error:
        log_error(error)
        show(_words(error, options))
        return 2
    except OutputLost:
        raise
    except Exception as error:  # noqa: BLE001 - the program's border: nobody at the table can use a traceback
        show(_words(_crash(error, ""), options))
        return 1


def _crash(error: Exception, position: str) -> GmError:
    """Write a report; return what people are told."""
    path = log_crash(error, position)
    return GmError("crashed", path=str(path)) if path else GmError("crashed-unreported")


def _words(error: GmError, options: argparse.Namespace) -> str:
    language = getattr(options, "language", None) or system_language()
    return spoken_error(error, language, data_folder("voices"))


_LOGGED = ("play", "rehearse")


def system_language() -> str:
    """Return the language of this computer's user as a code of two letters, `en` if it is not known."""
    try:
        name = default_locale("LC_MESSAGES") or getlocale()[0] or ""
    except ValueError:
        name = ""
    return name[:2].lower() if "_" in name else "en"


def _play(options: argparse.Namespace) -> int:
    library = _library(options.edition)
    settings = _settings(options)
    language = options.language or system_language()
    first_language = language if language in library.packs else "en"
    plan = _plan(options, library, first_language)
    times = Times(settings.vote_deadline, settings.pace, settings.confirmation_time)
    session = Session(library, plan, Journals(games_folder()), datetime.now, first_language, times=times)
    remember(session.names, settings, _settings_file(options))
    phrases = partial(_wake_phrases, library, _checked_phrases(library, settings))
    parts_of = assembled(
        session, settings, options.input, options.output, show_headset=options.show_headset, phrases=phrases
    )
    with parts_of as parts:
        if not isinstance(parts.ears, KeyboardEars):
            session.names.hears = NameHearing(library, partial(vosk_folder, settings))
        vain = options.deal not in (None, Deal.NONE) and not parts.private
        unheard = [RuleViolation("no-headset-chosen")] if vain else []
        for notice in (*(one.notice for one in library.left_out), *parts.notices, *unheard):
            parts.mouth.say(session.excuse(notice))
        try:
            talk(session, parts.mouth, parts.ears, parts.keyboard, parts.fallback, resume=options.resume)
        except (GmError, OutputLost):
            raise
        except Exception as error:  # noqa: BLE001 - the game's border: a table that cannot see must be told
            parts.mouth.say(session.excuse(_crash(error, session.position)))
            return 1
    return 0


def _checked_phrases(library: Library, settings: Settings) -> Mapping[str, str]:
    """Return the user's own wake phrase of each language. Raise SettingsError if one is not good enough."""
    for language, phrase in settings.wake_phrases.items():
        _known("no-such-language", language, library.packs)
        wrong = fault(library.pack(language, None), phrase)
        if wrong is not None:
            raise SettingsError(f"wake-phrase-{wrong}", phrase=_short(phrase), least=FEWEST_SYLLABLES)
    return settings.wake_phrases


def _wake_phrases(library: Library, own: Mapping[str, str], language: str) -> tuple[str, ...]:
    """Return what wakes an open microphone in a language."""
    return wake_phrases(library.packs[language], own.get(language))


def _rehearse(options: argparse.Namespace) -> int:
    library = _library(options.edition)
    language = options.language or "en"
    plan = _plan(options, library, language if language in library.packs else "en")
    return rehearse(
        library, replace(plan, language=language), _settings(options), options.seed, Path(options.out), show
    )


def _check(options: argparse.Namespace) -> int:
    library = _library()
    language = system_language() if system_language() in library.packs else "en"
    for line in checkup(library, _settings(options), _settings_file(options), language):
        show(line)
    return 0


def _headset(options: argparse.Namespace) -> int:
    library, settings = _library(), _settings(options)
    language = _wanted(options, library.packs)
    if options.list:
        for line in headset_lines(library, settings, language):
            show(line)
        return 0
    random = SystemRandom() if options.seed is None else Random(options.seed)  # noqa: S311 - no secret
    return 0 if choose_headset(library, settings, _settings_file(options), language, random, show) else 1


def _microphone(options: argparse.Namespace) -> int:
    library, settings = _library(), _settings(options)
    language = _wanted(options, library.packs)
    return 0 if check_microphone(library, settings, language, options.input, show) else 1


def _phrases(options: argparse.Namespace) -> int:
    library = _library(options.edition)
    edition = None if options.edition is None else _chosen(options.edition, library).id
    for line in phrase_lines(library, _wanted(options, library.packs), edition):
        show(line)
    return 0


def _editions(options: argparse.Namespace) -> int:
    whole = True
    match options.action:
        case "check":
            packs = load_packs()
            lines, whole = check_lines(packs, _wanted(options, packs), Path(options.file), editions_folder())
        case "schema":
            lines = schema_text().splitlines()
        case "show":
            library = _library(options.edition)
            edition, language = _chosen(options.edition, library), _wanted(options, library.packs)
            lines = list(rule_text(library, language, edition, options.players))
        case _:
            library = _library()
            lines = list(edition_lines(library, _wanted(options, library.packs)))
    for line in lines:
        show(line)
    return 0 if whole else 1


def _simulate(options: argparse.Namespace) -> int:
    library = _library(options.edition)
    language, edition = _wanted(options, library.packs), _chosen(options.edition or DEFAULT_EDITION, library)
    order = order_from(edition, options.players, options.games, options.seed, options.cores)
    report(edition, order, library.phrasebook(language, edition.id), show)
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "play": _play,
    "rehearse": _rehearse,
    "check": _check,
    "headset": _headset,
    "microphone": _microphone,
    "phrases": _phrases,
    "editions": _editions,
    "simulate": _simulate,
}


def _plan(options: argparse.Namespace, library: Library, language: str) -> Plan:
    """Return what the flags say about the game to come. Raise RuleViolation if it does not fit."""
    if options.language is not None:
        _known("no-such-language", options.language, library.packs)
    plan = Plan(options.language, _edition_id(options, library))
    if options.players is not None:
        names = tuple(options.players.split(","))
        plan = with_names(plan, names, edition_of(library, plan), library.packs[language])
    if options.first is not None:
        if not plan.names:
            raise RuleViolation("first-needs-players")
        plan = with_first(plan, _short(options.first), library.packs[language])
    return _with_private(plan, options, library, language)


def _with_private(plan: Plan, options: argparse.Namespace, library: Library, language: str) -> Plan:
    """Return the plan with what the flags say about blind players and the deal; without a headset nobody asks."""
    plan = replace(plan, deal=getattr(options, "deal", None))
    blind = getattr(options, "blind", None)
    if blind is None:
        return plan
    if not plan.names:
        raise RuleViolation("blind-needs-players")
    names = {EVERYBODY: plan.names, **dict.fromkeys(NOBODY, ())}.get(blind, tuple(map(_short, blind.split(","))))
    return with_all_blind(plan, names, library.packs[language])


def _edition_id(options: argparse.Namespace, library: Library) -> str | None:
    """Return the edition of the flag; without it the default one if the players are given, else it is asked for."""
    if options.edition is not None:
        return _chosen(options.edition, library).id
    return DEFAULT_EDITION if options.players is not None or len(library.editions) == 1 else None


def _library(edition: str | None = None) -> Library:
    """Return what comes with the program and the user's editions; also that of the flag, if it is a file."""
    extra = Path(edition) if edition is not None and is_file_name(edition) else None
    return load_library(users=editions_folder(), extra=extra)


def _chosen(name: str, library: Library) -> Edition:
    edition = library.chosen(name)
    if edition is None:
        raise RuleViolation("no-such-edition", name=_short(name), names=", ".join(library.editions))
    return edition


def _wanted(options: argparse.Namespace, packs: Mapping[str, object]) -> str:
    """Return the language of what is printed."""
    wanted: str = options.language or (system_language() if system_language() in packs else "en")
    _known("no-such-language", wanted, packs)
    return wanted


def _known(key: str, name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        raise RuleViolation(key, name=_short(name), names=", ".join(known))


def _short(name: str) -> str:
    """Return so much of a name as an error can repeat."""
    return cleaned(name)[: 2 * LONGEST_NAME]


def _settings(options: argparse.Namespace) -> Settings:
    """Return the settings of the file, overruled by the flags."""
    settings = load_settings(_settings_file(options), wanted=options.settings is not None)
    given = {name: value for name in _OVERRULING if (value := getattr(options, name, None)) is not None}
    if "talk_keys" in given:
        given["talk_keys"] = (given["talk_keys"],)
    if getattr(options, "wake_phrase", None) is not None:
        language = options.language or system_language()
        given["wake_phrases"] = {**settings.wake_phrases, language: options.wake_phrase}
    content, file = {**msgspec.to_builtins(settings), **given}, str(_settings_file(options))
    settings = checked(content, Settings, file, SettingsError, "settings-broken")
    for key in settings.talk_keys:
        if len(key) != 1:
            _known("no-such-key", key.lower(), KEYS)
    return settings


def _settings_file(options: argparse.Namespace) -> Path:
    return settings_file() if options.settings is None else Path(options.settings)


_OVERRULING = (
    *("table_device", "headset_device", "trust_headset", "split_device"),
    *("microphone_device", "talk_keys", "open_microphone", "vote_deadline"),
    "patience",
)


def _leave(number: int, *_: object) -> NoReturn:
    """End as if the program had come to its end, so that the terminal and the devices are given back."""
    raise SystemExit(128 + number)

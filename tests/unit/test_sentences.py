"""Where one sentence ends and the next begins: the first one sounds while the others are made."""

from __future__ import annotations

import pytest
from fakes import library
from pack_samples import EDITIONS, LANGUAGES, book_of

from gm_assistant.dialogue.messages import Message, Person
from gm_assistant.replies import Replies
from gm_assistant.utterances import TableUtterance

BOOK = library().phrasebook("en", "secret_dictator")
GIVEN = (
    Message("elected-count", {"yes": 4, "no": 1}),
    Message("first-president", {"president": Person("Ben")}),
    Message("prompt-nomination"),
)


def test_an_answer_is_cut_at_the_end_of_each_sentence() -> None:
    assert len(BOOK.sentences(GIVEN)) == 4
    assert BOOK.sentences(GIVEN)[0] == "Elected, 4 to 1."
    assert all(one.endswith((".", "?")) for one in BOOK.sentences(GIVEN))


@pytest.mark.parametrize("name", ["Dr. No", "St. Clair", "J. R. R.", "Who? Me", "3. Anna", "Yes! Ben"])
def test_no_name_is_taken_for_the_end_of_a_sentence(name: str) -> None:
    told = (Message("nominated", {"player": Person(name)}), Message("prompt-election"))
    assert BOOK.sentences(told) == (f"Nominated: {name}.", "Vote now.")


def test_what_ends_in_a_colon_goes_on_with_the_next_message() -> None:
    told = (Message("undone"), Message("nominated", {"player": Person("Ben")}), Message("prompt-election"))
    assert BOOK.sentences(told) == ("Taken back: Nominated: Ben.", "Vote now.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_sentences_together_are_the_whole_answer(language: str, edition: str) -> None:
    book = book_of(language, edition)
    assert " ".join(book.sentences(GIVEN)) == book.say(GIVEN)


def test_no_abbreviation_stands_in_a_phrase() -> None:
    """It would be cut in two. A sentence of our own begins with a capital, a gap or a digit."""
    for pack in library().packs.values():
        for texts in (pack.phrases.phrases, *pack.phrases.materials.values()):
            for key, text in texts.items():
                later = text.replace("? ", ". ").replace("! ", ". ").split(". ")[1:]
                assert all(one[0].isupper() or one[0] in "{0123456789" for one in later), (key, text)


def test_a_reply_knows_its_sentences_and_a_repeat_has_all_of_them() -> None:
    replies = Replies(lambda: BOOK)
    (said,) = replies.table(GIVEN)
    assert isinstance(said, TableUtterance)
    assert said.sentences == BOOK.sentences(GIVEN)
    assert " ".join(said.sentences) == said.text
    (again,) = replies.repeated(whisper=False)
    assert isinstance(again, TableUtterance)
    assert (again, again.sentences) == (said, said.sentences)

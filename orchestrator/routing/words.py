"""What a word is: between which two characters a phrase may begin or end.

Law: there is no boundary between two characters that both belong to words of scripts written with spaces.
Letters, digits, the underscore and the marks on them do; punctuation does not; nor do Han, Kana, Thai and the
other scripts written without spaces, in which a phrase may begin and end anywhere.
"""

import re
import unicodedata
from functools import lru_cache

_WITHOUT_SPACES = (
    r"\u0e00-\u0eff"  # Thai, Lao
    r"\u0f00-\u109f\u1780-\u17ff\u19e0-\u19ff"  # Tibetan, Myanmar, Khmer
    r"\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f"  # Tai Le, New Tai Lue, Tai Tham, Balinese
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3035\u3038-\u303c"  # radicals, iteration marks, Hangzhou numerals
    r"\u3041-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # Hiragana, Katakana, Bopomofo
    r"\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf"  # Han, Yi
    r"\ua980-\ua9ff\uaa60-\uaadf"  # Javanese, more Myanmar, Tai Viet
    r"\uf900-\ufaff\uff66-\uff9f"  # compatibility Han, half-width Kana
    r"\U0001aff0-\U0001b16f\U00020000-\U0003ffff"  # old Kana, more Han
)
_RUN = re.compile(rf"[^\W{_WITHOUT_SPACES}]+")
_UNSPACED = re.compile(rf"[{_WITHOUT_SPACES}]")
_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def in_word(char: str) -> bool:
    """Does this character belong to words of a script written with spaces?"""
    if char < "\x80":
        return char.isalnum() or char == "_"
    return _in_word_beyond_ascii(char)


@lru_cache(maxsize=4096)
def _in_word_beyond_ascii(char: str) -> bool:
    if _UNSPACED.match(char) or _SELECTORS.match(char):
        return False
    return char.isalnum() or unicodedata.category(char) in ("Mn", "Mc")


def is_boundary(text: str, at: int) -> bool:
    """May a phrase begin or end before `text[at]`? Both ends of the text are boundaries."""
    return not (0 < at < len(text) and in_word(text[at - 1]) and in_word(text[at]))


def next_boundary(text: str, at: int) -> int:
    """The first place after `at` that may be a boundary: nothing between the two is one.

    Found by one step of a regular expression, so that a long word costs no more than a short one.
    """
    run = _RUN.match(text, at)
    return run.end() if run else at + 1

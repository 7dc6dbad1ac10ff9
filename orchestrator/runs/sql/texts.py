"""Texts of people, and ids, as every database can store and compare them. Pure.

Law: they are stored as the inside of a JSON string, in ASCII, so that neither a NUL, nor half a surrogate,
nor the character set of a database can change or refuse them.
"""

import json
from json.encoder import encode_basestring_ascii


def packed(text: str) -> str:
    """The text in ASCII; one of plain letters and digits is as it was."""
    return encode_basestring_ascii(text)[1:-1]


def unpacked(text: str) -> str:
    """The text that was packed."""
    return text if "\\" not in text else json.loads(f'"{text}"')

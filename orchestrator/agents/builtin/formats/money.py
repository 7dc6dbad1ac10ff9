"""Amounts and days as people write them in tables: exact, or refused.

Law: an amount is a Decimal, never a float; currencies are never converted or mixed; what could mean two days
is not guessed.

Rule for amounts: with both marks the last one is the decimal mark; a single mark before exactly three digits
groups thousands (money has no three decimals), else it is the decimal mark. Parentheses or a minus mean less.
"""

import re
from datetime import date
from decimal import Decimal

from orchestrator.agents.builtin.types.ledger import DateOrder

_SYMBOLS = {"€": "EUR", "£": "GBP"}
"""Marks that mean one currency only; `$` and `¥` stay as written."""
_NUMBER = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?P<mark>[.,'’ ])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,3}|[0-9]{1,15})"
    r"(?:(?P<point>[.,])(?P<part>[0-9]{1,6}))?"
)
_SIMPLE = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,2})?")  # most amounts, fast
_NEGATIVE = re.compile(r"\((.*)\)|-\s*(.*)|(.*?)\s*-")
_YEAR_FIRST = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ][0-9]{2}:[0-9]{2}.*)?")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([./-])\s?([0-9]{1,2})\2\s?([0-9]{4})")
_CURRENCY = re.compile(r"[€£$¥]|(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])|(?<![A-Za-z])kr\b")


def parse_amount(text: str, currency: str) -> tuple[Decimal, str]:
    """The amount and its currency; `currency` where the text names none. Raises ValueError."""
    if _SIMPLE.fullmatch(text):
        return Decimal(text), _SYMBOLS.get(currency, currency)
    plain = " ".join(text.replace("\u2212", "-").split())
    marks = _CURRENCY.findall(plain)
    number = _CURRENCY.sub("", plain).strip()
    if len(marks) > 1:
        raise ValueError(f"the amount {text!r} names several currencies")
    mark = marks[0] if marks else currency
    negative = _NEGATIVE.fullmatch(number)
    body = next(g for g in negative.groups() if g is not None) if negative else number
    value = _unsigned(body.strip().removeprefix("+"), text)
    return (-value if negative else value), _SYMBOLS.get(mark, mark)


def _unsigned(number: str, text: str) -> Decimal:
    match = _NUMBER.fullmatch(number)
    if match is None or (match["mark"] is not None and match["mark"] == match["point"]):
        raise ValueError(f"{text!r} is not an amount")
    whole = re.sub(r"\D", "", match["whole"])
    return Decimal(f"{whole}.{match['part']}" if match["part"] else whole)


def spoken_amount(amount: Decimal, currency: str) -> str:
    """`EUR 1,250.00`, `$40.00`, `-12.50`."""
    sign = "-" if amount < 0 else ""
    number = f"{abs(amount):,.2f}" if amount == amount.quantize(Decimal("0.01")) else f"{abs(amount):,f}"
    gap = " " if currency.isalpha() else ""
    return f"{sign}{currency}{gap}{number}"


def parse_day(text: str, order: DateOrder | None) -> date:
    """`2026-12-03`, `03.12.2026`, and `03/12/2026` where `order` or the day itself settles it.

    Raises ValueError with what is wrong.
    """
    plain = text.strip()
    match = _YEAR_FIRST.fullmatch(plain)
    if match:
        return _day(int(match[1]), int(match[2]), int(match[3]), text)
    match = _YEAR_LAST.fullmatch(plain)
    if match is None:
        raise ValueError(f"{text!r} is not a day; write it as 2026-12-03")
    one, two, year = int(match[1]), int(match[3]), int(match[4])
    settled = "dmy" if match[2] == "." else order or _settled_order(one, two, text)
    return _day(year, two, one, text) if settled == "dmy" else _day(year, one, two, text)


def _settled_order(one: int, two: int, text: str) -> DateOrder:
    """The order that only one reading allows."""
    if one > 12 or one == two:
        return "dmy"
    if two > 12:
        return "mdy"
    raise ValueError(f"{text!r} could be two days; set options.date_order to dmy or mdy")


def _day(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise ValueError(f"{text!r} is not in the calendar") from error

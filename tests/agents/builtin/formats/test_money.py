"""Amounts and days of tables."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from orchestrator.agents.builtin.formats.money import parse_amount, parse_day, spoken_amount


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("1,250.00", "1250.00", ""),
        ("1.250,00", "1250.00", ""),
        ("1 250,00", "1250.00", ""),
        ("1\u00a0250,00", "1250.00", ""),
        ("1'250.50", "1250.50", ""),
        ("1,250", "1250", ""),
        ("1.250.000", "1250000", ""),
        ("12,5", "12.5", ""),
        ("0.125", "0.125", ""),
        ("1250", "1250", ""),
        ("€40", "40", "EUR"),
        ("40 €", "40", "EUR"),
        ("EUR 1,250.00", "1250.00", "EUR"),
        ("1250CHF", "1250", "CHF"),
        ("$12.50", "12.50", "$"),
        ("£5", "5", "GBP"),
        ("(12.50)", "-12.50", ""),
        ("(€12.50)", "-12.50", "EUR"),
        ("-12.50", "-12.50", ""),
        ("€-12.50", "-12.50", "EUR"),
        ("12.50-", "-12.50", ""),
        ("\u221212.50", "-12.50", ""),
        ("+3", "3", ""),
    ],
)
def test_an_amount_is_exact_however_it_is_written(text: str, amount: str, currency: str) -> None:
    assert parse_amount(text, "") == (Decimal(amount), currency)


@pytest.mark.parametrize(
    "text", ["", "free", "12.50.1", "1,2,3", "1.25,000.00", "--5", "1e5", "NaN", "12.50 of 20", "١٢"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount"):
        parse_amount(text, "")


def test_two_currencies_are_refused() -> None:
    with pytest.raises(ValueError, match="names several currencies"):
        parse_amount("€40 USD", "")


def test_an_amount_without_a_currency_has_that_of_its_row() -> None:
    assert parse_amount("40", "€") == (Decimal(40), "EUR")
    assert parse_amount("$40", "EUR") == (Decimal(40), "$")


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2), st.sampled_from(["", "EUR", "$"]))
def test_an_amount_that_is_said_is_read_back(amount: Decimal, currency: str) -> None:
    assert parse_amount(spoken_amount(amount, currency), "") == (amount, currency)


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2026-12-03", None, "2026-12-03"),
        ("2026/12/03", None, "2026-12-03"),
        ("2026-12-03T00:00:00", None, "2026-12-03"),
        ("03.12.2026", None, "2026-12-03"),
        ("3. 12. 2026", None, "2026-12-03"),
        ("25/12/2026", None, "2026-12-25"),
        ("12/25/2026", None, "2026-12-25"),
        ("05/05/2026", None, "2026-05-05"),
        ("03/12/2026", "dmy", "2026-12-03"),
        ("03/12/2026", "mdy", "2026-03-12"),
        ("03-12-2026", "mdy", "2026-03-12"),
    ],
)
def test_a_day_is_read_where_only_one_can_be_meant(text: str, order: str | None, day: str) -> None:
    assert parse_day(text, order) == date.fromisoformat(day)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("03/12/2026", "could be two days; set options.date_order to dmy or mdy"),
        ("31.02.2026", "is not in the calendar"),
        ("soon", "is not a day"),
        ("3.12.26", "is not a day"),
    ],
)
def test_a_day_that_is_not_sure_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_day(text, None)

"""The agent `ledger`, and the table it reads."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orchestrator.agents.contract import Item, Output
from orchestrator.errors import TaskError

Ask = Callable[..., Output]

TABLE = """\
number,customer,amount,currency,due,status
1,Hartley & Sons,"1,250.00",EUR,2026-10-21,sent
2,Café Blau,40.00,EUR,2026-11-27,
3,Café Blau,60.00,GBP,2026-11-18,open
4,Hartley & Sons,10.50,EUR,2026-12-04,sent
5,Dora Long,99.00,EUR,2026-10-01,paid
6,Dora Long,98.00,EUR,2026-10-02,2026-10-20
7,Dora Long,97.00,EUR,2026-10-03,void
8,Dora Long,5.00,EUR,2026-11-30,sent
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def numbers(output: Output) -> list[object]:
    assert output.items is not None
    return [i.data["number"] for i in output.items]


def test_overdue_is_what_is_open_and_past_its_day_the_oldest_first(ask: Ask, table: Path) -> None:
    output = ask("ledger", "find the overdue invoices", file="t.csv")
    assert output.text == (
        "3 of 5 open invoices are overdue, EUR 1,290.00 and GBP 60.00:\n"
        "- Hartley & Sons, invoice 1: EUR 1,250.00, due 2026-10-21, 40 days late\n"
        "- Café Blau, invoice 3: GBP 60.00, due 2026-11-18, 12 days late\n"
        "- Café Blau, invoice 2: EUR 40.00, due 2026-11-27, 3 days late"
    )
    assert output.items is not None
    assert output.items[0].data == {
        "name": "Hartley & Sons",
        "number": "1",
        "amount": "1250.00",
        "currency": "EUR",
        "due": "2026-10-21",
        "days_late": 40,
        "state": "open",
    }


def test_nothing_overdue_is_an_empty_list(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,amount,due\nAnn,1.00,2026-12-24\n")
    output = ask("ledger", "find the overdue invoices", file="t.csv")
    assert output == Output("No overdue invoices in t.csv: 1 open, none of them late.", ())


def test_a_table_with_a_header_only_is_an_empty_list(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,amount,due\n")
    assert ask("ledger", "find the overdue invoices", file="t.csv").items == ()


def test_totals_are_by_name_and_keep_currencies_apart(ask: Ask, table: Path) -> None:
    output = ask("ledger", "who owes us money", "totals", file="t.csv")
    assert output.text == (
        "Owed: EUR 1,305.50 and GBP 60.00 by 3 names.\n"
        "- Hartley & Sons: EUR 1,260.50 (2 invoices, 1 overdue)\n"
        "- Café Blau: GBP 60.00 (1 invoice, 1 overdue)\n"
        "- Café Blau: EUR 40.00 (1 invoice, 1 overdue)\n"
        "- Dora Long: EUR 5.00 (1 invoice)"
    )
    assert output.items is not None
    assert output.items[0].data == {
        "name": "Hartley & Sons",
        "amount": "1260.50",
        "currency": "EUR",
        "count": 2,
        "overdue": 1,
    }


@pytest.mark.parametrize(
    ("text", "operation", "found"),
    [
        ("overdue invoices for Hartley", "overdue", ["1"]),
        ("overdue invoices of cafe blau", "overdue", ["3", "2"]),
        ("Hartley & Sons, what is overdue", "overdue", ["1"]),
        ("overdue invoices from Hartley and Blau", "overdue", ["1", "3", "2"]),
        ("which invoices are more than 10 days overdue", "overdue", ["1", "3"]),
        ("overdue invoices that were due since 10 November", "overdue", ["3", "2"]),
        ("which invoices are overdue today", "overdue", ["1", "3", "2"]),
        ("invoices due next week", "overdue", []),
        ("invoices due in the next 7 days", "overdue", []),
        ("invoices due after today", "overdue", ["4"]),
        ("find the overdue invoices for me", "overdue", ["1", "3", "2"]),
        ("overdue invoices for the accountant", "overdue", ["1", "3", "2"]),
        ("which of Hartley's invoices are overdue", "overdue", ["1"]),
        ("overdue invoices of Café Blau and Hartley", "overdue", ["1", "3", "2"]),
        ("which invoices are at least 12 days late", "overdue", ["1", "3"]),
        ("which invoices are more than 12 days late", "overdue", ["1"]),
        ("list the invoices that are over two weeks late", "list", ["1"]),
        ("list the invoices due today", "list", ["8"]),
        ("which invoices are due today", "overdue", ["8"]),
        ("list what is unpaid today", "list", ["1", "3", "2", "8", "4"]),
        ("is invoice 5 paid", "list", ["5"]),
        ("is invoice 1 paid", "list", ["1"]),
        ("what about invoice no. 7", "totals", ["7"]),
        ("list the invoices", "list", ["5", "6", "7", "1", "3", "2", "8", "4"]),
        ("list the paid invoices", "list", ["5", "6"]),
        ("list what is still open", "list", ["1", "3", "2", "8", "4"]),
        ("list the invoices of October", "list", ["5", "6", "7", "1"]),
    ],
)
def test_the_request_says_whose_and_which(
    ask: Ask, table: Path, text: str, operation: str, found: list[str]
) -> None:
    assert numbers(ask("ledger", text, operation, file="t.csv")) == found


def test_totals_count_only_what_is_as_late_as_asked(ask: Ask, table: Path) -> None:
    output = ask("ledger", "who owes us for more than 30 days", "totals", file="t.csv")
    assert output.text == (
        "Owed, late by 31 days or more: EUR 1,250.00 by 1 name.\n"
        "- Hartley & Sons: EUR 1,250.00 (1 invoice, 1 overdue)"
    )


OPERATIONS = pytest.mark.parametrize("operation", ["overdue", "totals", "list"])


@OPERATIONS
def test_a_name_written_almost_so_stands_for_nobody_and_the_nearest_is_named(
    ask: Ask, table: Path, operation: str
) -> None:
    output = ask("ledger", "invoices from hartly", operation, file="t.csv")
    assert output == Output('No name in t.csv matches "hartly"; the nearest is Hartley & Sons.', ())


@OPERATIONS
@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("invoices for the accountant", 'No name in t.csv matches "the accountant"; it was not used.'),
        ("invoices of hartley and zorro", 'No name in t.csv matches "zorro"; it was not used.'),
        (
            "hartly invoices",
            'No name in t.csv matches "hartly"; the nearest is Hartley & Sons; it was not used.',
        ),
        (
            "invoices over 500 EUR",
            '"500" was not used: it is the number of no invoice, and amounts cannot be asked for.',
        ),
    ],
)
def test_what_names_nobody_and_is_left_out_is_said(
    ask: Ask, table: Path, operation: str, text: str, note: str
) -> None:
    assert ask("ledger", text, operation, file="t.csv").text.splitlines()[-1] == note


@OPERATIONS
def test_a_request_that_is_used_in_full_has_no_note(ask: Ask, table: Path, operation: str) -> None:
    for text in ("invoices of Hartley & Sons", "who has not paid yet", "what do all of them still owe us"):
        assert "was not used" not in ask("ledger", text, operation, file="t.csv").text


def test_who_owes_nothing_is_named(ask: Ask, table: Path) -> None:
    output = ask("ledger", "what does Hartley owe for December 2027", "totals", file="t.csv")
    assert output.text.startswith("No open invoices of Hartley & Sons in t.csv, due from")


@OPERATIONS
def test_a_number_that_no_row_has_is_said_so(ask: Ask, table: Path, operation: str) -> None:
    output = ask("ledger", "is invoice 2026-999 paid", operation, file="t.csv")
    assert output == Output('No invoice in t.csv has the number "2026-999".', ())


@OPERATIONS
def test_a_stranger_owes_nothing_and_nobody_else_is_named_instead(
    ask: Ask, table: Path, operation: str
) -> None:
    output = ask("ledger", "what does Zorro owe", operation, file="t.csv")
    assert output == Output('No name in t.csv matches "Zorro".', ())


def test_the_child_of_a_mapped_task_asks_for_the_name_of_its_item(ask: Ask, table: Path) -> None:
    item = Item("2026-11-29 Hartley & Sons: Re: your letter", {"from": "Hartley & Sons"})
    assert numbers(ask("ledger", "find what each of them owes", file="t.csv", item=item)) == ["1"]


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_delimiter_and_encoding_are_found_out(
    ask: Ask, tmp_path: Path, delimiter: str, encoding: str
) -> None:
    rows = (("Fällig am", "Kunde", "Betrag"), ("21.10.2026", "Müller, Söhne & Co", '"1.250,00 €"'))
    quoted = [[f'"{c}"' if delimiter in c and '"' not in c else c for c in row] for row in rows]
    (tmp_path / "t.csv").write_text("\r\n".join(delimiter.join(r) for r in quoted), encoding=encoding)
    columns = {"name": ["kunde"], "amount": ["betrag"], "due": ["fällig am"]}
    output = ask("ledger", "overdue", file="t.csv", columns=columns)
    assert [i.text for i in output.items or ()] == [
        "Müller, Söhne & Co: EUR 1,250.00, due 2026-10-21, 40 days late"
    ]


def test_another_encoding_is_read_as_windows_text_and_said(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("name,amount,due\nMüller,1,2026-10-21\n".encode("cp1252"))
    output = ask("ledger", "overdue", file="t.csv")
    assert [i.data["name"] for i in output.items or ()] == ["Müller"]
    assert "t.csv is not UTF-8, so it was read as Windows text (cp1252)" in output.text


def test_malformed_rows_are_named_by_line_and_are_in_no_number(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "name,amount,due,status\n"
        "Ann,10.00,2026-10-21,\n"
        "Bob,ten,2026-10-21,\n"
        "\n"
        "Cid,1,250.00,2026-10-21,open\n"
        "Dan,10.00,03/11/2026,\n"
        ",10.00,2026-10-21,\n"
        "Eve,10.00,2026-10-21,perhaps\n"
        '"Fay\nFox",10.00,never,\n'
        '"Gus,10.00,2026-10-21,\nHal,10.00,2026-10-21,\n'
    )
    output = ask("ledger", "overdue", file="t.csv")
    assert output.text == (
        "1 of 1 open invoice is overdue, 10.00:\n"
        "- Ann: 10.00, due 2026-10-21, 40 days late\n"
        "Left out of all numbers, since they cannot be read: 7 rows.\n"
        "- line 3: 'ten' is not an amount\n"
        "- line 5: it has 5 cells, the header 4\n"
        "- line 6: '03/11/2026' could be two days; set options.date_order to dmy or mdy\n"
        "- line 7: the name is missing\n"
        "- line 8: the status 'perhaps' is not known; add it to options.statuses.paid, open or void\n"
        "- lines 9 to 10: 'never' is not a day; write it as 2026-12-03\n"
        "- lines 11 to 12: the amount is missing"
    )


def test_many_malformed_rows_are_counted(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,amount,due\n" + "Ann,x,2026-10-21\n" * 12)
    output = ask("ledger", "overdue", file="t.csv")
    assert "12 rows." in output.text
    assert output.text.endswith("- … and 2 more")


def test_a_missing_column_is_named_with_those_that_are_there(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("who,amount,until\nAnn,1,2026-10-21\n")
    said = r"no column for name and due; it has 'who', 'amount', 'until'\. Add .* to options\.columns\.name"
    with pytest.raises(TaskError, match=said):
        ask("ledger", "overdue", file="t.csv")


def test_an_empty_file_is_said_so(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"\n \n")
    with pytest.raises(TaskError, match=r"t\.csv .* is empty; it needs a header line"):
        ask("ledger", "overdue", file="t.csv")


def test_the_order_of_slashed_dates_is_an_option(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,amount,due\nAnn,1,03/11/2026\n")
    output = ask("ledger", "overdue", file="t.csv", date_order="dmy")
    assert [i.data["due"] for i in output.items or ()] == ["2026-11-03"]


def test_as_of_moves_the_due_days(ask: Ask, table: Path) -> None:
    output = ask("ledger", "overdue", file="t.csv", as_of="2026-11-30", now="2030-02-28T09:00")
    assert [i.data["days_late"] for i in output.items or ()] == [40, 12, 3]
    assert [i.data["due"] for i in output.items or ()][-1] == "2030-02-25"


def test_more_rows_than_are_shown_are_counted_and_summed(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,amount,due\n" + "Ann,0.10,2026-10-21\n" * 30)
    output = ask("ledger", "overdue", file="t.csv", most=2, noun="fee")
    assert output.text.startswith("30 of 30 open fees are overdue, 3.00:")
    assert output.text.endswith("… and 28 more; options.most sets how many are shown.")
    assert len(output.items or ()) == 2


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.binary(max_size=200).map(lambda b: b"name,amount,due,status\n" + b))
def test_any_bytes_give_an_answer_or_a_task_error_and_stay_as_they_are(
    ask: Ask, tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "fuzz.csv"
    path.write_bytes(data)
    for operation in ("overdue", "totals", "list"):
        try:
            said = ask("ledger", "overdue", operation, file="fuzz.csv").text
        except TaskError as error:
            said = str(error)
        said.encode()
        assert "fuzz.csv" in said or "invoice" in said or "Owed" in said
    assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["fuzz.csv"]


ROWS = st.lists(
    st.tuples(st.sampled_from(["Ann", "Bob"]), st.integers(-(10**6), 10**6), st.sampled_from(["EUR", "GBP"])),
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_the_totals_add_up_to_what_the_rows_say(
    ask: Ask, tmp_path: Path, rows: list[tuple[str, int, str]]
) -> None:
    lines = (f"{name},{cents / 100:.2f},{currency},2026-12-24" for name, cents, currency in rows)
    (tmp_path / "t.csv").write_text("\n".join(("name,amount,currency,due", *lines)))
    output = ask("ledger", "totals", "totals", file="t.csv")
    sums: dict[tuple[str, str], int] = {}
    for name, cents, currency in rows:
        sums[name, currency] = sums.get((name, currency), 0) + cents
    found = {(i.data["name"], i.data["currency"]): i.data["amount"] for i in output.items or ()}
    assert {k: round(float(str(v)) * 100) for k, v in found.items()} == sums

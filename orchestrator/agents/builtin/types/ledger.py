"""The type `ledger`: its options, and what its intents may ask for."""

from typing import Literal, TypeAlias

from orchestrator.agents.builtin.options import ReadOptions
from orchestrator.agents.contract import AgentType, no_calls
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Positive, Text

DateOrder: TypeAlias = Literal["dmy", "mdy"]


class Columns(Knobs):
    """Names that the header of a column may have; case, `_` and `-` do not matter."""

    name: tuple[Text, ...] = (
        "name",
        "customer",
        "client",
        "member",
        "company",
        "debtor",
        "bill to",
        "billed to",
    )
    """Who owes."""
    amount: tuple[Text, ...] = ("amount", "total", "amount due", "balance", "sum", "fee", "gross")
    """How much."""
    due: tuple[Text, ...] = ("due", "due date", "due on", "due by", "payable by", "deadline")
    """By when."""
    paid: tuple[Text, ...] = ("paid", "status", "state", "payment", "paid on", "payment status")
    """Whether it is paid; without such a column everything is open."""
    number: tuple[Text, ...] = (
        "number",
        "invoice",
        "invoice number",
        "invoice no",
        "no",
        "nr",
        "id",
        "reference",
    )
    """Number of the invoice."""
    currency: tuple[Text, ...] = ("currency", "cur")
    """Currency, where it is not in the amount."""


class Statuses(Knobs):
    """What the column `paid` may say; case does not matter. A date means paid."""

    paid: tuple[Text, ...] = ("paid", "yes", "y", "true", "1", "x", "settled", "closed", "done", "received")
    """It is paid."""
    open: tuple[Text, ...] = (
        "-", "0", "due", "false", "n", "no", "not paid", "open", "outstanding", "overdue", "pending", "sent",
        "unpaid",
    )  # fmt: skip
    """It is owed; so is what says nothing."""
    void: tuple[Text, ...] = ("cancelled", "canceled", "credited", "draft", "void", "written off")
    """It is not owed, and was not paid."""


class LedgerWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    name: tuple[Text, ...] = ("by", "did", "do", "does", "for", "from", "has", "have", "of")
    """What follows may be the name of somebody who owes."""
    join: tuple[Text, ...] = ("and", "or")
    """What stands between two names."""
    stop: tuple[Text, ...] = (
        "in", "is", "on", "owe", "owes", "paid", "pay", "please", "that", "to", "which", "who", "with",
    )  # fmt: skip
    """What follows belongs to no name."""
    late: tuple[Text, ...] = ("longer than", "more than", "over")
    """What follows is a number of days, weeks or months: only what is late by more than that."""
    at_least: tuple[Text, ...] = ("at least",)
    """The same, and what is late by just that too."""
    due_on: tuple[Text, ...] = ("due", "payable")
    """Right before "today": what is to be paid on that day, rather than how things are today."""
    open: tuple[Text, ...] = ("due", "open", "outstanding", "owe", "owed", "owes", "unpaid")
    """Only what is owed."""
    paid: tuple[Text, ...] = ("paid", "settled")
    """Only what is paid."""
    ignore: tuple[Text, ...] = (
        "a", "all", "an", "and", "any", "anybody", "anyone", "anything", "are", "be", "been", "behind",
        "biggest", "client", "clients", "company", "customer", "customers", "days", "debt", "debts", "dues",
        "each", "everybody", "everyone", "find", "give", "highest", "how", "i", "invoice", "invoices", "is",
        "it", "largest", "late", "list", "longest", "me", "member", "members", "money", "month", "months",
        "most", "much", "my", "name", "not", "number", "one", "or", "our", "overdue", "past", "payment",
        "payments", "show", "still", "sum", "tell", "than", "that", "the", "their", "them", "there",
        "these", "they", "this", "those", "total", "totals", "us", "we", "week", "weeks", "what", "when",
        "which", "who", "whom", "yet", "you", "your",
    )  # fmt: skip
    """Words that name nobody."""

    @property
    def ordinary(self) -> frozenset[str]:
        """Every word that names nobody, since it means something else."""
        phrases = (*self.ignore, *self.open, *self.paid, *self.name, *self.stop, *self.due_on)
        return frozenset(word for phrase in phrases for word in phrase.split())


class LedgerOptions(ReadOptions):
    """Options of `uses: ledger`; `file` is a CSV file with a header line."""

    columns: Columns = Columns()
    """How the columns may be called."""
    statuses: Statuses = Statuses()
    """What the column `paid` may say."""
    date_order: DateOrder | None = None
    """What 03/12/2026 means: `dmy` or `mdy`. Without it such rows are refused."""
    currency: str = ""
    """Currency of amounts that name none."""
    noun: Text = "invoice"
    """What one row is called in answers."""
    most: Positive = 100
    """Most rows shown and handed on; how many there are is always said."""
    words: LedgerWords = LedgerWords()
    """The words by which a request is understood."""


TYPE = AgentType(
    name="ledger",
    options=LedgerOptions,
    effects="read",
    steps="one",
    operations=("overdue", "totals", "list"),
    build=late("orchestrator.agents.builtin.ledger"),
    model_calls=no_calls,
)

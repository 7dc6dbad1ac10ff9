"""The type `inbox`: its options, and what its intents may ask for."""

from orchestrator.agents.builtin.options import ReadOptions
from orchestrator.agents.contract import AgentType
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Positive, Text


class InboxWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    sender: tuple[Text, ...] = ("from", "by", "sent by")
    """What follows is who wrote."""
    about: tuple[Text, ...] = ("about", "regarding", "concerning", "mentioning", "containing", "for")
    """What follows occurs in the subject or the text."""
    subject: tuple[Text, ...] = ("subject", "titled", "with the subject")
    """What follows occurs in the subject."""
    unread: tuple[Text, ...] = (
        "unread", "new email", "new emails", "new mail", "new mails", "new message", "new messages",
    )  # fmt: skip
    """Only mails that were not read yet."""
    stop: tuple[Text, ...] = (
        "in", "on", "please", "received", "sent", "tell me", "that", "to", "which", "who", "with",
    )  # fmt: skip
    """What follows belongs to no name and no subject."""
    join: tuple[Text, ...] = ("and", "or")
    """What stands between two names."""
    ignore: tuple[Text, ...] = (
        "a", "all", "an", "and", "any", "anything", "are", "can", "check", "could", "did", "do",
        "email", "emails", "everything", "find", "for", "get", "give", "has", "have", "i", "in",
        "inbox", "is", "it", "list", "look", "mail", "mailbox", "mails", "me", "message", "messages",
        "my", "of", "on", "or", "please", "read", "search", "show", "subject", "summarise", "summarize",
        "summary", "that", "the", "there", "through", "unread", "up", "us", "what", "which", "who",
        "you",
    )  # fmt: skip
    """Words that are no search words."""
    request: tuple[Text, ...] = (
        "can you", "could you", "let me know", "let us know", "please confirm", "please reply",
        "please return", "please send", "please sign", "would you",
    )  # fmt: skip
    """A mail with one of these, or with a question mark, asks for a reply."""


class InboxOptions(ReadOptions):
    """Options of `uses: inbox`; `file` is an mbox file or a Maildir folder."""

    most: Positive = 50
    """Most mails shown and handed on; how many there are is always said."""
    words: InboxWords = InboxWords()
    """The words by which a request is understood."""


TYPE = AgentType(
    name="inbox",
    options=InboxOptions,
    effects="read",
    steps="one",
    operations=("summarize", "list", "search"),
    build=late("orchestrator.agents.builtin.inbox"),
)

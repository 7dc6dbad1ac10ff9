"""The type `inbox`: its options, and what its intents may ask for."""

from orchestrator.agents.builtin.options import ReadOptions
from orchestrator.agents.contract import AgentType, no_calls
from orchestrator.agents.late import late
from orchestrator.workspace.models import Knobs, Positive, Text


class InboxWords(Knobs):
    """Words of requests, in English; each list can be replaced."""

    polite: tuple[Text, ...] = (
        "can you", "could you", "i need to", "i want to", "i want you to", "please", "would you",
    )  # fmt: skip
    """Words at the beginning that mean nothing."""
    readers: tuple[Text, ...] = ("me", "us")
    """Words behind a deed that mean who asks: `send me …` asks for an answer."""
    deeds: tuple[Text, ...] = (
        "answer", "archive", "compose", "delete", "draft", "forward", "mark", "move", "remove", "reply",
        "respond", "send", "unsubscribe", "write",
    )  # fmt: skip
    """Words at the beginning that ask for more than to read."""
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
        "a", "about", "all", "am", "an", "and", "answer", "any", "anything", "are", "be", "been", "by",
        "came", "can", "catch", "check", "could", "did", "do", "email", "emails", "everything", "find",
        "for", "from", "get", "give", "got", "had", "has", "have", "hear", "heard", "how", "i", "important",
        "in", "inbox", "is", "it", "list", "look", "mail", "mailbox", "mails", "many", "me", "message",
        "messages", "miss", "my", "need", "needs", "new", "now", "of", "on", "or", "our", "overview",
        "please", "quick", "read", "replied", "reply", "said", "say", "search", "see", "send", "sent",
        "show", "someone", "still", "subject", "summarise", "summarize", "summary", "tell", "that", "the",
        "there", "these", "this", "those", "through", "today", "unread", "up", "us", "waiting", "was", "we",
        "were", "what", "when", "which", "who", "with", "write", "written", "wrote", "yet", "you", "your",
    )  # fmt: skip
    """Words that are no search words."""
    waiting: tuple[Text, ...] = (
        "answer is due", "asks for a reply", "need a reply", "need an answer", "needs a reply",
        "needs an answer", "to answer", "to reply to", "waiting for a reply", "waiting for an answer",
    )  # fmt: skip
    """Only mails that ask for a reply."""
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
    model_calls=no_calls,
)

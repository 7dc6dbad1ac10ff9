"""Text that terminals, journals and files can take: no control characters, no lone surrogates."""


def speakable(text: str) -> str:
    """The text with what cannot be shown replaced by blanks; line breaks and tabs stay."""
    if all(line.isprintable() for line in text.split("\n")):
        return text
    whole = text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "replace").decode(
        "utf-8", "replace"
    )
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in whole)


def one_line(text: str) -> str:
    """The text in one line, white space evened out."""
    return " ".join(speakable(text).split())


def _is_escaped(text: str) -> bool:
    """Whether all surrogates stand for bytes that a parser could not decode."""
    return all("\udc80" <= c <= "\udcff" for c in text if "\ud800" <= c <= "\udfff")

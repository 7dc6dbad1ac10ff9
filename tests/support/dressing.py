"""Lines as some models write them: numbered, bold, in code, in capitals, with other bars."""

from collections.abc import Collection
from typing import TypeAlias

from hypothesis import strategies as st

Clothes: TypeAlias = tuple[str, str, str, str]
"""What is before the line, what is around it, how its word is written, and what is between its fields."""

HEADS = st.sampled_from(
    ["", "1. ", "12) ", "(a) ", "Step 3: ", "- ", "  * ", "• ", "> ", "### ", "+ ", "\t", "> - **2.** "]
)
BREAKS = st.sampled_from(
    [
        "\n",
        "\r\n",
        "\n\n",
        "\n \t\n",
        "\u2028",
        "\n```\n",
        "\n~~~text\n",
        "\nAnd then, of course:\n",
        "\n> \n",
    ]
)
DRESSES = st.sampled_from(["{}", "**{}**", "`{}`", "| {} |", "{}  ", "__{}__"])
CLOTHES = st.tuples(
    HEADS,
    DRESSES,
    st.sampled_from(["plain", "upper", "bold", "lined", "wide"]),
    st.sampled_from([" | ", "|", "  |\t"]),
)


def dressed(line: str, clothes: Clothes, *, loose: Collection[int]) -> str:
    """One line as some model writes it; the case of the `loose` fields does not matter."""
    head, dress, case, spacing = clothes
    word, _, body = line.partition(": ")
    fields = body.split(" | ")
    for at in loose if case == "upper" else ():
        fields[at] = fields[at].upper()
    if case == "bold" and fields[-1] == "none":
        fields[-1] = "-"
    written = {
        "plain": f"{word}:",
        "upper": f"{word.capitalize()} :",
        "bold": f"**{word}:**",
        "lined": f"__{word}__:",
        "wide": f"{word.lower()}：",
    }[case]
    dress = dress if case in ("plain", "upper") else "{}"
    return head + dress.replace("{}", f"{written} {spacing.join(fields)}")

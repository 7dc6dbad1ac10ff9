"""What the YAML library complains of, in an operator's words and with a remedy."""

from yaml import MarkedYAMLError, YAMLError

_TAB = "a tab cannot indent; use spaces"
_SAYINGS = {
    "violates indentation": _TAB,
    "mapping values are not allowed": "a second ':' in one value; quote the value, or mend the indentation",
    "could not find expected ':'": "a key needs ':' and a blank after it; a longer text needs quotes",
    "did not find expected key": "no key where one is due; look at the indentation and the quotes",
    "did not find expected '-' indicator": "the list ends here; each entry begins with '-', in one column",
    "did not find expected node content": "a value is missing before this; write it, or quote this",
    "did not find expected ',' or": "a bracket is not closed, or a ',' is missing before this",
    "found unexpected end of stream": "a quote is never closed",
    "found unexpected document indicator": "a quote is never closed before this",
    "found undefined alias": "no '&' of this name stands above; a text that begins with '*' needs quotes",
    "found undefined tag handle": "tags are not read here; a text that begins with '!' needs quotes",
    "found another document": "a second document; one file holds one, take the '---' out",
    "nested deeper": "{problem}; flatten it",
    "maximum nesting depth": "nested too deep; flatten it",
    "more than": "the file is too big: {problem}",
    "unknown escape": "no such escape; write a backslash twice, or use single quotes",
    "expected alphabetic or numeric": "a text that begins with '&' or '*' needs quotes",
}


def complaint(error: YAMLError, text: str) -> tuple[int, str]:
    """The offset that the error is about, and what to say."""
    if not isinstance(error, MarkedYAMLError):
        return 0, f"not YAML: {error}"
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(text)) if mark else 0
    return at, f"not YAML: {_said(error, text[at : at + 1])}"


def _said(error: MarkedYAMLError, character: str) -> str:
    problem = error.problem or "this cannot be read"
    if "cannot start any token" in problem:
        return _TAB if character == "\t" else f"a text that begins with {character!r} needs quotes"
    for words, saying in _SAYINGS.items():
        if words in problem:
            return saying.format(problem=problem)
    context = f" {error.context}" if error.context else ""
    return f"{problem}{context}; look at the indentation and the quotes"

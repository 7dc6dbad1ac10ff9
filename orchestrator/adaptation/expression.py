"""A small closed language for what a result is judged by: comparisons over `facts` and `results`. Pure.

There are numbers, texts in quotes, lists, `true`, `false` and `null`; `facts.NAME` and `results.TASK.FIELD`,
or `facts["a name"]` for names that are no plain words; `== != < <= > >=`, `in`, `not in`, `and`, `or`, `not`;
`+ - * /` on numbers, `+` on texts; `len(…)`, `lower(…)` and `number(…)`. Nothing is ever executed.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from orchestrator.adaptation.language.grammar import tree_of
from orchestrator.adaptation.language.names import Path, names_in, shown, written
from orchestrator.adaptation.language.reckoning import ExpressionFailed, looked_up, value_of
from orchestrator.ids import Json

Facts: TypeAlias = Mapping[str, Json]
Results: TypeAlias = Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was read; `names` are the facts and results in it, such as `("facts", "gate")`."""

    source: str
    names: tuple[Path, ...]
    _tree: ast.expr = field(repr=False, compare=False)

    @property
    def facts(self) -> frozenset[str]:
        """The facts that it names."""
        return frozenset(name[1] for name in self.names if name[0] == "facts")

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks whose results it names."""
        return frozenset(name[1] for name in self.names if name[0] == "results")

    def value(self, facts: Facts, results: Results) -> Json:
        """What it comes to. Raises ExpressionFailed."""
        return value_of(self._tree, {"facts": facts, "results": results})

    def seen(self, facts: Facts, results: Results) -> str:
        """What the facts and results are that it names, for people: `facts.gate is "B7", …`."""
        known = {"facts": facts, "results": results}
        return ", ".join(_seen(name, known) for name in self.names)


def parse(source: str) -> Expression:
    """Read an expression. Raises ExpressionInvalid."""
    tree = tree_of(source)
    return Expression(source, names_in(tree), tree)


def _seen(name: Path, known: Mapping[str, Results | Facts]) -> str:
    try:
        return f"{written(name)} is {shown(looked_up(name, known))}"
    except ExpressionFailed:
        return f"{written(name)} is not there"

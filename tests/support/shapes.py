"""The JSON documents that programs are promised: each shape once, and what holds for all of them.

A shape is a type, a tuple of shapes of which one fits, a list with the shape of its entries, a mapping with
the shape of each key that must be there (more may be), `Texts` for a closed set of words, or `Each` for a
mapping whose keys are anybody's.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Any, NamedTuple, TypeAlias, get_args

from orchestrator.ids import Effects, Meaning, PlanSource, RunStatus, TaskStatus

Shape: TypeAlias = Any
"""Any: shapes hold shapes."""


class Texts(NamedTuple):
    """One of these words."""

    words: tuple[str, ...]


class Each(NamedTuple):
    """An object with any keys, whose values are of one shape."""

    shape: Shape


class _Moment:
    """A time with its zone, as ISO 8601 writes it."""


NUMBER = (int, float)
TEXT_OR_NONE = (str, None)
MOMENT = (_Moment, None)
CUE = {"cue": str, "meaning": Texts(get_args(Meaning)), "start": int, "end": int}
EVIDENCE = {"classifier": str, "phrase": str, "start": int, "end": int}
CANDIDATE = {"intent": str, "agent": str, "kind": str, "confidence": NUMBER, "evidence": [EVIDENCE]}
COMPOUND = {"is_multi_step": bool, "cues": [CUE], "ignored": [CUE]}
ROUTE = {
    "intent": TEXT_OR_NONE,
    "agent": TEXT_OR_NONE,
    "kind": str,
    "confidence": NUMBER,
    "margin": NUMBER,
    "alternatives": [CANDIDATE],
    "evidence": [EVIDENCE],
}
SIGHTING = {"text": str, "compound": COMPOUND, "route": ROUTE}
TASK = {
    "id": str,
    "agent": str,
    "action": str,
    "depends_on": [str],
    "map_over": TEXT_OR_NONE,
    "source_span": ([int], None),
    "effects": Texts(get_args(Effects)),
    "params": {"query": str, "request": str},
}
PLAN = {
    "source": Texts(get_args(PlanSource)),
    "collapsed": bool,
    "collapse_reason": TEXT_OR_NONE,
    "tasks": [TASK],
    "waves": [[str]],
}
PREVIEW = {
    **SIGHTING,
    "plan": PLAN,
    "approval": {"needed": bool, "reason": str},
    "depth": {"flow": str},
    "estimate": {"model_calls": [int]},
    "warnings": [str],
}
RESULT = {
    "status": Texts(get_args(TaskStatus)),
    "output": TEXT_OR_NONE,
    "error": TEXT_OR_NONE,
    "started": MOMENT,
    "ended": MOMENT,
}
RUN = {
    "run": str,
    "status": Texts(get_args(RunStatus)),
    "reply": str,
    "plan": (PLAN, None),
    "results": Each(RESULT),
    "needs_human_review": bool,
    "usage": {"model_calls": int, "input_tokens": int, "output_tokens": int},
}
ENTRY = {
    "run": str,
    "status": Texts(get_args(RunStatus)),
    "session": TEXT_OR_NONE,
    "text": str,
    "started": MOMENT,
    "ended": MOMENT,
    "needs_human_review": bool,
}
DEPTH = {
    "flow": str,
    "clarity": TEXT_OR_NONE,
    "requirements_skipped": (bool, None),
    "size": TEXT_OR_NONE,
    "signals": list,
    "review_limit": int,
    "challenges": int,
    "approved_at": MOMENT,
    "final_stage": TEXT_OR_NONE,
    "restarts": int,
}
STATUS = {**RUN, "planning_depth": DEPTH, "decisions": list, "facts": dict, "todos": list, "plan_hash": str}
FAULT = {"file": str, "line": int, "column": int, "path": str, "message": str}
WARNING = {**FAULT, "code": str}
ERROR = {"error": {"type": str, "message": str}}


def check(document: object, shape: Shape) -> None:
    """Raise AssertionError, with the place, where the document is not of the shape, or is none of JSON's."""
    check_plain(document)
    _check(document, shape, "$")
    text = json.dumps(document, ensure_ascii=True, allow_nan=False)
    assert json.loads(text) == document


def check_plain(value: object, where: str = "$") -> None:
    """Made of what JSON has, by itself: no tuple, no number that is none, no key that is no text."""
    if isinstance(value, float):
        assert isfinite(value), where
    elif isinstance(value, dict):
        for key, inner in value.items():
            assert isinstance(key, str), where
            check_plain(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            check_plain(inner, f"{where}[{at}]")
    else:
        assert value is None or isinstance(value, bool | int | str), f"{where}: {type(value)}"


def _check(value: Any, shape: Shape, where: str) -> None:
    match shape:
        case Texts():
            assert value in shape.words, f"{where}: {value!r} is none of {shape.words}"
        case Each():
            assert isinstance(value, dict), f"{where}: {value!r}"
            for key, inner in value.items():
                _check(inner, shape.shape, f"{where}.{key}")
        case tuple():
            assert _fits(value, shape, where), f"{where}: {value!r} is none of {shape}"
        case list():
            assert isinstance(value, list), f"{where}: {value!r}"
            for at, inner in enumerate(value):
                _check(inner, shape[0], f"{where}[{at}]")
        case Mapping():
            _check_keys(value, shape, where)
        case _:
            _check_type(value, shape, where)


def _check_keys(value: Any, shape: Mapping[str, Shape], where: str) -> None:
    assert isinstance(value, dict), f"{where}: {value!r}"
    assert shape.keys() <= value.keys(), f"{where}: {sorted(shape.keys() - value.keys())} missing"
    for key, inner in shape.items():
        _check(value[key], inner, f"{where}.{key}")


def _check_type(value: Any, kind: Any, where: str) -> None:
    if kind is None:
        assert value is None, f"{where}: {value!r}"
    elif kind is _Moment:
        assert datetime.fromisoformat(value).tzinfo is not None, f"{where}: {value!r}"
    else:
        assert isinstance(value, kind), f"{where}: {value!r} is no {kind.__name__}"
        assert kind is bool or not isinstance(value, bool), f"{where}: {value!r} is no {kind.__name__}"


def _fits(value: Any, shapes: tuple[Shape, ...], where: str) -> bool:
    for shape in shapes:
        try:
            _check(value, shape, where)
        except (AssertionError, TypeError, ValueError):
            continue
        return True
    return False

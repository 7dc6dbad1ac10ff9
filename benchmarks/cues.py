"""Looking for 2,000 cues in a turn: how long it takes, and whether hostile text makes it more than linear.

The bound of a short turn is RE2 alone, the same phrases as one set that only says which of them stand in the
folded text. For hostile text the figure is the time a character, at 100 kB over that at 10 kB: 1 is linear.
"""

import random
import statistics
from collections.abc import Callable, Iterator, Mapping

from orchestrator.routing.cues import CueSet
from orchestrator.routing.fold import fold
from orchestrator.workspace.models import MultiStepFile

from benchmarks.measure import interleaved, ratio

PHRASES = 2_000
TURNS = 200
ROUNDS = 7
GOAL_US = 100.0
SMALL, LARGE = 10_000, 100_000
GOAL_GROWTH = 2.0
_SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ren",
    "tus",
    "vel",
    "dor",
    "shi",
    "pan",
    "gor",
    "tri",
    "zem",
    "bal",
    "nu",
    "fer",
)


def _words(rng: random.Random, count: int) -> list[str]:
    return ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(count)]


def _phrases(rng: random.Random, vocabulary: list[str]) -> list[str]:
    """Two to four words each; a tenth of them are four words with a gap in the midst."""
    found: dict[str, None] = {}
    while len(found) < PHRASES:
        words, gapped = rng.sample(vocabulary, rng.randint(2, 4)), rng.random() < 0.1
        found[" ".join([*words[:2], "...", *rng.sample(vocabulary, 2)] if gapped else words)] = None
    return list(found)


def _turns(rng: random.Random, vocabulary: list[str], phrases: list[str]) -> list[str]:
    """20 to 60 words of the phrases' vocabulary; with phrases, one of them in the midst."""
    turns: list[str] = []
    for _ in range(TURNS):
        words = rng.choices(vocabulary, k=rng.randint(20, 60))
        if phrases:
            words.insert(len(words) // 2, rng.choice(phrases).replace(" ... ", " then some "))
        turns.append(" ".join(words))
    return turns


def _each(scan: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        scan(text)


def _bare(phrases: list[str]) -> Callable[[str], object]:
    import re2

    options = re2.Options()
    options.max_mem = 1 << 28
    every = re2.Set.SearchSet(options)
    for phrase in phrases:
        every.Add(".{0,1000}".join(map(re2.escape, phrase.split(" ... "))))
    every.Compile()
    return every.Match


def _short() -> Iterator[dict[str, object]]:
    rng = random.Random(1)
    vocabulary = _words(rng, 5_000)
    phrases = _phrases(rng, vocabulary)
    cues, bare = CueSet.of(MultiStepFile(cues=tuple(phrases))), _bare(phrases)
    for what, planted in (("a cue in it", phrases), ("words of cues", [])):
        turns = _turns(rng, vocabulary, planted)
        texts = [fold(turn).text for turn in turns]
        if planted and not all(map(cues.hits, turns)):
            raise SystemExit("a cue was not found")
        cases = {
            "re2.Set, detection only": lambda texts=texts: _each(bare, texts),
            "cue scan": lambda turns=turns: _each(cues.hits, turns),
        }
        for runner, found in interleaved(cases, rounds=ROUNDS).items():
            us = statistics.median(found) / TURNS * 1e6
            yield {
                "what": f"short turn, {what}",
                "runner": runner,
                "us_per_turn": round(us, 1),
                "x_bound": round(us / GOAL_US, 2) if runner == "cue scan" else None,
                "goal": 1.0 if runner == "cue scan" else None,
            }


_HOSTILE: Mapping[str, tuple[tuple[str, ...], Callable[[int], str]]] = {
    "first ... then, only first": (("first ... then",), lambda n: "first " * (n // 6)),
    "three pieces, two of them": (("a ... b ... c",), lambda n: "a b " * (n // 4)),
    "white space": (("foo bar",), lambda n: "foo" + " " * n),
    "nothing but cues": (("and then", "and", "then"), lambda n: "and then " * (n // 9)),
    "joiners": (("and", ","), lambda n: "a, and " * (n // 7)),
    "combining marks": (("é a",), lambda n: "e" + "́" * n),
    "nested beginnings": (tuple("x" * k + " y" for k in range(1, 40)), lambda n: "x" * n),
    "apostrophes": (("once that's done",), lambda n: "once that’s " * (n // 12)),
}


def _hostile() -> Iterator[dict[str, object]]:
    for what, (phrases, text) in _HOSTILE.items():
        cues = CueSet.of(MultiStepFile(cues=phrases))
        small, large = text(SMALL), text(LARGE)
        found = interleaved(
            {
                "small": lambda cues=cues, text=small: _each(cues.hits, [text]),
                "large": lambda cues=cues, text=large: _each(cues.hits, [text]),
            },
            rounds=ROUNDS,
        )
        growth = ratio(found["large"], found["small"]) * len(small) / len(large)
        ms = statistics.median(found["large"]) * 1e3
        yield {
            "what": f"hostile: {what}",
            "runner": f"{ms:.1f} ms for 100 kB",
            "us_per_turn": "",
            "x_bound": round(growth, 2),
            "goal": GOAL_GROWTH,
        }


def rows() -> Iterator[dict[str, object]]:
    """Short turns in parts of 100 µs, then the growth of hostile ones."""
    yield from _short()
    yield from _hostile()

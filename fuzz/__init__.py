"""Coverage-guided fuzzing of what comes from outside; the laws are those of the tests in `tests/properties/`.

A target is a module with `check(data: bytes)`, which raises where a law is broken; `seeds()` are the inputs
to begin with, `WORDS` what new ones are made of, `LONGEST` the most bytes of one.
"""

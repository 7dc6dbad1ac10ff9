"""Measurements beside a bound or a peer, in one interleaved run: `python -m benchmarks [NAME] [--json]`."""

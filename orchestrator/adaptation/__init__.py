"""A running plan changes when a signal contradicts what a pending task assumes, and only then."""

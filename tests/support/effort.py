"""How many examples a costly property gets: a share of those that the profile gives."""

from hypothesis import settings


def share(part: int) -> settings:
    """One example of so many."""
    return settings(max_examples=max(1, settings.default.max_examples // part))

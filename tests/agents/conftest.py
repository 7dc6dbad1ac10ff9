"""No test of agents reaches further than this machine."""

from support.loopback import loopback_only

__all__ = ["loopback_only"]

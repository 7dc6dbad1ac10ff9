"""Doubts about what does the work and what bounds it: agents, kinds, limits, budgets, models."""

"""Deterministic agents on the files a person has; no model, no network."""

"""Doubts about what decides where turns go: cues, keywords, examples, bounds."""

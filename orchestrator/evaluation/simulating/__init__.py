"""Containment measured: a plan that believes what noisy sources say, under one policy and another."""

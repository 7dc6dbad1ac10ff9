"""Containment measured: plans that believe what noisy sources say, under one policy and another."""

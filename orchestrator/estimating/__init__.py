"""What a run of a plan is expected to take, from what earlier tasks took."""

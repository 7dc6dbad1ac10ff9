"""A plan becomes results: what is ready, what a dependent sees, when to try again, who runs."""

"""A recorded run once more: the same program, with what came from outside taken from the records."""

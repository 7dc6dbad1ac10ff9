"""One file per verb; rooms are imported in the command bodies."""

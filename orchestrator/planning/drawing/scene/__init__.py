"""What is where in a picture of a plan, as values: boxes, lines, bands and legend, before it is written."""

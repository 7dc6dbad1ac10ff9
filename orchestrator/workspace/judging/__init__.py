"""A document against what it is to be: the models' errors and broken references as located faults."""

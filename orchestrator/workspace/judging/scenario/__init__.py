"""A scenario against itself and its workspace: names, grounds and texts as located faults."""

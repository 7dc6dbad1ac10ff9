"""One YAML file: its text, its nodes, its plain data, and the place of everything in it."""

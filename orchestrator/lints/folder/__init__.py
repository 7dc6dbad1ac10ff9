"""Doubts about what lies beside the YAML: templates, data files, secrets that stand in a file."""

"""The workspace: a folder of YAML and templates becomes one frozen value, or a list of located faults."""

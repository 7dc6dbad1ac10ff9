"""The language of expressions: what may be written, what it comes to, and how it is shown."""

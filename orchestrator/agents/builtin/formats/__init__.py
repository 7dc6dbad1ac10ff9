"""One file format each: bytes in, frozen values out, and back where an agent writes."""

"""Where a run is driven: from its journal to its end, or to where only the world outside can move it."""

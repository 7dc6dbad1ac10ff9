"""Where a turn goes, and whether it is compound: cues, keywords, a cascade of classifiers."""

"""What `uses:` may name of the built-in agents, and the options of each; the agents load when they run."""

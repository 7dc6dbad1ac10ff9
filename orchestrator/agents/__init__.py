"""What an agent is, the registry of agent types, and the only door to language models."""

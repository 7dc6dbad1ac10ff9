"""What happened in a run: events, the state folded from them, the journal and its stores."""

"""What is measured: plans, policies and executions beside one another."""

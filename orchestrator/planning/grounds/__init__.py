"""What a plan rests on: assumptions, and what its result is judged by."""

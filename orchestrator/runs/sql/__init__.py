"""Stores of runs in SQL: one store over SQLite and PostgreSQL, its writer, its tables, their migrations."""

"""Benchmarks of the engine beside other scorers; see ``README.md`` here."""

"""Scores hands by columns: the same rulesets, the same operations, many hands at a time."""

"""Compares two rulesets by what they mean: what is said otherwise, which hands it changes, and a
smallest hand for each change."""

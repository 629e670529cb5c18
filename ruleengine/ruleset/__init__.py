"""Rulesets: their model, and how a YAML file with what it extends becomes one."""

"""Tests a ruleset by its examples and cases: do they hold, what do they reach, what would they
notice.

`cases` collects them, `run` scores them, `coverage` says which parts of sentences they reach,
`mutate` and `mutants` change the rules and see whether an example notices, `suggest` writes new
examples, `pytest_plugin` runs them under pytest.
"""

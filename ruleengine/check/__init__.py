"""Checks a ruleset file as a whole: what its sentences can never say, what stands in it for
nothing, what is missing.

`table` lists the checks, each a function of its own; `run` reads a file and runs them; `worlds`
decides whether a sentence can be true and can be false, over every arrangement there is.
"""

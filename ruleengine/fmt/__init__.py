"""Lays a ruleset file out in the one canonical way, and refuses where that is not certain.

A file is read with its comments (`things`, `comments`), its keys are put in order (`layout`),
and it is written anew (`write`, `scalars`, `sentences`). What was written is read again and held
against the original: the same values, every comment with the thing it was about, and a second
run that changes nothing. Otherwise nothing is given out.
"""

from __future__ import annotations

from ruleengine.fmt.check import format_text

__all__ = ["format_text"]

"""A ruleset whose every text tries to break out of the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.ruleset.small import load

if TYPE_CHECKING:
    from ruleengine.rules import Rules

ATTACKS = (
    "</style><script>hacked=1</script>",
    '"><img src=x onerror="hacked=1">',
    "'><svg onload=hacked=1>",
    "[x](javascript:hacked=1) ![y](https://evil.example/p.png)",
    "<!--</title> &lt;b&gt; -->",
    "` | **bold** _it_ ~~s~~ # h\\",
    "https://evil.example www.evil.example me@evil.example",
    "1. list\n---\n> quote",
)
TEXT = " ".join(ATTACKS)


def hostile() -> Rules:
    """The ruleset."""
    text = json.dumps(TEXT)
    return load(
        f"""\
format: 1
id: hostile
name: {text}
version: {text}
source: {text}
tiles:
  wall: {{"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}
options:
  extra: {{type: int, default: 3, min: 0, max: 9, name: {text}, doc: {text}}}
events:
  strange: {{needs: win by self_draw, name: {text}, doc: {text}}}
shapes: {{basic: {{sets: 4, pairs: 1, name: {text}}}}}
patterns:
  one:
    code: "1.1"
    series: "1"
    name: {text}
    doc: {text}
    points: extra
    when: strange or count triplets = 4 or shape is basic
    status: reconstructed
    hits: [{{hand: "123m456m789p11s22z+2z", why: {text}}}]
    misses: [{{hand: "123m456m789p11s22z+2z", why: {text}}}]
  two:
    code: "1.2"
    series: "1"
    name: {text}
    points: 1
    bonus: true
    when: one
    supersedes: [one]
total: {{empty: {{points: 0, name: {text}}}}}
settlement:
  win: [{{when: winner is dealer, pays: points + extra}}, {{pays: points}}]
interpretations:
  q: {{question: {text}, reading: {text}, why: {text}}}
"""
    )

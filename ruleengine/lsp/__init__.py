"""The language server: what an editor shows while a ruleset is written.

`features` works on texts and knows no protocol; `server` speaks the protocol (pygls).
"""

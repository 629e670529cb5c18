"""Shows what the engine found: words in four languages, tiles, tables. No rules."""

"""`python -m ruleengine` is the command `yaku`."""

from __future__ import annotations

import sys

from ruleengine.cli import main

if __name__ == "__main__":
    sys.exit(main())

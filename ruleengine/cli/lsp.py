"""`yaku lsp`: the language server, on standard input and output."""

from __future__ import annotations

import os
import sys

from ruleengine.cli import FINE
from ruleengine.cli.failure import UsageError


def lsp() -> int:
    """Serve an editor: mistakes as you type, hover, completion, definitions, examples to run."""
    from ruleengine.cli.session import Session

    try:
        from ruleengine.lsp.server import make_server
    except ImportError:
        raise UsageError(
            "the language server needs pygls, which is not installed",
            "install it with: pip install 'yaku-engine[lsp]'",
        ) from None
    session = Session()
    setting = session.config.rules[0]
    server = make_server(
        session.config.folder_paths, lambda data: session.options_for(setting, data.options)
    )
    # The server closes what it writes to when the editor leaves; the command writes on after it.
    server.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    return FINE

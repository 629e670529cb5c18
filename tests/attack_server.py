"""Runs commands each in a process of its own, forked from one that has all it needs in memory.

A line of JSON comes in, `{"folder": ..., "commands": [[word, ...], ...]}`, and one goes out: for
each command its status, what it wrote to standard error, and its processor time in seconds; and
the most memory that the process took, in megabytes. The command `["edit", FILE]` is a session in
an editor. What takes too much processor time is stopped and has no answer.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import ruleengine
from ruleengine.cli import main
from ruleengine.lsp import features
from ruleengine.lsp.complete import completions
from ruleengine.lsp.document import Document

_NEEDED = (
    *(f"ruleengine.cli.{command}" for command in ("batch", "check", "explain", "show", "test")),
    *("ruleengine.check.run", "ruleengine.check.worlds", "ruleengine.faces.rulebook"),
    *("ruleengine.yaml_errors", "ruleengine.language.following", "lark"),
)
"""Modules that commands import when they are first needed."""
MOST_SECONDS = 120
"""Processor time after which a process is stopped."""


def serve() -> None:
    """Answer every line of standard input."""
    os.environ["YAKU_CACHE"] = "off"
    for module in _NEEDED:
        importlib.import_module(module)
    ruleengine.load("zhongyong-3.3").score("67m22z(4444m)[1111m][567m]+5m")
    for line in sys.stdin:
        print(json.dumps(_in_a_process(json.loads(line))), flush=True)


def _in_a_process(request: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as out:
                _run_all(request, out)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as out:
        ran = [json.loads(line) for line in out]
    _, _, used = os.wait4(child, 0)
    return {"ran": ran, "megabytes": used.ru_maxrss / 1024}


def _run_all(request: dict[str, Any], answers: io.TextIOBase) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    os.chdir(request["folder"])
    os.environ |= {
        "XDG_CONFIG_HOME": request["folder"],
        "HOME": request["folder"],
        "COLUMNS": "100",
    }
    for command in request["commands"]:
        start = time.process_time()
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = _edit(command[1]) if command[0] == "edit" else main(command)
        seconds = time.process_time() - start
        answers.write(json.dumps([status, err.getvalue(), seconds]) + "\n")


def _edit(path: str) -> int:
    """Ask an editor's questions at many places of a file, and run the examples it has."""
    document = Document(Path(path).read_text("utf-8"), path)
    lines = document.lines
    for line in {1, 4, 5, 10, len(lines) // 2 + 1, len(lines)}:
        width = len(lines[line - 1]) if line <= len(lines) else 0
        for column in {1, 9, width // 2 + 1, width + 1}:
            place = document.place(line, column)
            features.hover(document, place)
            features.definition(document, place, ())
            completions(document, line, column, ())
    for lens in features.lenses(document)[:2]:
        features.run_examples(document, lens.pattern)
    return min(len(document.problems), 1)


if __name__ == "__main__":
    serve()

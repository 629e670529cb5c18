"""Tells inputs that are surely no JSON lines by how they start.

Read as lines, such an input would be an error in every line, none of which says what is wrong.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OtherForm:
    """What an input is instead of JSON lines, and a command that makes such lines of it."""

    what: str
    command: str | None = None

    def help(self, file: str | None) -> str | None:
        """How the input can be read all the same; `file` is its name, if it has one."""
        if self.command is None:
            return None
        given = "" if file is None else f" {shlex.quote(file)}"
        return f"read what '{self.command}{given}' gives, with - for standard input"


_STARTS = (
    (b"\x1f\x8b", OtherForm("packed by gzip", "gzip -dc")),
    (b"\x28\xb5\x2f\xfd", OtherForm("packed by zstd", "zstd -dc")),
    (b"\xfd7zXZ\x00", OtherForm("packed by xz", "xz -dc")),
    (b"BZh", OtherForm("packed by bzip2", "bzip2 -dc")),
    (b"\x04\x22\x4d\x18", OtherForm("packed by lz4", "lz4 -dc")),
    (b"PK\x03\x04", OtherForm("packed by zip", "unzip -p")),
    (b"ARROW1", OtherForm("an Arrow file")),
    (b"ORC", OtherForm("an ORC file")),
    (b"Obj\x01", OtherForm("an Avro file")),
)
_LIST = OtherForm("one list over several lines", "jq -c '.[]'")
_SPREAD = OtherForm("records over several lines each", "jq -c .")
_LIST_START = re.compile(rb"(\xef\xbb\xbf)?\s*\[([^\n]*,)?[^\S\n]*\n")
_SPREAD_START = re.compile(rb'(\xef\xbb\xbf)?\s*\{[^\S\n]*\n\s*"')


def _encoding(start: bytes) -> str:
    """The encoding of JSON that starts so, as `iconv` calls it."""
    if len(start) < 4 or 0 not in start[:4]:
        return "UTF-8"
    return json.detect_encoding(start[:4]).upper().replace("-LE", "LE").replace("-BE", "BE")


def other_form(start: bytes) -> OtherForm | None:
    """What an input that starts so is, where that is surely not JSON lines."""
    for mark, form in _STARTS:
        if start.startswith(mark):
            return form
    encoding = _encoding(start)
    if not encoding.startswith("UTF-8"):
        return OtherForm(f"in {encoding}, not in UTF-8", f"iconv -f {encoding} -t UTF-8")
    if _LIST_START.match(start):
        return _LIST
    return _SPREAD if _SPREAD_START.match(start) else None

"""Writes single values: on one line where they fit, long texts folded, the rest as it was."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError
from ruleengine.fmt.sentences import canonical
from ruleengine.source import MappingNode, ScalarNode, read_yaml

if TYPE_CHECKING:
    from ruleengine.fmt.layout import Kind

WIDTH = 100
"""How many characters a line has at most, where it can be broken."""
STEP = 2

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_ESCAPED = re.compile('["\\\\\n\t\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]')


def one_line(node: ScalarNode, kind: Kind, *, in_flow: bool = False) -> str | None:
    """A value on one line; None where it has lines of its own that are to stay."""
    sentence = _sentence(node, kind)
    if sentence is not None:
        if node.plain and not isinstance(node.value, str):
            return sentence
        return sentence if is_plain(sentence, in_flow) else quoted(sentence)
    text, style = node.text, node.style
    if node.plain and not isinstance(node.value, str):
        return node.written[0]
    if kind.scalar == "hand" and node.plain:
        return quoted(text)
    if node.span.line == node.span.end_line:
        if style == '"':
            return node.written[0]
        if style == "'":
            return node.written[0] if re.search(r'["\\]', text) else f'"{text}"'
    if style in ("|", ">") and not _is_one_paragraph(node):
        return None
    if style not in ("'", '"') and is_plain(text, in_flow):
        return text
    return quoted(text)


def scalar_lines(node: ScalarNode, kind: Kind, indent: int, used: int) -> list[str]:
    """A value in its lines: the first goes where `used` characters stand already, the others are
    indented by `indent`."""
    line = one_line(node, kind)
    if line is None:
        return _block(node, indent)
    sentence = _sentence(node, kind)
    text = node.text if sentence is None else sentence
    may_fold = kind.scalar in ("text", "sentence", "term") and is_foldable(text)
    if node.style in ("|", ">") and sentence is None and not may_fold:
        return _block(node, indent)
    fits = used + len(line) <= WIDTH
    kept = _kept_lines(node, text, WIDTH - indent) if may_fold else None
    if (fits and (kept is None or sentence is not None)) or not may_fold:
        return [line]
    margin = " " * indent
    return [">-", *(margin + piece for piece in kept or fill(text, WIDTH - indent))]


def _kept_lines(node: ScalarNode, text: str, room: int) -> list[str] | None:
    """A folded text in the lines that it has, where they fit; a sentence may have other spaces."""
    if node.style != ">":
        return None
    lines: list[str] = []
    rest = text
    for row in node.written[1:]:
        size = len("".join(row.split()))
        if not size:
            return None
        at = _after_signs(rest, size)
        line, rest = rest[:at], rest[at:]
        if len(line) > room or (rest and not rest.startswith(" ")):
            return None
        lines.append(line)
        rest = rest[1:]
    return lines


def _after_signs(text: str, count: int) -> int:
    """The offset after a number of characters that are no spaces."""
    at = 0
    while count:
        count -= not text[at].isspace()
        at += 1
    return at


def key_text(key: ScalarNode) -> str:
    """A name as it is written before its ':'."""
    text, style = key.text, key.style
    if key.span.line == key.span.end_line and style not in ("|", ">"):
        if style == "'" and not re.search(r'["\\]', text):
            return f'"{text}"'
        return key.written[0]
    return quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


@lru_cache(maxsize=4096)
def is_plain(text: str, in_flow: bool) -> bool:
    """Whether a text can stand without quotes."""
    if not text or "\n" in text or "\r" in text or "\t" in text:
        return False
    try:
        node = read_yaml(f"{{a: {text}}}" if in_flow else f"a: {text}", "")
    except RulesetError:
        return False
    value = node.get("a") if isinstance(node, MappingNode) and len(node.entries) == 1 else None
    return isinstance(value, ScalarNode) and value.plain and value.value == text


def is_foldable(text: str) -> bool:
    """Whether a text comes back as it is when it is folded at its spaces."""
    words = text.split(" ")
    return len(words) > 1 and all(words) and not re.search(r"[\n\r\t\x85\u2028\u2029]", text)


def fill(text: str, room: int) -> list[str]:
    """A text in lines that are as full as they can be."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _sentence(node: ScalarNode, kind: Kind) -> str | None:
    if kind.scalar not in ("sentence", "term") or not node.text.strip():
        return None
    return canonical(node.text, is_term=kind.scalar == "term")


def _is_one_paragraph(node: ScalarNode) -> bool:
    return bool(node.text) and "\n" not in node.text


def _block(node: ScalarNode, indent: int) -> list[str]:
    """A text with lines of its own."""
    text = node.text
    body = text.removesuffix("\n")
    ends_blank = not body.rsplit("\n", 1)[-1].strip()
    if not body.strip() or ends_blank or not _starts_safely(body):
        return [quoted(text)]
    margin = " " * indent
    chomp = "" if text.endswith("\n") else "-"
    if node.style == "|":
        digit = str(STEP) if body.lstrip("\n").startswith(" ") else ""
        lines = body.split("\n")
        return [f"|{digit}{chomp}", *(margin + line if line else "" for line in lines)]
    header, *rows = node.written
    first = next((row for row in rows if row.strip()), "")
    if any(sign.isdigit() for sign in header.split("#")[0]) or first.strip() != first.strip(" "):
        return [quoted(text)]
    width = len(first) - len(first.lstrip(" "))
    return [f">{chomp}", *(margin + row[width:] if row[width:] else "" for row in rows)]


def _starts_safely(body: str) -> bool:
    """Whether no line of spaces comes before the first one with a text."""
    for line in body.split("\n"):
        if line.strip(" "):
            return line[0] != "\t" and line.strip() != ""
        if line:
            return False
    return False

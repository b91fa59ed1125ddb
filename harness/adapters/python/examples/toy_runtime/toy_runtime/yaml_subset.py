"""The part of YAML that small agent projects are written in: block and flow collections, scalars, literal blocks.

Anything else is an error, never a guess.
"""

from __future__ import annotations

import re
from typing import Any

_NUMBER = re.compile(r"-?\d+(\.\d+)?\Z")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


class Unreadable(ValueError):
    """Not in the subset."""


def load(text: str) -> Any:
    """Reads a document."""
    lines = [line.rstrip() for line in text.splitlines()]
    reader = _Reader([line for line in lines if line.strip() and not line.lstrip().startswith("#")])
    value = reader.block(0)
    if reader.position < len(reader.lines):
        raise Unreadable(f"left over: {reader.lines[reader.position]!r}")
    return value


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.position = 0

    def _indent(self) -> int:
        if self.position >= len(self.lines):
            return -1
        line = self.lines[self.position]
        return len(line) - len(line.lstrip(" "))

    def block(self, indent: int) -> Any:
        """The value that starts here, indented at least so far."""
        own = self._indent()
        if own < indent:
            return None
        line = self.lines[self.position].strip()
        if line.startswith("- ") or line == "-":
            return self._sequence(own)
        if _split_key(line) is not None:
            return self._mapping(own)
        text = [line]
        self.position += 1
        while self._indent() >= own and text[0][0] in "[{\"'":
            text.append(self.lines[self.position].strip())
            self.position += 1
        return flow(" ".join(text))

    def _sequence(self, indent: int) -> list[Any]:
        items = []
        while self._indent() == indent and self.lines[self.position].strip().startswith("-"):
            rest = self.lines[self.position].strip()[1:]
            if rest.strip():
                # What follows the dash is a value of its own, as deep as it stands there.
                self.lines[self.position] = " " * (indent + 1 + len(rest) - len(rest.lstrip())) + rest.strip()
            else:
                self.position += 1
            items.append(self.block(indent + 1))
        return items

    def _mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._indent() == indent:
            pair = _split_key(self.lines[self.position].strip())
            if pair is None:
                raise Unreadable(f"neither a key nor a value: {self.lines[self.position]!r}")
            key, rest = pair
            self.position += 1
            if rest in ("|", "|-", ">", ">-"):
                found[key] = self._literal(indent, rest)
            elif rest:
                while not _is_closed(rest) and self.position < len(self.lines):
                    rest += " " + self.lines[self.position].strip()
                    self.position += 1
                found[key] = flow(rest)
            elif self._indent() == indent and self.lines[self.position].strip().startswith("- "):
                found[key] = self._sequence(indent)
            else:
                found[key] = self.block(indent + 1)
        return found

    def _literal(self, indent: int, style: str) -> str:
        lines = []
        while self._indent() > indent:
            lines.append(self.lines[self.position].strip())
            self.position += 1
        text = ("\n" if style[0] == "|" else " ").join(lines)
        return text if style.endswith("-") else text + "\n"


def _split_key(line: str) -> tuple[str, str] | None:
    match = re.match(r"""("[^"]*"|'[^']*'|[^\s"'\[\]{},:#][^:#\[\]{},]*):(?:\s+(.*))?\Z""", line)
    if match is None:
        return None
    key = flow(match.group(1)) if match.group(1)[0] in "\"'" else match.group(1).strip()
    rest = match.group(2) or ""
    return key, "" if rest.startswith("#") else rest


def _is_closed(text: str) -> bool:
    return not text.startswith(("[", "{")) or text.count("[") + text.count("{") <= text.count("]") + text.count("}")


def flow(text: str) -> Any:
    """Reads a value on one line."""
    value, rest = _flow(text.strip())
    rest = rest.strip()
    if rest and not rest.startswith("#"):
        raise Unreadable(f"left over: {rest!r}")
    return value


def _flow(text: str) -> tuple[Any, str]:
    if text.startswith("["):
        items: list[Any] = []
        text = text[1:].lstrip()
        while not text.startswith("]"):
            item, text = _flow(text)
            items.append(item)
            text = _after_comma(text, "]")
        return items, text[1:]
    if text.startswith("{"):
        found: dict[str, Any] = {}
        text = text[1:].lstrip()
        while not text.startswith("}"):
            key, text = _scalar(text, ",:}")
            text = text.lstrip()
            value: Any = None
            if text.startswith(":"):
                value, text = _flow(text[1:].lstrip())
            found[key] = value
            text = _after_comma(text, "}")
        return found, text[1:]
    return _scalar(text, ",]}")


def _after_comma(text: str, end: str) -> str:
    text = text.lstrip()
    if text.startswith(","):
        return text[1:].lstrip()
    if not text.startswith(end):
        raise Unreadable(f"not closed: {text!r}")
    return text


def _scalar(text: str, stops: str) -> tuple[Any, str]:
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        if end < 0:
            raise Unreadable(f"not closed: {text!r}")
        return text[1:end], text[end + 1 :]
    if text[:1] in ("&", "*", "!", "|", ">", "%", "@", "`"):
        raise Unreadable(f"outside the subset: {text!r}")
    end = min((place for place in (text.find(stop) for stop in stops) if place >= 0), default=len(text))
    comment = text.find(" #")
    if 0 <= comment < end:
        end, text = comment, text[:comment]
    word = text[:end].strip()
    if word.lower() in _WORDS:
        return _WORDS[word.lower()], text[end:]
    if _NUMBER.match(word):
        return (float(word) if "." in word else int(word)), text[end:]
    return word, text[end:]

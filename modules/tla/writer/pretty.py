"""TLA+ text in lines: where to break a long expression, definitions, comments, banners."""

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

WIDTH = 120
"""The greatest width of a line, where the text allows it."""

_LEAST = 10
"""The least width of the first part of a line that is broken."""

_BULLETS = re.compile(r"(?:^|[(\[{,=]|==|->|\|->|THEN|ELSE|IN|:)\s*(?:/\\|\\/)")
"""A conjunction or disjunction that begins with its sign: its layout is a part of its meaning."""

_BULLET = re.compile(r"(?:/\\|\\/) *")

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|<<|>>|[()\[\]{}]|, |\bIF\b|(?<= )(?:(?:THEN|ELSE|IN|\\cup|/\\|\\/|->|\[\])(?= )|!\.)'
)
_OPENING, _CLOSING = ("<<", "(", "[", "{"), (">>", ")", "]", "}")


def definition(head: str, body: str, indent: int = 2) -> list[str]:
    """The lines of ``head == body``. A body of several lines keeps its layout."""
    body = dedent(body.strip("\n")) if "\n" in body else body
    line = f"{head} == {body}"
    if "\n" not in body and len(line) <= WIDTH:
        return [line]
    return [f"{head} ==", *indented(body, indent)]


def indented(text: str, indent: int) -> list[str]:
    """The lines of an expression, *indent* columns to the right; long ones are broken where that changes nothing."""
    lines: list[str] = []
    for line in text.split("\n"):
        begin = line.lstrip()
        at = indent + len(line) - len(begin)
        bullet = _BULLET.match(begin)
        # Lines of a list continue to the right of its signs; a list that begins within the line stays as it is.
        lines += [" " * at + begin] if _BULLETS.search(begin, bullet.end() if bullet else 0) else _broken(begin, at)
    return [line.rstrip() for line in lines]


def _broken(text: str, indent: int) -> list[str]:
    margin = " " * indent
    if indent + len(text) <= WIDTH:
        return [margin + text]
    if text.startswith("IF "):
        then, otherwise = _parts_of_if(text)
        if otherwise > 0:
            branches = (text[:then].rstrip(), text[then:otherwise].rstrip(), text[otherwise:])
            return [line for branch in branches for line in _filled(branch, indent)]
    return _filled(text, indent)


def _parts_of_if(text: str) -> tuple[int, int]:
    """Where THEN and ELSE of the expression *text*, which begins with IF, are; (0, 0) if more follows it."""
    depth, nested, then = 0, 0, 0
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|<<|>>|[()\[\]{}]|\b(?:IF|THEN|ELSE)\b', text):
        word = found.group()
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth:
            continue
        if word == "IF":
            nested += 1
        elif word == "THEN" and nested == 1:
            then = found.start()
        elif word == "ELSE":
            nested -= 1
            if nested == 0:
                return then, found.start()
    return 0, 0


def _filled(text: str, indent: int) -> list[str]:
    """As much of *text* in each line as there is room for; a line ends where the nesting is least."""
    lines: list[str] = []
    margin = " " * indent
    while len(margin) + len(text) > WIDTH:
        at = _break(text, WIDTH - len(margin))
        if at == 0:
            break
        lines.append(margin + text[:at].rstrip())
        text, margin = text[at:].lstrip(), " " * (indent + 4)
    return [*lines, margin + text]


def _break(text: str, room: int) -> int:
    """Where to break *text* so that the first part fits into *room* columns; 0 where nothing allows it."""
    ifs, best = [0], (0, 0)  # an IF ends with the bracket around it, so each bracket counts its own
    for found in _TOKEN.finditer(text):
        word, at = found.group(), found.start()
        if word in _OPENING:
            ifs.append(0)
        elif word in _CLOSING:
            ifs = ifs[:-1] or [0]
        elif word == "IF":
            ifs[-1] += 1
        elif word[0] != '"':
            at = found.end() if word == ", " else at
            depth = len(ifs) + sum(ifs)
            if at > room:
                break
            if at >= _LEAST and (best[0] == 0 or depth <= best[1]):
                best = at, depth
    return best[0]


def banner(title: str) -> list[str]:
    """A line that separates sections, and what the next one is about."""
    return ["", "-" * 78, *comment(title), ""]


def comment(text: str) -> list[str]:
    """*text* as a comment."""
    return [f"(* {line} *)" for line in ascii_only(text).split("\n")]


def boxed(lines: Iterable[str]) -> list[str]:
    """A comment in a box, as in the books."""
    lines = [ascii_only(line).replace("*)", "* )") for line in lines]
    width = max(74, *(len(line) for line in lines))
    edge = f"(*{'*' * (width + 2)}*)"
    return [edge, *(f"(* {line:<{width}} *)" for line in lines), edge]


def remark(text: str) -> str:
    """*text* as a comment up to the end of the line."""
    return f"\\* {ascii_only(' '.join(text.split()))}"


def remarks(*lines: str) -> list[str]:
    """Comments, each in a line of its own."""
    return [remark(line) for line in lines]


def cases(branches: Iterable[tuple[str, str]], otherwise: str = "") -> str:
    """An expression by cases."""
    lines: list[str] = []
    for condition, value in (*branches, *([("OTHER", otherwise)] if otherwise else [])):
        begin = "CASE " if not lines else "  [] "
        first, *more = value.split("\n") if "\n" in value else indented(value, 0)
        if more or len(first) + len(condition) > WIDTH - 12:
            lines += [f"{begin}{condition} ->", *(f"         {line}" for line in (first, *more))]
        else:
            lines.append(f"{begin}{condition} -> {first}")
    return "\n".join(lines)


def ascii_only(text: str) -> str:
    """*text* with escapes in place of characters that TLA+ does not have."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


def listed(head: str, words: Sequence[str], opening: str = "{", closing: str = "}") -> list[str]:
    """The lines of the definition of a set, or with other brackets of a record: a line per word if it is long."""
    line = f"{head} == {opening}{', '.join(words)}{closing}"
    if len(line) <= 100:
        return [line]
    return [f"{head} == {opening}", *(f"  {word}," for word in words[:-1]), f"  {words[-1]}{closing}"]


def quoted(text: str) -> str:
    """*text* as a string of TLA+."""
    escaped = ascii_only(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

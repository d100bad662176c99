"""Comments to CSeq in the user's source: ``// cseq: …``, with what is expected at a line, what is ignored, and bounds.

    // cseq: expect KIND
    // cseq: expect FALSE KIND
    // cseq: expect FALSE
    // cseq: ignore KIND: reason
    // cseq: rounds N unwind N

A comment is about its line; one that has a line for itself is about the next line of code.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cseq.model.claims import Kind
from cseq.model.errors import InputError
from cseq.model.origin import Origin

_CODE = r"""(?:[^"'/]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/(?![/*]))*"""
_COMMENT = re.compile(rf"^(?P<code>{_CODE})//\s*cseq:\s*(?P<said>.*?)\s*$")
_BLANK = re.compile(r"^\s*(?://.*)?$")
_IGNORED = re.compile(r"^(?P<kind>[\w-]+)\s*(?::\s*(?P<reason>.*))?$")
BOUNDS = ("rounds", "unwind")
ANY = "violation"
"""In place of a kind: a violation of any kind."""

_VERDICT = "FALSE"
_SHOWN = (Kind.ASSERTION, Kind.RACE, Kind.DEADLOCK, Kind.MEMSAFETY, Kind.OVERFLOW, Kind.MISUSE)
"""The kinds that a message names."""


@dataclass(frozen=True)
class Remark:
    """What is expected or ignored at a line.

    kind: of violations; `ANY` for each of them. reason: why it is ignored. origin: of the comment.
    """

    file: str
    line: int
    kind: str
    expected: bool
    reason: str
    origin: Origin


@dataclass(frozen=True)
class Remarks:
    """The comments in a file. bounds: a name → its value, and the place."""

    remarks: tuple[Remark, ...] = ()
    bounds: tuple[tuple[str, int, Origin], ...] = ()


def remarks(file: str, text: str) -> Remarks:
    """The comments in the *text* of *file*. Raises InputError, with the place, for one that cannot be read."""
    lines = text.splitlines()
    found: list[Remark] = []
    bounds: list[tuple[str, int, Origin]] = []
    for number, line in enumerate(lines, 1):
        comment = _COMMENT.match(line) if "cseq:" in line else None
        if comment is None:
            continue
        origin = Origin(file, number)
        word, _, rest = comment["said"].partition(" ")
        about = number if comment["code"].strip() else _next(lines, number)
        if word == "expect":
            verdict, _, after = rest.partition(" ")
            listed = (after.strip() or ANY) if verdict == _VERDICT else rest
            kinds = [kind.strip() for kind in listed.split(",")]
            found += [Remark(file, about, _kind(kind, origin), True, "", origin) for kind in kinds]
        elif word == "ignore":
            ignored = _IGNORED.match(rest.strip())
            if ignored is None or not ignored["reason"]:
                raise InputError("what is ignored needs a reason: `// cseq: ignore KIND: reason`", origin)
            found.append(Remark(file, about, _kind(ignored["kind"], origin), False, ignored["reason"], origin))
        else:
            bounds += _bounds(comment["said"].split(), origin)
    return Remarks(tuple(found), tuple(bounds))


def _next(lines: list[str], number: int) -> int:
    """The number of the next line with code after the line *number*."""
    return next((each for each in range(number + 1, len(lines) + 1) if not _BLANK.match(lines[each - 1])), number)


def _bounds(words: list[str], origin: Origin) -> Iterator[tuple[str, int, Origin]]:
    """The bounds in the *words* of a comment."""
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if not words or len(words) % 2 or any(name not in BOUNDS for name, _ in pairs):
        raise InputError(
            "a comment to CSeq says `expect KIND`, `ignore KIND: reason`, `rounds N` or `unwind N`", origin
        )
    for name, value in pairs:
        if not value.isdecimal() or int(value) < 1:
            raise InputError(f"`{name}` is a number from 1, and not `{value}`", origin)
        yield name, int(value), origin


def _kind(kind: str, origin: Origin) -> str:
    """*kind*, if there are violations of that kind."""
    known = kinds()
    if kind not in known:
        shown = f"{', '.join(_SHOWN)}, and the ids of the rules in SARIF"
        raise InputError(f"there is no kind of violation called `{kind}` (there are {shown})", origin)
    return kind


def kinds() -> Collection[str]:
    """The names of kinds of violations: those of claims, and those of SARIF."""
    from cseq.report.violation_kinds import BY_ID

    return {ANY, *(kind.value for kind in Kind), *BY_ID}

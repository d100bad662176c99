"""Reading the violation witness that an SV-COMP verifier has written about the program it was given.

Both formats report values and where they were chosen: YAML (format 2.x) by a waypoint ``function_return``, GraphML
(1.0) by the ``assumption`` of an edge. Irrelevant values are left out, so each value is reported with the line of its
call. Of YAML only block style is read, which is what verifiers write.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

INPUT = "__CSEQ_input"
"""The local variable for a value that we choose, if the call has no variable of its own."""

_CHOICE = re.compile(r"(?:([A-Za-z_]\w*)\s*=\s*)?(\w*nondet_(\w+))\(\)")
"""A call that chooses a value, perhaps into a variable; its name ends in the kind of the value."""

_EQUAL = re.compile(
    r"(\\result|[A-Za-z_$][\w$]*)\s*\)*\s*={1,2}\s*"
    r"\(*\s*(?:\([A-Za-z_][\w ]*\*?\)\s*)?\(*\s*([-+]?\.?\d(?:[eEpP][-+]|[\w.])*|NULL|true|false)"
)
"""An equation in the form used in constraints."""

_FLOATING = {"float": ("<f", "<I"), "double": ("<d", "<Q")}


@dataclass(frozen=True)
class Witness:
    """The contents of a witness: the line of the violated claim, and each value, as bits, with the line of its call."""

    line: int | None = None
    values: list[tuple[int | str, int]] = field(default_factory=list)


def find(program: Path, patterns: Sequence[str]) -> Path | None:
    """The first file next to *program* that matches one of *patterns*, if it is not older: a witness of this run."""
    made = program.stat().st_mtime_ns
    for pattern in patterns:
        for path in sorted(program.parent.glob(pattern)):
            if path.is_file() and path != program and path.stat().st_mtime_ns >= made:
                return path
    return None


def read(path: Path, program: Sequence[str]) -> Witness:
    """The report of the witness *path* on the *program* with these lines; empty if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return Witness()
    return _graphml(text, program) if text.lstrip().startswith("<") else _yaml(text, program)


def chosen(line: int, value: str, program: Sequence[str]) -> tuple[int | str, int] | None:
    """The constant *value* as it was chosen in *line* of the *program*; None if nothing is chosen there."""
    found = _CHOICE.search(program[line - 1]) if 0 < line <= len(program) else None
    bits = _bits(value, found.group(3)) if found else None
    return None if bits is None else (line, bits)


def _yaml(text: str, program: Sequence[str]) -> Witness:
    target: int | None = None
    values: list[tuple[int | str, int]] = []
    for waypoint in _waypoints(text):
        line = _number(waypoint.get("line", ""))
        if waypoint.get("action", "follow") != "follow" or line is None:
            continue
        if waypoint.get("type") == "target":
            target = line
        elif waypoint.get("type") == "function_return":
            values += _values(waypoint.get("value", ""), line, program, [r"\result"])
    return Witness(target, values)


def _waypoints(text: str) -> Iterator[dict[str, str]]:
    """The entries of each waypoint, including those of its parts."""
    waypoint: dict[str, str] | None = None
    for line in text.splitlines():
        found = re.match(r"[\s-]*(\w+):\s*(.*?)\s*$", line)
        if found is None:
            continue
        key, value = found.groups()
        if key in ("waypoint", "segment", "entry_type"):
            if waypoint:
                yield waypoint
            waypoint = {} if key == "waypoint" else None
        elif waypoint is not None and value:
            waypoint.setdefault(key, _scalar(value))
    if waypoint:
        yield waypoint


def _scalar(text: str) -> str:
    """A scalar of YAML on one line."""
    if text[0] == text[-1] == '"' and len(text) > 1:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text[0] == text[-1] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return text.split(" #", maxsplit=1)[0]


def _graphml(text: str, program: Sequence[str]) -> Witness:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return Witness()
    violations = {node.get("id") for node in _all(root, "node") if _data(node).get("violation") == "true"}
    target: int | None = None
    values: list[tuple[int | str, int]] = []
    for edge in _all(root, "edge"):
        data = _data(edge)
        line = _number(data.get("startline", ""))
        if line is None:
            continue
        if edge.get("target") in violations:
            target = line
        if "assumption" in data:
            values += _values(data["assumption"], line, program)
    return Witness(target, values)


def _all(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (element for element in root.iter() if element.tag.rpartition("}")[2] == name)


def _data(element: ElementTree.Element) -> dict[str, str]:
    return {data.get("key", ""): (data.text or "").strip() for data in _all(element, "data")}


def _values(
    constraint: str, line: int, program: Sequence[str], names: Sequence[str] = ()
) -> list[tuple[int | str, int]]:
    """The value that *constraint* gives to the choice in *line*; none if it is about something else.

    names: the acceptable names; by default the result, and the variable that receives it. An edge may begin at the
    previous statement, so a variable that is chosen in the next line is also acceptable.
    """
    for number in (line, line + 1):
        found = _CHOICE.search(program[number - 1]) if 0 < number <= len(program) else None
        if found is None:
            continue
        variable, function, kind = found.groups()
        wanted = list(names) or [variable or INPUT]
        if number == line and not names:
            wanted += [r"\result", INPUT]
        for name, value in _EQUAL.findall(constraint):
            if name in wanted or (number == line and name.startswith(f"return_value_{function}")):
                bits = _bits(value, kind)
                return [] if bits is None else [(number, bits)]
        if names:
            return []
    return []


def _bits(text: str, kind: str) -> int | None:
    """The bits of a constant of a given kind; None for anything else."""
    if kind in _FLOATING:
        try:
            value = float.fromhex(text) if "x" in text.lower() else float(text.rstrip("fFlL"))
            as_float, as_bits = _FLOATING[kind]
            (bits,) = struct.unpack(as_bits, struct.pack(as_float, value))
        except (ValueError, OverflowError):
            return None
        return int(bits)
    if text in ("NULL", "false", "true"):
        return int(text == "true")
    number = _number(text.rstrip("uUlL"))
    return None if number is None else number & 0xFFFFFFFFFFFFFFFF


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None

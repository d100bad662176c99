"""The required form of a witness: the YAML format's schema in short, and what can be checked against the program.

The schema follows the format's documentation (violation witnesses 2.0, https://sosy-lab.gitlab.io/benchmarking/
sv-witnesses/yaml/violation-witnesses.html) and the additions of version 2.2: `thread_id`, and several waypoints to
follow in the last segment.
"""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")
_RESULT = re.compile(r"\\result (==|!=|<=|<|>=|>) (-?[\d.eE+-]+(ULL)?|\(-\d+ - 1\))")

Schema = Any
"""A type; a value, which it has to be; a pattern; a list with the schema of the items; a dict, whose keys may end in
``?``; a tuple of schemas, one of which has to hold; a function that says whether it holds."""


def fits(value: Any, schema: Schema) -> bool:
    """Whether *value* conforms to *schema*."""
    if isinstance(schema, type):
        return isinstance(value, schema) and not (schema is int and isinstance(value, bool))
    if isinstance(schema, re.Pattern):
        return isinstance(value, str) and schema.fullmatch(value) is not None
    if isinstance(schema, list):
        return isinstance(value, list) and all(fits(item, schema[0]) for item in value)
    if isinstance(schema, tuple):
        return any(fits(value, choice) for choice in schema)
    if isinstance(schema, dict):
        known = {key.removesuffix("?") for key in schema}
        needed = {key for key in schema if not key.endswith("?")}
        return (
            isinstance(value, dict)
            and needed <= set(value) <= known
            and all(fits(value[key], schema.get(key, schema.get(f"{key}?"))) for key in value)
        )
    if callable(schema):
        return bool(schema(value))
    return bool(value == schema)


def _positive(value: Any) -> bool:
    return isinstance(value, int) and value >= 1


def _thread(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


LOCATION = {"file_name": str, "line": _positive, "column?": _positive, "function?": str}


def _waypoint(kind: str, constraint: Schema | None = None) -> Schema:
    common = {"type": kind, "action": ("follow", "avoid"), "location": LOCATION, "thread_id?": _thread}
    return common if constraint is None else {**common, "constraint": constraint}


WAYPOINT = (
    _waypoint("assumption", {"value": str, "format": "c_expression"}),
    _waypoint("branching", {"value": str}),
    _waypoint("function_enter"),
    _waypoint("function_return", {"value": _RESULT, "format": "ext_c_expression"}),
    _waypoint("target"),
)
METADATA = {
    "format_version": re.compile(r"2\.[012]"),
    "uuid": _UUID,
    "creation_time": _TIME,
    "producer": {"name": str, "version": str, "configuration?": str, "command_line?": str, "description?": str},
    "task": {
        "input_files": [str],
        "input_file_hashes": dict,
        "specification": str,
        "data_model": ("ILP32", "LP64"),
        "language": "C",
    },
}
VIOLATION = [
    {
        "entry_type": "violation_sequence",
        "metadata": {**METADATA, "format_version": "2.2"},
        "content": [{"segment": [{"waypoint": WAYPOINT}]}],
    }
]
CORRECTNESS = [{"entry_type": "invariant_set", "metadata": {**METADATA, "format_version": "2.0"}, "content": []}]


def read(text: str) -> list[dict[str, Any]]:
    """The entries of a witness. Times remain texts."""
    loader: Callable[[str], Any] = yaml.safe_load
    entries = loader(text)
    assert isinstance(entries, list)
    return entries


def check_violation(witness: list[dict[str, Any]], folder: Path, creating: str = "pthread_create") -> None:
    """Assert that *witness* is well-formed, and that its places exist in the files in *folder*."""
    assert fits(witness, VIOLATION)
    (entry,) = witness
    check_task(entry, folder)
    files = {name: (folder / name).read_text().split("\n") for name in entry["metadata"]["task"]["input_files"]}
    segments = [[item["waypoint"] for item in content["segment"]] for content in entry["content"]]
    threads = 1
    for number, segment in enumerate(segments):
        assert all(waypoint["action"] == "follow" for waypoint in segment)
        if number < len(segments) - 1:
            assert len(segment) == 1
            assert segment[0]["type"] != "target"
        else:
            race = "data-race" in entry["metadata"]["task"]["specification"]
            assert [waypoint["type"] for waypoint in segment] == ["target"] * (2 if race else 1)
            assert len({waypoint["thread_id"] for waypoint in segment}) == len(segment)
        for waypoint in segment:
            assert waypoint["thread_id"] < threads, "a thread does something before it is registered"
            _check_place(waypoint, files, creating)
            threads += waypoint["type"] == "function_enter"


def check_task(entry: dict[str, Any], folder: Path) -> None:
    """Assert that the hashes are those of the files."""
    task = entry["metadata"]["task"]
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in task["input_files"]}
    assert task["input_file_hashes"] == hashes


def _check_place(waypoint: dict[str, Any], files: dict[str, list[str]], creating: str) -> None:
    place = waypoint["location"]
    lines = files[place["file_name"]]
    line = lines[place["line"] - 1]
    before, at = line[: place["column"] - 1], line[place["column"] - 1]
    assert re.search(rf"\b{place['function']}\b", "\n".join(lines))
    if waypoint["type"] in ("function_enter", "function_return"):
        _, _, name = callee(lines, place["line"], place["column"])
        assert re.fullmatch(creating if waypoint["type"] == "function_enter" else r"\w*nondet_\w+", name), name
    else:
        assert not at.isspace()
        assert not before.strip() or before.rstrip()[-1] in ";{}):" or before.split()[-1] in ("else", "do"), before


def callee(lines: list[str], line: int, column: int) -> tuple[int, int, str]:
    """The place and the name of the function whose call ends at the parenthesis at *line* and *column*."""
    text = "\n".join(lines)
    offset = sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
    assert text[offset] == ")", f"{line}:{column}: {text[offset]!r} is no closing parenthesis"
    depth = 0
    while True:
        depth += {")": 1, "(": -1}.get(text[offset], 0)
        if depth == 0:
            break
        offset -= 1
    end = offset
    while text[offset - 1].isidentifier() or text[offset - 1].isdigit():
        offset -= 1
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n"), text[offset:end]

"""The data structure that a command line specifies."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.c.preprocess import check_readable
from cseq.cli.console import say, write
from cseq.model.errors import UsageError
from cseq.modules.linearizability import comments, grammar
from cseq.modules.linearizability.structure import CONSISTENCIES, Structure, Text

SPECIFICATION = ".cseq"
"""The suffix of files that specify a structure."""


def structure_of(own: Mapping[str, Any], values: Mapping[str, Any]) -> Structure:
    """The structure in the options *own*; what is given besides a specification is added to it. Raises CSeqError.

    values: those of the parameters of stages, for headers in which operations are to be found.
    """
    files = [str(name) for name in own.get("files", ())]
    if not files and not own.get("header"):
        raise UsageError("no input file (`cseq linearize --help` lists the options)")
    specifications = [name for name in files if name.endswith(SPECIFICATION)]
    if specifications and len(files) > 1:
        raise UsageError(f"{specifications[0]} specifies a structure, and cannot be combined with other files")
    headers = [str(name) for name in own.get("header", ())]
    for name in (*files, *headers, *own.get("model", ())):
        check_readable(Path(name))
    if specifications:
        found = grammar.read(Path(files[0]))
        for name in (*found.files, *found.headers, *found.model):
            check_readable(Path(name))
    else:
        found = comments.read(Structure(files=tuple(files)), [*headers, *files])
    found = _added(found, own, headers)
    if kind := own.get("type"):
        if found.operations:
            raise UsageError("--type cannot be combined with operations that are given")
        found = _found(kind, found, own, values)
    return found


def _added(structure: Structure, own: Mapping[str, Any], headers: list[str]) -> Structure:
    """*structure*, with what the options say."""
    sizes = structure.sizes
    if "threads" in own or "calls" in own:
        sizes = ((own.get("threads", 2), own.get("calls", 3)),)
    consistency = own.get("consistency", structure.consistency)
    if consistency not in CONSISTENCIES:
        raise UsageError(f"--consistency: `{consistency}` is none of {', '.join(CONSISTENCIES)}")
    more = structure.adding(
        headers=headers,
        model=own.get("model", ()),
        states=map(grammar.state, own.get("new", ())),
        setup=map(Text, own.get("setup", ())),
        teardown=map(Text, own.get("teardown", ())),
        invariants=map(Text, own.get("invariant", ())),
        operations=map(grammar.operation, own.get("op", ())),
    )
    return replace(more, sizes=sizes, consistency=consistency)


def _found(kind: str, structure: Structure, own: Mapping[str, Any], values: Mapping[str, Any]) -> Structure:
    """*structure* with the operations on *kind* that its headers declare, if the user says that they are right."""
    from cseq.modules.linearizability.discovery import discovered

    found, text = discovered(kind, structure, list(values.get("include", ())), list(values.get("define", ())))
    if own.get("yes") or own.get("json") or own.get("sarif") or own.get("quiet") or not sys.stdin.isatty():
        say(text.rstrip())
        return found
    write(text)
    say("Check this? [Y/n] (n: copy it into a file *.cseq, change it, and give that to cseq linearize)")
    if sys.stdin.readline().strip().lower() not in ("", "y", "yes"):
        raise UsageError("nothing was checked")
    return found

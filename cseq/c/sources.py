"""The lines of the user's files, found by the line markers of a preprocessed text."""

import re
from collections.abc import Iterator
from pathlib import Path

from cseq.c.scanner import lexemes, marker, markers
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.pthread_stubs import INCLUDE

_RESERVED = re.compile(r"\b\w+__cs\w*|\b__cs[_\d]\w*|\b__CSEQ_\w+")
_HARMLESS = frozenset({"__CSEQ_check", "__CSEQ_atomic_fetch_add", "__CSEQ_atomic_fetch_sub", "__cs_selector"})
"""The reserved names that may appear: from macros of our headers in the user's lines, and from glibc's <fenv.h>."""
_MACROS = frozenset({"linux", "unix", "i386"})
_PREDEFINED = re.compile(rf"^(?!#).*\b(?:{'|'.join(sorted(_MACROS))})\b", re.MULTILINE)


def note_sources(path: Path, text: str, sources: dict[str, list[str]]) -> None:
    """Add to *sources* the files that *text*, the preprocessed file *path*, comes from, except system headers.

    If a file that a marker names does not exist, for example because the text was preprocessed on another machine, its
    lines are taken from *text*.
    """
    missing = set()
    for name in {found.file for found in markers(text) if found.file and "3" not in found.flags}:
        if name in sources or name.startswith("<") or str(INCLUDE) in name:
            continue
        found = next((file for file in (Path(name), path.parent / name) if file.is_file()), None)
        if found is not None:
            sources[name] = found.read_text(encoding="utf-8", errors="replace").splitlines()
        else:
            missing.add(name)
    if missing:
        sources.update({name: lines for name, lines in _rebuilt(path, text).items() if name in missing})


def refuse_reserved(path: Path, text: str) -> None:
    """Raise InputError, with the place, for names in the user's files that would be taken for ours."""
    if "__cs" not in text and "__CSEQ_" not in text:
        return
    for origin, system, line in _lines(path, text):
        if system or ("__cs" not in line and "__CSEQ_" not in line):
            continue
        name = next((name for name in _RESERVED.findall(line) if name not in _HARMLESS), None)
        if name and INCLUDE not in Path(origin.file).resolve().parents:
            raise InputError(f"the name `{name}` is reserved for CSeq's own use", origin)


def without_predefined(text: str) -> str:
    """The preprocessed *text* with other names in place of macros that compilers predefine, such as ``linux``.

    A program has such a name where it has undefined the macro. What is made of it is preprocessed again.
    """
    if _PREDEFINED.search(text) is None:
        return text
    parts = []
    done = 0
    for lexeme in lexemes(text):
        if lexeme.kind == "name" and lexeme.text in _MACROS:
            end = lexeme.start + len(lexeme.text)
            parts += [text[done:end], "__cs9"]
            done = end
    return "".join([*parts, text[done:]])


def _lines(path: Path, text: str) -> Iterator[tuple[Origin, bool, str]]:
    """Each line of *text* with its place, and whether that is in a system header."""
    file, number, system = str(path), 0, False
    for line in text.splitlines():
        number += 1
        found = marker(line) if "#" in line else None
        if found:
            number = found.line - 1
            file = found.file or file
            system = "3" in found.flags
        else:
            yield Origin(file, number), system, line


def _rebuilt(path: Path, text: str) -> dict[str, list[str]]:
    """The lines of each file, as far as *text* has them; a line that expands to several pieces is joined."""
    files: dict[str, list[str]] = {}
    for origin, _, line in _lines(path, text):
        if line.strip():
            lines = files.setdefault(origin.file, [])
            lines.extend([""] * (origin.line - len(lines)))
            before = lines[origin.line - 1]
            lines[origin.line - 1] = f"{before} {line.strip()}".lstrip()
    return files

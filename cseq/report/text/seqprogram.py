"""What a sequentialized program needs so that readers can check it with a verifier of their own."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cseq.c.verification import NONDET, NONDET_TYPES
from cseq.model.claims import Claim, Cut
from cseq.report import violations
from cseq.version import __version__

_PRIMITIVE = re.compile(r"\b__CSEQ_[a-z]\w*(?=\()")

_KEY = re.compile(r'(?<=, ")(?:[^"\\\n]|\\.)*(?="\);)|(?<=/\* ).*(?= \*/$)', re.MULTILINE)
"""Matches what may be a key: the last argument of a call, or the comment after it."""

_VALID = "int {}(int check, const volatile void *from, const volatile void *at, unsigned long size)"
_PROTOTYPES = {
    "__CSEQ_assume": ("void {}(int condition)", "drop the execution unless the condition holds"),
    "__CSEQ_assert": ("void {}(int condition, const char *what)", "the property: the condition holds"),
    "__CSEQ_unwound": (
        "void {}(int condition, const char *what)",
        "where a bound cuts executions off: as __CSEQ_assume, or as __CSEQ_assert to learn whether it does",
    ),
    "__CSEQ_havoc": ("void {}(void *object, unsigned long size)", "give each byte any value"),
    "__CSEQ_zero": ("void {}(void *object, unsigned long size)", "set each byte to 0"),
    "__CSEQ_valid": (_VALID, "the bytes at an address lie in an object that is there; `from` is the pointer used"),
    "__CSEQ_valid_inside": (_VALID, "the same, in a function of the library"),
    "__CSEQ_freeable": (
        "int {}(int check, const volatile void *block)",
        "__CSEQ_new returned it, and it has not been deleted",
    ),
    "__CSEQ_begins": ("void {}(const volatile void *object)", "the object is there from now on"),
    "__CSEQ_ends": ("void {}(const volatile void *object)", "the object is not there any more"),
    "__CSEQ_new": ("void *{}(unsigned long size)", "a new block"),
    "__CSEQ_new_zeroed": ("void *{}(unsigned long size)", "a new block of bytes that are 0"),
    "__CSEQ_delete": ("void {}(void *block)", "the block is not there any more; nothing for a null pointer"),
    "__CSEQ_kept": ("const void *{}(void)", "any block that is there, or a null pointer"),
    "__CSEQ_same": ("int {}(const volatile void *pointer, const void *block)", "the pointer leads into the block"),
    "__CSEQ_address": (
        "unsigned long {}(const volatile void *byte)",
        "a number for each byte; in one object, in order",
    ),
    "__CSEQ_size": ("unsigned long {}(const void *block)", "how many bytes the block has"),
}


def readable(text: str) -> str:
    """The program *text* with the keys of claims and cuts replaced by sentences."""
    return _KEY.sub(_sentence, text)


def _sentence(found: re.Match[str]) -> str:
    """The sentence for a key; text that is not a key stays as it is."""
    key, claim, cut = found[0], Claim.of(found[0]), Cut.of(found[0])
    if cut.key == key:
        return violations.cut(cut)
    is_key = claim.key == key and (claim.reason is not None or claim.subject)
    return violations.claim(claim) if is_key else key


def saved_as(files: Sequence[str]) -> Path:
    """The file name that the comment before a program uses for it. files: the user's files it was made from."""
    return Path(f"{Path(files[0]).stem}.seq.c")


def instructions(
    files: Sequence[str], values: Mapping[str, Any], engine: str, commands: Sequence[Sequence[str]]
) -> str:
    """The comment before a program for one verifier: what it was made from, and how to check it.

    files: the user's files. values: the parameters of the translation. engine: the name of the verifier.
    commands: the commands that check the file `saved_as`; none if they depend on a version that is not known.
    """
    lines = [f"{_made(files, values)[:-1]}, for {engine}."]
    if commands:
        lines.append(f"Saved as {saved_as(files)} it is checked by")
        lines += [f"    {shlex.join(command)}" for command in commands]
    else:
        lines.append(f"{engine} is not installed here, so it is not known how its version is called.")
    lines = [line.replace("*/", "* /") for line in lines]
    return "\n * ".join([f"/* {lines[0]}", *lines[1:]]) + "\n */\n"


def _made(files: Sequence[str], values: Mapping[str, Any]) -> str:
    names = ("rounds", "schedule", "contexts", "tile", "unwind")
    bounds = ", ".join(f"--{name} {values[name]}" for name in names if values.get(name) is not None)
    return f"Made by cseq {__version__} from {', '.join(files)}{f' with {bounds}' if bounds else ''}."


def header(text: str, files: Sequence[str], values: Mapping[str, Any]) -> str:
    """The C text before the program *text*: what it was made from, and what a verifier has to provide.

    files: the user's files. values: the parameters of the translation.
    """
    made = _made(files, values)
    needed = sorted(set(_PRIMITIVE.findall(text)))
    if not needed:
        return f"/* {made.replace('*/', '* /')} */\n"
    lines = [
        f"/* {made.replace('*/', '* /')}\n * A verifier of sequential C programs has to provide these functions: */"
    ]
    for name in needed:
        prototype, meaning = _prototype(name)
        if "__CSEQ_bits_" in prototype:
            lines.append(f"typedef unsigned int {prototype.split()[0]};")
        lines.append(f"{prototype}; /* {meaning} */")
    return "\n".join(lines) + "\n"


def _prototype(name: str) -> tuple[str, str]:
    if name in _PROTOTYPES:
        prototype, meaning = _PROTOTYPES[name]
        return prototype.format(name), meaning
    kind = name.removeprefix(NONDET)
    if kind.startswith("bits_"):
        width = kind.removeprefix("bits_")
        return f"__CSEQ_{kind} {name}(void)", f"any value of {width} bit{'s' if width != '1' else ''}"
    return f"{NONDET_TYPES.get(kind, 'int')} {name}(void)", "any value"

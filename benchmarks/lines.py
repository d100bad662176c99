"""Count the lines of the product: code, comments, docstrings and blank lines apart.

    python -m benchmarks.lines [FOLDER...]

Each line counts once. A line with code and a comment is a line of code.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

PRODUCT = ("cseq", "modules", "backends", "pthread_stubs")
KINDS = ("code", "comment", "docstring", "blank")
_NO_CODE = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT}
_STRING = r'"(?:\\.|[^"\\\n])*"'
_PATTERNS = {
    ".c": re.compile(rf"(?P<comment>/\*.*?\*/|//[^\n]*)|{_STRING}|'(?:\\.|[^'\\\n])*'", re.DOTALL),
    ".tla": re.compile(rf"(?P<comment>\(\*.*?\*\)|\\\*[^\n]*)|{_STRING}", re.DOTALL),
}
_PATTERNS[".h"] = _PATTERNS[".hpp"] = _PATTERNS[".c"]


def counted(suffix: str, text: str) -> Counter[str]:
    """How many lines of each of the `KINDS` are in *text*, a file whose name ends in *suffix*."""
    lines = text.splitlines()
    kinds = _of_python(text) if suffix == ".py" else _of_comments(_PATTERNS[suffix], text)
    return Counter("blank" if not line.strip() else kinds.get(at, "code") for at, line in enumerate(lines, 1))


def _of_python(text: str) -> dict[int, str]:
    """The lines of docstrings, those of attributes included, and the lines with nothing but a comment."""
    kinds = {}
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            kinds[token.start[0]] = "comment"
        elif token.type not in _NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    kinds = {line: kind for line, kind in kinds.items() if line not in code}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            kinds.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), "docstring"))
    return kinds


def _of_comments(pattern: re.Pattern[str], text: str) -> dict[int, str]:
    """The lines that have nothing but comments."""
    bare = pattern.sub(lambda match: re.sub(r"[^\n]+", "", match[0]) if match["comment"] else match[0], text)
    return {at: "comment" for at, line in enumerate(bare.split("\n"), 1) if not line.strip()}


def main(folders: list[str]) -> None:
    """Print a row for each of the *folders*, by default those of the product, and their sum."""
    total: Counter[str] = Counter()
    print(f"{'':16}" + "".join(f"{kind:>12}" for kind in (*KINDS, "all")))
    for folder in folders or PRODUCT:
        listed = subprocess.run(["git", "ls-files", "-z", folder], capture_output=True, text=True, check=True).stdout
        files = [path for path in map(Path, filter(None, listed.split("\0"))) if path.suffix in {".py", *_PATTERNS}]
        found = sum((counted(path.suffix, path.read_text(encoding="utf-8")) for path in files), Counter[str]())
        _print(folder, found)
        total += found
    _print("all", total)


def _print(name: str, found: Counter[str]) -> None:
    print(f"{name:16}" + "".join(f"{number:12,}" for number in (*(found[kind] for kind in KINDS), found.total())))


if __name__ == "__main__":
    main(sys.argv[1:])

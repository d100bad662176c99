"""The C of the runtime has layers: nothing in it includes or uses what is in a higher layer (`runtime/layers.toml`)."""

import re
import tomllib
from pathlib import Path

import pytest

from cseq.modules.compiled.cc.building import SOURCES

_COMMENT_OR_STRING = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_INCLUDE = re.compile(r'^#include "([\w.]+)".*$', re.MULTILINE)
_ATTRIBUTE = re.compile(r"__(?:attribute|asm)__\s*\((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*\) ?")
_DIRECTIVE = re.compile(r"^#(?:.*\\\n)*.*$", re.MULTILINE)
_MACRO = re.compile(r"^[A-Z_]+\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)$", re.MULTILINE)
_FUNCTION = re.compile(r"^(\w[\w *]*[ *])(\w+)\([^;={}]*\)\s*\{", re.MULTILINE)
_VARIABLE = re.compile(
    r"^(?!static|extern|typedef|(?:struct|enum) \w+;)(\w+[ *][\w *,\[\]]+?)(?: = [^;]*)?;", re.MULTILINE
)
_TYPES = ("int", "char", "short", "long", "unsigned", "float", "double", "bool", "_Bool", "size_t", "loff_t")


class Source:
    """A file of C in the form that clang-format gives it: what is at the beginning of a line is outside of functions.

    layer: its folder. headers: those of the runtime that it includes. functions: those that it defines for itself.
    public: functions and variables that it defines for others. named, called: the names in it, and those before `(`.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.layer = path, path.parent.name
        text = path.read_text()
        self.headers = _INCLUDE.findall(text)
        text = _COMMENT_OR_STRING.sub('""', re.sub(r"^#include.*", "", text, flags=re.MULTILINE))
        text = _ATTRIBUTE.sub("", text)
        self.named = set(re.findall(r"(?<!struct )(?<!enum )\b\w+", text))
        self.called = set(re.findall(r"(?<![\w.])(?<!->)(\w+)\s*\(", text))
        plain = _DIRECTIVE.sub("", text)
        made = [words for call in _MACRO.findall(plain) for words in re.findall(r"(?:^|, )([a-z_]\w+)(?=,|$)", call)]
        plain = _MACRO.sub("", plain)
        functions = _FUNCTION.findall(plain)
        self.functions = {name for before, name in functions if "static" in before.split()}
        self.public = {name for _, name in functions if name not in self.functions}
        self.public |= {name for name in made if name not in _TYPES}
        for variables in _VARIABLE.findall(plain):
            self.public |= {word for part in variables.split(",") for word in re.findall(r"(\w+)(?:\[\w*\])*$", part)}

    def uses(self, name: str) -> bool:
        """Whether it names something of the runtime, or calls a function that the runtime defines for programs."""
        return name not in self.functions and name in (self.named if name.startswith("cs_") else self.called)


def violations(root: Path, layers: list[str]) -> list[str]:
    """What goes from a file of the folder to a higher layer, or is in no layer; a sentence for each."""
    paths = sorted(path for path in root.rglob("*") if path.suffix in (".c", ".h"))
    outside = [path for path in paths if path.parent not in [root / layer for layer in layers]]
    if outside:
        return [f"{path.relative_to(root)} is in no layer" for path in outside]
    sources = [Source(path) for path in paths]
    headers = {one.path.name: one.layer for one in sources if one.path.suffix == ".h"}
    owners = {name: one.layer for one in sources if one.path.suffix == ".c" for name in one.public}
    found = []
    for one in sources:
        above, place = layers[layers.index(one.layer) + 1 :], one.path.relative_to(root)
        found += [f"{place} includes {name}" for name in one.headers if headers.get(name) in above]
        names = sorted(name for name, layer in owners.items() if layer in above and one.uses(name))
        found += [f"{place} uses {name} of {owners[name]}" for name in names]
    return found


@pytest.fixture(scope="module")
def layers() -> list[str]:
    return list(tomllib.loads((SOURCES / "layers.toml").read_text())["layers"])


def test_the_runtime_uses_lower_layers_only(layers: list[str]) -> None:
    assert violations(SOURCES, layers) == []
    assert {path.name for path in SOURCES.iterdir() if path.is_dir()} == set(layers)


def test_what_the_runtime_defines_is_known() -> None:
    sources = {path.name: Source(path) for path in SOURCES.rglob("*.c")}
    public = {name for one in sources.values() for name in one.public}
    assert {"cs_now", "cs_hooks", "cs_step", "cs_end", "cs_self", "cs_threads", "cs_heap_span", "cs_active"} <= public
    assert {"fork", "exit", "system", "popen", "malloc", "_Znwm", "pthread_create", "__tsan_func_entry"} <= public
    assert {"give", "cseq_violation", "note", "choose"} <= sources["schedule.c"].functions


LOWER = '#include "lower.h"\nstatic int own(int n) { return n; }\nint cs_low(void) { return own(1); }\n'
UPPER = '#include "lower.h"\nint cs_count = 1;\nint close(int n) { return n + cs_low(); }\nTWICE(fopen, int)\n'


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ("/* cs_count, close(1) */ const char *text(void) { return \"close(1)\"; }", []),
        ("struct cs_count;\nstatic int close(int n) { return n; }\nint f(void) { return close(1); }", []),
        ("int f(struct file *file) { return file->close(1) + CS_REAL(close)(2); }", []),
        ("int f(void) { return close(1); }", ["lower/wrong.c uses close of upper"]),
        ("#define CLOSE \\\n    close(1)", ["lower/wrong.c uses close of upper"]),
        ("int *f(void) { return &cs_count; }", ["lower/wrong.c uses cs_count of upper"]),
        ("extern int cs_count;", ["lower/wrong.c uses cs_count of upper"]),
        ("int f(void) { return fopen(1) != 0; }", ["lower/wrong.c uses fopen of upper"]),
        ('#include "upper.h"', ["lower/wrong.c includes upper.h"]),
    ],
)  # fmt: skip
def test_what_goes_up_is_found(tmp_path: Path, wrong: str, found: list[str]) -> None:
    texts = {"lower/lower.h": "int cs_low(void);\n", "lower/lower.c": LOWER, "lower/wrong.c": f"{wrong}\n"}
    for name, text in {**texts, "upper/upper.h": "", "upper/upper.c": UPPER}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert violations(tmp_path, ["lower", "upper"]) == found


def test_what_is_in_no_layer_is_found(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "one.c").write_text("")
    (tmp_path / "two.c").write_text("")
    assert violations(tmp_path, ["lower"]) == ["other/one.c is in no layer", "two.c is in no layer"]

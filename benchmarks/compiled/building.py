"""The programs of sv-benchmarks/compiled, built by the wrappers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks import common
from cseq.modules.compiled.cc.wrapper import invocation

FOLDER = common.ROOT / "sv-benchmarks" / "compiled"
COMPILERS = {
    "gcc": {"CSEQ_CC": "gcc", "CSEQ_CXX": "g++"},
    "clang": {"CSEQ_CC": "clang-14", "CSEQ_CXX": "clang++-14"},
}


@dataclass(frozen=True)
class Program:
    """A program. flags: what the compiler needs for it. violated: the properties that it violates. options: what
    `cseq run` needs for it."""

    source: Path
    flags: tuple[str, ...]
    violated: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.source.stem


@dataclass(frozen=True)
class Build:
    """A compiler and a level of optimisation."""

    compiler: str
    level: str

    @property
    def name(self) -> str:
        return f"{self.compiler} {self.level}"


def programs(folder: str = "", names: Sequence[str] = ()) -> Iterator[Program]:
    """The programs in *folder* below `FOLDER`, in the order of their names; if there are *names*, only these."""
    for file in sorted((FOLDER / folder).glob("*.yml")):
        if names and file.stem not in names:
            continue
        about = yaml.safe_load(file.read_text(encoding="utf-8"))
        violated = [Path(one["property_file"]).stem for one in about["properties"] if not one["expected_verdict"]]
        ours = about.get("cseq", {})
        flags, options = ours.get("flags", ()), ours.get("options", ())
        yield Program(file.parent / about["input_files"], tuple(flags), tuple(violated), tuple(options))


def built(program: Program, build: Build, folder: Path, *more: str) -> Path:
    """The program with hooks and the runtime. more: options of the compiler. Ends this script if there is an error."""
    path = folder / program.name
    words = [build.level, *program.flags, *more, "-g", str(program.source), "-o", str(path)]
    done = common.run([*invocation(program.source.suffix != ".c"), *words], environment=COMPILERS[build.compiler])
    if done.status != 0:
        raise SystemExit(f"{build.name}: {' '.join(words)}\n{done.stderr}")
    return path


def versions() -> dict[str, str]:
    """The first line that each compiler says of itself."""
    return {
        name: common.run([each["CSEQ_CXX"], "--version"]).stdout.partition("\n")[0] for name, each in COMPILERS.items()
    }

"""What KLEE says of the programs in recorded/klee; ``python -m tests.unit.backends.klee_records`` records it again.

The programs have the primitives of sequentialized ones. Of each run these are kept: what KLEE printed (NAME.log,
without the folder's name), and the files that tell of paths that ended badly, with their inputs (NAME.klee/).
"""

import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

from cseq.backends.base import Options
from cseq.backends.klee import BACKEND
from cseq.model.origin import LineMap
from cseq.modules.symbolic.encode.instrumenter import instrumented
from cseq.pipeline.stage import Unit
from cseq.process.run import Completed, run

RECORDED = Path(__file__).resolve().parent / "recorded" / "klee"
NAMES = tuple(sorted(path.stem for path in RECORDED.glob("*.c")))
_KEPT = (".err", ".early", ".ktest")


def asked(klee: Path, name: str, folder: Path) -> tuple[Completed, Path]:
    """How *klee* ended on the program *name*, in *folder*; and the program, which it was given without the folder."""
    text = (RECORDED / f"{name}.c").read_text(encoding="utf-8")
    unit = Unit(text=text, linemap=LineMap([None] * len(text.splitlines())))
    program = folder / f"{name}.i"
    program.write_text(instrumented(unit, BACKEND.dialect).text, encoding="utf-8")
    relative = Path(program.name)
    with contextlib.chdir(folder):
        commands = BACKEND.prepare(klee, relative, Options())
    for command in commands:
        completed = run(command, folder=folder)
        assert completed.status == 0, completed.stderr
    return run(BACKEND.command(klee, relative, Options()), folder=folder, timeout=60), program


def record(klee: Path) -> None:
    """Record everything again."""
    for name in NAMES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            completed, program = asked(klee, name, folder)
            assert completed.stdout == ""
            (RECORDED / f"{name}.log").write_text(
                f"{completed.stderr.replace(temporary, '.')}exit status {completed.status}\n", encoding="utf-8"
            )
            kept = RECORDED / f"{name}.klee"
            shutil.rmtree(kept, ignore_errors=True)
            for file in sorted(program.with_suffix(".klee").iterdir()):
                if file.suffix in _KEPT:
                    kept.mkdir(exist_ok=True)
                    (kept / file.name).write_bytes(file.read_bytes())


def recorded(name: str) -> tuple[Completed, Path]:
    """What was recorded, in the form of `asked`."""
    log = (RECORDED / f"{name}.log").read_text(encoding="utf-8")
    said, _, status = log.rpartition("exit status ")
    return Completed(int(status), "", said), RECORDED / f"{name}.i"


if __name__ == "__main__":
    found = BACKEND.find()
    if found is None:
        sys.exit("KLEE is not installed (setup/provide-klee)")
    record(found)

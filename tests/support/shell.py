"""A folder in which to run cseq, and programs to run it on."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.checkout import ROOT

LAUNCHER = ROOT / "cseq.py"

BUGGY = """\
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *arg) { x++; return NULL; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2);
  return 0;
}
"""

OURS = "please report it"
"""The words of each line about a failure that is not the user's fault."""

SEQUENTIAL = "int main(void) { int x = 1; return x; }\n"


class Shell:
    """Runs cseq in its own folder, with its own temporary folder, and checks what it leaves there."""

    def __init__(self, root: Path) -> None:
        self.here = root / "here"
        self.tmp = root / "tmp"
        self.bin = root / "bin"
        for folder in (self.here, self.tmp, self.bin):
            folder.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.tmp), "PYTHONDONTWRITEBYTECODE": "1"}

    def file(self, name: str, content: str | bytes = SEQUENTIAL) -> Path:
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def engine(self, script: str) -> None:
        """Replace CBMC with a script."""
        path = self.bin / "cbmc"
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi\n{script}\n')
        path.chmod(0o755)
        self.environment["CSEQ_CBMC"] = str(path)

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.here)) for path in self.here.rglob("*"))

    def start(self, *words: str, **kwargs: object) -> subprocess.Popen[str]:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **kwargs}
        command = [sys.executable, str(LAUNCHER), *words]
        return subprocess.Popen(command, cwd=self.here, env=self.environment, text=True, **streams)  # type: ignore[call-overload, no-any-return]

    def run(self, *words: str, fails: bool = False) -> tuple[int, str, str]:
        """The exit status, and what is printed. fails: whether something fails for a reason of ours."""
        with self.start(*words) as process:
            out, err = process.communicate(timeout=60)
        assert (OURS in out + err) == fails, out + err
        return process.returncode, out, err

    def refuse(self, *words: str, status: int = 2, fails: bool = False) -> str:
        """Run something that is refused; returns the one line that says why."""
        before = self.files()
        result, out, err = self.run(*words, fails=fails)
        assert (result, out) == (status, ""), err
        assert err.count("\n") == 1 and err.endswith("\n")
        assert "Traceback" not in err
        assert self.files() == before, "stray files beside the input"
        assert not list(self.tmp.iterdir()), "stray files in the temporary folder"
        return err.rstrip("\n")

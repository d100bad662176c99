"""Programs in which something is observed."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cseq.model.errors import CSeqError
from cseq.modules.frontend.observers.observers import OBSERVED, ObserverCode

STAGES = ("merger", "observers", "normalise", "control_flow", "thread_local_promotion")
CHAIN = "".join(["about what is observed\nfamilies explicit\n", *(f"stage {name}\n" for name in STAGES)])


PROGRAM = """\
#include <pthread.h>
#include <string.h>
#include <stdlib.h>
typedef struct { int a; int b[2]; } pair;
struct view { int x; char text[4]; pair p; };
static pair pairs[3];
pair *first = &pairs[0];
int count, unused;
char name[4];
const int limit = 3;
enum { LAST = 2 };
_Thread_local int own;
static int twice(int n) { return 2 * n; }
static int half(int n) { return n / 2; }
"""


MAIN = "int main(void) { count = twice(own); pairs[LAST].a = count; first->a = 1; name[0] = 'x'; return limit; }\n"


@pytest.fixture
def observed(translated, tmp_path: Path):
    """``observed(functions, option=…)``: the fact `observed`, and the text of the program."""
    chain = tmp_path / "observers.chain"
    chain.write_text(CHAIN, encoding="utf-8")
    translated.use(str(chain))

    def run(functions: str = "", **parameters: Any) -> tuple[ObserverCode, str]:
        from cseq.pipeline.chain import load

        text = PROGRAM + dedent(functions) + MAIN
        context = translated.context(keep_unused=False, **parameters)
        value: Any = [translated.write(text)]
        for name, stage in load(str(chain)).chosen(context.values):
            value = stage(context).run(value)
            if name == "normalise":
                break
        return context.facts[OBSERVED], value.text

    return run


def refused(observed, functions: str = "", **parameters: Any) -> str:
    with pytest.raises(CSeqError) as caught:
        observed(functions, **parameters)
    assert caught.value.exit_status == 2
    return str(caught.value)

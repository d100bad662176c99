"""Dead locals are cleared where they may have a value, and nowhere else."""

import re
from pathlib import Path

from tests.unit.modules.explicit.encode.stepper.test_stepfunction import function
from tests.unit.modules.explicit.encode.stepper.test_stepper import stepped, written


def of(count: int) -> str:
    lines = "".join(f"  x{n % 3} = x{(n + 1) % 3} + {n};\n" for n in range(count))
    return f"""\
        #include <pthread.h>
        int x0, x1, x2;
        void *work(void *arg) {{
        {lines}
          return 0;
        }}
        int main(void) {{
          pthread_t t;
          pthread_create(&t, 0, work, 0);
          x0 = x1 + x2;
          pthread_join(t, 0);
          return 0;
        }}
        """


def clears(text: str) -> list[str]:
    """The frame's members that are cleared, in the order of the text."""
    return re.findall(r"__cs_f->(\w+) = 0;", text)


def test_a_local_is_cleared_where_its_last_use_can_come_before(tmp_path: Path) -> None:
    text = function(stepped(written(tmp_path, of(3))), "work")
    assert clears(text) == ["__cs_tmp_1", "__cs_tmp_2", "__cs_tmp_3"]


def test_the_program_grows_with_its_source_and_not_with_its_square(tmp_path: Path) -> None:
    small, large = (len(function(stepped(written(tmp_path, of(count))), "work")) for count in (40, 160))
    assert large < 5 * small


def test_what_a_loop_used_is_cleared_after_it(tmp_path: Path) -> None:
    program = """\
        #include <pthread.h>
        int x, y;
        void *work(void *arg) {
          while (x) { int seen = y; if (seen > 3) { y = seen; x = seen; } }
          x = 1;
          y = 2;
          return 0;
        }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = y; return 0; }
        """
    text = function(stepped(written(tmp_path, program)), "work")
    assert "seen" in clears(text)
    assert clears(text[text.index("x = 1;") :]) == []  # there is a place before it, and nothing is used after that

"""Random control flow does behind the stages what it did before (see control.py), and what once did not."""

from collections import Counter
from pathlib import Path

import pytest

from tests.differential import control

PROGRAMS = 10


def test_random_control_flow_is_preserved() -> None:
    counts: Counter[str] = Counter()
    assert control.differences(0, 0, PROGRAMS, 3, False, counts) == []
    assert counts["whole"] >= PROGRAMS // 4


ONCE_WRONG = {
    "a label that a jump from outside wants, in front of a loop that another one wants to enter": """
        static int f(int n)
        {
            int i = 0;
            if (n == 1)
                goto inner;
            while (n > 4) {
        outer:
                show(n);
                while (i < 2) {
        inner:
                    show(++i);
                }
                if (fuel-- > 0)
                    goto outer;
                n--;
            }
            if (fuel-- > 0)
                goto outer;
            return i;
        }
        int main(void) { fuel = 2; show(f(1)); return 0; }
        """
}


@pytest.mark.parametrize("text", ONCE_WRONG.values(), ids=ONCE_WRONG.keys())
def test_once_wrong(text: str, tmp_path: Path) -> None:
    comparison = control.Comparison(tmp_path, unwind=3)
    assert comparison.difference(control.HEAD + text) == ""
    assert comparison.counts == {"whole": 1}

"""The allocator: memory from arenas in the state."""

import re

import pytest

PROGRAM = """\
#include <stdlib.h>
int *p;
int main(void)
{
  p = malloc(4);
  p = calloc(2, 4);
  free(p);
  return 0;
}
"""


@pytest.fixture
def allocated(translated):
    """The calls about blocks in the step of main."""
    translated.use("explicit")

    def run(**parameters) -> list[str]:
        text = translated("allocator", PROGRAM, **parameters)
        step = text[text.index("static void __cs_run_main") : text.index("const unsigned int __CSEQ_most_threads")]
        return re.findall(r"__CSEQ_(?:new|fresh|free|made|block)\w*", step)

    return run


def test_blocks_are_in_arenas(allocated):
    assert allocated() == ["__CSEQ_fresh_block", "__CSEQ_new_blocks", "__CSEQ_free_tracked"]


def test_blocks_whose_use_is_checked_have_spare_memory_and_wait_when_they_are_freed(allocated):
    made = allocated(property="valid-memsafety", checked=True)
    assert made == ["__CSEQ_made_fresh", "__CSEQ_made_zeroed", "__CSEQ_freeable", "__CSEQ_free_made"]


def test_a_size_that_is_given_is_that_of_an_arena(translated):
    translated.use("explicit")
    assert "const unsigned long __cs_heap_size = 64;" in translated("allocator", PROGRAM, heap=50)

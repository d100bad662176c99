"""Marks are given to the instruction that they describe."""

from cseq.modules.ir import instructions as ir
from tests.unit.modules.ir.conftest import template

TEXT = """\
int x, y;
int main(void) {
  int l;
  __CSEQ_coarse("cut.grain 0: a call");
  x = y;
  __CSEQ_access(1);
  l = x;
  __CSEQ_access(1);
  while (x) {
    l = 1;
    __CSEQ_access(1);
  }
  __CSEQ_access(1);
  end: ;
  return 0;
}
"""


def test_a_coarse_statement_has_no_single_access(core):
    first = next(template(core(TEXT)).instructions())
    assert (first.grain, first.access) == ("cut.grain 0: a call", None)
    assert len(first.marks) == 1


def test_marks_say_that_an_access_is_atomic(core):
    program = core(TEXT)
    load = next(each for each in program.instructions if isinstance(each, ir.Assign) and each.access)
    branch = next(each for each in program.instructions if isinstance(each, ir.Branch))
    assert load.access is not None and load.access.is_atomic
    assert branch.access is not None and branch.access.is_atomic


def test_marks_that_nothing_follows_are_kept(core):
    assert [len(each.marks) for each in core(TEXT).instructions if isinstance(each, ir.Skip)] == [1]

"""Instructions know what they evaluate and write, and where control may go on."""

import pytest

from cseq.model.claims import Limit, Reason
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Access, AccessKind, Order
from tests.unit.modules.ir.conftest import template

TEXT = """\
int x, y, v[3];
int pthread_mutex_trylock(int *);
int main(void) {
  int l;
  v[l] = l + 1;
  l = pthread_mutex_trylock(&x);
  __CSEQ_zero(&v[l], sizeof(int));
  if (l) { return l; }
  __CSEQ_assert(l, "reachability.label");
  __CSEQ_unwound(0, "cut.loop 2");
}
"""


def test_operands_targets_and_loads(core):
    assign, call, zero, *_ = template(core(TEXT)).instructions()
    assert assign.target().object.name == "v" and len(assign.operands()) == 1
    assert call.target().object.name == "l" and call.operands() == call.arguments
    assert zero.operands() == (zero.size,) and zero.loads == ()
    (load,) = template(core("int x, *p; int main(void) { return *p; }")).blocks[0].end.loads[:1]
    assert load.object.name == "p"


def test_successors(core):
    blocks = template(core(TEXT)).blocks
    assert [block.end.successors() for block in blocks] == [(1, 2), (), ()]


def test_claims_and_cuts_have_their_meaning(core):
    found = list(template(core(TEXT)).instructions())
    check = next(each for each in found if isinstance(each, ir.Check))
    abandon = next(each for each in found if isinstance(each, ir.Abandon))
    assert check.claim.reason is Reason.LABEL
    assert (abandon.cut.limit, abandon.cut.number) == (Limit.LOOP, 2)


def test_an_access_without_a_place_has_no_size():
    fence = Access(AccessKind.FENCE, None, Order.SEQ_CST)
    assert (fence.size, fence.is_atomic, fence.failure, fence.value) == (0, True, None, None)


def test_instructions_are_slotted_and_equal_by_identity(core):
    goto = ir.Goto(1)
    assert goto != ir.Goto(1)
    with pytest.raises(AttributeError):
        goto.colour = "red"
    with pytest.raises(TypeError):
        ir.Branch(None, 1)

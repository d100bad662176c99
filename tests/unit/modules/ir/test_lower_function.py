"""Lowering: statements become instructions, blocks and edges."""

import pytest

from cseq.model.errors import UnsupportedError
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Order
from cseq.modules.ir.program import Kind, SectionKind
from tests.unit.modules.ir.conftest import listing, template


def test_control_flow_becomes_blocks_in_the_order_of_the_text(core):
    program = core("""\
        int x;
        int main(void) {
          int l;
          l = 0;
          while (l < 3) {
            if (l) goto out;
            if (x) { l = 1; } else { l = 2; }
            l = l + 1;
          }
          out: ;
          return l;
        }
        """)
    assert listing(program, "main") == [
        "b0:", "l = 0", "goto b1",
        "b1: loop", "branch (l < 3) ? b2 : b7",
        "b2:", "branch l ? b7 : b3",
        "b3:", "branch read(x) ? b4 : b5",
        "b4:", "l = 1", "goto b6",
        "b5:", "l = 2", "goto b6",
        "b6:", "l = (l + 1)", "goto b1",
        "b7: out:", "return l",
    ]  # fmt: skip
    blocks = template(program).blocks
    assert [block.predecessors for block in blocks] == [(), (0, 6), (1,), (2,), (3,), (3,), (4, 5), (1, 2)]
    assert [block.loop for block in blocks] == [None, 1, 1, 1, 1, 1, 1, None]


def test_a_jump_into_a_branch_is_an_edge(core):
    program = core("int x; int main(void) { if (x) goto in; if (x) { in: ; x = 1; } return 0; }")
    assert "b2: in:" in listing(program, "main")
    assert template(program).blocks[2].predecessors == (0, 1)


def test_an_endless_loop_has_no_branch(core):
    program = core("int main(void) { while (1) { } return 0; }")
    assert listing(program, "main")[:4] == ["b0: loop", "goto b1", "b1:", "goto b0"]


@pytest.mark.parametrize(
    "statement, kind, text",
    [
        ('__CSEQ_assert(x, "assertion: x");', ir.Check, 'check read(x) "assertion: x"'),
        ('__CSEQ_assert(0, "reachability.label");', ir.Fail, 'fail "reachability.label"'),
        ("__CSEQ_assume(l);", ir.Assume, "assume l"),
        ("__CSEQ_assume(0);", ir.Stop, "stop"),
        ('__CSEQ_unwound(l, "cut.loop 2");', ir.CutUnless, 'cut unless l "cut.loop 2"'),
        ('__CSEQ_unwound(0, "cut.loop 2");', ir.Abandon, 'cut "cut.loop 2"'),
        ("l = __CSEQ_nondet_int();", ir.Input, "l = input int"),
        ("__CSEQ_havoc(v, sizeof v);", ir.Input, "v[0:i64] = input memory, 12:u64 bytes"),
        ("__CSEQ_havoc(w, sizeof w);", ir.Undefine, "w[0:i64] = undefined __CSEQ_havoc, 12:u64 bytes"),
        ("__CSEQ_havoc(w, 12);", ir.Input, "w[0:i64] = input memory, 12:u64 bytes"),
        ("__CSEQ_undefine(&l, sizeof l);", ir.Undefine, "l = undefined __CSEQ_undefine, 4:u64 bytes"),
        ("__CSEQ_zero(&s, sizeof s);", ir.Zero, "s = zero, 4:u64 bytes"),
        ("l = __CSEQ_choose(3);", ir.Choose, "l = choose 3"),
        ("__CSEQ_begins(&l);", ir.Lifetime, "begins l"),
        ("pthread_exit(0);", ir.ThreadExit, "exit thread 0:void*"),
        ("__CSEQ_stop();", ir.ProcessExit, "exit process"),
        ("s = t;", ir.Assign, "s = read(t)"),
        ("l = pthread_mutex_lock(&m);", ir.Operation, "l = lock pthread_mutex_lock(&m)"),
    ],
)
def test_each_primitive_has_an_instruction(core, statement, kind, text):
    program = core(
        "struct r { int a; } s, t; int x, v[3], m; int pthread_mutex_lock(int *);"
        f"int main(void) {{ int l, w[3]; {statement} return 0; }}"
    )
    assert listing(program, "main")[1] == text
    assert type(next(template(program).instructions())) is kind


def test_a_creation_names_a_template_of_a_thread(core):
    program = core("""\
        void *work(void *p) { return p; }
        void *other(void *p) { return p; }
        int main(void) { unsigned t; int r; r = pthread_create(&t, 0, work, (void *) &t); return r; }
        """)
    assert [template(program, name).kind for name in ("work", "other", "main")] == [
        Kind.THREAD,
        Kind.FRAMED,
        Kind.THREAD,
    ]
    (creation,) = program.creations
    assert creation.start is template(program, "work").object
    assert listing(program, "main")[1] == "r = create work(&t, 0:void*, (void*) &t)"


def test_a_shared_statement_has_several_numbers(lowered):
    program = lowered("""\
        #include <pthread.h>
        int x;
        void *work(void *p) { x = 1; return 0; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); return 0; }
        """, "thread_instances", rounds=1)  # fmt: skip
    stores = [each for each in program.instructions if isinstance(each, ir.Assign) and each.access]
    assert len(stores) == 2 and stores[0].source is stores[1].source
    assert program.numbers[id(stores[0].source)] == [each.number for each in stores]


# Accesses


def accesses(program, name="main"):
    return [
        (each.access.kind, each.access.order, each.access.place and each.access.place.path == ())
        for each in template(program, name).instructions()
        if each.access is not None and each.section is None
    ]


def test_an_instruction_has_the_record_of_its_access(core):
    program = core("int x, *p; int main(void) { int l; l = x; x = l; l = l + 1; *p = 3; return x; }")
    kinds = [each.access and each.access.kind for each in template(program).instructions()]
    assert kinds == [AccessKind.READ, AccessKind.WRITE, None, AccessKind.WRITE, AccessKind.READ]
    store = list(template(program).instructions())[1].access
    assert store is not None and store.size == 4 and not store.is_atomic
    assert store.value is not None and store.place is not None and store.place.object is not None


def test_an_atomic_update_is_one_access(lowered):
    text = """\
        #include <stdatomic.h>
        #include <pthread.h>
        atomic_int x; int y;
        int main(void) { int old = 0; x++; x = 3; y = x; atomic_compare_exchange_strong(&x, &old, 4); return 0; }
        """
    program = lowered(text)
    first, second = [section for section in program.sections if section.kind is SectionKind.RMW]
    assert first.access is not None and second.access is not None
    assert first.access.kind is second.access.kind is AccessKind.UPDATE
    assert (first.access.order, first.access.failure) == (Order.SEQ_CST, None)
    assert (second.access.order, second.access.failure) == (Order.SEQ_CST, Order.SEQ_CST)
    plain = [order for kind, order, _ in accesses(program) if kind is not AccessKind.CALL]
    assert plain == [Order.SEQ_CST, Order.SEQ_CST, Order.PLAIN]  # the store to x, the load of x, the store to y


def test_a_fence_is_an_empty_section(lowered):
    text = "#include <stdatomic.h>\nint main(void) { atomic_thread_fence(memory_order_seq_cst); return 0; }"
    (section,) = lowered(text, memory_model="tso").sections
    assert section.kind is SectionKind.USER and section.access is not None
    assert section.access.kind is AccessKind.FENCE and section.access.place is None


def test_a_section_that_depends_on_the_path_is_dynamic(core):
    program = core("""\
        int x;
        int main(void) {
          if (x) { __VERIFIER_atomic_begin(); }
          x = 1;
          __VERIFIER_atomic_end();
          return 0;
        }
        """)
    (section,) = program.sections
    assert section.is_dynamic
    assert all(each.section is None for each in template(program).instructions())


def test_what_is_no_core_language_is_refused_with_its_place(core):
    with pytest.raises(UnsupportedError, match=r"program\.c:1.*a statement of kind Switch"):
        core("int main(void) { switch (1) { } return 0; }")
    with pytest.raises(UnsupportedError, match="a call in an expression"):
        core("int f(void); int main(void) { int l; l = 1 + f(); return 0; }")


def test_the_alignment_of_new_memory_is_not_a_value(core):
    text = "int g; void *malloc(unsigned long); int main(void) {{ void *p; p = malloc(({}, 8)); return 0; }}"
    (call,) = [each for each in template(core(text.format(64))).instructions() if isinstance(each, ir.Operation)]
    assert [each.value for each in call.arguments] == [8]
    with pytest.raises(UnsupportedError, match="a comma in an expression"):
        core(text.format("g"))

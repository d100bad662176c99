"""The functions and expressions that only look at states: what is made of them, and what is refused."""

from textwrap import dedent

import pytest

from cseq.model.errors import UsageError
from cseq.modules.frontend.observers.observers import ObserverCode
from tests.unit.modules.frontend.observers.conftest import CHAIN, refused


def test_nothing_is_observed_where_nobody_asks(observed):
    assert observed("int ok(void) { return count < 3; }")[0] == ObserverCode()


def test_an_invariant_is_taken_out_of_the_program(observed):
    fact, program = observed(
        "static int least(void) { return half(count) + twice(1); }\nint ok(void) { return count <= limit && least(); }",
        invariant=("ok",),
    )
    expected = """\
        static int __cs_observe_ok(void);
        static int __cs_observe_least(void);
        static int __cs_observe_twice(int n);
        static int __cs_observe_half(int n);
        static int __cs_observe_ok(void)
        {
          return (count <= limit) && __cs_observe_least();
        }
        static int __cs_observe_least(void)
        {
          return __cs_observe_half(count) + __cs_observe_twice(1);
        }
        static int __cs_observe_twice(int n)
        {
          return 2 * n;
        }
        static int __cs_observe_half(int n)
        {
          return n / 2;
        }
        const char *__CSEQ_invariant(void)
        {
          if (!__cs_observe_ok()) return "invariant: ok";
          return 0;
        }
        const struct __CSEQ_watch __CSEQ_watched[] = { { { &count }, sizeof count } };
        const unsigned int __CSEQ_watched_count = 1;"""
    assert fact == ObserverCode(dedent(expected), frozenset({"count", "limit"}), ())
    assert "ok(" not in program
    assert "least(" not in program
    assert "half(" not in program
    assert "int twice(int n)\n{" in program


def test_what_is_behind_a_pointer_may_be_anywhere(observed):
    for text in ("first->a", "*name", "(*first).b[0]", "first[1].a", "abs(*&count)", "strlen(name)"):
        assert (
            "__CSEQ_watched_count = ~0u;" in observed(f"int ok(void) {{ return {text}; }}", invariant=("ok",))[0].text
        )
    fact, _ = observed("int ok(void) { return name[0] + pairs[1].b[1]; }", invariant=("ok",))
    assert "{ { { &name }, sizeof name }, { { &pairs }, sizeof pairs } };" in fact.text
    assert "__CSEQ_watched_count = 2;" in fact.text


def test_an_abstraction_fills_in_what_it_is_given(observed):
    fact, _ = observed(
        """\
        void view(struct view *to)
        {
            struct view copy = { 0 };
            copy.p.b[1] = count;
            to->x = LAST;
            to->p = pairs[0];
            (*to).text[0]++;
            to[0].p.b[1] = 3;
            memcpy(to->text, name, 4);
            memset(&to->p, 0, sizeof to->p);
            memcpy(&copy, to, sizeof copy);
        }
        """,
        abstract="view",
    )
    expected = """\
        unsigned int __CSEQ_abstract(unsigned char *to, unsigned int most)
        {
          struct view __cs_state;
          __builtin_memset(&__cs_state, 0, sizeof __cs_state);
          __cs_observe_view(&__cs_state);
          if (sizeof __cs_state <= most) __builtin_memcpy(to, &__cs_state, sizeof __cs_state);
          return sizeof __cs_state;
        }"""
    assert fact.text.endswith(dedent(expected))
    assert fact.objects == {"count", "pairs", "name"}
    assert "__CSEQ_watched" not in fact.text


def test_an_abstraction_may_be_a_number(observed):
    fact, _ = observed("unsigned long view(void) { return count % 4; }", abstract="view")
    assert "  unsigned long __cs_state;\n" in fact.text
    assert "  __cs_state = __cs_observe_view();\n" in fact.text


def test_a_heuristic_is_a_variable(observed):
    fact, _ = observed(heuristic="unused")
    assert fact.text == "long long __CSEQ_metric(void)\n{\n  return unused;\n}"
    assert fact.objects == {"unused"}


def test_propositions_have_numbers(observed):
    fact, _ = observed("int ready(void) { return 1; }", prop=("p=count > LAST", "q = ready() && pairs[0].a"))
    assert fact.propositions == ("p", "q")
    assert "  return (count > LAST) ? (1) : (0);\n" in fact.text
    assert "  return (__cs_observe_ready() && pairs[0].a) ? (1) : (0);\n" in fact.text
    assert "  if (number == 1) return __cs_observe___cs_proposition_1();\n" in fact.text
    assert "const unsigned int __CSEQ_propositions = 2;" in fact.text


def test_the_scheduler_s_comparison_is_no_part_of_the_program(observed):
    fact, program = observed("int before(int a, int b) { return count ? a < b : b < a; }", can_preempt="before")
    assert "static int __cs_observe_before(int a, int b)\n{" in fact.text
    assert "before" not in program


def test_what_is_observed_is_no_thread_s_own(translated, tmp_path):
    chain = tmp_path / "own.chain"
    chain.write_text(CHAIN, encoding="utf-8")
    translated.use(str(chain))
    text = "int a, b;\nint ok(void) { return a; }\nint main(void) { a = 1; b = 2; return 0; }\n"
    program = translated("thread_local_promotion", text, privatize=True, keep_unused=False, invariant=("ok",))
    assert "\nint a;" in f"\n{program}"
    assert "_Thread_local int b;" in program


OPTIONS = [
    ({"invariant": ("okay",)}, "--invariant: `okay` is not a function of the program with a body"),
    ({"invariant": ("count",)}, "--invariant: `count` is not a function with a body"),
    ({"invariant": ("twice",)}, "--invariant: `twice` has to be declared int twice(void)"),
    ({"can_preempt": "twice"}, "--can-preempt: `twice` has to be declared int twice(int a, int b)"),
    ({"abstract": "half"}, "--abstract: `half` has to be declared void half(T *to) or T half(void)"),
    ({"abstract": "4"}, "`4` is not a C identifier"),
    ({"heuristic": "cuont"}, "--heuristic: `cuont` is not a variable of an integer type at file level"),
    ({"heuristic": "pairs"}, "--heuristic: `pairs` is not a variable of an integer type at file level"),
    ({"prop": ("p",)}, "`p` is not of the form NAME=EXPR"),
    ({"prop": ("G=1",)}, "`G` means something in formulas, and cannot be the name of a proposition"),
    ({"prop": ("p=1", "p=2")}, "--prop: there are two propositions `p`"),
    ({"prop": ("p=count >",)}, "--prop p: `count >` is not an expression"),
    ({"prop": ("p=1) ? 1 : 0; } int f(void) { return (1",)}, "--prop p: `1) ? 1 : 0; } int f(void) { return (1` is no"),
    ({"prop": ("p=cuont > 1",)}, "--prop p: `cuont` is not declared at file level"),
    ({"prop": ("p=count = 1",)}, "--prop p: `count = 1` assigns to `count`, but may only look at the state"),
    ({"prop": ("p=pairs[0]",)}, "--prop p: `pairs[0]` is neither a number nor a pointer"),
    ({"prop": ("p=first->c",)}, "--prop p: no member named `c` in this value"),
]


@pytest.mark.parametrize("parameters, message", OPTIONS)
def test_what_is_no_observer_is_refused(observed, parameters, message):
    assert message in refused(observed, "", **parameters)


def test_a_name_of_several_files_is_refused(translated, tmp_path):
    chain = tmp_path / "observers.chain"
    chain.write_text(CHAIN, encoding="utf-8")
    translated.use(str(chain))
    one = translated.write("static int n;\nint f(void) { return n; }\n", "one.c")
    two = translated.write("static int n;\nint f(void);\nint main(void) { return n + f(); }\n", "two.c")
    with pytest.raises(UsageError, match="--prop p: several files have a `n` of their own"):
        list(translated.units(one, two, until="observers", prop=("p=n",)))

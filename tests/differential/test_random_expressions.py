"""Random expressions with side effects mean the same behind each stage.

No generated expression is undefined or depends on the order of evaluation: what an operand changes, no operand that
is not sequenced with it touches.
"""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

# Places that an expression may change, each with a type of its own; those that begin with `l` are locals.
PLACES = ["g_int", "g_byte", "g_bool", "g_field.small", "g_array[1]", "*g_pointer", "g_long", "l_int", "l_short",
          "l_field.sign",
          "l_array[2]", "*l_pointer", "l_unsigned", "tick()"]  # fmt: skip
READ_ONLY = ["r_int", "r_unsigned", "r_array[r_int & 3]", "7", "-2", "3u", "'a'", "0x80000000", "5L", "sizeof(int)"]

END = 123456789

BEFORE = """
long long results[500];
int count;
static void show(long long value) { results[count++] = value; }
struct fields { unsigned small : 3; int sign : 4; char c; };
int g_int, target, r_int = 5, g_array[3], ticks;
unsigned char g_byte;
_Bool g_bool;
long g_long;
unsigned r_unsigned = 4000000000u;
short r_array[4] = {1, -2, 30000, 4};
struct fields g_field;
int *g_pointer;
static int tick(void) { return ++ticks; }
static int twice(int value) { return value * 2; }
static char narrow(long value) { return value; }
static void reset(void)
{
  g_int = 3; g_byte = 250; g_bool = 1; g_long = -1; target = 9; ticks = 0; g_pointer = &target;
  g_array[0] = 1; g_array[1] = 2; g_array[2] = 3; g_field.small = 6; g_field.sign = -7; g_field.c = 'x';
}
static void state(void)
{
  show(g_int + g_byte * 7 + g_bool * 1001 + g_field.small * 12345 + g_field.sign * 51 + g_array[1] * 77 + ticks * 3000);
  show(target * 13 + g_long);
}
"""

LOCALS = """
  int l_int = 2, l_array[3] = {4, 5, 6}, l_target = 8, *l_pointer = &l_target;
  short l_short = -5;
  unsigned l_unsigned = 1;
  struct fields l_field = {1, -2, 3};
  reset();
"""

AFTER = """
  state();
  show(l_int + l_short * 7 + l_unsigned * 1001 + l_field.sign * 12345 + l_array[2] * 77 + l_target * 13);
"""

SHAPES = ["show({});", "{};", "if ({}) show(1); else show(2);", "l_int = {};", "g_array[({}) & 1] = 5;", "show(!({}));",
          "switch ({}) {{ case 0: show(3); break; case 1: show(4); default: show(5); }}",
          "for (int i = 0; i < 2 && ({}); i++) show(6);", "return ({}) ? 1 : 2;"]  # fmt: skip


@st.composite
def expressions(draw, own: tuple[str, ...] = tuple(PLACES), depth: int = 3) -> str:
    """C text of an expression that changes nothing but places of *own*."""
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        return draw(leaves(own))
    kind = draw(st.sampled_from(["binary", "binary", "logical", "conditional", "comma", "unary", "assignment", "call"]))
    if kind == "unary":
        template = draw(
            st.sampled_from(["-({})", "!({})", "~({})", "(char)({})", "(unsigned)({})", "(_Bool)({})", "+({})"])
        )
        return template.format(draw(expressions(own, depth - 1)))
    if kind == "call":
        return f"{draw(st.sampled_from(['twice', 'narrow']))}({draw(expressions(own, depth - 1))})"
    if kind == "assignment" and (places := [place for place in own if place != "tick()"]):
        place = draw(st.sampled_from(places))
        operator = draw(st.sampled_from(["=", "=", "+=", "-=", "*=", "&=", "|=", "^="]))
        rest = tuple(other for other in own if other != place)
        return f"({place} {operator} {draw(expressions(rest, depth - 1))})"
    if kind == "conditional":
        parts = [draw(expressions(own, depth - 1)) for _ in range(3)]
        return "({} ? {} : {})".format(*parts)
    if kind in ("logical", "comma"):
        operator = "," if kind == "comma" else draw(st.sampled_from(["&&", "||"]))
        return f"({draw(expressions(own, depth - 1))} {operator} {draw(expressions(own, depth - 1))})"
    # The operands are not sequenced: they share nothing that either changes.
    side = draw(st.integers(0, 2 ** len(own) - 1))
    left = draw(expressions(tuple(p for i, p in enumerate(own) if side >> i & 1), depth - 1))
    right = draw(expressions(tuple(p for i, p in enumerate(own) if not side >> i & 1), depth - 1))
    operator = draw(
        st.sampled_from(["+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "/", "%", "<<", ">>"])
    )
    if operator in ("/", "%"):
        right = f"(({right}) & 15 | 1)"
    elif operator in ("<<", ">>"):
        right = f"(({right}) & 7)"
    return f"({left} {operator} {right})"


@st.composite
def leaves(draw, own: tuple[str, ...]) -> str:
    if not own or draw(st.booleans()):
        return draw(st.sampled_from(READ_ONLY))
    place = draw(st.sampled_from(own))
    if place == "tick()":
        return place
    return draw(st.sampled_from(["{}", "({})++", "++({})", "({})--", "--({})", "({} = 3)"])).format(place)


def program(statements: list[str]) -> str:
    tests = [
        f"static int test{i}(void)\n{{{LOCALS}  {text}{AFTER}  return 0;\n}}\n" for i, text in enumerate(statements)
    ]
    calls = [f"  show(test{i}());\n  show({END});\n" for i in range(len(statements))]
    return f"{BEFORE}{''.join(tests)}int main(void)\n{{\n{''.join(calls)}  return 0;\n}}\n"


def results(output: str) -> list[str]:
    """What each of the statements came to."""
    return output.split(f": {END}\n")


# Shrinking would compile for minutes, and the statement that went wrong is small enough.
@settings(
    max_examples=8, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(statements=st.lists(st.builds(str.format, st.sampled_from(SHAPES), expressions()), min_size=12, max_size=20))
def test_expressions_keep_their_values(translated, compiler, prelude, epilogue, statements):
    text = program(statements)
    expected = results(compiler.run(prelude + text + epilogue))
    assert len(expected) == len(statements) + 1
    for stage in ("three_address", "unroller"):
        found = results(compiler.run(prelude + translated(stage, text, unwind=3) + epilogue))
        for statement, one, other in zip(statements, found, expected, strict=False):
            assert (statement, one) == (statement, other), f"behind the {stage}"

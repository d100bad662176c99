"""Layout: sizes, alignments and offsets are those of the compiler, for -m64 and -m32."""

import random

import pytest

from cseq.c import parse
from cseq.c.datamodel import ILP32, LP64
from cseq.c.symbols import Symbols
from cseq.model.errors import InputError, UnsupportedError

MODELS = [pytest.param(ILP32, "-m32", id="ILP32"), pytest.param(LP64, "-m64", id="LP64")]

_SCALARS = [
    "char", "short", "int", "long", "long long", "float", "double", "long double", "_Bool", "void *", "int (*{})(void)"
]  # fmt: skip
_BIT_FIELDS = {"char": 8, "short": 16, "int": 32, "unsigned": 32, "long": 32, "unsigned long long": 64, "_Bool": 1}


def member(draw: random.Random, number: int, depth: int) -> str:
    """The declaration of the member ``mN``."""
    kind = draw.random()
    name = f"m{number}"
    if kind < 0.45:
        type_ = draw.choice(list(_BIT_FIELDS))
        width = draw.randint(0 if draw.random() < 0.3 else 1, _BIT_FIELDS[type_])
        return f"{type_} {name if width and draw.random() < 0.9 else ''} : {width};"
    if kind < 0.55 and depth < 2:
        return f"{record(draw, depth + 1, prefix=f'{name}_')} {name};"
    if kind < 0.62 and depth < 2:
        return f"{record(draw, depth + 1, prefix=f'{name}_')};"
    align = f"_Alignas({draw.choice([1, 2, 4, 8, 16, 32])}) " if kind > 0.95 else ""
    type_ = draw.choice(_SCALARS)
    if align:
        align, type_ = draw.choice(["_Alignas(8) ", "_Alignas(16) ", "_Alignas(double) "]), "char"
    array = draw.choice(["", "", "[3]", "[2][2]", "[0]"])
    return f"{align}{type_.format(name + array) if '{}' in type_ else f'{type_} {name}{array}'};"


def record(draw: random.Random, depth: int = 0, prefix: str = "") -> str:
    kind = draw.choice(["struct", "struct", "struct", "union"])
    members = [member(draw, number, depth) for number in range(draw.randint(0 if depth else 1, 6))]
    text = " ".join(members)
    return f"{kind} {{ {text.replace(' m', f' {prefix}m').replace('*m', f'*{prefix}m')} }}"


@pytest.mark.parametrize("model, option", MODELS)
@pytest.mark.parametrize("seed", range(4))
def test_records(compiler, model, option, seed):
    draw = random.Random(seed)
    checks = []
    for number in range(60):
        text = f"typedef {record(draw)} r{number};"
        symbols = Symbols(parse(text), model)
        type_ = symbols.typedefs[f"r{number}"]
        checks.append(text)
        checks.append(f'_Static_assert(sizeof(r{number}) == {symbols.sizeof(type_)}, "sizeof");')
        checks.append(f'_Static_assert(_Alignof(r{number}) == {symbols.alignof(type_)}, "_Alignof");')
        for item in symbols.members_of(type_):
            if item.bitsize is None:
                offset = symbols.offset(type_, item.name)
                checks.append(f'_Static_assert(__builtin_offsetof(r{number}, {item.name}) == {offset}, "offset");')
    compiler.check("\n".join(checks), option)


POSITIONS = """\
struct fields { char a; int b : 3, : 0, c : 7; long d : 40; unsigned e : 30; short f : 9; _Bool g : 1; char h : 3; };
int main(void) { struct fields x = {0}; __builtin_memset(&x, 0, sizeof x); unsigned char *p = (unsigned char *)&x;
"""


def test_positions_of_bit_fields(compiler):
    tree = parse(POSITIONS.splitlines()[0], "")
    symbols = Symbols(tree, LP64)
    fields = [field for field in symbols.fields(tree.ext[0].type) if field.member.name and field.width is not None]
    shown = ""
    for field in fields:
        name = field.member.name
        shown += f"x.{name} = 1; for (int i = 0; i < 8 * (int)sizeof x; i++) if (p[i / 8] >> i % 8 & 1) "
        shown += f'__builtin_printf("{name} %d\\n", i); x.{name} = 0;\n'
    expected = "".join(f"{field.member.name} {field.start}\n" for field in fields)
    assert compiler.run(f"{POSITIONS}{shown}return 0; }}") == expected


def test_a_bit_field_has_no_offset():
    symbols = Symbols(parse("struct s {\n int a : 3;\n} x;", "f.c"))
    with pytest.raises(InputError, match="`a` is a bit-field, which has no offset"):
        symbols.offset(symbols.types["x"], "a")


def test_what_is_not_defined_has_no_size():
    symbols = Symbols(parse("extern struct s x;", "f.c"))
    with pytest.raises(UnsupportedError, match="the size of `struct s`, which is not defined"):
        symbols.sizeof(symbols.types["x"])


@pytest.mark.parametrize("model, option", MODELS)
def test_attributes(compiler, model, option):
    text = """\
        struct packed { char a; int b; short c : 5; long d : 9; double e; } __attribute__((packed));
        struct aligned { char a; } __attribute__((aligned(32)));
        struct inner { char a; int b __attribute__((packed)); char c; double d __attribute__((aligned)); };
        struct both { char a; long b __attribute__((packed, aligned(2))); struct aligned c; };
        typedef int low __attribute__((aligned(2)));
        typedef double high __attribute__((aligned(sizeof(int) * 8)));
        struct names { char a; low b; char c; high d; };
        struct flexible { char a; long b[]; };
        struct zero { int a; double b[0]; };
        struct empty { };
        struct holds { char a; struct empty b; struct flexible *c; int d : 3; int : 0; char e; };
        union either { char a[5]; int b : 9; struct packed c; };
        struct floats { char a; _Float32 b; _Float64 c; _Float32x d; _Float64x e; };
        """
    text = text.replace("        ", "")
    symbols = Symbols(parse(text), model)
    checks = [text]
    for key in symbols.tags:
        type_ = symbols.type_of(parse(f"int _ = *({key} *)0;").ext[0].init)
        checks.append(f'_Static_assert(sizeof({key}) == {symbols.sizeof(type_)}, "sizeof");')
        checks.append(f'_Static_assert(_Alignof({key}) == {symbols.alignof(type_)}, "_Alignof");')
        for item in symbols.members_of(type_):
            if item.bitsize is None:
                offset = symbols.offset(type_, item.name)
                checks.append(f'_Static_assert(__builtin_offsetof({key}, {item.name}) == {offset}, "{item.name}");')
    for name in ("char", "long", "long long", "double", "long double", "struct names", "high"):
        type_ = symbols.type_of(parse(f"int _ = *({name} *)0;", typedefs=["high"]).ext[0].init)
        checks.append(f'_Static_assert(__alignof__({name}) == {symbols.preferred(type_)}, "__alignof__");')
    compiler.check("\n".join(checks), option)

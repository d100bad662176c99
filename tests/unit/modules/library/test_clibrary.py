"""The functions of the C library that are modelled in C give what the real ones give."""

import re
from textwrap import dedent

import pytest

import cseq
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.model.verdict import Verdict
from cseq.modules.library import clibrary, stubs
from cseq.modules.library.primitives import CANCELLABLE, FOLLOWED, GIVEN, REPEATED, REUSING
from cseq.report.words import message

pytestmark = pytest.mark.engine

TEXTS = ['""', '"a"', '"abc"', '"abd"', '"ABC"', '"hello world"', '"aaab"', '"-12x"', '" +7"', '"0x1f"', '"077"',
         '"99999999999"', '"-99999999999999999999"', '"zz"', '"--1"', '"0x"']  # fmt: skip
NUMBERS = ["0", "1", "-1", "7", "-8", "255", "65", "97", "32", "10", "127", "-2147483647"]
REALS = ["0.0", "-0.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3.9", "-3.9", "1e10", "-1e300", "4503599627370497.0"]

SAME = {
    "strlen": "T", "strnlen": "TS", "memcmp": "TPS", "strcmp": "TP", "strncmp": "TPS", "strcasecmp": "TP",
    "strncasecmp": "TPS", "strspn": "TP", "strcspn": "TP", "atoi": "T", "atol": "T", "atoll": "T", "abs": "N",
    "labs": "N", "llabs": "N", "ffs": "N", "ffsl": "N", "ffsll": "N", "htons": "N", "ntohs": "N", "htonl": "N",
    "ntohl": "N", "bcmp": "TPS", "strcoll": "TP",
    "isdigit": "C", "isxdigit": "C", "islower": "C", "isupper": "C", "isalpha": "C", "isalnum": "C", "isspace": "C",
    "isblank": "C", "iscntrl": "C", "isprint": "C", "isgraph": "C", "ispunct": "C", "tolower": "C", "toupper": "C",
    "isascii": "C", "toascii": "C",
    "fabs": "D", "trunc": "D", "floor": "D", "ceil": "D", "round": "D", "lround": "L", "llround": "L", "fmin": "DD",
    "fmax": "DD", "fdim": "DD", "fabsf": "D", "truncf": "D", "floorf": "D", "ceilf": "D", "roundf": "D",
    "lroundf": "L", "llroundf": "L", "fminf": "DD", "fmaxf": "DD", "fdimf": "DD", "rint": "D", "nearbyint": "D",
    "lrint": "L", "llrint": "L", "copysign": "DD", "rintf": "D", "nearbyintf": "D", "lrintf": "L", "llrintf": "L",
    "copysignf": "DD",
}  # fmt: skip
"""Functions whose result is compared as it is (of comparisons the sign), with the kinds of their arguments."""

SIGNS = frozenset({"memcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "bcmp", "strcoll"}) | {
    name for name in SAME if name.startswith("is")
}
ONLY_TRUTH = frozenset({"bcmp"} | {name for name in SIGNS if name.startswith("is")})
FOUND = {"strchr": "TC", "strrchr": "TC", "strstr": "TP", "strpbrk": "TP", "memchr": "TCS", "index": "TC",
         "rindex": "TC", "strchrnul": "TC", "strcasestr": "TP"}  # fmt: skip
"""Functions that return a place in their first argument."""

WRITTEN = {"strcpy": "BT", "stpcpy": "BT", "strncpy": "BTS", "strcat": "BT", "strncat": "BTS", "mempcpy": "BTS",
           "stpncpy": "BTS"}  # fmt: skip
"""Functions that write into their first argument, and return a place in it."""

VALUES = {
    "T": TEXTS,
    "P": TEXTS[:7],
    "N": NUMBERS,
    "S": ["0", "2", "9"],
    "C": ["'a'", "'A'", "'z'", "'0'", "'9'", "' '", "'\\t'", "'~'", "0", "127", "'_'", "'l'"],
    "D": REALS,
    "L": ["0.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3.9", "-3.9", "1e9"],
    "B": ["buffer"],
}
NUMBERS_READ = ("strtol", "strtoll", "strtoul", "strtoull")
NOT_COMPARED = {
    # what they return is any value, or new memory
    "rand_r", "lrand48", "mrand48", "drand48", "getenv", "secure_getenv", "realloc", "reallocarray", "strdup",
    "strndup", "fopen", "fdopen", "freopen", "getchar", "fgetc", "getc", "read", "fread", "fgets",
    "div", "ldiv", "lldiv", "bcopy", "bzero", "explicit_bzero", "strerror", "strsignal", "ctime", "asctime",
    "gmtime", "localtime", "strftime", "gethostname", "getcwd", "getline", "getdelim",
    # these are compared in tests/end_to_end/test_descriptors.py
    "pipe", "pipe2", "socketpair", "eventfd", "eventfd_read", "eventfd_write",
    # tests/differential/clibrary.py compares these
    "strtok", "strtok_r", "strsep", "memrchr", "memccpy", "basename", "__xpg_basename", "dirname", "getopt",
    # these in tests/end_to_end/test_results.py
    "sigemptyset", "sigfillset", "sigaddset", "sigdelset", "sigismember",
    # and these are compared in tests/end_to_end/test_surroundings.py
    "atexit", "on_exit", "at_quick_exit",
}  # fmt: skip

PRIMITIVES = """\
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#define __CSEQ_unwound(holds, what) ((void)0)
#define __CSEQ_assume(holds) ((void)0)
#define __CSEQ_copy memcpy
#define __CSEQ_move memmove
#define __CSEQ_fill memset
#define __CSEQ_allocate malloc
static void text(const char *what, const char *shown) { printf("%s %s\\n", what, shown); }
"""


def product(kinds: str) -> list[str]:
    """All lists of arguments of these kinds."""
    lists = [""]
    for kind in kinds:
        lists = [f"{before}, {value}".strip(", ") for before in lists for value in VALUES[kind]]
    return lists


def comparisons(prefix: str) -> str:
    """Statements that print what each function gives for each list of arguments."""
    lines = []
    for name, kinds in SAME.items():
        for arguments in product(kinds):
            value = f"{prefix}{name}({arguments})"
            if name in SIGNS:
                value = f"({value} > 0) - ({value} < 0)" if name not in ONLY_TRUTH else f"!!{value}"
            lines.append(f'printf("{name} %.17g\\n", (double)({value}));')
    for name, kinds in FOUND.items():
        for arguments in product(kinds):
            first = arguments.split(", ")[0]
            lines.append(
                f"{{ const char *in = {first}; const char *at = {prefix}{name}({arguments.replace(first, 'in', 1)});"
                f' printf("{name} %d\\n", at ? (int)(at - in) : -1); }}'
            )
    for name, kinds in WRITTEN.items():
        for arguments in product(kinds):
            lines.append(
                f'{{ char buffer[64] = "begin"; char *at = {prefix}{name}({arguments});'
                f' printf("{name} %d %.40s\\n", (int)(at - buffer), buffer); }}'
            )
    for name in NUMBERS_READ:
        for text in TEXTS:
            for base in (0, 8, 10, 16, 36):
                lines.append(
                    f"{{ const char *in = {text}; char *end; long long v = {prefix}{name}(in, &end, {base});"
                    f' printf("{name} {base} %lld %d\\n", v, (int)(end - in)); }}'
                )
    return "\n".join(lines)


def program(prefix: str) -> str:
    """A program that prints all of it, with the real functions or with the models, under names of their own."""
    text = ""
    if prefix:
        names = [*SAME, *FOUND, *WRITTEN, *NUMBERS_READ]
        text = "\n".join(item.text for item in stubs.needed(names))
        text = re.sub(rf"\b({'|'.join(names)})\(", rf"{prefix}\1(", text)
    functions = ["", "int main(void)\n{"]
    return PRIMITIVES + text + "\n".join(functions) + comparisons(prefix) + "\nreturn 0;\n}\n"


def test_models_give_what_the_real_functions_give(compiler):
    options = ("-lm", "-fno-builtin")
    expected = compiler.run(program(""), *options).splitlines()
    found = compiler.run(program("model_"), *options).splitlines()
    assert len(expected) > 2000
    assert [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]] == []


def test_every_model_is_compared():
    modelled = {name for name in stubs.items() if clibrary.is_modelled(name)}
    modelled = {name for name in modelled if stubs.items()[name].is_function and not name.startswith("__cs_")}
    # those that reuse memory return what others return, or an old block; the others depend on what the user gives
    modelled = {name for name in modelled if not name.endswith((GIVEN, REUSING, FOLLOWED, CANCELLABLE, REPEATED))}
    assert modelled - NOT_COMPARED == {*SAME, *FOUND, *WRITTEN, *NUMBERS_READ}


def test_functions_are_known_in_one_way_only():
    groups = [set(clibrary.ANY_VALUE), set(clibrary.WRITES), set(clibrary.FRESH), set(clibrary.STOPS),
              set(clibrary.REFUSED), set(clibrary.WAITING), set(clibrary.FORMATTED), set(clibrary.SCANNED),
              {name for name in stubs.items() if stubs.is_library(name)}]  # fmt: skip
    everything = [name for group in groups for name in group]
    assert sorted(name for name in set(everything) if everything.count(name) > 1) == []


ENGINES = [version for version in ("6.6", "5.12") if (engines_folder() / f"cbmc-{version}").exists()]

CLAIMS = """\
assert(strlen("hello") == 5 && strnlen("hello", 3) == 3);
assert(strcmp("abc", "abd") < 0 && strncmp("abc", "abd", 2) == 0 && strcasecmp("aBc", "AbC") == 0);
assert(memcmp("abc", "abx", 2) == 0 && memcmp("abc", "abx", 3) < 0);
assert(*strchr("hello", 'l') == 'l' && strchr("hello", 'x') == 0 && *strrchr("a.b.c", '.') == '.');
assert(*strstr("hello", "ll") == 'l' && strstr("hello", "lo!") == 0);
char a[16]; strcpy(a, "ab"); strcat(a, "cd"); assert(strcmp(a, "abcd") == 0);
char b[4]; strncpy(b, "x", 4); assert(b[0] == 'x' && b[1] == 0 && b[3] == 0);
char *c = strdup("copy"); assert(strcmp(c, "copy") == 0 && c != a);
char d[8] = "1234567"; bzero(d, 4); assert(d[3] == 0 && d[4] == '5'); bcopy("z", d, 1); assert(d[0] == 'z');
char e[24]; assert(snprintf(e, sizeof e, "%d-%s|%c|%x", -12, "ab", 'c', 255) == 11 && strcmp(e, "-12-ab|c|ff") == 0);
char f[4]; assert(snprintf(f, sizeof f, "%04d", 12) == 4 && strcmp(f, "001") == 0);
assert(atoi("-12") == -12 && strtol("0x1f", 0, 16) == 31 && abs(-3) == 3 && labs(-4L) == 4);
char *end; assert(strtol("12ab", &end, 10) == 12 && *end == 'a');
assert(div(7, 2).quot == 3 && div(-7, 2).rem == -1);
assert(isdigit('7') && !isalpha('7') && toupper('a') == 'A');
assert(fabs(-1.5) == 1.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && round(2.5) == 3 && trunc(-1.7) == -1);
int *g = realloc(0, 8); g[1] = 5; g = realloc(g, 16); assert(g[1] == 5);
int *h = calloc(3, sizeof *h); assert(h[2] == 0); h = realloc(h, 4); assert(h[0] == 0);
int i; assert(sscanf("1", "%d", &i) <= 1); int r = rand(); assert(r >= 0);
char j[8] = "abcdefg"; if (fgets(j, 4, stdin)) assert(!j[0] || !j[1] || !j[2] || !j[3]); assert(j[4] == 'e');
assert(sqrt(4) == 2 && pow(2, 10) == 1024);
int k = getchar(); assert(k >= -1 && k < 256);
""".splitlines()


@pytest.mark.parametrize("version", ENGINES)
@pytest.mark.parametrize("bits", [64, 32])
def test_engines_and_replay_agree_with_the_models(version, bits, translated, monkeypatch):
    monkeypatch.setenv("CSEQ_CBMC", str(engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"))
    assert BACKEND.find() is not None
    headers = "assert ctype math stdio stdlib string strings"
    claims = "\n".join(CLAIMS)
    includes = "\n".join(f"#include <{name}.h>" for name in headers.split())
    path = translated.write(dedent(includes) + "\nint main(void)\n{\n" + claims + "\nreturn 0;\n}\n")
    outcome = cseq.verify(path, backend="cbmc", bits=bits, timeout=120)
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert outcome.exit_status == 0, message(outcome)


@pytest.mark.parametrize(
    "claim",
    [
        'strlen("hello") != 5', 'strcmp("a", "a") != 0', "abs(-3) != 3", "floor(-1.5) == -1", "getchar() != 7",
        'atoi("12") != 12', "isdigit('7') == 0", "snprintf(buffer, sizeof buffer, \"%d\", 7) != 1",
        "(strcpy(buffer, \"x\"), buffer[0] != 'x')", "(pointer = realloc(pointer, 8), pointer[0] != 3)",
        "fgets(buffer, 8, stdin) == 0 || buffer[2] != 'c'", "rand() != 17", "(scanf(\"%d\", &number), number != 3)",
        "getenv(\"HOME\") == 0", "sqrt(number) != 5", "localtime(0)->tm_hour != 7",
        "strerror(1)[0] != 'a'", "gettimeofday_is_positive()", "(bzero(buffer, 2), buffer[1] != 0)",
    ],
)  # fmt: skip
def test_what_a_model_does_is_replayed(claim, translated):
    path = translated.write(f"""\
        #include <assert.h>
        #include <ctype.h>
        #include <math.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/time.h>
        #include <time.h>
        int gettimeofday_is_positive(void)
        {{
            struct timeval now;
            gettimeofday(&now, 0);
            return now.tv_sec > 0;
        }}
        int main(void)
        {{
            char buffer[8];
            int number = 9, *pointer = malloc(4);
            *pointer = 3;
            assert({claim});
            return 0;
        }}
        """)
    outcome = cseq.verify(path, backend="cbmc", timeout=60)
    assert outcome.verdict is Verdict.FALSE, (outcome.reason, message(outcome))


UNKNOWN = {"T": "text", "P": "other", "N": "number", "S": "size", "C": "character", "D": "real", "L": "real",
           "B": "buffer"}  # fmt: skip
CALLS = [
    *(f"{name}({', '.join(UNKNOWN[kind] for kind in kinds)})" for name, kinds in {**SAME, **FOUND, **WRITTEN}.items()),
    *(f"{name}(text, 0, 10)" for name in NUMBERS_READ), "strdup(text)", "strndup(text, size)",
    "snprintf(buffer, sizeof buffer, \"%d %s\", number, other)",
]  # fmt: skip


@pytest.mark.parametrize("group", range(8))
def test_models_end_whatever_they_are_given(group, translated):
    """An engine unrolls a loop for ever whose end it does not see: here it knows nothing of what is given."""
    calls = CALLS[group::8]
    lines = "\n".join(f"case {number}: {{ (void)({call}); break; }}" for number, call in enumerate(calls))
    path = translated.write(
        PRIMITIVES.split("#define __CSEQ", maxsplit=1)[0]
        + f"""
        int __VERIFIER_nondet_int(void); unsigned long __VERIFIER_nondet_ulong(void);
        double __VERIFIER_nondet_double(void); char __VERIFIER_nondet_char(void);
        char text[4], other[3], buffer[16] = "ab";
        int main(void)
        {{
            for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
            for (int i = 0; i < 2; i++) other[i] = __VERIFIER_nondet_char();
            int number = __VERIFIER_nondet_int(), character = __VERIFIER_nondet_int();
            double real = __VERIFIER_nondet_double();
            unsigned long size = __VERIFIER_nondet_ulong();
            if (size > 4) return 0;
            switch (__VERIFIER_nondet_int()) {{
            {lines}
            default: break;
            }}
            return 0;
        }}
        """
    )
    outcome = cseq.verify(path, unwind=3, timeout=120)
    assert outcome.verdict is Verdict.TRUE, outcome.reason


def test_a_mathematical_function_that_is_not_modelled_is_told_of(tmp_path):
    program = tmp_path / "program.c"
    program.write_text("#include <math.h>\nint main(void) { double x = 1, r = sin(x); return r > 2; }\n")
    outcome = cseq.verify(program, backend="cbmc")
    assert [caution.message for caution in outcome.warnings] == ["`sin` is not modelled: here it returns any value"]


def test_strerror_gives_a_text(tmp_path):
    program = tmp_path / "program.c"
    program.write_text(
        "#include <assert.h>\n#include <string.h>\nint main(void) { assert(strlen(strerror(2)) > 0); return 0; }\n"
    )
    assert cseq.verify(program, backend="cbmc").verdict is Verdict.TRUE

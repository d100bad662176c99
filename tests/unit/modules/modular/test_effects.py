"""What library functions do with the memory that their arguments point to."""

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.model.origin import LineMap, Origin
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.modules.modular.effects import Effects

# Functions of the library, each on a line.
LIBRARY = """
char *__cs_kept;
void strcpy(char *to, const char *from) { int i; i = 0; while (from[i]) { to[i] = from[i]; i = i + 1; } }
void strcat(char *to, char *from) { char *end; end = to; end[0] = 1; strcpy(end + 1, from); }
void strtok(char *text) { __cs_kept = text; }
void strtok_r(char *text, char **end) { char *at; at = *end; at[0] = 0; }
void strchr(int n) { __cs_kept[n] = 1; }
int main(void) { return 0; }
"""


def effects() -> Effects:
    ours, *_ = [Origin("<cseq>/string.c", 1)]
    lines = LIBRARY.strip().split("\n")
    origins = [*[ours] * (len(lines) - 1), Origin("program.c", 1)]
    tree = parse("\n".join(lines), "", LineMap(origins))
    symbols = Symbols(tree)
    return Effects(lower(tree, symbols, Visibility(symbols, tree)))


def test_arguments_that_are_read_and_written() -> None:
    found = effects()
    assert [found.of("strcpy")(n) for n in range(2)] == [(False, True), (True, False)]
    assert [found.of("strcat")(n) for n in range(2)] == [(False, True), (True, False)]
    assert found.of("memset")(0) == (False, True)


def test_addresses_that_are_kept() -> None:
    found = effects()
    assert found.keeps_nothing("strcpy") and not found.keeps_nothing("strtok")


def test_what_pointers_in_memory_lead_to() -> None:
    found = effects()
    assert found.elsewhere("strcpy") == (False, False)
    assert found.elsewhere("strtok_r") == (False, True)
    assert found.elsewhere("strchr") == (False, True)


def test_functions_of_which_nothing_is_known() -> None:
    found = effects()
    assert not found.is_known("mystery") and found.of("mystery")(0) == (True, True)
    assert not found.keeps_nothing("mystery")

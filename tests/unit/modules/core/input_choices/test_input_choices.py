"""Inputs as choices: which values are tried, what is refused, and that nothing is missed."""

import re

import pytest

from cseq.modules.core.input_choices.input_choices import parse_range


def choice(text: str) -> list[str]:
    """The lines with a choice in them, or what a choice was made of."""
    return [line.strip() for line in text.splitlines() if re.search(r"__CSEQ_choose|= \(?__cs_choice", line)]


def test_a_library_function_with_such_an_input_takes_samples_which_is_noted_where_it_is_called(translated):
    translated.use("explicit")
    text = translated(
        "input_choices", "int getchar(void);\nint g;\nint main(void)\n{\n  g = getchar();\n  return 0;\n}\n"
    )
    assert "character__cs0 = __CSEQ_sample();" in text
    lines = [line.strip() for line in text.splitlines()]
    noted = '__cs_choice_1 = __CSEQ_sampled(1, "cut.sampled_result 0 getchar: program.c:5");'
    assert "getchar()" in lines[lines.index(noted) + 1]
    assert "const long long __cs_samples[] = {0LL, 1LL," in text


def test_memory_of_any_contents_is_filled_from_texts_of_the_program(translated):
    translated.use("explicit")
    program = 'int g;\nint main(int argc, char **argv)\n{\n  g = argv[1] == "quit";\n  return 0;\n}\n'
    text = translated("input_choices", program, args_any=True)
    assert '__CSEQ_sampled(1, "cut.sampled 24: program.c:2");' in text
    assert "{113, 117, 105, 116, 0, 0," in text


def test_a_range_is_for_inputs_with_too_many_values_and_a_bound(chosen):
    text = chosen("g = __VERIFIER_nondet_int(); g++; n = __VERIFIER_nondet_bool();", nondet_range="-1..5")
    assert choice(text) == ["__cs_choice_1 = __CSEQ_choose(8);", "n = __CSEQ_choose(2);"]
    assert '__CSEQ_unwound(__cs_choice_1 < 7, "cut.inputs 0: -1..5");' in text
    assert "g = ((long long) __cs_choice_1) + (-1);" in text


def test_a_range_that_leaves_nothing_out_is_no_bound(chosen):
    text = chosen(
        "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 0 && x < 1000); g = x;", nondet_range="0..2000"
    )
    assert "x = __CSEQ_choose(1000);" in text
    assert "__CSEQ_unwound" not in text


@pytest.mark.parametrize("text", ["", "1", "2..1", "a..b", "1...2"])
def test_what_is_no_range(text):
    with pytest.raises(ValueError, match="is not a range of integers"):
        parse_range(text)


def test_what_is_undefined_is_no_input(chosen):
    assert choice(chosen("int x; x = 1; g = x;")) == []


def test_whom_a_signal_wakes_is_one_of_those_that_wait(translated):
    translated.use("explicit")
    program = "#include <pthread.h>\npthread_cond_t c;\nint main(void) { pthread_cond_signal(&c); return 0; }\n"
    text = translated("input_choices", program, "pthread_cond_signal")
    assert "chosen__cs0 = __CSEQ_one_of(cond__cs0->__cs_waiting);" in text

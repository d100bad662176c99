"""Which functions stages know by their names, and which of them are one step."""

from cseq.modules.library import lexicon, stubs


def test_functions_of_the_library_and_models_are_known() -> None:
    known = lexicon.known_names()
    assert {"pthread_mutex_lock", "malloc", "snprintf"} <= known
    assert set(stubs.items()) <= known
    assert "value" not in known and "main" not in known


def test_a_function_of_several_steps_is_not_one_step() -> None:
    assert lexicon.is_step("pthread_mutex_lock") and lexicon.is_step("malloc")
    assert not lexicon.is_step("pthread_cond_wait")
    assert not lexicon.is_step("unknown")

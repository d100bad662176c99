"""Short names of functions."""

import pytest

from cseq.modules.compiled.tracing.functionnames import is_of_library, short, without_arguments


@pytest.mark.parametrize(
    "name, expected",
    [
        ("worker", "worker"),
        ("Queue<int>::push(int)", "Queue<int>::push"),
        ("void Queue<int>::push<long>(int, long) const", "Queue<int>::push<long>"),
        ("main::{lambda()#1}::operator()() const", "lambda"),
        ("main::'lambda'(int)::operator()(int) const", "lambda"),
        ("main::$_0::operator()() const", "lambda"),
        ("operator()", "lambda"),
        ("(anonymous namespace)::run(char const*)", "run"),
        ("fill(int) [clone .isra.0]", "fill"),
        ("Set::operator()(int)", "Set::operator()"),
        ("operator<(Set const&, Set const&)", "operator<"),
        ("std::__invoke_impl<void, main::{lambda()#1}>(std::__invoke_other)",
         "std::__invoke_impl<void, main::{lambda()#1}>"),
        ("f[abi:cxx11](int)", "f"),
        ("??", ""),
    ],
)  # fmt: skip
def test_short_names(name: str, expected: str) -> None:
    assert short(name) == expected


def test_long_names_lose_the_arguments_of_templates() -> None:
    assert short(f"Map<{'int, ' * 20}int>::find(int)") == "Map::find"
    assert without_arguments("std::vector<int, std::allocator<int> >::begin") == "std::vector::begin"


def test_functions_of_the_library() -> None:
    assert is_of_library("void std::call_once<void (&)()>(std::once_flag&, void (&)())")
    assert is_of_library("__gthread_mutex_lock(pthread_mutex_t*)")
    assert not is_of_library("run(std::vector<int>&)")
    assert not is_of_library("std_like(int)")

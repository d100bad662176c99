"""Signals: handlers never run, and a signal to the process itself ends it."""

import pytest

from cseq.model.errors import UnsupportedError
from cseq.pipeline.chain import load

HEAD = "#include <signal.h>\n#include <unistd.h>\nvoid f(int n) { }\n"


@pytest.mark.parametrize(
    "body, warned",
    [
        ("signal(SIGINT, f);", True),
        ("signal(SIGINT, SIG_IGN);", False),
        ("struct sigaction a; a.sa_handler = f; sigaction(SIGINT, &a, 0);", True),
        ("struct sigaction a; a.sa_handler = SIG_IGN; sigaction(SIGINT, &a, 0);", False),
        ("struct sigaction a; sigaction(SIGINT, 0, &a);", False),
    ],
)
def test_a_handler_is_a_warning(translated, body, warned):
    context = translated.context()
    value: object = [translated.write(HEAD + f"int main(void) {{ {body} return 0; }}\n")]
    for name, stage in load("lazy").chosen(context.values):
        value = stage(context).run(value)
        if name == "three_address":
            break
    assert any("assumed never to run" in str(caution) for caution in context.warnings) == warned


def test_a_signal_ends_the_process_unless_it_is_ignored(translated):
    text = HEAD + "int main(void) { raise(SIGCHLD); kill(getpid(), SIGTERM); return 0; }\n"
    text = translated("three_address", text, "main")
    assert text.count("__CSEQ_stop()") == 1


@pytest.mark.parametrize(
    "body, message",
    [
        ("signal(SIGINT, f); raise(SIGINT);", "`raise` in a program that installs handlers"),
        ("int n; raise(n);", "`raise` with this signal"),
        ("raise(SIGSTOP);", "`raise` with this signal"),
        ("kill(1, SIGTERM);", "`kill` of another process"),
    ],
)
def test_what_is_refused(translated, body, message):
    text = HEAD + f"int main(void) {{ {body} return 0; }}\n"
    assert translated.refusal("three_address", text, UnsupportedError) == f"program.c:4: {message} is not supported"

"""What the process of a run and its broker say to each other arrives whole, or not at all."""

import socket
import threading

import pytest

from cseq.portfolio.cluster.messages import (
    LENGTH,
    Answer,
    Link,
    Ready,
    Report,
    Settings,
    Submit,
    connect,
    framed,
    tls_of,
)


def test_messages_arrive_whole_and_in_order() -> None:
    ours, theirs = socket.socketpair()
    messages = [
        Ready(2, frozenset({"cbmc"})),
        Answer(7, Report(bytes(3_000_000), "name", "tcp://a:1")),  # larger than what a socket takes at a time
        Answer(8, None),
    ]
    data = b"".join(framed(message) for message in messages)
    sending = threading.Thread(target=lambda: theirs.sendall(data))
    sending.start()
    link = Link(ours)
    assert [link.heard() for _ in messages] == messages
    sending.join()
    theirs.close()
    with pytest.raises(EOFError):
        link.heard()
    link.close()


@pytest.mark.parametrize("length", [3, LENGTH.size, LENGTH.size + 5])
def test_a_message_that_is_cut_off_is_an_end(length: int) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(framed(Answer(1, None))[:length])
    theirs.close()
    with pytest.raises(EOFError):
        Link(ours).heard()
    ours.close()


def test_a_link_goes_through_what_the_processes_of_a_run_share() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        link = connect(ours)
        data, (file,), _, _ = socket.recv_fds(theirs, 16, 1)
        assert data == b"link"
        with socket.socket(fileno=file) as end:
            link.say(Submit(1, b"job", True))
            assert end.recv(1 << 16) == framed(Submit(1, b"job", True))
            link.close()
            assert end.recv(1) == b""
        theirs.close()
        with pytest.raises(OSError):
            connect(ours)


def test_the_files_of_certificates_are_in_the_order_of_the_settings() -> None:
    values = {"tls_key": "k", "tls_ca_file": "a", "tls_cert": "c"}
    assert Settings("", tls=tls_of(values)).tls == ("a", "c", "k")
    assert tls_of({}) == (None, None, None)

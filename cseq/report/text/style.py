"""The capabilities of a terminal: colours and width."""

from dataclasses import dataclass

from cseq.model.trace import Thread

_THREAD_COLOURS = ("cyan", "magenta", "blue", "green", "yellow")


@dataclass(frozen=True)
class Style:
    """The capabilities of the output device.

    colour: whether it shows colours. width: in characters; None if it is unlimited, as in a file.
    """

    colour: bool = False
    width: int | None = None

    def paint(self, text: str, **how: object) -> str:
        """*text* with the style *how* of `click.style`, if the device shows colours."""
        if not self.colour or not text:
            return text
        import click

        return click.style(text, **how)  # type: ignore[arg-type]

    def thread(self, thread: Thread, text: str) -> str:
        """*text* in the colour of *thread*."""
        return self.paint(text, fg=_THREAD_COLOURS[thread.number % len(_THREAD_COLOURS)])


PLAIN = Style()
"""The style for files and pipes."""

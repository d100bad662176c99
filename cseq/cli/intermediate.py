"""The intermediate programs of the stages, for users who want to see them."""

from pathlib import Path
from typing import Any

from cseq.api import Observer
from cseq.c.datamodel import LP64
from cseq.cli.request import INSTRUMENTER, PUBLISHER, Request
from cseq.model.errors import UsageError
from cseq.pipeline.stage import Context, Unit


class Programs(Observer):
    """Observes the programs of the run that *request* asks for, dumps them, and ends the run at the last one wanted."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._last = request.last
        self._names: list[str] = []
        self._maps: dict[str, dict[str, Any]] = {}
        self._modules = ""
        self._model = LP64

    def made(self, name: str, output: Any) -> Any:
        """Take the output of the stage *name*; returns None to end the run."""
        last = name == self._last
        if isinstance(output, Unit):
            self._names.append(name)
            if self._request.written.dump_all is not None:
                self._dump(Path(self._request.written.dump_all), name, output)
        elif last:
            raise UsageError(f"the stage `{name}` does not make a program that could be printed")
        if last:
            return None
        return output.stamped() if self._request.printed.linemap and isinstance(output, Unit) else output

    def seen(self, name: str, output: Any, context: Context) -> None:
        """Keep the line map of the program that is printed or passed to the engine, and what was written as TLA+."""
        self._model = context.model
        if self._request.is_published and name == PUBLISHER:
            from cseq.modules.tla.publisher import PUBLISHED
            from cseq.report.text import tlafiles

            published = context.facts.get(PUBLISHED, None)
            if published is not None:
                self._modules = tlafiles.render(published.folder, published.paths, published.command)
        if self._request.written.linemap_json is None:
            return
        from cseq.modules.symbolic.encode.facts import INSTANCES, THREAD_FUNCTIONS
        from cseq.options.properties import PROPERTY
        from cseq.report.json import linemapjson

        if isinstance(output, Unit) and name == (self._last or INSTRUMENTER):
            asked, facts = PROPERTY.of(context.values), context.facts
            threads, functions = facts.get(INSTANCES, ()), facts.get(THREAD_FUNCTIONS, None)
            self._maps[asked] = linemapjson.program(output, asked, threads, functions)

    def _dump(self, folder: Path, name: str, unit: Unit) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{len(self._names):02}-{name.replace('/', '-')}.c"
            path.write_text(unit.text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise UsageError(f"--dump-all: {error.filename or folder}: cannot be written: {error.strerror}") from None

    def write_maps(self, before: int = 0) -> None:
        """Write the line maps that were kept. before: the number of lines that are printed before the program."""
        target = self._request.written.linemap_json
        if target is None:
            return
        from cseq.report.json import linemapjson

        try:
            text = linemapjson.render(list(self._maps.values()), self._request.files, self._request.values, before)
            Path(target).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--linemap-json: {target}: cannot be written: {error.strerror}") from None

    def _listing(self, unit: Unit) -> str:
        """The program in the form in which analyses see it."""
        from cseq.c.symbols import Symbols
        from cseq.modules.analysis.visibility import Visibility
        from cseq.modules.ir.lower import lower
        from cseq.modules.ir.printer import print_program

        symbols = Symbols(unit.tree, self._model)
        return print_program(lower(unit.tree, symbols, Visibility(symbols, unit.tree)), steps=True)

    def printed(self, unit: Unit) -> tuple[str, int]:
        """The text to print for a run that ended with *unit*, and the number of its lines before the program."""
        request = self._request
        if request.is_published:
            return self._modules, 0
        if request.printed.linemap:
            from cseq.report.text import linemaptable

            return linemaptable.render(unit, self._names), 0
        if request.printed.ir:
            return self._listing(unit), 0
        text = unit.text if unit.text.endswith("\n") else unit.text + "\n"
        if not request.printed.seq_only:
            return text, 0
        from cseq.report.text import seqprogram

        if "backend" in request.given:
            from cseq.cli.instructions import instructions

            header = instructions(request.files, request.values)
        else:
            header = seqprogram.header(text, request.files, request.values)
        text = seqprogram.readable(text)
        return header + text, header.count("\n")

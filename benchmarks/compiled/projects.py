"""Public projects, built by cseq-cc and cseq-c++ with their own builds and unchanged, and their tests explored."""

from __future__ import annotations

import argparse
import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common
from benchmarks.compiled.exploring import Explored, explored
from cseq.modules.compiled.cc.wrapper import invocation

_CMAKE = "cmake -S {source} -B {build} -DCMAKE_C_COMPILER=cseq-cc -DCMAKE_CXX_COMPILER=cseq-c++ {options}"
_ALL = " && cmake --build {build}"


def _cmake(options: str = "", target: str = "") -> str:
    return _CMAKE.replace("{options}", options) + _ALL + (f" --target {target}" if target else "")


@dataclass(frozen=True)
class Project:
    """A project. name: on GitHub; the checkout is the folder OWNER+NAME. build: shell commands, run in the checkout,
    with {source} and {build}. tests: commands, relative to {build} or absolute by {source}. steps: the limit of a run.
    """

    name: str
    build: str
    tests: tuple[str, ...]
    steps: int = 100_000


_QUEUE = "{source}/build/bin/unittests --disable-prompt --run "
_QUEUE_TESTS = (
    "enqueue_and_dequeue_one_implicit", "multi_producers", "producer_reuse", "try_dequeue_threaded",
    "try_dequeue_bulk_threaded", "implicit_producer_hash", "test_threaded", "timed_blocking_wrappers",
    "acquire_and_signal", "core_free_list",
)  # fmt: skip

PROJECTS = (
    Project("rigtorp/SPSCQueue", _cmake(), ("SPSCQueueTest",), 5_000_000),
    Project("rigtorp/MPMCQueue", _cmake(), ("MPMCQueueTest",)),
    Project(
        "cameron314/readerwriterqueue", "make -C tests/unittests", ("{source}/tests/unittests/unittests",), 5_000_000
    ),
    Project(
        "cameron314/concurrentqueue", "make -C tests/unittests",
        tuple(_QUEUE + test for test in _QUEUE_TESTS), 1_000_000,
    ),
    Project(
        "efficient/libcuckoo", _cmake("-DBUILD_UNIT_TESTS=1 -DBUILD_STRESS_TESTS=1"),
        ("tests/unit-tests/unit_tests", "tests/stress-tests/stress_checked", "tests/stress-tests/stress_unchecked"),
        5_000_000,
    ),
    Project(
        "andreiavrammsd/cpp-channel",
        _cmake("-DCPP_CHANNEL_BUILD_TESTS=1 -DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=/usr/src/googletest", "channel_tests"),
        (
            "tests/channel_test --gtest_filter=-*Multithreading:*ReadWriteClose",
            "tests/channel_test --gtest_filter=*Multithreading", "tests/channel_test --gtest_filter=*ReadWriteClose",
            "tests/blocking_iterator_test", "tests/storage_test",
        ),
        1_000_000,
    ),
    Project(
        "bshoshany/thread-pool",
        "cseq-c++ -std=c++17 -O1 -Iinclude tests/BS_thread_pool_test.cpp -pthread -o {build}/test",
        ("test",), 1_000_000,
    ),
    Project("progschj/ThreadPool", "cseq-c++ -std=c++11 -O2 example.cpp -pthread -o {build}/example", ("example",)),
    Project(
        "Pithikos/C-Thread-Pool",
        "cd tests && for t in src/*.c; do cseq-cc -g -O1 $t ../thpool.c -D THPOOL_DEBUG -pthread "
        "-o {build}/$(basename $t .c) || exit 1; done",
        ("api", "conc_increment 10 20", "no_work 4", "nonzero_heap_stack", "pause_resume 4", "wait 4 4 1"),
    ),
    Project(
        "mbrossard/threadpool", "make CC=cseq-cc",
        ("{source}/tests/shutdown", "{source}/tests/thrdtest", "{source}/tests/heavy"), 1_000_000,
    ),
)  # fmt: skip
"""The projects. Where a makefile names g++, the folder of compilers has a g++ that is ours."""


def _compilers(folder: Path) -> None:
    """Make a folder of compilers: ours, by their names and by those that makefiles use."""
    for name, is_cxx in (("cseq-cc", False), ("cseq-c++", True), ("gcc", False), ("g++", True)):
        script = folder / name
        real = "CSEQ_CC=/usr/bin/gcc CSEQ_CXX=/usr/bin/g++"
        script.write_text(f'#!/bin/sh\n{real} exec {shlex.join(invocation(is_cxx))} "$@"\n', encoding="utf-8")
        script.chmod(0o755)


def built(project: Project, source: Path, build: Path, compilers: Path) -> tuple[float, str]:
    """Build the project; returns the seconds it took, and what the build said if it failed."""
    command = project.build.format(source=source, build=build)
    path = {"PATH": f"{compilers}{os.pathsep}{os.environ['PATH']}"}
    done = common.run(["sh", "-c", command], folder=source, environment=path)
    return done.seconds, "" if done.status == 0 else (done.stderr or done.stdout)[-1000:]


_HEADER = ("project", "test", "native, s", "runs", "runs/s", "operations", "cut off", "failure", "races")


def _row(project: Project, test: str, native: str, result: Explored) -> list[str]:
    cut = ", ".join(f"{count} ({name})" for name, count in result.cut.items()) or "0"
    failure = result.error or result.failure.split(";")[0] or "none"
    if result.failure:
        failure += f" (run {result.run}, {result.at:.1f} s)"
    return [
        project.name, f"`{test.rpartition('/')[2]}`", native, common.number(result.runs, 0),
        common.number(result.per_second, 1), common.number(result.operations, 0), cut, failure.replace("|", "\\|"),
        str(len(result.races)),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="the checkouts, each in a folder OWNER+NAME")
    parser.add_argument("--built", type=Path, required=True, metavar="DIR", help="where the builds go")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each search (default: 20)")
    parser.add_argument("--reuse", action="store_true", help="explore what was built before")
    parser.add_argument("--only", default="", metavar="NAME", help="of the projects, those with this in their names")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where the tables go")
    options = parser.parse_args()
    compilers = options.built.resolve() / "compilers"
    compilers.mkdir(parents=True, exist_ok=True)
    _compilers(compilers)
    rows, builds, races = [], [], []
    for project in PROJECTS:
        if options.only not in project.name:
            continue
        source = options.folder.resolve() / project.name.replace("/", "+")
        build = options.built.resolve() / project.name.replace("/", "+")
        build.mkdir(exist_ok=True)
        seconds, failed = (0.0, "") if options.reuse else built(project, source, build, compilers)
        command = project.build.replace("{source}", ".").replace("{build}", "build")
        builds.append([project.name, f"`{command}`", common.number(seconds, 1) if not failed else f"failed: {failed}"])
        common.progress(" ".join(builds[-1]))
        for test in () if failed else project.tests:
            words = shlex.split(test.format(source=source, build=build))
            words[0] = str(build / words[0])
            begun = time.monotonic()
            alone = common.run(words, limit=60.0, folder=build)
            took = "> 60" if alone.timed_out else common.number(time.monotonic() - begun, 1)
            native = took + ("" if alone.status == 0 or alone.timed_out else f", exit status {alone.status}")
            result = explored(words, options.seconds, build, project.steps)
            rows.append(_row(project, test, native, result))
            found = [line.replace(f"{source}/", "").replace(f"{build}/", "") for line in result.races]
            races += [f"- {project.name}, `{words[0].rpartition('/')[2]}`: {line}\n" for line in found]
            common.progress(" ".join(rows[-1]))
            common.progress("".join(races[-len(found) :]) if found else "")
            sections = [
                "## Builds\n", common.table(("project", "command", "s"), builds, "llr"), "## Tests\n",
                common.table(_HEADER, rows, "llrrrrlll"), "## Data races\n", "".join(races),
            ]  # fmt: skip
            options.output.write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()

# The entry points of a checkout; `make help` lists them.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --quiet --disable-pip-version-check
PINNED := setup/constraints.txt

.DELETE_ON_ERROR:
.PHONY: help setup demo support picture reference docs test test-engines test-all engines fuzz lint bench svcomp clean prerequisites lock cbmc esbmc tlc

help:
	@echo "make setup   a Python environment in $(VENV), and CBMC where the system has none"
	@echo "make demo    one buggy program and its repaired twin"
	@echo "make test    the unit tests, and each engine, property and report once; minutes. ROOM=modules/core: one room's"
	@echo "make test-engines   the other tests, with engines, and with selections of the many programs; a quarter of an hour"
	@echo "make test-all   all tests with all cases: each way to check each program; hours"
	@echo "make support writes docs/support.md from tests/programs/conformance"
	@echo "make picture draws docs/page.png again, with Chromium"
	@echo "make reference writes docs/options.md, the list of all options"
	@echo "make docs    the manual as a web site in build/site; a broken link is an error"
	@echo "make fuzz    random programs against a brute-force interleaver and the compiler; SEED=1 COUNT=2000"
	@echo "make lint    formatting, common mistakes, types"
	@echo "make bench   all measurements of benchmarks/; FIELD=INDEX.csv: also programs by others"
	@echo "make svcomp  sv-benchmarks/cseq.xml, with scores and HTML tables in build/svcomp; TIMELIMIT='20 s' JOBS=2 TASKS=DIR"
	@echo "make esbmc   provides ESBMC, one more engine, from another project's wheel; make test does it, too"
	@echo "make tlc     provides TLC, for specifications in TLA+; takes Java and, to fetch it, Maven"
	@echo "make lock    writes $(PINNED), the versions that make installs: the newest that pyproject.toml allows"
	@echo "make clean   remove what make has made here (CBMC stays where it is)"
	@echo "PYTHON=python3.12 chooses another Python for $(VENV)."

# --- setup ---

setup: $(VENV)/installed cbmc

# Each is asked before anything is downloaded: what is missing is then one line, not somebody else's traceback.
prerequisites:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) not found: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: CSeq needs Python 3.11 or later, and this is $$($(PYTHON) --version); make PYTHON=... chooses another" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: $(PYTHON) cannot make environments: apt-get install python3-venv" >&2; exit 1; }
	@command -v gcc >/dev/null || { echo "make: no C compiler: apt-get install gcc libc6-dev" >&2; exit 1; }

$(VENV)/bin/python: | prerequisites
	$(PYTHON) -m venv $(VENV)

# A stamp is newer than these two files while what they ask for is installed.
$(VENV)/installed: pyproject.toml $(PINNED) | $(VENV)/bin/python
	$(PIP) install --constraint $(PINNED) --editable .
	@touch $@

$(VENV)/installed-%: pyproject.toml $(PINNED) $(VENV)/installed
	$(PIP) install --constraint $(PINNED) --editable '.[$*]'
	@touch $@

# The newest versions that pyproject.toml allows, in an environment of their own.
lock: | prerequisites
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip --quiet --disable-pip-version-check install --editable '.[bench,cluster,dev,docs,test]'
	sed -n '/^#/p' $(PINNED) >build/lock/pinned
	build/lock/bin/python -m pip --disable-pip-version-check freeze --exclude-editable >>build/lock/pinned
	mv build/lock/pinned $(PINNED)
	rm -rf build/lock

cbmc:
	@setup/provide-cbmc

esbmc: $(VENV)/installed
	@PYTHON=$(PY) setup/provide-esbmc

tlc:
	@setup/provide-tlc

# --- use ---

# Exit status 1 means that a violation was found: of the buggy program nothing else will do.
demo: setup
	$(PY) cseq.py -i sv-benchmarks/lost_update_bad.c --rounds 2 --unwind 2 --cex; status=$$?; \
	  [ $$status -eq 1 ] || { echo "demo: expected a violation (exit status 1), got exit status $$status" >&2; exit 1; }
	$(PY) cseq.py -i sv-benchmarks/lost_update_good.c --rounds 2 --unwind 2

support: setup
	$(PY) -m tests.programs.matrix

picture: setup $(VENV)/installed-test
	$(PY) -m docs.picture

reference: $(VENV)/installed $(VENV)/installed-bench
	$(PY) -m docs.reference

docs: $(VENV)/installed-docs
	$(PY) -m mkdocs build --strict

# One process more than there are cores: some tests wait for what they have started.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# ROOM names a folder of tests/unit: all tests of that room, also those that start engines.
ROOM ?=
PYTEST := $(PY) -m pytest --numprocesses $(WORKERS) --dist worksteal --durations=25

test: engines
	$(PYTEST) $(if $(ROOM),tests/unit/$(ROOM),-m 'unit or smoke' tests/unit tests/smoke)

test-engines: engines
	$(PYTEST) -m 'not unit and not smoke'

test-all: engines
	$(PYTEST) --all

# What tests use besides what `make setup` provides.
engines: setup $(VENV)/installed-test
	@PYTHON=$(PY) setup/provide-esbmc || echo "make: ESBMC cannot be had here; the tests that need it are skipped" >&2
	@setup/provide-cbmc --version 5.12 || echo "make: CBMC 5.12 cannot be had here; the tests that need it are skipped" >&2
	@setup/provide-tlc || echo "make: TLC cannot be had here; the tests that need it are skipped" >&2

lint: $(VENV)/installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	find backends benchmarks tests -name '*.[ch]' -exec $(VENV)/bin/clang-format --dry-run -Werror {} +
	$(PY) -m mypy --package cseq
	$(VENV)/bin/lint-imports --no-logo

# The fixed seeds are in the test suite; this goes on from there.
SEED ?= 1
COUNT ?= 2000
fuzz: setup $(VENV)/installed-test
	$(PY) -m tests.differential.fuzz --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.control --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.counted --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.races --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.schedules --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.overlaps --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.deadlocks --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.deductive --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.specifications --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.proofs --seed $(SEED) --count $(COUNT)
	$(PY) -m tests.differential.linearizability.random_structures --seed $(SEED) --count $$(( $(COUNT) / 20 ))
	$(PY) -m tests.differential.linearizability.weak_structures --seed $(SEED) --count $$(( $(COUNT) / 20 ))

# Programs by others are measured where FIELD names their index, which `python -m benchmarks.field.index` makes.
FIELD ?=

bench: setup
	@for run in benchmarks/*/run.py; do \
	  name=$$(basename "$$(dirname "$$run")"); echo "$$name"; \
	  if [ "$$name" != field ]; then $(PY) -m "benchmarks.$$name.run" || exit; \
	  elif [ -n "$(FIELD)" ]; then $(PY) -m benchmarks.field.run $(FIELD) || exit; \
	  else echo "  left out: it takes FIELD=INDEX.csv"; fi; done

# BenchExec runs it where the machine has cgroups for that, else cseq-bench does; a line says which, and why.
TIMELIMIT ?= 60 s
JOBS ?= 1
TASKS ?=
svcomp: setup $(VENV)/installed-bench
	$(PY) -m cseq.bench --runner auto --timelimit '$(TIMELIMIT)' --jobs $(JOBS) $(TASKS:%=--tasks '%') \
	  --output build/svcomp --tables --summary build/svcomp/scores.md

clean:
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# make demo   play a whole game in front of you        make test    the tests, in five minutes
# make test-all   every test, in half an hour
# make check  ruff and mypy, as in CI                  make bench   decisions a second, waiting times
# make torture   fuzzing, faults, hostile rulesets, secrets, both engines, thorough tests: hours; MINUTES=5 for less
# make studio  build the page of `rulewright studio`, with Node 20.19 or newer
# make gallery   play the experiments of docs/gallery, and write their pages
# make profiles  measure the shipped games anew, to which `rulewright report` compares them
# make   the share of slips of meaning whose cause `rulewright examine` tells; FROM=domaine for one game
# Needs python 3.11 or newer, git and make; everything else is put into .venv on the first call.

PYTHON ?= python3
GAME   ?= carolus-magnus
TESTS  ?=
MINUTES ?= 60

BIN   := .venv/bin
PLAYS := .venv/.plays
READY := .venv/.ready
PIP   := pip install --quiet --disable-pip-version-check --no-compile

.DEFAULT_GOAL := help
.PHONY: help demo studio test test-all check bench bench-agents gallery profiles torture clean

help:
	@sed -n '1,8s/^# //p' Makefile

# The stamps are newer than pyproject.toml once what they stand for is installed, so that a second call does nothing:
# the interpreter and its commands, and what tests, reports and the studio need besides.
$(PLAYS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Rulewright needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12")'
	@test -x $(BIN)/python || { echo "Making .venv"; $(PYTHON) -m venv .venv; }
	@echo "Installing the interpreter and its commands into .venv (only this time)"
	@$(BIN)/python tools/install_commands.py $(PIP)
	@touch $(PLAYS)

$(READY): $(PLAYS)
	@echo "Installing what tests, reports and the studio need into .venv (only this time)"
	@$(BIN)/python -m $(PIP) -e '.[dev]'
	@touch $(READY)

demo: $(PLAYS)
	@$(BIN)/python -m rulewright_tools.commands.demo rulesets/$(GAME)

# Into the Python package; everything but the studio works without it.
studio:
	@command -v npm > /dev/null || { echo "The page of the studio is built with Node, which is not installed here; all else works without it"; exit 1; }
	@cd tools/studio && npm ci --silent --no-audit --no-fund && npm run --silent build

# Without TESTS, a set of five minutes that was chosen by what it finds (tests/slow.txt lists what it leaves out).
test: $(READY)
	@$(BIN)/python -m pytest $(or $(TESTS),--quick)

test-all: $(READY)
	@$(BIN)/python -m pytest

check: $(READY)
	@$(BIN)/mypy
	@$(BIN)/ruff check interpreter tools tests
	@$(BIN)/ruff format --check --quiet interpreter tools tests

bench: $(READY)
	@$(BIN)/python tests/benchmarks/bench_play.py rulesets/$(GAME)
	@$(BIN)/python tests/benchmarks/bench_native.py
	@$(BIN)/python tests/benchmarks/bench_experiment.py
	@$(BIN)/python tests/benchmarks/bench_feedback.py
	@$(BIN)/python tests/benchmarks/bench_lsp.py

# Speed, memory and strength of the agents that search; QUICK=--quick for fewer games. RECORD= is a file of games from
# which another run goes on, MINUTES= how long each part of games may take, PART= one part only.
RECORD = build/bench-agents.jsonl
bench-agents: $(READY)
	@mkdir -p $(dir $(RECORD))
	@$(BIN)/python tests/benchmarks/bench_agents.py $(QUICK) --record $(RECORD) $(MINUTES:%=--minutes %) $(PART:%=--part %)

# The pages of docs/gallery, each from the experiment beside it; with GALLERY= only those.
GALLERY ?= $(patsubst docs/gallery/%.toml,%,$(wildcard docs/gallery/*.toml))
gallery: $(READY)
	@for name in $(GALLERY); do \
	  $(BIN)/python -m rulewright_tools experiment docs/gallery/$$name.toml --output docs/gallery/$$name.html || exit 1; \
	done

# The profiles of the shipped games, to which `rulewright report` compares; with PROFILES= only those.
profiles: $(READY)
	@$(BIN)/python -m rulewright_tools.library_profiles $(PROFILES)

torture: $(READY)
	@$(BIN)/python tests/torture/run.py --minutes $(MINUTES) --jobs 2; found=$$?; \
	 $(BIN)/python tests/torture/faults.py || found=1; \
	 $(BIN)/python tests/torture/hostile_rulesets.py || found=1; \
	 $(BIN)/python tests/torture/same_outputs.py --minutes $$(($(MINUTES) / 4 + 1)) || found=1; \
	 $(BIN)/python tests/torture/differential.py --decisions $$(($(MINUTES) * 20000)) || found=1; \
	 $(BIN)/python tests/torture/expressions.py --expressions $$(($(MINUTES) * 5000)) || found=1; \
	 $(BIN)/python -m pytest --hypothesis-profile=torture --timeout=3600 -m 'thorough or sampled or hypothesis' --minutes $(MINUTES) || found=1; \
	 exit $$found

clean:
	rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache

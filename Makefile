# Every target sets up what it needs, in .venv.
PYTHON ?= python3
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check install
# The sources of the compiled engine: when one of them changes, it is compiled again.
ENGINE := $(wildcard src/fernzug/engine/*.py src/fernzug/bonuses/*.py src/fernzug/players/*.py)

PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal
# The kinds of tests that run with the plain engine too; the others only call the engine.
PLAIN  := $(addprefix tests/,analysis board bots game laws rules sim)

.PHONY: help play check test test-compiled test-plain lint format golden bench web maps fonts facts clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Fernzug needs Python 3.11 or newer, and $(PYTHON) is not. Name another one:" >&2; \
	  echo "  make $(or $(MAKECMDGOALS),play) PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Creating a Python environment in .venv ..."
	@$(PYTHON) -m venv .venv
	@touch $@

# What an older version left behind must not be taken for the engine: without a compiler it would be.
.venv/play: .venv/python pyproject.toml setup.py $(ENGINE)
	@echo "Installing Fernzug and compiling its engine, about a minute ..."
	@rm -rf build
	@find src -name '*.so' -delete
	@$(PIP) --editable '.[web]' || { \
	  echo "Fernzug could not be installed: the reason is above. Is there a network?" >&2; exit 1; }
	@$(BIN)/fernzug --version
	@touch $@

.venv/dev: pyproject.toml | .venv/play
	@echo "Installing what the tests need ..."
	@$(BIN)/python -c 'import tomllib; \
	  project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*project["optional-dependencies"]["dev"], sep="\n")' > .venv/dev.txt
	@$(PIP) --requirement .venv/dev.txt
	@touch $@

play: .venv/play  ## start the game in the browser
	@$(BIN)/fernzug serve --open --log warning

check: lint  ## check style and types, and run the quick tests: under a minute
	$(PYTEST) -m 'not slow'

test: test-compiled test-plain  ## run all tests, compiled and plain

test-compiled: .venv/dev
	$(PYTEST)

# Coverage is measured here: a compiled module cannot be.
test-plain: .venv/dev
	FERNZUG_PLAIN=1 $(PYTEST) $(PLAIN) --cov --cov-report=term:skip-covered

lint: .venv/dev  ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: .venv/dev  ## bring the files into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

golden: .venv/dev  ## write the golden files again, after a change of the rules
	$(BIN)/python tests/golden/renew.py
	$(BIN)/python tests/traces.py renew
	PYTHONPATH=tests $(BIN)/python tests/laws/test_observations.py

bench: .venv/dev  ## measure the speed of the engine
	$(BIN)/python benchmarks/engine.py

web: .venv/play  ## build the browser client (needs Node)
	cd web && npm ci --no-audit --no-fund && npm run build

maps:  ## draw the maps behind the boards anew (needs Node and the network)
	$(PYTHON) -m venv web/maps/cache/env
	web/maps/cache/env/bin/python -m pip install --quiet --requirement web/maps/requirements.txt
	web/maps/cache/env/bin/python web/maps/draw.py

fonts:  ## cut the typefaces down to what the client needs (needs Node)
	cd web && npm ci --no-audit --no-fund
	$(PYTHON) -m venv web/fonts/cache/env
	web/fonts/cache/env/bin/python -m pip install --quiet --requirement web/fonts/requirements.txt
	web/fonts/cache/env/bin/python web/fonts/subset.py

facts: .venv/play  ## measure how long a game on each board is
	$(BIN)/python tools/board_facts.py

clean:  ## remove what was built
	rm -rf .venv build dist src/*.egg-info
	find src -name '*.so' -delete

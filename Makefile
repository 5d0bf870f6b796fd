# make play and make test set everything up themselves, in .venv.
PYTHON ?= python3
BIN    := .venv/bin
# What the compiled engine is made from: a change builds it anew.
ENGINE := $(wildcard src/fernzug/engine/*.py src/fernzug/bonuses/*.py src/fernzug/players/*.py)

# The kinds of tests that run with the plain engine too; the others only call the engine.
PLAIN  := $(addprefix tests/,board bots game laws rules sim)

.PHONY: help play test test-compiled test-plain lint format golden bench web maps clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Fernzug needs Python 3.11 or newer; name one with PYTHON=python3.12 make ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

.venv/play: .venv/python pyproject.toml setup.py $(ENGINE)
	rm -rf build
	$(BIN)/python -m pip install --quiet --editable '.[web]'
	@touch $@

.venv/dev: .venv/play
	$(BIN)/python -m pip install --quiet --editable '.[dev,web]'
	@touch $@

play: .venv/play  ## start the game in the browser
	$(BIN)/fernzug serve --open

test: test-compiled test-plain  ## run all tests, compiled and plain

test-compiled: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Coverage is measured here: a compiled module cannot be.
test-plain: .venv/dev
	FERNZUG_PLAIN=1 $(BIN)/python -m pytest -n 2 --dist worksteal $(PLAIN) \
	  --cov --cov-report=term:skip-covered

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

bench: .venv/dev  ## measure the speed of the engine
	$(BIN)/python benchmarks/engine.py

web: .venv/play  ## build the browser client (needs Node)
	cd web && npm ci --no-audit --no-fund && npm run build

maps:  ## draw the maps behind the boards anew (needs Node and the network)
	$(PYTHON) -m venv web/maps/cache/env
	web/maps/cache/env/bin/python -m pip install --quiet --requirement web/maps/requirements.txt
	web/maps/cache/env/bin/python web/maps/draw.py

clean:  ## remove what was built
	rm -rf .venv build dist src/*.egg-info
	find src -name '*.so' -delete

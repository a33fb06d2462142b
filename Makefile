# `make test` does everything on a fresh machine: it needs Python 3.11 or newer with venv, and the package registries.
.DELETE_ON_ERROR:
.SUFFIXES:
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPATH =
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODULES := web/node_modules/.ready
PAGE := src/longhu/server/page/index.html
NPM := NODE_OPTIONS=--use-system-ca PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web --no-update-notifier
CORE := tests/accounts tests/clauses tests/games tests/table $(addprefix tests/test_,$(addsuffix .py,cards eventsourcing every_game messages money positions roads roundfile stored_names))
SOURCES := $(shell find web/src web/public -type f 2>/dev/null) web/index.html web/vite.config.ts $(wildcard src/longhu/messages/*.json)

.PHONY: help setup page contract browser serve test lint types arrows web tests test-quick format bench soak rules messages docs budget stored-names archive lock clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: $(READY) ## the environment in .venv

$(READY): requirements.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Longhu needs Python 3.11 or newer, found " + sys.version.split()[0] + "; name another with: make PYTHON=python3.12 test")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	VIRTUAL_ENV=$(VENV) $(BIN)/uv pip sync --quiet --system-certs --require-hashes --compile-bytecode requirements.lock \
	  || $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src # so that every start is a quick one, also where nothing may be written
	touch $(READY)

$(MODULES): web/package.json web/package-lock.json $(READY)
	$(NPM) ci --loglevel=error
	touch $(MODULES)

page: $(PAGE) ## the page, built from web/ into the package

$(PAGE): $(SOURCES) $(MODULES)
	$(NPM) run build --silent -- --logLevel warn
	touch $(PAGE)

browser: ## Chromium and Chinese letters for the tests of the page, from Debian's packages
	@command -v chromium-headless-shell chromium > /dev/null && fc-list :lang=zh | grep -q . || \
	  { test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium-headless-shell fonts-noto-cjk fontconfig > /dev/null; } || \
	  { echo "The tests of the page need Chromium and a Chinese font. As root: apt-get install chromium-headless-shell fonts-noto-cjk"; false; }

serve: $(READY) $(PAGE) ## a whole house with play money: prints the address to open, and keeps its data with the user's own
	$(BIN)/longhu serve --demo

test: $(READY) $(MODULES) ## everything that must hold: format, types, arrows, tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types web lint arrows page
	@$(MAKE) --no-print-directory tests

test-quick: $(READY) ## the core alone, without server, store, browser and compiled code: under a minute
	$(BIN)/pytest -n $$(nproc) --dist worksteal -q $(CORE)

lint: $(READY)
	$(BIN)/ruff format --check --quiet . || (echo "run: make format" && false)
	$(BIN)/ruff check --quiet .

types: $(READY)
	$(BIN)/mypy --no-error-summary

arrows: $(READY)
	$(BIN)/lint-imports --no-cache --config pyproject.toml > $(VENV)/arrows.txt || (cat $(VENV)/arrows.txt && false)

web: $(MODULES)
	$(NPM) run check --silent
	$(NPM) run test --silent

tests: $(READY) $(PAGE) browser
	$(BIN)/python -m compileall -q src # what hundreds of processes start from
	$(BIN)/pytest -n $$(($$(nproc) + 1)) --dist worksteal -q # browsers and tables wait much of their time

format: $(READY) ## put the code in its usual form
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .

rules: $(READY) ## write down anew which tests show which clause
	$(BIN)/pytest -q --collect-only --witnesses=src/longhu/rulebook/witnesses.csv > /dev/null

messages: $(READY) ## tell the page the kinds of every message anew: web/src/lib/message_kinds.ts
	$(BIN)/python web/message_kinds.py

contract: $(READY) ## write the page's types anew, from the server's structs: web/src/lib/contract.ts
	$(BIN)/python web/contract.py

docs: $(READY) ## draw a wager's way through the program anew (docs/pictures/wager.svg), and write docs/authority.md and the tables of docs/server.md
	$(BIN)/python docs/authority_page.py
	$(BIN)/python docs/server_tables.py
	$(BIN)/python docs/wager_path.py

budget: $(READY) ## lower the budget of modules and lines to what is there: tests/budget.toml
	$(BIN)/python -m tests.test_budget --write

stored-names: $(READY) ## write down the stored names and their shapes: tests/stored_names.txt
	$(BIN)/python -m tests.test_stored_names --write

archive: $(READY) ## write the archive of proofs that every later version must verify: tests/archive
	$(BIN)/python -m tests.archive_evenings

bench: $(READY) ## benchmarks, as ratios within one run (needs gcc)
	$(BIN)/python bench/settle.py
	$(BIN)/python bench/odds.py
	$(BIN)/python bench/odds_command.py
	$(BIN)/python bench/replay.py
	$(BIN)/python bench/verify.py
	$(BIN)/python bench/store.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/serve.py
	$(BIN)/python bench/lab.py
	$(BIN)/python bench/frames.py

soak: $(READY) ## the property tests with far more examples, the table broken on purpose, an hour of kills, a million rounds, and batteries on our randomness (needs dieharder)
	$(BIN)/longhu rng test --count 20000
	$(BIN)/python soak/randomness.py
	$(BIN)/python -m soak.table_mutants # the running table broken on purpose: each clause has a test that notices
	$(BIN)/python -m soak.crash # an hour of kills: LONGHU_SOAK_SECONDS says how long
	$(BIN)/python -m soak.growth --rounds 10000 100000 1000000
	HYPOTHESIS_PROFILE=soak LONGHU_KILLS=500 LONGHU_CASES=100 $(BIN)/pytest -n auto -q -o faulthandler_timeout=0 tests

lock: ## choose versions anew: the only target that changes the lock files
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --group dev pyproject.toml -o requirements.lock
	echo uv | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate - -o requirements-uv.lock
	$(NPM) install --package-lock-only --loglevel=error
	$(BIN)/python web/unaddressed.py web/package-lock.json

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis web/node_modules $(dir $(PAGE))

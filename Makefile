# Every target sets up what it needs in .venv, with uv if it is there and venv + pip if not.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := sdk server proto example_bots tests

.PHONY: help ladder test lint format bench proto clean
help:  ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

ladder: .venv/ready  ## Run a ladder of the example bots and print the standings
	$(BIN)/crossing-arena run-ladder

test: .venv/dev  ## Run all tests
	$(BIN)/pytest --numprocesses 2 --dist loadfile

lint: .venv/dev  ## Check format, style, types, layers and the wire contract
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	PYTHONPATH=sdk:server $(BIN)/lint-imports --no-cache
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code

format: .venv/dev  ## Put the code into shape
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)
	cd proto && ../$(BIN)/buf format --write

bench: .venv/dev  ## Measure, and print ratios
	$(BIN)/crossing-arena bench
	$(BIN)/pytest -m slow

proto: .venv/dev  ## Generate the wire's Python code from proto/
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python proto/generate.py

clean:  ## Remove what was set up and built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "crossing-arena needs Python 3.11 or newer; set PYTHON=...")'
	@if command -v uv >/dev/null; then uv venv --quiet --python $(PYTHON) .venv; \
	else $(PYTHON) -m venv .venv && .venv/bin/python -m pip install --quiet --upgrade pip; fi

.venv/ready: pyproject.toml sdk/pyproject.toml | .venv/bin/python
	@echo "Setting up .venv ..."
	@if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python -e sdk -e .; \
	else $(BIN)/python -m pip install --quiet -e sdk -e .; fi
	@touch $@

.venv/dev: .venv/ready
	@echo "Setting up the tools for development ..."
	@if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python --group dev; \
	else $(BIN)/python -m pip install --quiet --group dev; fi
	@touch $@

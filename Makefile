# Two commands: `make demo` and `make test`. Each says where it is; the second run of each is quick.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SOURCES := $(shell find ontology graph loaders queries service samples -type f -not -name '*.pyc' 2>/dev/null)

.PHONY: demo test lint types tests bench clean

demo: $(VENV)/installed
	@$(BIN)/vigente demo

test: lint types tests

lint: $(VENV)/test-tools
	@echo "== ruff: lint and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/test-tools
	@echo "== mypy (strict)"
	@$(BIN)/mypy
	@echo "== pyright"
	@$(BIN)/basedpyright

tests: $(VENV)/test-tools
	@echo "== tests"
	@$(BIN)/python -m pytest -n auto --dist worksteal

bench: $(VENV)/test-tools
	@$(BIN)/python -m benchmarks.first_slice

$(VENV)/bin/python:
	@echo "== making the environment in $(VENV)"
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else f"Vigente needs Python 3.11 or newer; {sys.executable} is {v.major}.{v.minor}. Try: make PYTHON=python3.11")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt $(VENV)/bin/python
	@echo "== installing what constraints.txt pins"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/test-tools: $(VENV)/installed
	@echo "== installing the test tools"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# `make demo` loads the sample; `make test` runs all tests. CONTRIBUTING.md describes the other targets.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PINS   := constraints.txt
# the pins also apply to build dependencies: older versions of pip read the first variable, newer ones the second
PIP    := PIP_CONSTRAINT=$(PINS) PIP_BUILD_CONSTRAINT=$(PINS) $(BIN)/python -m pip install --quiet --disable-pip-version-check

# apt-get with a time limit, for the optional programs of the tests; if one is missing, its tests are skipped with a reason
DEBS   := DEBIAN_FRONTEND=noninteractive timeout 240 apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20

.PHONY: demo test check lint types mypy tests quick-tests spark explore mutants browser virtuoso java nginx rsync clients docs bench clean

demo: $(VENV)/installed
	@$(BIN)/vigente demo

test: lint types tests
	@echo "== all checks passed"

# lint, types, unit and property tests at the same time, in at most 90 seconds on two processors
check: $(VENV)/test-tools
	@$(MAKE) --no-print-directory -j 2 lint mypy quick-tests
	@echo "== checked; make test runs everything"

lint: $(VENV)/test-tools
	@echo "== ruff: lint and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: mypy
	@echo "== pyright"
	@$(BIN)/basedpyright

mypy: $(VENV)/test-tools
	@echo "== mypy (strict)"
	@$(BIN)/mypy

# the unit and property tests, and the examples of the packages
QUICK := tests/unit tests/property vigente graph ontology loaders queries service words
quick-tests: $(VENV)/test-tools
	@echo "== unit and property tests"
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not processes" --no-header -p no:cacheprovider $(QUICK)

# one process more than there are processors, because many tests wait for other processes
tests: $(VENV)/test-tools browser virtuoso nginx rsync clients
	@echo "== tests"
	@$(BIN)/python -m pytest -q -n "$$(( $$(nproc 2>/dev/null || echo 2) + 1 ))" --dist worksteal --durations=20 --ignore tests/spark

# builds on clusters of worker processes on this machine, bound to the loopback address
spark: $(VENV)/test-tools java
	@echo "== tests of builds on Spark"
	@$(BIN)/python -m pytest -q --no-header tests/spark

# the property tests with new random examples, ROUNDS times
ROUNDS ?= 1
explore: $(VENV)/test-tools
	@echo "== property tests, with new examples"
	@for round in $$(seq $(ROUNDS)); do \
	  $(BIN)/python -m pytest -q -n "$$(nproc 2>/dev/null || echo 2)" --dist worksteal -m hypothesis --no-header --hypothesis-profile=explore || exit 1; \
	done

# the tests of the rules of time on MUTANTS mutants of the code (MODULE: of one module); fails if a mutant survives
MUTANTS ?= 90
mutants: $(VENV)/test-tools
	@$(BIN)/python scripts/mutants.py --most $(MUTANTS) $(if $(MODULE),--module $(MODULE))

# $(call debs,PROGRAM,PACKAGES,TESTS): install the packages if the program is missing; only the download has a time limit,
# because an interrupted installation would leave packages half configured
define debs
	@if ! command -v $(1) >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "== installing $(2), for tests of $(3)"; \
	  { $(DEBS) update && $(DEBS) install --yes --no-install-recommends --download-only $(2) && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=60 install --yes --no-install-recommends --no-download $(2); \
	  } >/dev/null 2>&1 || echo "   $(2) cannot be installed: the tests that need it are skipped"; \
	fi
endef

browser:
	$(call debs,chromium,chromium,pages)

virtuoso:
	$(call debs,virtuoso-t,virtuoso-opensource-7-bin,remote graphs)

java:
	$(call debs,java,openjdk-17-jre-headless,builds on Spark)

nginx:
	$(call debs,nginx,nginx-light,several readers)

rsync:
	$(call debs,rsync,rsync,several readers)

clients: $(VENV)/bin/pip
	@if [ ! -e $(VENV)/clients/installed ]; then \
	  echo "== installing generators of clients, for tests of the API"; \
	  { $(PYTHON) -m venv $(VENV)/clients && timeout 240 $(VENV)/clients/bin/pip install --quiet openapi-python-client==0.29.1 && \
	    cp tests/data/api/clients/package.json $(VENV)/clients && \
	    timeout 240 npm install --prefix $(VENV)/clients --no-audit --no-fund && touch $(VENV)/clients/installed; \
	  } >/dev/null 2>&1 || echo "   they cannot be installed: the tests that need them are skipped"; \
	fi

# the generated pages of the reference, and the site in build/site; fails on a broken link
docs: $(VENV)/test-tools
	@$(BIN)/python -m scripts.catalogues
	@$(BIN)/python -m ontology.reference
	@$(BIN)/python -m scripts.reference_pages
	@$(BIN)/python -m scripts.stubs
	@$(BIN)/python -m tests.support.rules_of_time
	@$(BIN)/python -m tests.support.evidence_table
	@$(BIN)/python -m tests.support.combination_table
	@$(BIN)/python -m tests.support.composition_table
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "== the site is in build/site"

# all benchmarks, or those of ONLY='...'; their figures are written to docs/reference/report.md; SIZE=full takes hours
SIZE ?= small
ONLY ?=
bench: $(VENV)/test-tools virtuoso
	@$(BIN)/python -m benchmarks.report --size $(SIZE) $(ONLY)

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else "Vigente needs Python 3.11 or newer; %s is %d.%d. Try: make PYTHON=python3.11" % (sys.executable, v[0], v[1]))'
	@echo "== making the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml $(PINS) | $(VENV)/bin/pip
	@echo "== installing the versions of $(PINS)"
	@$(PIP) -c $(PINS) -e .
	@$(BIN)/python -m compileall -q graph loaders ontology queries service vigente words  # commands start a third faster
	@touch $@

$(VENV)/test-tools: $(VENV)/installed
	@echo "== installing the test tools"
	@$(PIP) -c $(PINS) -e '.[test,research,spark]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

PYTHON ?= python3
VENV := .venv
UV_REQUIREMENTS := requirements/uv.txt
STAMP := $(VENV)/.synced

.PHONY: setup demo test test-all bench lint requirements clean

setup: $(STAMP)

# uv first, plain pip when uv can't be installed or fails: both check every hash.
$(STAMP): pyproject.toml requirements/dev.txt $(UV_REQUIREMENTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "mivas: $(PYTHON) is older than 3.11; run make PYTHON=python3.11 (or newer)" >&2; exit 2; }
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@( $(VENV)/bin/python -m pip install --quiet --require-hashes -r $(UV_REQUIREMENTS) \
	   && VIRTUAL_ENV=$(VENV) $(VENV)/bin/uv pip sync --quiet --require-hashes requirements/dev.txt ) \
	 || $(VENV)/bin/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@VIRTUAL_ENV=$(VENV) $(VENV)/bin/uv pip install --quiet --no-deps --no-build-isolation -e . \
	 || $(VENV)/bin/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

demo: setup
	$(VENV)/bin/mivas demo

lint: setup
	$(VENV)/bin/ruff check src tests benchmarks
	$(VENV)/bin/ruff format --check src tests benchmarks
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

test: setup
	$(VENV)/bin/pytest -m "not slow"

# A worker for each core; a file stays with one of them.
test-all: lint
	$(VENV)/bin/pytest -n auto --dist loadfile

bench: setup
	$(VENV)/bin/python benchmarks/state.py
	$(VENV)/bin/python benchmarks/verify.py
	$(VENV)/bin/python benchmarks/rescore.py
	$(VENV)/bin/python benchmarks/probe.py
	$(VENV)/bin/python benchmarks/caller.py
	$(VENV)/bin/python benchmarks/text_calls.py
	$(VENV)/bin/python benchmarks/line.py
	$(VENV)/bin/python benchmarks/voices.py
	$(VENV)/bin/python benchmarks/spoken_calls.py
	$(VENV)/bin/python benchmarks/text_calls.py --suites
	$(VENV)/bin/python benchmarks/harness.py
	$(VENV)/bin/python benchmarks/report.py

requirements: setup
	requirements/compile.sh

clean:
	rm -rf $(VENV)

# make play   set everything up and play a game in the terminal
# make test   set everything up and run every check that CI runs, but for the wheel (make wheel-check)
# make docs   set everything up and build the site into build/site
# Both need only Python 3.11 or later with venv, and work offline after the first time.

# Tests start hundreds of processes, and each would compile every module that it imports anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Without build isolation, packages are built with what is installed, and pip brings nothing that is not pinned. Python
# compiles modules when they are first imported; without --no-compile, pip would compile thousands that never are.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-compile
PIP    := $(BIN)/python $(INSTALL)
# One process more than there are processors: some tests wait for other processes, and another test runs meanwhile.
JOBS   ?= $(shell $(PYTHON) -c 'import os; print(1 + os.cpu_count())')

# The oldest Numba, NumPy and Arrow that pyproject.toml allows; only Python 3.11 and 3.12 have wheels of them.
OLDEST := .venv-oldest
# What the site is built with, apart from what the tests need.
DOCS := .venv-docs

.PHONY: play test oldest browser lint docs docs-check release-check wheel-check signature playthroughs looks pins clean

play: $(VENV)/.play
	@$(BIN)/zermelo play

# These use one core each, so they run side by side: packages are installed for mypy, for the oldest Numba and its
# tests, and for the site, which is built.
test:
	@$(MAKE) --no-print-directory --jobs=2 lint browser oldest docs
	$(BIN)/python -m pytest --quiet --numprocesses=$(JOBS)

# Tests of what depends on Numba's internals, and a few searches.
oldest: $(OLDEST)/.ready
	@if [ -x $(OLDEST)/bin/python ]; then $(OLDEST)/bin/python -m pytest --quiet -m 'not slow' \
	  tests/compiled/test_rules.py tests/compiled/test_codec.py tests/compiled/test_memory.py \
	  tests/compiled/test_reach.py tests/compiled/test_borrowing.py tests/engine/test_limits.py tests/test_along.py; \
	else echo "The oldest Numba needs Python 3.11 or 3.12: its tests are skipped."; fi

signature: $(VENV)/.test
	@$(BIN)/python benchmarks/signature.py

# The pages are tried in a real browser, which is the system's. Where none can be had, those tests are skipped.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  (apt-get install -y -qq chromium || (apt-get update -qq && apt-get install -y -qq chromium)) >/dev/null || true; \
	else echo "No Chromium here: the tests of the pages are skipped."; fi

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Warnings and broken links are errors. The site needs no network: open build/site/index.html, or serve it, to search.
docs: $(DOCS)/.ready
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict

# What takes too long for `make test`: the slow commands of the docs. And the notebooks, in kernels as people run them.
docs-check: $(DOCS)/.ready
	$(DOCS)/bin/python tests/pages.py slow
	$(DOCS)/bin/python tests/notebooks.py

# Wheel and sdist, checked, and tried in fresh environments of every Python that is here.
release-check: $(DOCS)/.ready
	$(DOCS)/bin/python tests/release.py

# The same without extras, which is quick enough for CI.
wheel-check: $(DOCS)/.ready
	$(DOCS)/bin/python tests/release.py --bare

# Rules or pictures of a game changed on purpose: write its golden playthrough again, and read the difference.
playthroughs: $(VENV)/.play
	$(BIN)/python -m zermelo.testing tests/data/playthroughs

# Pages changed their looks on purpose: keep the pictures of all games anew, after a look at the pages themselves.
looks: $(VENV)/.test
	ZERMELO_RENEW_LOOKS=1 $(BIN)/pytest -q tests/ui/web/test_looks.py -k looks_as_it_did

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("zermelo needs Python 3.11 or later; this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml requirements/play.txt | $(VENV)/bin/python
	$(PIP) --require-hashes --requirement requirements/play.txt
	$(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.play requirements/test.txt
	$(PIP) --require-hashes --requirement requirements/test.txt
	@touch $@

$(OLDEST)/.ready: pyproject.toml requirements/oldest.txt
	@if $(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 13))'; then $(PYTHON) -m venv $(OLDEST) && \
	  $(OLDEST)/bin/python $(INSTALL) --require-hashes --requirement requirements/oldest.txt && \
	  $(OLDEST)/bin/python $(INSTALL) --no-deps --editable .; \
	else mkdir -p $(OLDEST); fi
	@touch $@

$(DOCS)/.ready: pyproject.toml requirements/docs.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python $(INSTALL) --require-hashes --requirement requirements/docs.txt
	$(DOCS)/bin/python $(INSTALL) --no-deps --editable .
	@touch $@

# Pin what pyproject.toml asks for, with the hashes of every file of each version, for all systems and Python versions.
# The versions stay as they are where they can; `make pins UPGRADE=--upgrade` takes the newest.
UV      := build/pins/bin/uv
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command 'make pins' $(UPGRADE) pyproject.toml --group build

pins: $(UV)
	$(COMPILE) --extra web --extra chess --extra cluster --extra test --output-file requirements/test.txt
	$(COMPILE) --extra web --constraint requirements/test.txt --output-file requirements/play.txt
	$(COMPILE) --extra web --extra plot --group docs --group release --constraint requirements/test.txt \
	  --output-file requirements/docs.txt
	$(COMPILE) --group oldest --output-file requirements/oldest.txt

$(UV):
	$(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9

clean:
	rm -rf $(VENV) $(OLDEST) $(DOCS) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

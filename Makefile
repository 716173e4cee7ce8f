# The menu. `make` alone lists it. Everything runs in .venv, which the first target that needs it makes.

PYTHON ?= python3
VENV := $(CURDIR)/.venv
RUN := $(VENV)/bin/python
FIRST_PAGE := 00_start_here/00_start_here.ipynb
export PATH := $(VENV)/bin:$(PATH)
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root) # JupyterLab asks for it, as in a container
# one more than there are cores: a worker that waits for a process of its own leaves its core to the others
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(min(8, 1 + (os.cpu_count() or 1)))' 2>/dev/null || echo 1)
TESTS = $(RUN) -P -m pytest -q -n $(WORKERS) # -P: pytest would take the tree's egg-info for its plugin, and rewrite what it lists

.DEFAULT_GOAL := help
.PHONY: help lab drill demo test test-fuzz test-release test-all course generated check-generated check-exercises check-remedies check-cards harden compile-kernels test-gpu bench lite site record lint \
        format environment environment-dev environment-drills

help: ## list the targets
	@echo "make TARGET, where TARGET is"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

lab: environment ## open JupyterLab on the course, 00_start_here first
	@JUPYTER_CONFIG_PATH=$(CURDIR)/autograder/machine/start/lab_settings:$$JUPYTER_CONFIG_PATH $(RUN) -m jupyterlab --notebook-dir=course --LabApp.default_url=/lab/tree/$(FIRST_PAGE) --log-level=WARN $(AS_ROOT) $(LAB_FLAGS)

drill: environment-drills ## ten minutes of interview practice in this terminal (DRILL_FLAGS="--lang zh --topics B")
	@$(RUN) -m autograder.cli drill $(DRILL_FLAGS)

demo: environment ## judge a sample class end to end: feedback pages, gradebook, summary
	@$(RUN) -m autograder.cli demo --out build/demo $(DEMO_FLAGS)

test: environment-dev ## run the tests (GPU tests are skipped, and counted, without a GPU)
	@$(TESTS) --dist worksteal $(TEST_FLAGS)

test-release: environment-dev ## run the tests that only a release needs: the rest of matrices of which `make test` tries a part
	@$(TESTS) --dist worksteal -m release --release $(TEST_FLAGS)

test-fuzz: environment-dev ## try 2,000 malformed notebooks, records, plans, class files and messages
	@WARPBOOK_FUZZ=170 $(TESTS) tests/redteam/test_fuzz.py tests/redteam/test_fuzz_records.py

test-all: ## run everything that a release needs, step by step, and say at the end what ran and how long it took
	@$(PYTHON) tools/test_all.py

course: environment-dev ## rebuild the solved and the released notebooks and the tables from their sources
	@$(RUN) -m tools.generated notebooks work readme coverage

generated: environment-dev ## write every generated file that needs no GPU (NAMES="readme pitfalls": these)
	@$(RUN) -m tools.generated $(NAMES)

check-generated: environment-dev ## fail if a generated file differs from what its source gives
	@$(RUN) -m tools.generated --check $(NAMES)

check-exercises: environment-dev ## print four matrices: what people write, other styles, no work, a part of it (EXERCISES_FLAGS="--seconds 600")
	@$(RUN) -m tools.check_exercises $(EXERCISES_FLAGS)

check-remedies: environment-dev ## follow what verdicts on the catalogue's wrong answers say, and judge again (REMEDIES_FLAGS="--unit 05_warps")
	@$(RUN) -m tools.check_remedies $(REMEDIES_FLAGS)

harden: environment-dev ## change the course's own answers in one place at a time, and print what the judge lets pass (HARDEN_FLAGS="--unit 08_atomics")
	@$(RUN) -m tools.matrices.harden $(HARDEN_FLAGS)

check-cards: environment-dev ## mark every reply that is kept beside the drill cards: right ones otherwise written, and wrong ones
	@$(TESTS) --dist worksteal --release tests/autograder/drills/test_replies.py tests/autograder/drills/test_replies_in_words.py tests/autograder/drills/test_quantities.py tests/autograder/drills/test_translated.py tests/autograder/drills/cpp/test_answers.py

compile-kernels: environment-dev ## compile every kernel of the course, and the engine's tensor-core kernels, for common GPUs
	@$(RUN) -m tools.compile_kernels
	@$(RUN) -m tools.compile_engine_kernels

test-gpu: environment-dev ## run the tests that need an NVIDIA GPU
	@$(RUN) -m pytest -q -m gpu $(TEST_FLAGS)

bench: environment ## time the course's kernels on this GPU beside a copy and the libraries; record it
	@$(RUN) benchmarks/bench_gpu.py $(UNITS)

lite: environment-dev ## build the course as static files that run in a browser, into build/lite (needs npm)
	@$(RUN) -m tools.build_lite $(LITE_FLAGS)

site: environment-dev ## build the documentation with its units as static files, into build/site
	@$(RUN) -m tools.site $(SITE_FLAGS)

record: environment-dev ## run the solved notebooks on this machine and keep their outputs
	@$(RUN) -m tools.record_outputs $(UNITS)

lint: environment-dev ## ruff, its formatting, types of both packages and of benchmarks, and the arrows between packages
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy simt autograder benchmarks
	@$(RUN) -m tools.check_arrows

format: environment-dev ## let ruff mend what it can
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

environment:
	@$(PYTHON) tools/set_up.py

environment-dev:
	@$(PYTHON) tools/set_up.py --dev

environment-drills:
	@$(PYTHON) tools/set_up.py --drills

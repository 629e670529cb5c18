# make demo   set up what the engine needs, and score a hand
# make test   set up what the tests need, and run every check
# make check-long   hold both evaluators against each other on 100,000 hands (some minutes)
# make bench-history   measure the engine's own speed, and set it against the run before
# make docs   write the pages of the rulesets in docs/rulesets
# They work in a fresh clone and are quick from the second time on.

.PHONY: demo test check-long bench-history docs format clean
.NOTPARALLEL:
.DEFAULT_GOAL := demo

PYTHON_IN_VENV := .venv/bin/python

demo:
	@sh scripts/setup.sh run
	.venv/bin/yaku score "67m22z(4444m)[1111m][567m]+5m" --by discard --seat S --from W

test:
	@sh scripts/setup.sh test
	$(PYTHON_IN_VENV) -m ruff check .
	$(PYTHON_IN_VENV) -m ruff format --check .
	$(PYTHON_IN_VENV) -m mypy --strict
	$(PYTHON_IN_VENV) -m pytest -q -n auto

check-long:
	@sh scripts/setup.sh test
	$(PYTHON_IN_VENV) -m tests.longer evaluators --hands 100000
	$(PYTHON_IN_VENV) -m tests.longer sentences --examples 2000
	$(PYTHON_IN_VENV) -m tests.longer enumeration
	$(PYTHON_IN_VENV) -m tests.longer columns --hands 1000000
	$(PYTHON_IN_VENV) -m tests.longer diff --mutants 120
	$(PYTHON_IN_VENV) -m tests.longer smallest
	$(PYTHON_IN_VENV) -m tests.longer proofs
	$(PYTHON_IN_VENV) -m tests.longer attacks

bench-history:
	@sh scripts/setup.sh test
	$(PYTHON_IN_VENV) -m pip install -qq --editable '.[history]'
	$(PYTHON_IN_VENV) -m pytest benchmarks/history.py -q -p no:cacheprovider \
		--benchmark-autosave --benchmark-timer=time.process_time \
		$$(ls .benchmarks/*/*.json >/dev/null 2>&1 && echo --benchmark-compare)

docs:
	@sh scripts/setup.sh run
	$(PYTHON_IN_VENV) -m ruleengine.book docs/rulesets

format:
	@sh scripts/setup.sh test
	$(PYTHON_IN_VENV) -m ruff check --fix .
	$(PYTHON_IN_VENV) -m ruff format .

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

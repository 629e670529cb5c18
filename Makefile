# make demo   set up what the engine needs, and score a hand
# make test   set up what the tests need, and run every check
# Both work in a fresh clone and are quick from the second time on.

.PHONY: demo test format clean
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

format:
	@sh scripts/setup.sh test
	$(PYTHON_IN_VENV) -m ruff check --fix .
	$(PYTHON_IN_VENV) -m ruff format .

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

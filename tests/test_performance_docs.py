"""What `docs/performance.md` and `benchmarks/README.md` name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("docs/performance.md", "benchmarks/README.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_program_and_option_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = re.findall(r"python (benchmarks/\w+\.py)((?: [^`\n]*)?)", text)
    assert commands
    for program, rest in commands:
        source = (ROOT / program).read_text(encoding="utf-8")
        for option in re.findall(r"--\w+", rest):
            assert f'"{option}"' in source, (program, option)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make ([\w-]+)`", text):
        assert f"\n{target}:" in makefile


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for link in re.findall(r"\]\(([^)#]*[./][^)#]*)\)", path.read_text(encoding="utf-8")):
        assert link.startswith("http") or (path.parent / link).exists(), link

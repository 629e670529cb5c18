"""The wheel holds all that the engine needs and works from any folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent

LOCATE = """
import sys
sys.path.insert(0, sys.argv[1])
from ruleengine.data import data_folder
print(data_folder("grammar"))
print(data_folder("rulesets"))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_package_grammar_and_rulesets(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        held = set(archive.namelist())
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "ruleengine").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    data = {
        f"ruleengine/_data/{path.relative_to(ROOT).as_posix()}"
        for folder in ("grammar", "rulesets")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    assert "ruleengine/py.typed" in package
    assert {name for name in held if ".dist-info/" not in name} == package | data


def test_an_unpacked_wheel_finds_its_own_files_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "site with a space"
    with ZipFile(wheel) as archive:
        archive.extractall(installed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    result = subprocess.run(
        [sys.executable, "-c", LOCATE, str(installed)],
        cwd=elsewhere,
        check=True,
        capture_output=True,
        text=True,
    )
    packaged = installed / "ruleengine" / "_data"
    assert result.stdout.splitlines() == [str(packaged / "grammar"), str(packaged / "rulesets")]

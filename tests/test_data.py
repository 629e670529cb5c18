from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from ruleengine import data
from ruleengine.data import DataFolderError, DataKind, data_folder
from ruleengine.errors import RuleEngineError

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("kind", get_args(DataKind))
def test_a_checkout_uses_its_own_folders(kind: DataKind) -> None:
    assert data_folder(kind) == ROOT / kind


def test_the_shipped_files_are_there() -> None:
    assert (data_folder("grammar") / "condition.lark").is_file()
    assert (data_folder("rulesets") / "zhongyong-3.3.yaml").is_file()


def test_the_packaged_copy_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "ruleengine"
    packaged = package / "_data" / "rulesets"
    packaged.mkdir(parents=True)
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "grammar").mkdir()
    monkeypatch.setattr(data, "_PACKAGE", package)
    assert data_folder("rulesets") == packaged
    assert data_folder("grammar") == tmp_path / "grammar"


def test_a_damaged_installation_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "_PACKAGE", tmp_path / "ruleengine")
    with pytest.raises(DataFolderError, match="folder 'rulesets' that ships with yaku is missing"):
        data_folder("rulesets")
    assert issubclass(DataFolderError, RuleEngineError)

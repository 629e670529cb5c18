"""Where the grammar and the rulesets lie, in an installed wheel and in a checkout alike."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ruleengine.errors import RuleEngineError

DataKind = Literal["grammar", "rulesets"]

_PACKAGE = Path(__file__).resolve().parent


class DataFolderError(RuleEngineError):
    """The files that belong to the package are not where they should be."""


def data_folder(kind: DataKind) -> Path:
    """Return the folder of the shipped grammar files or of the shipped rulesets.

    A wheel carries them inside the package; in a checkout they stand next to it.
    Raises DataFolderError where neither is there, as after a damaged installation.
    """
    packaged = _PACKAGE / "_data" / kind
    checkout = _PACKAGE.parent / kind
    for folder in (packaged, checkout):
        if folder.is_dir():
            return folder
    raise DataFolderError(
        f"the folder '{kind}' that ships with yaku is missing (looked for {packaged} and "
        f"{checkout}); install yaku again"
    )

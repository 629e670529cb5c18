"""The benchmark of batches runs from end to end."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from benchmarks import batch, peers


def test_hands_are_concealed_and_different() -> None:
    hands = list(islice(batch.concealed_hands("realistic", 3), 200))
    assert len(set(hands)) == 200
    assert all(len(batch.tiles_of(hand)) == 14 for hand in hands)
    assert batch.tiles_of(hands[0])[-1] == peers.read_tile_ids(hands[0].text)[2] // 4


def test_a_small_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # The peers take long to load, and need not be there.
    monkeypatch.setattr(batch, "LOADERS", {batch.OURS: batch.load_ours})
    monkeypatch.setattr(batch, "SAMPLE", 20)
    assert batch.main(["--hands", "100", "--repeat", "2", "--set", "random"]) == 0
    out = capsys.readouterr().out
    assert "20 hands: points and patterns are those of the interpreter" in out
    rows = re.findall(r"^\| ruleengine .* \| (.*) \| [\d,]+ \| [\d,]+ to [\d,]+ \|", out, re.M)
    assert rows == list(batch.WAYS)

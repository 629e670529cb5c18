"""The scorer of record batches inside Spark and Ray, as `docs/batches.md` shows."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

import pyarrow as pa
import pytest

from benchmarks.hands import make_hands
from ruleengine.loading import load_ruleset

RULES = load_ruleset("zhongyong-3.3")
HANDS = pa.table(
    {
        "id": list(range(500)),
        "hand": [hand.text for hand in make_hands("random", 500, 8)],
    }
)


def points_by_id(results: pa.Table) -> dict[int, int]:
    ids, points = results.column("id").to_pylist(), results.column("points").to_pylist()
    return dict(zip(ids, points, strict=True))


def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="pyspark is in the extra 'spark'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark: Any = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    )
    try:
        scorer = RULES.batch_scorer()
        rows = [tuple(row.values()) for row in HANDS.to_pylist()]
        hands = spark.createDataFrame(rows, "id long, hand string")
        schema = from_arrow_schema(scorer.schema(HANDS.schema))
        found = hands.repartition(3).mapInArrow(scorer.batches, schema).collect()
    finally:
        spark.stop()
    assert {row["id"]: row["points"] for row in found} == points_by_id(RULES.score_batch(HANDS))
    patterns = {row["id"]: [pattern["id"] for pattern in row["patterns"]] for row in found}
    expected = RULES.score(HANDS.column("hand")[7].as_py()).patterns
    assert patterns[7] == [counted.id for counted in expected]


def test_ray() -> None:
    pytest.importorskip("ray.data", reason="ray is not installed")
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        hands: Any = ray.data.from_arrow(HANDS)
        found = hands.map_batches(RULES.batch_scorer(), batch_format="pyarrow", batch_size=100)
        results = pa.concat_tables(ray.get(found.to_arrow_refs()))
    finally:
        ray.shutdown()
    assert points_by_id(results) == points_by_id(RULES.score_batch(HANDS))

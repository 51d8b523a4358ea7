"""The published data beside the checkout; tests that need it say so where it is missing."""

from pathlib import Path

import pytest

from apigap.benchmarks.toolllm.queries import Query, load_queries

DATA = Path(__file__).parents[4] / "shared" / "data" / "toolbench"


@pytest.fixture(scope="session")
def toolbench() -> Path:
    """The folder of the published data."""
    if not DATA.is_dir():
        pytest.skip(f"no ToolBench data beside the checkout ({DATA.name} is not there)")
    return DATA


@pytest.fixture(scope="session")
def published(toolbench: Path) -> dict[str, Query]:
    """The queries of the three visible sets, by id."""
    files = sorted((toolbench / "solvable_queries" / "test_instruction").glob("*.json"))
    return {query.task_id: query for query in load_queries(files)}

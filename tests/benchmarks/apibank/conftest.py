"""The published data beside the checkout; tests that need it say so where it is missing."""

from pathlib import Path

import pytest

from apigap.benchmarks.apibank.dialogues import Bank, Dialogue, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge

DATA = Path(__file__).parents[4] / "shared" / "data" / "apibank"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published data."""
    if not DATA.is_dir():
        pytest.skip(f"no API-Bank data beside the checkout ({DATA.name} is not there)")
    return DATA


@pytest.fixture(scope="session")
def bank(published: Path) -> Bank:
    """All that can be asked."""
    return load_bank(published)


@pytest.fixture(scope="session")
def adapter(bank: Bank) -> ApiBankJudge:
    """The adapter in the released mode."""
    return ApiBankJudge(bank)


@pytest.fixture(scope="session")
def dialogues(bank: Bank) -> dict[tuple[str, str], Dialogue]:
    """Dialogues by level and file."""
    return {(dialogue.level, dialogue.file): dialogue for dialogue in bank.dialogues}

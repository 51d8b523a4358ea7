"""What needs PyTorch is imported when it is used: where the extra is not installed, tests are skipped with its name."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def tokenizer() -> Any:
    from tests.adaptation.tiny import tiny_tokenizer

    return tiny_tokenizer()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A llama-shaped model as a folder that transformers can load."""
    from tests.adaptation.tiny import tiny_model, tiny_tokenizer

    folder = tmp_path / "tiny"
    tiny_model("llama").save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return folder

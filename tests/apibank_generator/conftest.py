"""One run of the whole generator over the scripted model, which the tests look at and replay."""

from typing import Any

import pytest

from apigap.apibank_generator.order import Order
from apigap.apibank_generator.run import Folder, RunOptions, generate_apibank
from apigap.models import transcripts
from tests.apibank_generator.script import Scripted

ORDER = Order(count=60)
MEANS = RunOptions("scripted/by-hand", embedder="lexical")


class Quiet:
    """Progress that nobody sees."""

    def step(self, title: str) -> Any:
        return lambda done, total: None

    def note(self, text: str) -> None:
        pass


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Folder, dict[str, Any]]:
    """The folder and the summary of sixty dialogues."""
    out = tmp_path_factory.mktemp("generated") / "run"
    with pytest.MonkeyPatch.context() as patch:
        Scripted.reset()
        patch.setattr(transcripts, "Generator", Scripted)
        told = generate_apibank(ORDER, MEANS, out, Quiet())
    return Folder(out), told

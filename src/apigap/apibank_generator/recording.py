"""The recorded run that comes with apigap: a strong model's answers, over which anybody can try the generator.

The model answered through a folder of requests (`batch/queue/strong`) on 2026-11-27. `recorded_run.jsonl.xz` has the
transcripts that the run left, byte for byte.
"""

import lzma
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from apigap.apibank_generator.order import Order

RECORDED_MODEL = "batch/queue/strong"
RECORDED_ORDER = Order(count=104, per_domain=18, per_api=12)


@contextmanager
def recorded_run() -> Generator[Path]:
    """The transcripts of the recorded run as a file, for as long as they are replayed."""
    packed = (files("apigap.apibank_generator") / "recorded_run.jsonl.xz").read_bytes()
    with TemporaryDirectory(prefix="apigap-recorded-") as folder:
        path = Path(folder) / "recorded_run.jsonl"
        path.write_bytes(lzma.decompress(packed))
        yield path

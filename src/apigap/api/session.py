"""The surroundings of a call: where its progress is shown, and the paths that it takes."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from apigap.api.console import Console
from apigap.models.gguf import places
from apigap.packages.wheelhouse import use
from apigap.records.configuration import Settings, load_settings
from apigap.records.progress import Progress, Unseen

FilePath = str | os.PathLike[str]
Display = Progress | Literal["stderr"] | None
"""The display of progress: `stderr` draws it there as the commands do, None leaves it out."""


def in_force(settings: Settings | None) -> Settings:
    """The settings of a call, by default the package's.

    Their folders of wheels are looked into from now on, and local models run where they have programs run.
    """
    terms = settings or load_settings()
    use(terms.packages.wheelhouse)
    places.use(terms.execution)
    return terms


@contextmanager
def shown(display: Display) -> Generator[Progress]:
    """The progress that `display` means, and the end of what is drawn for it."""
    if display is None:
        yield Unseen()
    elif display == "stderr":
        with Console() as console:
            yield console
    else:
        yield display

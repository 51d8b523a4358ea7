"""All cases for one task."""

import functools
from pathlib import Path

from apigap.gates.battery.case import Aims, Battery, Case, Skipped
from apigap.gates.battery.containers import containers
from apigap.gates.battery.evasion import evasions
from apigap.gates.battery.exits import exits
from apigap.gates.battery.forgery import forgeries
from apigap.gates.battery.honest import honest
from apigap.gates.battery.leaks import leaks
from apigap.gates.battery.migrations import migrations
from apigap.gates.battery.resources import resources
from apigap.gates.battery.signature import Signature
from apigap.gates.battery.subject import Subject
from apigap.gates.battery.watching import watchings
from apigap.records.base import content_hash
from apigap.records.sources import source_hash
from apigap.records.store import read_text
from apigap.records.task import Task


def battery(task: Task, aims: Aims, signature: Signature | None = None) -> Battery:
    """The cases of families 1 to 60 that can be made for `task`, in order, and those that cannot, with the reason."""
    subject = Subject(task)
    makers = (exits, forgeries, leaks, evasions, resources, watchings, containers, migrations)
    groups = [make(subject, aims) for make in makers]
    made = [*(case for group in groups for case in group), *honest(subject, aims, signature)]
    cases = sorted((case for case in made if isinstance(case, Case)), key=lambda case: case.family)
    skipped = sorted((case for case in made if isinstance(case, Skipped)), key=lambda case: case.family)
    return Battery(tuple(cases), tuple(skipped))


@functools.cache
def battery_hash() -> str:
    """Sixteen hex digits over the code that makes the cases, and the programs that it makes them of."""
    here = Path(__file__).parent
    return content_hash([source_hash(here), *(read_text(path) for path in sorted(here.glob("programs/*.txt")))])

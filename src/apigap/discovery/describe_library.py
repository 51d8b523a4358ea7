"""A library's configuration made from what the index says of it."""

import email.parser
import re
import zipfile
from collections.abc import Iterable
from email.message import Message

from apigap.discovery.library import LibraryConfig, check_name
from apigap.discovery.versions import newest_before
from apigap.packages.index import ReleaseFile, release, releases
from apigap.packages.remote_wheel import RemoteFile, wheel_to_read
from apigap.packages.transfer import get
from apigap.records.errors import UsageError

LARGE_WHEEL = 200 << 20
_AGENTS = re.compile(r"\b(?:agents?|agentic|mcp|llms?|tool[- ]calling)\b", re.IGNORECASE)
_TOPICS = (
    ("dl", ("Topic :: Scientific/Engineering :: Artificial Intelligence",)),
    (
        "ai4science",
        tuple(
            f"Topic :: Scientific/Engineering :: {science}"
            for science in ("Astronomy", "Atmospheric", "Bio", "Chemistry", "Medical", "Physics")
        ),
    ),
    ("data_science", ("Topic :: Scientific/Engineering", "Topic :: Database :: Front", "Intended Audience :: Science")),
    ("swe", ("Framework ::", "Topic :: Internet", "Topic :: Software Development", "Topic :: System")),
)  # fmt: skip


def describe_library(name: str, new: str | None = None) -> LibraryConfig:
    """The configuration of `name` as the index describes it: its own spelling, its domain, and how to read it.

    It is read as text where no wheel of it fits this machine, or the wheel is larger than LARGE_WHEEL bytes.

    Raises:
        UsageError: when `name` cannot be one, or the index has no such library or version, or nothing stable.
        InfrastructureError: when the index cannot be reached.
    """
    check_name(name)
    known = releases(name)
    version = new or newest_before(known, None) or newest_before(known, None, to_run=False)
    if version is None:
        raise UsageError(f"{name} has no stable release on the index; name a version with --new")
    found = release(name, version)
    wheel = wheel_to_read(found)
    metadata = metadata_of(wheel) if wheel else Message()
    own = str(metadata.get("Name") or name)
    fits = wheel is not None and wheel.fits_here and (wheel.size or 0) <= LARGE_WHEEL
    words = [str(metadata.get(key) or "") for key in ("Summary", "Keywords")]
    return LibraryConfig(
        name=own,
        distribution=own,
        domain=guess_domain(metadata.get_all("Classifier") or (), " ".join(words)),
        new=found.version if new else None,
        read="runtime" if fits else "static",
        groups=("own",),
    )


def guess_domain(classifiers: Iterable[str], words: str) -> str:
    """The domain that classifiers and summary speak for; `other` where they say nothing."""
    if _AGENTS.search(words):
        return "agent_tool"
    given = tuple(classifiers)
    return next((domain for domain, starts in _TOPICS if any(one.startswith(starts) for one in given)), "other")


def metadata_of(wheel: ReleaseFile) -> Message:
    """The METADATA that the index serves beside a wheel (PEP 658), else that inside; only that part is fetched."""
    page = None if wheel.place else get(f"{wheel.url}.metadata", "*/*")
    text = page.body if page else _inside(wheel)
    return email.parser.Parser().parsestr(text.decode("utf-8", "replace"), headersonly=True)


def _inside(wheel: ReleaseFile) -> bytes:
    """Nothing where the index only serves whole files, or the wheel has none."""
    remote = wheel.place or RemoteFile.open(wheel.url)
    if remote is None:
        return b""
    with zipfile.ZipFile(remote) as zipped:
        name = next((name for name in zipped.namelist() if name.endswith(".dist-info/METADATA")), None)
        return zipped.read(name) if name else b""

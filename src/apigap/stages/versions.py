"""The pair of releases to compare, filled in where the user left one open."""

from datetime import date

from apigap.discovery.library import find_library
from apigap.discovery.versions import newest_version, version_pair
from apigap.models.model_facts import cutoff_of
from apigap.records.target import Target


def resolve_versions(
    library: str,
    old: str | None,
    new: str | None,
    model: str | None,
    *,
    cutoff: date | None = None,
    to_run: bool = True,
) -> Target:
    """The target with its versions filled in, by the name that its configuration has, however `library` is spelt.

    The new version defaults to the one that the library's configuration pins, else to the newest stable release that
    this Python can install; the old one to the newest stable release before the model's training `cutoff`, which this
    Python can install as well where it is `to_run`.

    Raises:
        UsageError: when the old version is left open and the model has no known cutoff.
    """
    config = find_library(library)
    domain = "user" if config.domain == "other" else config.domain
    if old is not None:
        return Target(config.name, old, newest_version(config, new), domain)
    before, newest = version_pair(config.name, cutoff_of(model, cutoff), new, to_run=to_run)
    return Target(config.name, before, newest, domain)

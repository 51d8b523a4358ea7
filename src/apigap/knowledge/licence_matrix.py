"""The licence of each library, and whether its source may leave the user's machine in a bundle."""

from collections.abc import Iterable, Iterator

from apigap.discovery.describe_library import metadata_of
from apigap.discovery.library import LibraryConfig
from apigap.discovery.versions import newest_version
from apigap.knowledge.licences import read_licence
from apigap.packages.index import release
from apigap.packages.remote_wheel import wheel_to_read
from apigap.records.base import Record
from apigap.records.knowledge import Licence


class LicenceRow(Record):
    """One library at the version that is looked at; `shared` says whether its source may be passed on in bundles."""

    library: str
    version: str
    licence: Licence

    @property
    def shared(self) -> bool:
        """Only what is clearly permissive."""
        return self.licence.kind == "permissive"


def licence_matrix(configs: Iterable[LibraryConfig]) -> Iterator[LicenceRow]:
    """A row per library, by the metadata of its wheel on the index; nothing is installed.

    Raises:
        UsageError: when a library or its version does not exist.
        InfrastructureError: when the index cannot be reached.
    """
    for config in configs:
        version = newest_version(config)
        wheel = wheel_to_read(release(config.distribution, version))
        licence = (
            read_licence(metadata_of(wheel).as_string(), f"{wheel.filename}/METADATA")
            if wheel is not None
            else Licence(kind="unknown", text="", where="it has no wheel")
        )
        yield LicenceRow(library=config.name, version=version, licence=licence)

"""The target API as a dotted path, and whether a name can mean it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A qualified name such as `pydantic.BaseModel.model_dump`."""

    path: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The segments of the path."""
        return tuple(self.path.split("."))

    @property
    def package(self) -> str:
        """The top-level package."""
        return self.parts[0]

    @property
    def leaf(self) -> str:
        """The last segment."""
        return self.parts[-1]

    def below_package(self, name: str) -> bool:
        """Check that `name` is one of the segments after the package."""
        return name in self.parts[1:]

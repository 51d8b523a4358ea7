"""The sandbox of an engine put to use for its environments: their sources are compiled there, and wheels are built."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from packaging.utils import parse_wheel_filename

from apigap.packages.bytecode import compile_environment
from apigap.packages.environments import UNCOMPILED, EnvironmentStore
from apigap.packages.index import Release
from apigap.packages.interpreter_choice import RUNNING
from apigap.packages.interpreters import Interpreter
from apigap.packages.source_builds import build, release_to_build
from apigap.records.configuration import PackageSettings
from apigap.records.errors import EnvironmentFailure
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.profile import Profile


def environment_store(
    engine: Engine, packages: PackageSettings | None = None, python: str | None = None
) -> EnvironmentStore:
    """The environments of this machine, compiled (and built, where wanted) in sandboxes like the engine's.

    Their interpreters are chosen as `packages` says; without it, all are of `python`, a minor version, or else of the
    one that runs apigap unless they are asked for by name, as those of tasks are, and everything else is as the
    engine's settings say.
    """
    if packages is None and (engine.packages is not None or python is not None):
        packages = (engine.packages or PackageSettings()).model_copy(update={"python": python or RUNNING})
    return EnvironmentStore(workshop=SandboxWorkshop(engine.profile, engine.build_sdists), packages=packages)


@dataclass(frozen=True)
class SandboxWorkshop:
    """A workshop that works under `profile`; without isolation it neither compiles nor builds."""

    profile: Profile
    builds: bool = False

    def compile(self, environment: Environment) -> None:
        """Compile the sources, once; see `compile_environment`."""
        if self.profile.contained:
            compile_environment(environment, self.profile)
            (environment.root / UNCOMPILED).unlink(missing_ok=True)

    def build(
        self, needed_by: Release, name: str, asked: str, until: datetime | None, into: Path, interpreter: Interpreter
    ) -> None:
        """Put a wheel of `name` for an interpreter into a folder; one of another version than those that are there.

        Raises:
            EnvironmentFailure: see `release_to_build` and `build`; and without isolation.
        """
        if not self.profile.contained:
            raise EnvironmentFailure(
                f"{needed_by.library} {needed_by.version} needs {name}, which has no wheels for this Python, and with "
                "--unsafe-local nothing is built: its code would run as you; leave out --unsafe-local"
            )
        built = [parse_wheel_filename(path.name) for path in into.glob("*.whl")]
        tried = [str(version) for package, version, *_ in built if package == name]
        found = release_to_build(needed_by, name, asked, until, interpreter.version, tried)
        build(found, self.profile, into, interpreter)

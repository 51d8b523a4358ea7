"""`make dist`: the wheel and the source archive of the commit that is checked out, built twice and checked.

Nothing of the working tree gets in: the commit is unpacked into a folder of its own and built there. A tag `vX.Y.Z` on
it must be the version that `apigap.version` names.
"""

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

import uv

from tools.release.contents import source_problems, wheel_problems

ROOT = Path(__file__).parents[2]
TWINE = "twine==7.0.0"
_VERSION = "src/apigap/version.py"


def main() -> None:
    """Build and check; the exit code is 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the files; what is in it goes")
    parser.add_argument("--install", choices=["none", "alone", "all"], default="none", help="then try the wheel")
    given = parser.parse_args()
    problems = build(given.out)
    if not problems and given.install != "none":
        from tools.release.installed import problems_when_installed

        (wheel,) = given.out.glob("*.whl")
        problems = problems_when_installed(wheel, extras=given.install == "all")
    for problem in problems:
        print(f"wrong: {problem}", file=sys.stderr)
    sys.exit(bool(problems))


def build(out: Path) -> list[str]:
    """The files of the commit in `out`; returns what is wrong with them, in words."""
    tracked = git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    version = version_of(git("show", f"HEAD:{_VERSION}"))
    problems = tag_problems(git("tag", "--points-at", "HEAD").split(), version)
    changed = git("status", "--porcelain", "--untracked-files=no").splitlines()
    if changed:
        print(f"note: {len(changed)} files are changed and not committed; HEAD is built without that", file=sys.stderr)
    for old in [*out.glob("*.whl"), *out.glob("*.tar.gz"), *out.glob("*.json")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as name:
        source, again = Path(name) / "source", Path(name) / "again"
        _unpack(source)
        _build(source, out)
        _build(source, again)
        problems += [f"{path.name} has other bytes when it is built again" for path in _differing(out, again)]
    (wheel,), (archive,) = out.glob("*.whl"), out.glob("*.tar.gz")
    problems += wheel_problems(wheel, tracked, version) + source_problems(archive, tracked, version)
    problems += _command_problems(
        "twine", [uv.find_uv_bin(), "tool", "run", TWINE, "check", "--strict", wheel, archive]
    )
    _write_bill(out / f"apigap-{version}.cdx.json")
    for path in (wheel, archive):
        print(f"{path.name}: {path.stat().st_size} bytes")
    return problems


def version_of(text: str) -> str:
    """The version that the one place of it names."""
    return text.split('__version__ = "')[1].split('"')[0]


def tag_problems(tags: Sequence[str], version: str) -> list[str]:
    """Tags of a release on this commit that are not its version."""
    return [f"the tag is {tag}, the version {version}" for tag in tags if tag[:1] == "v" and tag != f"v{version}"]


def git(*words: str) -> str:
    """The output of git on this checkout."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _unpack(folder: Path) -> None:
    """The files of the commit."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def _build(source: Path, out: Path) -> None:
    subprocess.run([uv.find_uv_bin(), "build", "--quiet", "--out-dir", out, source], check=True)
    (out / ".gitignore").unlink(missing_ok=True)


def _differing(one: Path, other: Path) -> list[Path]:
    return [path for path in sorted(one.iterdir()) if path.read_bytes() != (other / path.name).read_bytes()]


def _command_problems(name: str, command: Sequence[str | Path]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [f"{name}: {done.stdout}{done.stderr}"] if done.returncode else []


def _write_bill(path: Path) -> None:
    """The bill of materials (CycloneDX 1.5) of the extra `all`, out of uv.lock."""
    words = ["export", "--quiet", "--format", "cyclonedx1.5", "--extra", "all", "--no-default-groups", "--locked"]
    features = ["--preview-features", "sbom-export"]
    subprocess.run(
        [uv.find_uv_bin(), *words, *features, "--output-file", path], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )


if __name__ == "__main__":
    main()

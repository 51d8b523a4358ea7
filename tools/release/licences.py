"""The licences of all that the extra `all` brings, as docs/dependencies.md: `python -m tools.release.licences`.

The locked versions are installed into an environment of their own, and asked what they say of themselves.
"""

import os
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

import uv
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from apigap.reporting.markdown import markdown_table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "dependencies.md"
_HEAD = """# What is installed, and under which licences

These are all packages that the extra `all` installs on Linux, in the versions of `uv.lock`, each with the licence in
its metadata. `python -m tools.release.licences` makes this page; `make dist` writes the bill of materials (CycloneDX)
beside the wheel.

apigap itself is Apache-2.0 and contains no code of these. The explorer's page contains Preact (MIT) and htm
(Apache-2.0), with their licences beside them. For the libraries that are audited, see `apigap library licences`.

"""
_CLASSIFIER = "License :: OSI Approved :: "
_SAME = {
    "Apache 2.0": "Apache-2.0", "Apache License 2.0": "Apache-2.0", "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0", "Apache Software License 2.0": "Apache-2.0", "BSD License": "BSD",
    "BSD": "BSD", "MIT License": "MIT", "MIT license": "MIT", "The MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "Python Software Foundation License": "PSF-2.0",
    "ISC License (ISCL)": "ISC", "The Unlicense (Unlicense)": "Unlicense",
}  # fmt: skip
"""Names of one licence, as metadata spells it."""


def licence_of(package: Distribution) -> str:
    """The licence by a package's metadata: its expression, else its classifiers, else the first line that it gives."""
    told = package.metadata
    if "License-Expression" in told:
        return told["License-Expression"]
    every = [str(name) for name in told.get_all("Classifier", [])]
    classes = [name.removeprefix(_CLASSIFIER) for name in every if name.startswith(_CLASSIFIER)]
    given = told["License"].strip().splitlines()[:1] if "License" in told else []
    names = classes or [line for line in given if len(line) < 60]
    return " or ".join(sorted({_SAME.get(name, name) for name in names})) or "not told"


def page(packages: Mapping[str, tuple[str, str]]) -> str:
    """The page; `packages` gives version and licence by name."""
    by_licence: dict[str, list[str]] = defaultdict(list)
    for name, (version, licence) in sorted(packages.items()):
        by_licence[licence].append(f"{name} {version}")
    ordered = sorted(by_licence.items(), key=lambda row: (-len(row[1]), row[0]))
    rows = [(licence, str(len(names)), ", ".join(names)) for licence, names in ordered]
    return _HEAD + markdown_table((f"licence of {len(packages)} packages", "packages", "which"), rows)


def locked() -> dict[str, str]:
    """The packages of the extra `all` on this platform, with their locked versions."""
    words = [
        "export",
        "--quiet",
        "--locked",
        "--extra",
        "all",
        "--no-default-groups",
        "--no-emit-project",
        "--no-hashes",
    ]
    done = subprocess.run([uv.find_uv_bin(), *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(_pins(done.stdout.splitlines()))


def _pins(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and versions of the lines whose marker holds here."""
    for line in lines:
        text = line.strip()
        if text and not text.startswith("#"):
            one = Requirement(text)
            if one.marker is None or one.marker.evaluate():
                yield one.name, str(one.specifier).removeprefix("==")


def installed(site: Path) -> dict[str, tuple[str, str]]:
    """Version and licence of every package below `site`, by its normal name; without apigap."""
    every = {canonicalize_name(one.metadata["Name"]): one for one in distributions(path=[str(site)])}
    return {name: (one.version, licence_of(one)) for name, one in every.items() if name != "apigap"}


def main() -> None:
    """Install, read, and write the page."""
    with tempfile.TemporaryDirectory() as name:
        own = Path(name) / "environment"
        variables = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(own)}
        words = ["sync", "--quiet", "--locked", "--extra", "all", "--no-default-groups", "--no-install-project"]
        subprocess.run([uv.find_uv_bin(), *words], cwd=ROOT, env=variables, check=True)
        (site,) = own.glob("lib/python*/site-packages")
        PAGE.write_text(page(installed(site)), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
